// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bayesian optimization over the features of schedules. docs/search.md explains the parts at length.
//
// 1. Initial design: schedules spread over those that KernelFamily::Predict ranks best; before them, with prior
//    observations, schedules spread over those that the transfer model ranks best (prior_observations.h). Prior
//    observations have no influence after that, because they may not hold here.
// 2. Each next proposal has the greatest acquisition value (acquisition.h) in a pool: samples of the space, all
// neighbours
//    of the best schedule, and some of theirs. The model is a Gaussian process over the log-ratios of measured to
//    predicted times; the probability to run is the mean of the same process over what ran (1) and failed (0).
// 3. The most promising candidates are compiled before one of them is proposed (compile_ahead.h).
//
// Proposal i uses exactly the outcomes of proposals 1 to i - lag, so proposals do not depend on timing; pending
// schedules count as certain. With L lanes the lag is 2 L - 1, later 2 L, so that outcomes may overtake each other
// before anybody waits. A lost outcome does not end the search: after two Propose() calls in vain the oldest missing
// one is given up.
//
// Beyond a few hundred trials the process keeps the best times, a sample of the others, and the latest failures.
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

/// The "model" strategy. Not thread-safe.
class ModelStrategy : public Strategy {
 public:
  /// Samples the space some 2,000 times. `space` must outlive it.
  ModelStrategy(const SearchSpace& space, const StrategyOptions& options);

  std::string_view name() const override { return "model"; }
  std::vector<Schedule> Propose(int n) override;
  void Observe(const std::vector<Observation>& observations) override;
  std::vector<Schedule> ToCompile() override { return ahead_.ToCompile(); }
  void Compiled(const std::vector<CompiledFacts>& facts) override;
  bool Exhausted() const override;
  /// Returns the greatest expected improvement among the last few proposals.
  std::optional<double> ExpectedGain() const override;

  /// Returns the number of trials in the process, a few hundred at most.
  size_t process_size() const { return process_.size(); }

 private:
  enum class State { kWaiting, kRan, kFailed, kUnknown };  // kUnknown: could not be measured.
  struct Trial {
    Candidate candidate;
    State state = State::kWaiting;
    double log_ns = 0;  ///< If it ran; for a skipped one a lower bound.
    bool skipped = false;
    double compile_ms = 0, device_ms = 0;   ///< Copied from Observation.
    std::optional<size_t> neighbours = {};  ///< Their number, once they are in the pool.
  };

  /// Returns the lag of proposal `trial` (above).
  size_t Lag(size_t trial) const;
  /// True if all outcomes that the next proposal uses have arrived or been given up.
  bool MayPropose();
  std::optional<Candidate> Next();

  /// Samples the space; fills the pool and the initial design.
  void Begin(const StrategyOptions& options);
  /// Gives up the oldest missing outcome.
  void GiveUpOne();
  /// Returns the most promising candidate of the pool, which is not empty; nullopt while some are being compiled.
  std::optional<Candidate> MostPromising();
  /// Begins a choice: updates process and pool, and computes the acquisition values.
  void BeginChoice();
  /// Conditions the process on all proposals, and fits its kernel again after enough new outcomes.
  void UpdateProcess();
  void Refit();
  /// Returns the most likely kernel for these trials, two or more.
  ProcessKernel LikelyKernel(const std::vector<size_t>& ran) const;
  /// Returns the trials out of `ran` that the process keeps.
  std::vector<size_t> Selected(std::vector<size_t> ran) const;
  void Refresh(SearchRng& rng);
  AcquisitionValues Expected() const;
  Eigen::ArrayXd ChancesToRun() const;

  /// Makes a candidate of a schedule and its features.
  Candidate Place(Schedule schedule, const std::vector<double>& features) const;
  /// Returns the log-ratio of measured to expected time of a trial that ran.
  double LogResidual(const Trial& trial) const {
    return trial.log_ns - trial.candidate.expected - ahead_.trust() * trial.candidate.delay;
  }
  /// Makes a candidate of a schedule; nullopt if a schedule with the same features was seen before.
  std::optional<Candidate> Meet(Schedule schedule);
  /// Returns those of the first `visible_` trials that ran, fastest first.
  std::vector<size_t> Fastest() const;

  const SearchSpace& space_;
  const uint64_t seed_;
  const size_t lanes_;
  std::vector<Candidate> first_;  ///< The given ones, then the initial design, in reverse.

  std::vector<Trial> trials_;
  std::unordered_map<std::string, size_t> waiting_;  ///< By schedule digest.
  size_t settled_ = 0;                               ///< How many of the first trials wait no longer.
  bool in_vain_ = false;                             ///< Propose returned nothing, and nothing was observed since.
  size_t visible_ = 0;                               ///< How many trials the current proposal may use.

  FeatureScale scale_;
  bool predicts_ = false;  ///< The family predicts times.
  double usual_ = 0;       ///< The mean logarithm of predicted times, in seconds.
  GaussianProcess process_;
  std::vector<size_t> rows_;  ///< The trial of each point of the process.
  size_t appended_ = 0;       ///< How many trials have been points of the process.
  size_t next_fit_ = 2;       ///< The number of trials that ran at which the kernel is fitted again.
  size_t kept_ = 0;           ///< Points kept at the last fit.
  CandidatePool pool_;
  std::optional<AcquisitionValues> acquisition_;  ///< During a choice.
  CompileAhead ahead_;
  std::deque<double> gains_;          ///< Expected improvements of the last proposals, as fractions of the best time.
  std::unordered_set<uint64_t> met_;  ///< Candidate::code of all that the pool has or had.

  ProposalSet proposed_;
  std::unique_ptr<SearchSpace::Enumerator> rest_;  ///< Set once the pool is empty.
};

}  // namespace mmtune
