// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bayesian optimisation: what was measured says how fast other schedules should be, and how sure that is; the one that
// may improve most upon the best is measured next.
//
// - A schedule is a point, its features (KernelFamily::Features) on one scale (gaussian_process.h).
// - The first few are spread over the schedules that KernelFamily::Predict thinks best.
// - From then on, a Gaussian process over the logarithms of measured over predicted times, where the family predicts
//   any, gives each schedule of a pool its expected gain (Jones, Schonlau and Welch 1998), times its chance to run: the
//   mean of the same process over what ran and what failed. The pool holds samples of the space, all neighbours of the
//   best, and some of theirs; the space is not enumerated.
// - Where something was measured elsewhere (StrategyOptions::prior_observations), some more come before the first few,
// spread
//   over those that should be the fastest after it (prior_observations.h). Later ones do without: what holds elsewhere
//   may be wrong here, and measurements soon know better.
// - Proposal i uses exactly the outcomes of proposals 1 to i - lag, so that it does not depend on timing; the schedules
//   proposed since are no longer taken to be uncertain. With L lanes the lag is 2 L - 1, so that a result may be
//   overtaken by some before anybody waits for it, and 2 L once the first results have taught most. So what is proposed
//   depends on the seed, the lanes and the outcomes, not on when they come. A lost outcome does not end the search:
//   whoever asks twice in vain, with nothing observed between, has the oldest that is missing given up, as if it could
//   not be measured.
// - Where lanes are idle that could compile, the most promising are compiled before one of them is proposed
//   (compile_ahead.h).
// - Beyond a few hundred points, the process is that of the best times, a sample of the others, and the latest
//   failures.
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

class ModelStrategy : public Strategy {
 public:
  /// Samples the space, some 2,000 times.
  ModelStrategy(const SearchSpace& space, const StrategyOptions& options);

  std::string_view name() const override { return "model"; }
  std::vector<Schedule> Propose(int n) override;
  void Observe(const std::vector<Observation>& observations) override;
  std::vector<Schedule> ToCompile() override { return ahead_.ToCompile(); }
  void Compiled(const std::vector<CompiledFacts>& facts) override;
  bool Exhausted() const override;
  /// The most that was expected of any of the last few proposals.
  std::optional<double> ExpectedGain() const override;

  /// Trials that the process knows: a few hundred at most.
  size_t process_size() const { return process_.size(); }

 private:
  enum class State { kWaiting, kRan, kFailed, kUnknown };  // The last: it could not be measured.
  struct Trial {
    Candidate candidate;
    State state = State::kWaiting;
    double log_ns = 0;  ///< When it ran; of a skipped one, what it takes at least.
    bool skipped = false;
    double compile_ms = 0, device_ms = 0;   ///< As in Observation.
    std::optional<size_t> neighbours = {};  ///< So many there are, once they have come into the pool.
  };

  /// Proposal number `trial` is made knowing those before this many less one.
  size_t Lag(size_t trial) const;
  /// Whether what the next proposal is to know has been observed, or given up.
  bool MayPropose();
  std::optional<Candidate> Next();

  /// Samples the space; fills the pool and the start.
  void Begin(const StrategyOptions& options);
  /// What waits for no result goes on without.
  void GiveUpOne();
  /// The most promising of the pool, which is not empty; nullopt while some of them are being compiled.
  std::optional<Candidate> MostPromising();
  /// Prepares a choice.
  void LookOut();
  /// Makes the process know all proposals, and chooses its kernel anew when enough has been learnt since.
  void UpdateProcess();
  void Refit();
  /// Of these trials, two or more.
  ProcessKernel LikelyKernel(const std::vector<size_t>& ran) const;
  /// Trials whose times the process is made of, out of `ran`.
  std::vector<size_t> Selected(std::vector<size_t> ran) const;
  void Refresh(SearchRng& rng);
  AcquisitionValues Expected() const;
  Eigen::ArrayXd ChancesToRun() const;

  /// `features` are those of the schedule.
  Candidate Place(Schedule schedule, const std::vector<double>& features) const;
  /// What a trial that ran took, beyond what was expected of it; a logarithm.
  double LogResidual(const Trial& trial) const {
    return trial.log_ns - trial.candidate.expected - ahead_.trust() * trial.candidate.delay;
  }
  /// Nullopt where its features have been met.
  std::optional<Candidate> Meet(Schedule schedule);
  /// The first `visible_` trials that ran, fastest first.
  std::vector<size_t> Fastest() const;

  const SearchSpace& space_;
  const uint64_t seed_;
  const size_t lanes_;
  std::vector<Candidate> first_;  ///< Those given, then the start, in reverse: proposed before the process decides.

  std::vector<Trial> trials_;
  std::unordered_map<std::string, size_t> waiting_;  ///< By digest.
  size_t settled_ = 0;                               ///< So many of the first trials wait no longer.
  bool in_vain_ = false;                             ///< Propose gave nothing, and nothing was observed since.
  size_t visible_ = 0;                               ///< So many trials are known to the proposal that is being made.

  FeatureScale scale_;
  bool predicts_ = false;  ///< The family predicts times.
  double usual_ = 0;       ///< The mean logarithm of the times that are predicted, in seconds.
  GaussianProcess process_;
  std::vector<size_t> rows_;  ///< The trials of the process's points.
  size_t appended_ = 0;       ///< So many trials have been points of the process.
  size_t next_fit_ = 2;       ///< When so many have run, the kernel is chosen anew.
  size_t kept_ = 0;           ///< Points that the last time left.
  CandidatePool pool_;
  std::optional<AcquisitionValues> outlook_;  ///< While a choice is being made.
  CompileAhead ahead_;
  std::deque<double> gains_;          ///< Expected of the last proposals of the process, as shares of the best time.
  std::unordered_set<uint64_t> met_;  ///< Hashes of features that the pool has, or had.

  ProposalSet proposed_;
  std::unique_ptr<SearchSpace::Enumerator> rest_;  ///< Once the pool is empty.
};

}  // namespace mmtune
