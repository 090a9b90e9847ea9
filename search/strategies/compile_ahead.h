// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile-ahead: the most promising candidates (schedules that could be measured next) are compiled before one of them
// is chosen to be measured. Compiling shows register counts and spills, which predict the time much better than
// formulas alone, and needs no GPU. Used by model_strategy.h.
//
// How it works, for each choice of the next schedule to measure:
// - While the schedule chosen last is measured, the next most promising candidates are compiled. The next choice waits
//   for them. If its best candidate has not been compiled then, another round compiles the most promising ones; after
//   two such rounds the best one is proposed without compiling.
// - The number of candidates to compile follows from the times seen so far. With L compile lanes (compilations at a
//   time) for each device, the number for a device is L * (time on the device) / (time to compile + kModelMs), at most
//   kMost. Below 2, nothing is compiled ahead. Before any time is known it is L.
// - A compiled candidate has a new predicted time (SearchSpace::PredictCompiled). Its "delay" is log(new / old
//   prediction) less the mean of this over all compiled candidates, since all of them may be off in the same direction.
// - The regression weight of the delays is learned from measured times, with kPrior as the prior slope. For this,
//   candidates that were not compiled must be measured, too: a compiled one is measured only if it looked good.
// - Compile-ahead ends if it tells nothing: registers stay unknown because only the driver can assemble the code, or
//   kSilentRounds rounds had no result.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "search/strategies/acquisition.h"
#include "search/strategies/candidate_pool.h"
#include "search/strategies/strategy.h"

namespace mmtune {

/// Decides what is compiled ahead in one search, and keeps the results. Not thread-safe.
class CompileAhead {
 public:
  /// The most candidates compiled for one choice, for each device.
  static constexpr int kMost = 8;
  /// The most candidates compiled for one choice, for all devices.
  static constexpr size_t kMaxAtOnce = 256;
  /// The number of successive rounds without a result after which compile-ahead ends.
  static constexpr int kSilentRounds = 2;
  /// The prior of the regression weight of delays.
  static constexpr double kPrior = 0.5;
  /// The CPU time for modelling the machine code of a candidate (160 to 330 ms), which the time to compile does not
  /// include.
  static constexpr double kModelMs = 250;

  /// Takes StrategyOptions::compile_lanes and StrategyOptions::lanes. `space` must outlive it.
  CompileAhead(const SearchSpace& space, int compile_lanes, size_t devices)
      : space_(space), lanes_(compile_lanes), devices_(devices) {}

  /// A measurement, as the regression of residuals on delays uses it.
  struct ResidualSample {
    double delay = 0;                      ///< ScoredSchedule::delay; 0 if it was not compiled.
    double residual = 0;                   ///< log(measured time / time expected without the delay).
    double compile_ms = 0, device_ms = 0;  ///< Copied from Observation.
  };
  /// Returns the regression weight of the delays.
  static double DelayWeight(const std::vector<ResidualSample>& seen);

  /// Sets the measurements that the next choice may use.
  void SetMeasurements(const std::vector<ResidualSample>& seen);
  /// Returns the regression weight for the measurements given to SetMeasurements().
  double delay_weight() const { return delay_weight_; }

  /// True if a choice may begin, because all results that it waits for have arrived. Applies them to the pool.
  bool MayBegin(CandidatePool& pool);
  /// Begins a choice: sets the acquisition value of candidates that do not compile to 0.
  void Begin(const CandidatePool& pool, AcquisitionValues& acquisition);
  /// Returns true if the most promising candidate may be proposed now. If false, ToCompile() has schedules, or results
  /// are pending. Applies new results to both arguments, which must not change otherwise until the choice is made.
  bool MayChoose(CandidatePool& pool, AcquisitionValues& acquisition);
  /// Ends a choice. The chosen candidate must have been removed from the pool; `scores` are the acquisition values of
  /// the others.
  void Chosen(const CandidatePool& pool, const Eigen::ArrayXd& scores);

  /// Returns the schedules to compile now, each once. Implements Strategy::ToCompile().
  std::vector<Schedule> ToCompile();
  /// Takes the result of a compilation. Returns false if ToCompile() has not returned its schedule, or its result is no
  /// longer awaited.
  bool Take(const CompiledFacts& facts);
  /// True if results are pending.
  bool waits() const { return !waiting_.empty(); }
  /// Stops waiting for pending results.
  void GiveUp() { waiting_.clear(); }

  /// Returns the delay of schedules with this ScoredSchedule::code; 0 if they were not compiled.
  double DelayOf(uint64_t code) const;

 private:
  /// A schedule to compile, and its result.
  struct RequestedCompile {
    uint64_t code;
    CompiledFacts facts;
  };

  /// True if schedules with this code were compiled, or refused by the compiler.
  bool IsKnown(uint64_t code) const { return delays_.contains(code) || refused_.contains(code); }
  /// Adds candidates of the pool to the current round.
  void Ask(const CandidatePool& pool, const std::vector<size_t>& candidates);
  /// Returns up to `most` of the candidates, the most promising first.
  static std::vector<size_t> Best(std::vector<size_t> candidates, size_t most, const Eigen::ArrayXd& scores);
  /// Returns how many candidates may be compiled for one choice; 0 for none.
  size_t MostAtOnce() const {
    return most_ < 2 || !tells_ ? 0 : std::min(static_cast<size_t>(most_) * devices_, kMaxAtOnce);
  }
  /// Applies the results that have arrived to the pool, and to its acquisition values unless they are null.
  void Settle(CandidatePool& pool, AcquisitionValues* acquisition);
  /// Returns log(time predicted after compiling / time predicted before).
  double LogResidual(const CompiledFacts& facts) const;

  const SearchSpace& space_;
  const int lanes_;
  const size_t devices_;
  bool tells_ = true;  ///< False once compile-ahead has ended, because it gives no information.
  int silent_ = 0;     ///< Consecutive rounds without a result.
  double delay_weight_ = kPrior;
  int most_ = 0;    ///< The number of candidates for each device in the current choice.
  int rounds_ = 0;  ///< The number of rounds of the current choice.

  std::vector<RequestedCompile> asked_;              ///< The current round.
  std::unordered_map<std::string, size_t> waiting_;  ///< Maps digests of schedules without a result to asked_ indices.
  size_t handed_out_ = 0;                        ///< The number of schedules in asked_ that ToCompile() has returned.
  std::unordered_map<uint64_t, double> delays_;  ///< By ScoredSchedule::code.
  std::unordered_set<uint64_t> refused_;         ///< Codes of schedules that do not compile.
  double residuals_ = 0;                         ///< The sum of the log-ratios of all compiled candidates.
  size_t compiled_ = 0;                          ///< The number of all compiled candidates.
};

}  // namespace mmtune
