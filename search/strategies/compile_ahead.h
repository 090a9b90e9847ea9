// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiling ahead: the most promising candidates are compiled before one of them is chosen, and the choice uses their
// registers, spills and modelled throughput.
//
// - After each choice, the next most promising candidates are compiled while the chosen one is measured, and the next
//   choice waits for them. If its best candidate has still not been compiled, the most promising ones are compiled in
//   one round and the choice is repeated; after two such rounds the best one is proposed uncompiled.
// - How many are compiled follows from the times seen: with L compile lanes a device,
//   L * (time on the device) / (time to compile + kModelMs), at most kMost. Below 2 nothing is compiled ahead; before
//   any time is known the number is L.
// - A compiled candidate has another predicted time (SearchSpace::PredictCompiled). All of these may be off in the same
//   direction, so a candidate's delay is its log-ratio of compiled to predicted time, less the mean of all log-ratios.
// - The weight of the delays is learned: residuals of the measured times are regressed on them (0 for what was not
//   compiled), with a prior slope of kPrior. Measurements of uncompiled candidates are needed for this, because a
//   compiled one is measured only if its facts were good.
// - Compiling ahead ends when no facts come: PTX that only the driver assembles, or kSilentRounds rounds without a
// result.
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

/// Decides what is compiled ahead for one search, and keeps the results. Not thread-safe.
class CompileAhead {
 public:
  static constexpr int kMost = 8;  ///< Candidates a choice and device.
  /// Candidates a choice for all devices.
  static constexpr size_t kMostAtOnce = 256;
  static constexpr int kSilentRounds = 2;
  static constexpr double kPrior = 0.5;
  /// Time of the model of a candidate's machine code, which the time to compile does not include: 160 to 330 ms of CPU.
  static constexpr double kModelMs = 250;

  /// Takes StrategyOptions::compile_lanes and ::lanes. `space` must outlive it.
  CompileAhead(const SearchSpace& space, int compile_lanes, size_t devices)
      : space_(space), lanes_(compile_lanes), devices_(devices) {}

  /// A measurement, as the regression of residuals on delays uses it.
  struct Seen {
    double delay = 0;                      ///< 0 if it was not compiled.
    double residual = 0;                   ///< The log-ratio of its time to the one expected without the delay.
    double compile_ms = 0, device_ms = 0;  ///< Copied from Observation.
  };
  /// Returns the regression weight of the delays.
  static double TrustFrom(const std::vector<Seen>& seen);

  /// Sets the measurements that the next choice knows.
  void Learn(const std::vector<Seen>& seen);
  /// Returns TrustFrom() of the measurements given to Learn().
  double trust() const { return trust_; }

  /// True if a choice may begin: all facts that it waits for have arrived, and are in the pool.
  bool MayBegin(CandidatePool& pool);
  /// Begins a choice: candidates that do not compile are ruled out.
  void Begin(const CandidatePool& pool, AcquisitionValues& acquisition);
  /// True if the most promising candidate may be proposed now; otherwise ToCompile() has schedules, or results are
  /// pending. Applies new facts to both arguments, which must not change otherwise until the choice is made.
  bool MayChoose(CandidatePool& pool, AcquisitionValues& acquisition);
  /// Ends a choice: the chosen candidate has left the pool. `scores` has the values of the remaining ones.
  void Chosen(const CandidatePool& pool, const Eigen::ArrayXd& scores);

  /// Implements Strategy::ToCompile.
  std::vector<Schedule> ToCompile();
  /// Takes a result; returns false if it is not waited for.
  bool Take(const CompiledFacts& facts);
  bool waits() const { return !waiting_.empty(); }
  /// Stops waiting for pending results.
  void GiveUp() { waiting_.clear(); }

  /// Returns the delay of schedules with this Candidate::code; 0 if they were not compiled.
  double DelayOf(uint64_t code) const;

 private:
  struct Asked {
    uint64_t code;
    CompiledFacts facts;
  };

  bool IsKnown(uint64_t code) const { return delays_.contains(code) || refused_.contains(code); }
  /// Adds these candidates of the pool to the round.
  void Ask(const CandidatePool& pool, const std::vector<size_t>& candidates);
  /// Returns up to `most` of the candidates, the most promising first.
  static std::vector<size_t> Best(std::vector<size_t> candidates, size_t most, const Eigen::ArrayXd& scores);
  /// Returns how many candidates one choice may compile; 0: none.
  size_t MostAtOnce() const {
    return most_ < 2 || !tells_ ? 0 : std::min(static_cast<size_t>(most_) * devices_, kMostAtOnce);
  }
  /// Applies arrived facts to the pool, and to its acquisition values unless they are null.
  void Settle(CandidatePool& pool, AcquisitionValues* acquisition);
  /// Returns the log-ratio of compiled to predicted time.
  double LogResidual(const CompiledFacts& facts) const;

  const SearchSpace& space_;
  const int lanes_;
  const size_t devices_;
  bool tells_ = true;
  int silent_ = 0;  ///< Consecutive rounds without a result.
  double trust_ = kPrior;
  int most_ = 0;    ///< Candidates a device for the current choice.
  int rounds_ = 0;  ///< Rounds of the current choice.

  std::vector<Asked> asked_;                         ///< The current round.
  std::unordered_map<std::string, size_t> waiting_;  ///< By schedule digest: pending indices into asked_.
  size_t handed_out_ = 0;                            ///< How many of asked_ ToCompile() has returned.
  std::unordered_map<uint64_t, double> delays_;      ///< By Candidate::code.
  std::unordered_set<uint64_t> refused_;             ///< Codes of schedules that do not compile.
  double residuals_ = 0;                             ///< The sum of the log-ratios of all compiled candidates.
  size_t compiled_ = 0;                              ///< Their number.
};

}  // namespace mmtune
