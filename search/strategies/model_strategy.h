// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strategy "model": Bayesian optimization over the features of schedules (kernel families with parameters).
// docs/search.md explains it at length. In short:
//
// 1. Initial design: the first schedules are spread over those that the family's formulas predict fastest. If
// StrategyOptions::prior_observations has measurements of other problems or devices, the schedules that these suggest
// come first. These measurements have no other influence, because they may not hold here.
//
// Measurements of similar problems on the same device that are made during the search (Learn()) have a lasting
// influence: their model's prediction is part of the expected time, with a weight that the own measurements determine.
// Once there are enough of them, they take the place of the rest of the initial design.
//
// 2. Each next proposal is the candidate with the greatest acquisition value (acquisition.h) in a pool of random
// samples, all neighbours of the best schedule, and some of their neighbours. The model is a Gaussian process over
// log(measured time / predicted time). The probability that a candidate runs is the mean of the same process over 1
// (ran) and 0 (failed).
//
// 3. The most promising candidates are compiled before one of them is proposed (compile_ahead.h).
//
// Proposals do not depend on timing: proposal i uses exactly the results of proposals 1 to i - lag. With L devices
// (lanes) the lag is 2 L - 1 for the first 16 proposals, then 2 L, so that results may arrive in another order without
// making a device wait. A lost result does not end the search: if two Propose() calls in succession return nothing, the
// strategy stops waiting for the oldest missing result.
//
// After a few hundred trials, the process keeps only the best times, a sample of the others, and the latest failures.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "search/cost_model/gaussian_process.h"
#include "search/space/proposal_set.h"
#include "search/strategies/acquisition.h"
#include "search/strategies/candidate_pool.h"
#include "search/strategies/compile_ahead.h"
#include "search/strategies/strategy.h"

namespace mmtune {

/// The strategy. Not thread-safe.
class ModelStrategy : public Strategy {
 public:
  /// Draws about 2,000 samples of the space. `space` must outlive it.
  ModelStrategy(const SearchSpace& space, const StrategyOptions& options);

  std::string_view name() const override { return "model"; }
  std::vector<Schedule> Propose(int n) override;
  void Observe(const std::vector<Observation>& observations) override;
  std::vector<Schedule> ToCompile() override { return ahead_.ToCompile(); }
  void Compiled(const std::vector<CompiledFacts>& facts) override;
  void Learn(const std::vector<PriorObservation>& observations) override;
  void Suggest(const Schedule& schedule) override;
  bool Exhausted() const override;
  /// Returns the greatest expected improvement among the last few proposals, as a fraction of the best time.
  std::optional<double> ExpectedGain() const override;

  /// Returns the number of trials that the model keeps, a few hundred at most.
  size_t process_size() const { return process_.size(); }

 private:
  /// The state of a trial; kUnknown: it could not be measured.
  enum class State { kWaiting, kRan, kFailed, kUnknown };
  /// A proposed schedule and its result.
  struct Trial {
    ScoredSchedule candidate;
    State state = State::kWaiting;
    double log_ns = 0;  ///< The logarithm of its time if it ran, or of the lower bound of its time if it was skipped.
    bool skipped = false;
    double compile_ms = 0, device_ms = 0;   ///< Copied from Observation.
    std::optional<size_t> neighbours = {};  ///< The number of its neighbours, once they are in the pool.
  };

  /// Returns the lag of proposal number `trial` (see the top of this file).
  size_t Lag(size_t trial) const;
  /// True if all results that the next proposal uses have arrived, or are no longer awaited.
  bool MayPropose();
  /// Returns the next proposal; nullopt if there is none now.
  std::optional<ScoredSchedule> Next();
  /// Returns the suggested schedule, unless it is among first_ or was proposed; nullopt if there is none now.
  std::optional<ScoredSchedule> TakeSuggested();
  /// Moves what is left of the initial design into the pool, once a trial has ended and the measurements of other
  /// problems predict times, which choose better than the random design.
  void DropInitialDesign();

