// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/model_strategy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "search/cost_model/gaussian_process.h"
#include "search/cost_model/portable_math.h"
#include "search/cost_model/prior_observations.h"
#include "search/strategies/candidate_pool.h"

namespace mmtune {
namespace {
// These constants were chosen by replaying landscapes: docs/measurements/replay.md.
constexpr size_t kStart = 3;
/// The fraction of sampled schedules, those predicted the fastest, from which the initial design is taken.
constexpr double kStartShare = 0.1;
constexpr size_t kSample = 2048;
constexpr size_t kPool = 3072;
/// New candidates for each proposal.
constexpr int kFreshSamples = 32, kFreshMutants = 64;
/// The most neighbours of one schedule that enter the pool.
constexpr size_t kMaxNeighbours = 256;
constexpr size_t kElite = 8;
/// The same for the part of the initial design that prior observations choose; they rank schedules better.
constexpr double kPriorShare = 0.01;
constexpr size_t kPriorStart = 4;
/// From this trial on the lag is greater by one, so that the next candidate is prepared while one is measured. Before
/// it, knowing one more result gains more.
constexpr size_t kOneByOne = 16;
/// The most measurements in the process; beyond it, the fastest half as many and a sample of the others.
constexpr size_t kMaxMeasurements = 256;
constexpr size_t kMaxFailures = 128;
constexpr size_t kMaxUnknown = 64;
/// The process is thinned at this many points, if they are also a quarter more than were kept the last time.
constexpr size_t kManyPoints = 192;
/// The least probability to run.
constexpr double kMinChance = 0.05;
constexpr double kMinScale = 1e-12;
/// The weight of what other problems predict, as long as there are no own measurements, and how many own measurements
/// that assumption counts as (its sum of squares in ShrunkenSlope()).
constexpr double kLearnedWeight = 0.8, kLearnedSquares = 0.25;
/// The most measurements of other problems in the model of Learn(), which is fitted often.
constexpr size_t kMaxLearned = 128;
/// ExpectedGain() looks at this many proposals, because a single one may be low by chance.
constexpr size_t kGains = 8;

uint64_t HashOf(const std::vector<double>& features) {
  uint64_t hash = 14695981039346656037ULL;  // FNV-1a, by words
  for (double feature : features) {
    hash = (hash ^ static_cast<uint64_t>(static_cast<int64_t>(Settled(feature) * 1048576))) * 1099511628211ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::optional<double> LogPredicted(const SearchSpace& space, const Schedule& schedule) {
  const std::optional<PredictedTime> time = space.Predict(schedule);
  if (!time) return std::nullopt;
  return Settled(std::log(time->total));
}

}  // namespace

ModelStrategy::ModelStrategy(const SearchSpace& space, const StrategyOptions& options)
    : space_(space),
      seed_(options.seed),
      lanes_(static_cast<size_t>(std::max(options.lanes, 1))),
      ahead_(space, options.compile_lanes, lanes_) {
  for (Schedule& schedule : TakeInitial(options.initial, space, proposed_)) {
    first_.push_back({std::move(schedule), {}, 0});
  }
  Begin(options);
}

std::vector<Schedule> ModelStrategy::Propose(int n) {
  std::vector<Schedule> proposals;
  if (n > 0 && in_vain_) GiveUpOne();
  while (static_cast<int>(proposals.size()) < n && MayPropose()) {
    std::optional<ScoredSchedule> next = Next();
    if (!next) break;
    proposed_.Insert(next->schedule);
    waiting_.emplace(next->schedule.Digest(), trials_.size());
    proposals.push_back(next->schedule);
    trials_.push_back({*std::move(next)});
  }
  if (n > 0) in_vain_ = proposals.empty();
  return proposals;
}

void ModelStrategy::Observe(const std::vector<Observation>& observations) {
  for (const Observation& observation : observations) {
    auto it = waiting_.find(observation.schedule.Digest());
    if (it == waiting_.end()) continue;
    Trial& trial = trials_[it->second];
    // What was skipped is slower than the best, by how much nobody knows: it counts as fast as it can be.
    const bool skipped = observation.outcome == Outcome::kSkipped && observation.median_ns > 0;
    const bool ran = observation.Timed() || skipped;
    const bool tells = ran || observation.outcome != Outcome::kUnstable;
    trial.skipped = skipped;
    trial.compile_ms = observation.compile_ms;
    trial.device_ms = observation.device_ms;
    trial.state = !tells ? State::kUnknown : ran ? State::kRan : State::kFailed;
    in_vain_ = false;
    if (ran) trial.log_ns = Settled(std::log(observation.median_ns));
    waiting_.erase(it);
  }
}

void ModelStrategy::Compiled(const std::vector<CompiledFacts>& facts) {
  for (const CompiledFacts& one : facts) in_vain_ &= !ahead_.Take(one);
}

void ModelStrategy::Learn(const std::vector<PriorObservation>& observations) {
  if (pool_.size() == 0) return;
  prior_ = PriorModel::Fit(observations, constant_.size(), kMinLearned, kMaxLearned);
  // To compute features anew for each schedule would take most of the time.
  const auto predicted = [this](const Eigen::ArrayXd& point) {
    return prior_ ? prior_->Predict(scale_.ToFeatures(point, constant_)) : 0;
  };
  for (size_t i = 0; i < pool_.size(); ++i) pool_.SetPrior(i, predicted(pool_.point(i)));
  for (ScoredSchedule& candidate : first_) candidate.prior = predicted(candidate.point);
  for (Trial& trial : trials_) trial.candidate.prior = predicted(trial.candidate.point);
}

void ModelStrategy::Suggest(const Schedule& schedule) {
  if (!proposed_.Contains(schedule) && space_.Contains(schedule)) suggested_ = schedule;
}

std::optional<ScoredSchedule> ModelStrategy::TakeSuggested() {
  if (!suggested_ || acquisition_) return std::nullopt;
  const Schedule schedule = *std::exchange(suggested_, std::nullopt);
  const auto is_it = [&](const ScoredSchedule& candidate) { return candidate.schedule == schedule; };
  if (proposed_.Contains(schedule) || std::ranges::any_of(first_, is_it)) return std::nullopt;
  const std::vector<double> features = space_.Features(schedule);
  ScoredSchedule candidate = Place(schedule, features);
  const bool is_new = met_.insert(candidate.code).second;
  for (size_t i = 0; i < pool_.size(); ++i) {
    if (pool_.code(i) != candidate.code) continue;
    pool_.Remove(i);
    return candidate;
  }
  // Code that was met and is not in the pool was proposed, by another schedule, or is among first_.
  if (!is_new) return std::nullopt;
  return candidate;
}

void ModelStrategy::DropInitialDesign() {
  if (!prior_ || design_ == 0 || settled_ == 0 || acquisition_) return;
  const auto end = first_.begin() + static_cast<ptrdiff_t>(design_);
  pool_.Add({std::make_move_iterator(first_.begin()), std::make_move_iterator(end)}, process_);
  first_.erase(first_.begin(), end);
  design_ = 0;
}

void ModelStrategy::GiveUpOne() {
  if (!MayPropose())
    trials_[settled_].state = State::kUnknown;
  else
    ahead_.GiveUp();
}

bool ModelStrategy::Exhausted() const {
  return first_.empty() && !space_.HasMoreThan(static_cast<int64_t>(proposed_.size()));
}

std::optional<double> ModelStrategy::ExpectedGain() const {
  if (gains_.size() < kGains) return std::nullopt;
  return *std::max_element(gains_.begin(), gains_.end());
}

size_t ModelStrategy::Lag(size_t trial) const { return 2 * lanes_ - (trial < kOneByOne ? 1 : 0); }

bool ModelStrategy::MayPropose() {
  while (settled_ < trials_.size() && trials_[settled_].state != State::kWaiting) ++settled_;
  DropInitialDesign();
  return !first_.empty() || trials_.size() < settled_ + Lag(trials_.size());
}

std::optional<ScoredSchedule> ModelStrategy::Next() {
  if (std::optional<ScoredSchedule> suggested = TakeSuggested()) return suggested;
  if (!first_.empty()) {
    ScoredSchedule next = std::move(first_.back());
    first_.pop_back();
    design_ = std::min(design_, first_.size());
    return next;
  }
  if (pool_.size() > 0) return MostPromising();
  if (!rest_) rest_ = space_.Enumerate();
  while (std::optional<Schedule> next = rest_->Next()) {
    if (!proposed_.Contains(*next)) {
      const std::vector<double> features = space_.Features(*next);
      return Place(*std::move(next), features);
    }
  }
  return std::nullopt;
}

void ModelStrategy::Begin(const StrategyOptions& options) {
  SearchRng rng = MakeStream(seed_, 0);
  std::vector<Schedule> schedules;
  std::vector<std::vector<double>> features;
  ProposalSet drawn;
  for (size_t i = 0; i < kSample; ++i) {
    Schedule schedule = space_.Sample(rng);
    if (!drawn.Insert(schedule)) continue;
    features.push_back(space_.Features(schedule));
    schedules.push_back(std::move(schedule));
  }
  scale_ = FeatureScale(features);
  constant_ = features.front();
  std::vector<double> predicted;
  for (const Schedule& schedule : schedules) {
    if (const std::optional<double> time = LogPredicted(space_, schedule)) predicted.push_back(*time);
  }
  predicts_ = !predicted.empty();
  usual_ = predicts_ ? Mean(predicted) : 0;
  for (ScoredSchedule& candidate : first_) {
    const std::vector<double> own = space_.Features(candidate.schedule);
    candidate = Place(std::move(candidate.schedule), own);
    met_.insert(candidate.code);
  }
  const std::vector<double> prior = PredictResiduals(options.prior_observations, features);
  std::vector<ScoredSchedule> sample;
  std::vector<double> expected;
  for (size_t i = 0; i < schedules.size(); ++i) {
    if (!met_.insert(HashOf(features[i])).second) continue;
    sample.push_back(Place(std::move(schedules[i]), features[i]));
    expected.push_back(sample.back().expected + (prior.empty() ? 0 : prior[i]));
  }
  // Nothing is known to the proposals that are made at once: as many are for the start.
  const size_t start_size = std::max(kStart, Lag(kOneByOne));
  const size_t missing = start_size - std::min(start_size, first_.size());
  std::vector<ScoredSchedule> start;
  if (!prior.empty() && missing > 0) start = TakeInitialDesign(sample, expected, kPriorShare, kPriorStart, rng);
  for (ScoredSchedule& candidate : TakeInitialDesign(sample, expected, kStartShare, missing, rng)) {
    start.push_back(std::move(candidate));
  }
  pool_.Add(std::move(sample), process_);
  design_ = start.size();
  first_.insert(first_.end(), std::make_move_iterator(start.begin()), std::make_move_iterator(start.end()));
  std::reverse(first_.begin(), first_.end());
}

void ModelStrategy::BeginChoice() {
  visible_ = trials_.size() - std::min(trials_.size(), Lag(trials_.size()) - 1);
  SearchRng rng = MakeStream(seed_, trials_.size());
  std::vector<CompileAhead::ResidualSample> seen;
  for (size_t i = 0; i < visible_; ++i) {
    const Trial& trial = trials_[i];
    if (trial.state != State::kRan || trial.skipped) continue;
    const ScoredSchedule& candidate = trial.candidate;
    seen.push_back({candidate.delay, trial.log_ns - candidate.expected, trial.compile_ms, trial.device_ms});
  }
  ahead_.SetMeasurements(seen);
  WeighPrior();
  UpdateProcess();
  Refresh(rng);
  acquisition_ = Expected();
  ahead_.Begin(pool_, *acquisition_);
}

void ModelStrategy::WeighPrior() {
  std::vector<double> predicted, residuals;
  prior_weight_ = 0;
  for (size_t i = 0; i < visible_; ++i) {
    const Trial& trial = trials_[i];
    if (trial.state != State::kRan || trial.skipped) continue;
    predicted.push_back(trial.candidate.prior);
    residuals.push_back(LogResidual(trial));
  }
  if (prior_) prior_weight_ = ShrunkenSlope(predicted, residuals, kLearnedWeight, kLearnedSquares);
}

std::optional<ScoredSchedule> ModelStrategy::MostPromising() {
  if (!acquisition_) {
    if (!ahead_.MayBegin(pool_)) return std::nullopt;
    BeginChoice();
  }
  if (!ahead_.MayChoose(pool_, *acquisition_)) return std::nullopt;
  const size_t best = acquisition_->MostPromising();
  Eigen::ArrayXd scores = acquisition_->scores();
  acquisition_.reset();
  // The improvement of a logarithm. Before anything has run there is no time to improve.
  bool has_run = std::any_of(trials_.begin(), trials_.begin() + static_cast<ptrdiff_t>(visible_),
                             [](const Trial& trial) { return trial.state == State::kRan; });
  const auto at = static_cast<Eigen::Index>(best);
  if (has_run) gains_.push_back(-std::expm1(-scores[at]));
  if (gains_.size() > kGains) gains_.pop_front();
  ScoredSchedule chosen = pool_.candidate(best);
  pool_.Remove(best);
  scores[at] = scores[scores.size() - 1];  // As the last candidate took its place.
  scores.conservativeResize(scores.size() - 1);
  ahead_.Chosen(pool_, scores);
  // What is dropped now may be met again when more is known.
  for (uint64_t code : pool_.KeepBest(scores, kPool)) met_.erase(code);
  return chosen;
}

void ModelStrategy::UpdateProcess() {
  size_t ran = 0;
  for (size_t i = 0; i < visible_; ++i) ran += trials_[i].state == State::kRan;
  if (ran >= next_fit_ || rows_.size() >= std::max(kManyPoints, kept_ + kept_ / 4)) {
    next_fit_ = std::max<size_t>(ran, 1) + 1 + ran / 8;
    Refit();
    kept_ = rows_.size();
  }
  for (; appended_ < trials_.size(); ++appended_) {
    process_.Append(trials_[appended_].candidate.point);
    rows_.push_back(appended_);
    pool_.ConditionOnLast(process_);
  }
}

void ModelStrategy::Refit() {
  std::vector<size_t> ran = Selected(Fastest());
  std::sort(ran.begin(), ran.end());
  // What a fuller pool dropped comes back, as another process may think better of it.
  for (Trial& trial : trials_) trial.neighbours.reset();
  const ProcessKernel kernel = ran.size() < 2 ? process_.kernel() : LikelyKernel(ran);
  rows_ = std::move(ran);
  // Those without a time come last, so that they say nothing of the others' times; of each kind, the latest.
  std::vector<size_t> failed, unknown;
  for (size_t i = 0; i < trials_.size(); ++i) {
    const State state = i < visible_ ? trials_[i].state : State::kWaiting;
    if (state == State::kFailed)
      failed.push_back(i);
    else if (state != State::kRan)
      unknown.push_back(i);
  }
  auto keep_latest = [this](const std::vector<size_t>& trials, size_t most) {
    rows_.insert(rows_.end(), trials.end() - static_cast<ptrdiff_t>(std::min(trials.size(), most)), trials.end());
  };
  keep_latest(failed, kMaxFailures);
  keep_latest(unknown, kMaxUnknown);
  appended_ = trials_.size();
  // With the same kernel, all is as it was up to the first other point.
  size_t same = 0;
  const size_t most = kernel == process_.kernel() ? std::min(process_.size(), rows_.size()) : 0;
  while (same < most && (process_.point(same) == trials_[rows_[same]].candidate.point).all()) ++same;
  process_.Restart(kernel, same);
  for (size_t i = same; i < rows_.size(); ++i) process_.Append(trials_[rows_[i]].candidate.point);
  pool_.Recondition(process_, same);
}

ProcessKernel ModelStrategy::LikelyKernel(const std::vector<size_t>& ran) const {
  const auto count = static_cast<Eigen::Index>(ran.size());
  Points points(trials_[ran[0]].candidate.point.size(), count);
  Eigen::VectorXd values(count);
  std::vector<double> residuals;
  for (size_t i : ran) residuals.push_back(LogResidual(trials_[i]));
  residuals = WithoutOutliers(std::move(residuals));
  for (Eigen::Index i = 0; i < count; ++i) {
    points.col(i) = trials_[ran[static_cast<size_t>(i)]].candidate.point;
    values[i] = residuals[static_cast<size_t>(i)];
  }
  values.array() -= values.mean();
  return MostLikelyKernel(points, values, /*residual=*/predicts_);
}

std::vector<size_t> ModelStrategy::Selected(std::vector<size_t> ran) const {
  if (ran.size() <= kMaxMeasurements) return ran;
  SearchRng rng = MakeStream(seed_, trials_.size() + (uint64_t{1} << 32));
  std::vector<size_t> others(ran.begin() + kMaxMeasurements / 2, ran.end());
  Shuffle(others, rng);
  ran.resize(kMaxMeasurements / 2);
  ran.insert(ran.end(), others.begin(), others.begin() + kMaxMeasurements / 2);
  return ran;
}

void ModelStrategy::Refresh(SearchRng& rng) {
  std::vector<ScoredSchedule> fresh;
  auto add = [&](Schedule schedule) {
    if (std::optional<ScoredSchedule> candidate = MakeCandidate(std::move(schedule)))
      fresh.push_back(*std::move(candidate));
  };
  for (int i = 0; i < kFreshSamples; ++i) add(space_.Sample(rng));
  std::vector<size_t> elite = Fastest();
  // What was skipped is slower than the best, however little it takes at least.
  std::erase_if(elite, [this](size_t i) { return trials_[i].skipped; });
  if (elite.size() > kElite) elite.resize(kElite);
  for (size_t i : elite) {
    Trial& trial = trials_[i];
    if (trial.neighbours) continue;
    std::vector<Schedule> all = space_.Neighbours(trial.candidate.schedule);
    trial.neighbours = all.size();
    if (all.size() > kMaxNeighbours) Shuffle(all, rng);
    all.resize(std::min(all.size(), kMaxNeighbours));
    for (Schedule& neighbour : all) add(std::move(neighbour));
  }
  // What is alone has no mutants but at random.
  std::erase_if(elite, [this](size_t i) { return *trials_[i].neighbours == 0; });
  for (int i = 0; i < kFreshMutants && !elite.empty(); ++i) {
    const Schedule& parent = trials_[elite[UniformBelow(rng, elite.size())]].candidate.schedule;
    add(space_.Mutate(parent, rng, /*times=*/2));
  }
  pool_.Add(std::move(fresh), process_);
}

AcquisitionValues ModelStrategy::Expected() const {
  const auto count = static_cast<Eigen::Index>(rows_.size());
  Eigen::VectorXd values = Eigen::VectorXd::Zero(count);
  std::vector<bool> known(rows_.size());
  std::vector<double> residuals;
  double best = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < rows_.size(); ++i) {
    const Trial& trial = trials_[rows_[i]];
    known[i] = rows_[i] < visible_ && trial.state == State::kRan;
    if (!known[i]) continue;
    residuals.push_back(LogResidual(trial));
    best = std::min(best, trial.log_ns);
  }
  double scale = 1;
  Eigen::ArrayXd means = pool_.expected() + ahead_.delay_weight() * pool_.delays() + prior_weight_ * pool_.priors();
  if (residuals.empty()) {
    best = 0;
  } else {
    residuals = WithoutOutliers(std::move(residuals));
    const double usual = Mean(residuals);
    for (size_t i = 0, next = 0; i < rows_.size(); ++i) {
      if (known[i]) values[static_cast<Eigen::Index>(i)] = residuals[next++] - usual;
    }
    const Eigen::VectorXd weights = process_.Weights(values, known);
    scale = std::sqrt(std::max(weights.squaredNorm() / static_cast<double>(residuals.size()), kMinScale));
    means += pool_.Means(weights) + usual;
  }
  return AcquisitionValues(best, std::move(means), scale * pool_.variances().sqrt(), SuccessProbabilities());
}

Eigen::ArrayXd ModelStrategy::SuccessProbabilities() const {
  const auto count = static_cast<Eigen::Index>(rows_.size());
  Eigen::VectorXd values = Eigen::VectorXd::Zero(count);
  std::vector<bool> known(rows_.size());
  double ran = 0, failed = 0;
  for (size_t i = 0; i < rows_.size(); ++i) {
    const Trial& trial = trials_[rows_[i]];
    known[i] = rows_[i] < visible_ && (trial.state == State::kRan || trial.state == State::kFailed);
    if (!known[i]) continue;
    values[static_cast<Eigen::Index>(i)] = trial.state == State::kRan;
    ++(trial.state == State::kRan ? ran : failed);
  }
  const auto candidates = static_cast<Eigen::Index>(pool_.size());
  if (failed == 0) return Eigen::ArrayXd::Ones(candidates);
  const double usual = (ran + 1) / (ran + failed + 2);
  values.array() -= usual;
  return (pool_.Means(process_.Weights(values, known)) + usual).max(kMinChance).min(1.0);
}

std::optional<ScoredSchedule> ModelStrategy::MakeCandidate(Schedule schedule) {
  if (proposed_.Contains(schedule)) return std::nullopt;
  const std::vector<double> features = space_.Features(schedule);
  if (!met_.insert(HashOf(features)).second) return std::nullopt;
  return Place(std::move(schedule), features);
}

ScoredSchedule ModelStrategy::Place(Schedule schedule, const std::vector<double>& features) const {
  const double expected = LogPredicted(space_, schedule).value_or(usual_) - usual_;
  const uint64_t code = HashOf(features);
  const double prior = prior_ ? prior_->Predict(features) : 0;
  return {std::move(schedule), scale_.ToPoint(features), code, expected, ahead_.DelayOf(code), prior};
}

std::vector<size_t> ModelStrategy::Fastest() const {
  std::vector<size_t> ran;
  for (size_t i = 0; i < visible_; ++i) {
    if (trials_[i].state == State::kRan) ran.push_back(i);
  }
  std::sort(ran.begin(), ran.end(),
            [this](size_t a, size_t b) { return std::pair(trials_[a].log_ns, a) < std::pair(trials_[b].log_ns, b); });
  return ran;
}

}  // namespace mmtune
