// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/log_experience.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "proto/base/status.h"
#include "search/cost_model/portable_math.h"
#include "search/cost_model/prior_observations.h"

namespace mmtune {
namespace {

double Doublings(int64_t a, int64_t b) {
  return std::abs(Settled(std::log2(static_cast<double>(a)) - std::log2(static_cast<double>(b))));
}

/// How far the sizes of two problems are apart.
double SizeDistance(const MatmulProblem& a, const MatmulProblem& b) {
  return Doublings(a.m, b.m) + Doublings(a.n, b.n) + Doublings(a.k, b.k) + Doublings(a.batch, b.batch);
}

bool SameTypes(const MatmulProblem& a, const MatmulProblem& b) {
  return a.dtype == b.dtype && a.TypeOfC() == b.TypeOfC() && a.math == b.math;
}

/// Less is nearer; no two sources are equally near.
auto Distance(const TimedSource& source, const Learner& learner) {
  return std::tuple(!(source.problem == learner.problem), source.device.ClassKey() != learner.device.ClassKey(),
                    !SameTypes(source.problem, learner.problem), SizeDistance(source.problem, learner.problem),
                    source.problem.CanonicalJson(), source.device.ClassKey());
}

std::vector<TimedSource> NearestFirst(const std::vector<TimedSource>& sources, const Learner& learner) {
  using Placed = std::pair<decltype(Distance({}, learner)), size_t>;
  std::vector<Placed> placed;
  for (size_t i = 0; i < sources.size(); ++i) placed.emplace_back(Distance(sources[i], learner), i);
  const size_t asked = std::min(placed.size(), kMostSources);
  std::partial_sort(placed.begin(), placed.begin() + static_cast<int64_t>(asked), placed.end());
  std::vector<TimedSource> nearest;
  for (size_t i = 0; i < asked; ++i) nearest.push_back(sources[placed[i].second]);
  return nearest;
}

bool IsOwn(const TimedSource& source, const Learner& learner) {
  return source.problem == learner.problem && source.device.ClassKey() == learner.device.ClassKey();
}

/// When each toolchain was last used.
class Toolchains {
 public:
  explicit Toolchains(const Toolchain& own) { last_used_[own.Digest()] = INT64_MAX; }

  /// What stands for a toolchain.
  const std::string& Note(const PastTime& time) {
    if (!(noted_ == time.toolchain) || noted_digest_.empty()) {
      noted_ = time.toolchain;
      noted_digest_ = noted_.Digest();
    }
    int64_t& last = last_used_.try_emplace(noted_digest_, time.unix_millis).first->second;
    last = std::max(last, time.unix_millis);
    return noted_digest_;
  }

  /// Of each of them, once all are noted.
  std::map<std::string, double> Weights() const {
    std::vector<std::pair<int64_t, std::string>> by_use;
    for (const auto& [digest, last] : last_used_) by_use.emplace_back(last, digest);
    std::sort(by_use.rbegin(), by_use.rend());
    std::map<std::string, double> weights;
    for (const auto& [last, digest] : by_use) weights[digest] = 1.0 / (1.0 + static_cast<double>(weights.size()));
    return weights;
  }

 private:
  std::map<std::string, int64_t> last_used_;  ///< By digest, in Unix milliseconds.
  Toolchain noted_;                           ///< The last one noted: it is often that of the next.
  std::string noted_digest_;
};

}  // namespace

absl::StatusOr<std::vector<PriorObservation>> ReadExperiences(TuningLogReader& log, const Learner& learner,
                                                        const SearchSpace& space) {
  TimesFilter enough = learner.times;
  enough.at_least = static_cast<int>(kFewestOfSource);
  ASSIGN_OR_RETURN(const std::vector<TimedSource> sources, log.TimedSources(enough));
  Toolchains toolchains(learner.toolchain);
  std::vector<PriorObservation> experiences;
  std::vector<std::string> made_by;  // the toolchain of each
  size_t read = 0;
  for (const TimedSource& source : NearestFirst(sources, learner)) {
    const size_t room = kMaxPriorObservations - experiences.size();
    if (room < kFewestOfSource || read >= kMostRead) break;
    TimesFilter filter = learner.times;
    if (IsOwn(source, learner)) filter.without_toolchain = learner.toolchain.Digest();
    ASSIGN_OR_RETURN(const std::vector<PastTime> times, log.TimesOf(source.problem, source.device, filter,
                                                                    static_cast<int>(std::min(room, kMostOfSource))));
    read += times.size();
    std::vector<TimedSchedule> measured;
    std::vector<std::string> measured_by;
    for (const PastTime& time : times) {
      measured.push_back({time.schedule, time.median_ns});
      measured_by.push_back(toolchains.Note(time));
    }
    std::vector<std::optional<PriorObservation>> found = ObservationsFrom(space, source.problem, source.device, measured);
    if (found.size() - static_cast<size_t>(std::count(found.begin(), found.end(), std::nullopt)) < kFewestOfSource) {
      continue;
    }
    for (size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) continue;
      experiences.push_back(*std::move(found[i]));
      made_by.push_back(std::move(measured_by[i]));
    }
  }
  if (experiences.size() < kMinPriorObservations) return std::vector<PriorObservation>();
  const std::map<std::string, double> weights = toolchains.Weights();
  for (size_t i = 0; i < experiences.size(); ++i) experiences[i].weight = weights.at(made_by[i]);
  return experiences;
}

}  // namespace mmtune