  /// Samples the space, and fills the pool and the initial design.
  void Begin(const StrategyOptions& options);
  /// Stops waiting for the oldest missing result.
  void GiveUpOne();
  /// Returns the most promising candidate of the pool, which must not be empty; nullopt while some are being compiled.
  std::optional<ScoredSchedule> MostPromising();
  /// Begins a choice: updates the process and the pool, and computes acquisition values.
  void BeginChoice();
  /// Determines prior_weight_.
  void WeighPrior();
  /// Conditions the process on all proposals. Fits its kernel again after enough new results.
  void UpdateProcess();
  /// Fits the kernel again, and conditions the process on the trials that it keeps.
  void Refit();
  /// Returns the most likely kernel for these trials, at least two.
  ProcessKernel LikelyKernel(const std::vector<size_t>& ran) const;
  /// Returns those of the trials `ran` that the process keeps (at most a few hundred).
  std::vector<size_t> Selected(std::vector<size_t> ran) const;
  /// Adds random samples, and neighbours of the fastest schedules, to the pool.
  void Refresh(SearchRng& rng);
  /// Returns the acquisition values of the pool's candidates.
  AcquisitionValues Expected() const;
  /// Returns the probability that each candidate of the pool runs.
  Eigen::ArrayXd SuccessProbabilities() const;

  /// Makes a candidate of a schedule and its features.
  ScoredSchedule Place(Schedule schedule, const std::vector<double>& features) const;
  /// Returns log(measured time / expected time) of a trial that ran.
  double LogResidual(const Trial& trial) const {
    return trial.log_ns - trial.candidate.expected - ahead_.delay_weight() * trial.candidate.delay -
           prior_weight_ * trial.candidate.prior;
  }
  /// Makes a candidate of a schedule. Returns nullopt if one with the same features was made before.
  std::optional<ScoredSchedule> MakeCandidate(Schedule schedule);
  /// Returns those of the first `visible_` trials that ran, fastest first.
  std::vector<size_t> Fastest() const;

  const SearchSpace& space_;
  const uint64_t seed_;
  const size_t lanes_;
  std::vector<ScoredSchedule> first_;  ///< The initial design, and before it the given schedules; in reverse order.
  std::optional<Schedule> suggested_;  ///< The last Suggest() that was not proposed yet.
  size_t design_ = 0;                  ///< The number of first_ that are of the initial design.

  std::vector<Trial> trials_;
  std::unordered_map<std::string, size_t> waiting_;  ///< By schedule digest.
  size_t settled_ = 0;    ///< The first `settled_` trials have a result, or are no longer awaited.
  bool in_vain_ = false;  ///< True if the last Propose() returned nothing, and no result has arrived since.
  size_t visible_ = 0;    ///< The number of trials that the current proposal may use.

  FeatureScale scale_;
  std::vector<double> constant_;  ///< Features of any schedule: ToFeatures() takes the constant ones.
  bool predicts_ = false;         ///< True if the family predicts times.
  double usual_ = 0;              ///< The mean log of predicted times, in seconds.
  GaussianProcess process_;
  std::vector<size_t> rows_;  ///< The trial of each point of the process.
  size_t appended_ = 0;       ///< The number of trials that have been added to the process as points.
  size_t next_fit_ = 2;       ///< The kernel is fitted again once this number of trials have run.
  size_t kept_ = 0;           ///< The number of points that were kept at the last fit.
  CandidatePool pool_;
  std::optional<PriorModel> prior_;               ///< The model of what Learn() was given.
  double prior_weight_ = 0;                       ///< The regression weight of its predictions.
  std::optional<AcquisitionValues> acquisition_;  ///< Set during a choice.
  CompileAhead ahead_;
  std::deque<double> gains_;          ///< Expected improvements of the last proposals, as fractions of the best time.
  std::unordered_set<uint64_t> met_;  ///< The ScoredSchedule::code of all candidates that the pool has or had.

  ProposalSet proposed_;
  std::unique_ptr<SearchSpace::Enumerator> rest_;  ///< Set once the pool is empty.
};

}  // namespace mmtune
