// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/replay/replay.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "search/space/rng.h"
#include "search/strategies/strategy.h"

namespace mmtune {
namespace {

/// Streams of a seed that no strategy uses.
constexpr uint64_t kNoiseStream = uint64_t{1} << 40;
constexpr uint64_t kFailureStream = kNoiseStream + 1;   // And more: one a schedule.
constexpr uint64_t kRecordsStream = uint64_t{1} << 41;  // And more: one a landscape.

double NormalDeviate(SearchRng& rng) {
  const double radius = std::sqrt(-2 * std::log(1 - UniformUnit(rng)));
  return radius * std::cos(2 * std::numbers::pi * UniformUnit(rng));
}

/// Measures on the landscape, as noisily and unreliably as asked.
class RecordedDevice {
 public:
  RecordedDevice(uint64_t seed, const ReplayOptions& options)
      : seed_(seed), options_(options), noise_(MakeStream(seed, kNoiseStream)) {}

  Observation Measure(const LandscapePoint& point) {
    Observation observation{point.schedule, point.outcome, 0};
    if (point.outcome != Outcome::kOk) return observation;
    if (Fails(point.schedule)) {
      observation.outcome = Outcome::kLaunchFailed;
      return observation;
    }
    // Within the noise there is no time of 0 or less.
    const double factor = options_.noise > 0 ? std::max(0.01, 1 + options_.noise * NormalDeviate(noise_)) : 1;
    observation.median_ns = point.time_ns * factor;
    return observation;
  }

 private:
  /// True if the schedule fails, which depends on the seed and the schedule alone.
  bool Fails(const Schedule& schedule) const {
    if (options_.failures <= 0) return false;
    const uint64_t own = std::strtoull(schedule.Digest().substr(0, 8).c_str(), nullptr, 16);
    SearchRng rng = MakeStream(seed_, kFailureStream + own);
    return UniformUnit(rng) < options_.failures;
  }

  const uint64_t seed_;
  const ReplayOptions& options_;
  SearchRng noise_;
};

class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += Seconds(std::chrono::steady_clock::now() - start_); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Linear between the two nearest. `values` are sorted.
double Quantile(const std::vector<double>& values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace

int64_t ReplaySummary::TrialsTo(double level) const {
  const auto it = std::find_if(median.begin(), median.end(), [level](double reached) { return reached >= level; });
  return it == median.end() ? 0 : it - median.begin() + 1;
}

absl::StatusOr<std::unique_ptr<Replay>> Replay::Create(const Landscape& landscape) {
  RETURN_IF_ERROR(ValidateLandscape(landscape));
  std::unique_ptr<Replay> replay(new Replay());
  ASSIGN_OR_RETURN(replay->families_, MakeLandscapeFamilies(landscape));
  std::vector<const KernelFamily*> families;
  for (const auto& family : replay->families_) families.push_back(family.get());
  ASSIGN_OR_RETURN(replay->space_, SearchSpace::Create(landscape.problem, landscape.device, families));
  replay->landscape_ = &landscape;
  replay->best_ns_ = BestTimeNs(landscape);
  return replay;
}

absl::Status Replay::CheckCompatible(const Replay& other) const {
  auto form = [](const Replay& replay) {
    std::vector<std::string> names;
    for (const auto& family : replay.families_) {
      names.emplace_back(family->name());
      for (const ScheduleParameter& axis : family->Parameters(replay.landscape_->problem, replay.landscape_->device)) {
        names.push_back(axis.name);
      }
    }
    names.push_back(std::to_string(replay.space_->Features(replay.landscape_->points.front().schedule).size()));
    return names;
  };
  if (form(*this) == form(other)) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("its parameters or features differ from those of ", other.landscape_->name,
                                      ", so nothing can be learned from it"));
}

std::vector<PriorObservation> Replay::SampleObservations(SearchRng& rng, size_t count) const {
  std::vector<TimedSchedule> timed;
  for (const LandscapePoint& point : landscape_->points) {
    if (point.outcome == Outcome::kOk) timed.push_back({point.schedule, point.time_ns});
  }
  Shuffle(timed, rng);
  timed.resize(std::min(timed.size(), count));
  return ObservationsOf(*space_, timed);
}

const LandscapePoint& Replay::Find(const Schedule& schedule) const {
  for (const auto& family : families_) {
    if (const LandscapePoint* point = family->Find(schedule)) return *point;
  }
  std::abort();  // A strategy proposes schedules of its space, and the space has none but recorded ones.
}

absl::StatusOr<ReplayRun> Replay::Run(const std::string& strategy_name, uint64_t seed,
                                      const ReplayOptions& options) const {
  ReplayRun run;
  StrategyOptions of_strategy{seed, {}, options.in_flight};
  for (size_t i = 0; i < options.prior.size(); ++i) {
    SearchRng rng = MakeStream(seed, kRecordsStream + i);
    std::vector<PriorObservation> drawn = options.prior[i]->SampleObservations(rng, ReplayOptions::kRecords);
    of_strategy.prior_observations.insert(of_strategy.prior_observations.end(), drawn.begin(), drawn.end());
  }
  std::unique_ptr<Strategy> strategy;
  {
    Stopwatch watch(run.seconds);
    ASSIGN_OR_RETURN(strategy, CreateStrategy(strategy_name, *space_, of_strategy));
  }
  RecordedDevice device(seed, options);
  double seen = std::numeric_limits<double>::infinity();
  double reached = 0;
  const auto trials = static_cast<size_t>(options.trials);
  while (run.reached.size() < trials) {
    std::vector<Schedule> proposals;
    {
      Stopwatch watch(run.seconds);
      proposals = strategy->Propose(
          static_cast<int>(std::min(static_cast<size_t>(options.in_flight), trials - run.reached.size())));
    }
    if (proposals.empty()) break;
    std::vector<Observation> observations;
    for (const Schedule& schedule : proposals) {
      const LandscapePoint& point = Find(schedule);
      observations.push_back(device.Measure(point));
      const Observation& observation = observations.back();
      if (observation.outcome == Outcome::kOk && observation.median_ns < seen) {
        seen = observation.median_ns;
        reached = best_ns_ / point.time_ns;
      }
      run.reached.push_back(reached);
    }
    Stopwatch watch(run.seconds);
    strategy->Observe(observations);
  }
  return run;
}

absl::StatusOr<ReplaySummary> Replay::Summarize(const std::string& strategy, int64_t seeds,
                                                const ReplayOptions& options) const {
  std::vector<std::vector<double>> reached(static_cast<size_t>(options.trials));
  double seconds = 0;
  size_t proposals = 0;
  for (int64_t seed = 0; seed < seeds; ++seed) {
    ASSIGN_OR_RETURN(ReplayRun run, Run(strategy, static_cast<uint64_t>(seed), options));
    seconds += run.seconds;
    proposals += run.reached.size();
    // Of a space with fewer schedules than trials everything has been tried.
    run.reached.resize(reached.size(), run.reached.empty() ? 0 : run.reached.back());
    for (size_t trial = 0; trial < reached.size(); ++trial) reached[trial].push_back(run.reached[trial]);
  }
  ReplaySummary summary;
  for (std::vector<double>& values : reached) {
    std::sort(values.begin(), values.end());
    summary.median.push_back(Quantile(values, 0.5));
    summary.tenth.push_back(Quantile(values, 0.1));
  }
  if (proposals > 0) summary.milliseconds_a_proposal = 1000 * seconds / static_cast<double>(proposals);
  return summary;
}

}  // namespace mmtune
