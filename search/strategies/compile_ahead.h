// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schedules are compiled before one of them is chosen, and what that changes.
//
// - When a choice has been made, those of the next most promising that have not been compiled are, while the chosen one
//   is measured; the next choice waits for them. Where its most promising candidate has not been compiled all the same,
//   as many of the most promising are first, all at once, and then it is chosen anew; after two such rounds it is
//   proposed as it is.
// - How many follows from the times of the measurements that the search has seen: of a device with L compile lanes,
//   L * (time on the device) / (time to compile + kModelMs), up to kMost. Where that is less than 2, nothing is
//   compiled ahead; before a time is known, it is L.
// - Of a compiled candidate the formula gives another time (SearchSpace::PredictCompiled): by its registers, what it
//   spills, and a model of its machine code. Estimates may be wrong in one direction, which says nothing about one of
//   them: its delay is what the logarithm of its ratio of the two is above the mean of all that were compiled by then.
// - How much of the delays is so, measurements say: their times, beyond what was expected, are regressed on the delays
//   (0, the mean, of what was not compiled), with kPrior as the slope that is believed before any time is known. Those
//   that were not compiled are needed: of the others, only those that compiling spoke for have been measured.
// - Where what compiles has no registers to tell (PTX left to a driver), or nobody compiled any of kSilentRounds rounds
//   one after the other, this ends.
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

/// Not thread-safe.
class CompileAhead {
 public:
  static constexpr int kMost = 8;  ///< For one choice and device.
  /// Of all devices.
  static constexpr size_t kMostAtOnce = 256;
  static constexpr int kSilentRounds = 2;
  static constexpr double kPrior = 0.5;
  /// What the model of its machine code takes beside the compilation, in whose times it is not: 160 to 330 ms of CPU.
  static constexpr double kModelMs = 250;

  /// As StrategyOptions says. `space` must outlive it.
  CompileAhead(const SearchSpace& space, int compile_lanes, size_t devices)
      : space_(space), lanes_(compile_lanes), devices_(devices) {}

  /// A measurement.
  struct Seen {
    double delay = 0;                      ///< 0 of what was not compiled.
    double residual = 0;                   ///< The logarithm of its time over the one expected without the delay.
    double compile_ms = 0, device_ms = 0;  ///< As in Observation.
  };
  /// The part of the delays that is so.
  static double TrustFrom(const std::vector<Seen>& seen);

  /// All measurements that the next choice knows.
  void Learn(const std::vector<Seen>& seen);
  /// TrustFrom() what has been learnt.
  double trust() const { return trust_; }

  /// Whether a choice may begin: what was wanted for it has been told, and put into the pool.
  bool MayBegin(CandidatePool& pool);
  /// A choice begins: what does not compile has no chance.
  void Begin(const CandidatePool& pool, AcquisitionValues& acquisition);
  /// Whether the most promising may be proposed now; else ToCompile() has something, or is waited for. Puts what was
  /// told into both, which change in no other way until the choice is made.
  bool MayChoose(CandidatePool& pool, AcquisitionValues& acquisition);
  /// It has been made: the pool no longer has it. `scores` are those of the candidates that are left.
  void Chosen(const CandidatePool& pool, const Eigen::ArrayXd& scores);

  /// As Strategy's.
  std::vector<Schedule> ToCompile();
  /// False: it is not waited for.
  bool Take(const CompiledFacts& facts);
  bool waits() const { return !waiting_.empty(); }
  /// What is waited for stays unknown.
  void GiveUp() { waiting_.clear(); }

  /// Of the schedules with these features; 0 where they were not compiled.
  double DelayOf(uint64_t code) const;

 private:
  struct Asked {
    uint64_t code;
    CompiledFacts facts;
  };

  bool IsKnown(uint64_t code) const { return delays_.contains(code) || refused_.contains(code); }
  /// These of the pool are to be compiled.
  void Ask(const CandidatePool& pool, const std::vector<size_t>& candidates);
  /// So many of the most promising, in that order.
  static std::vector<size_t> Best(std::vector<size_t> candidates, size_t most, const Eigen::ArrayXd& scores);
  /// What one choice may have compiled.
  size_t MostAtOnce() const {
    return most_ < 2 || !tells_ ? 0 : std::min(static_cast<size_t>(most_) * devices_, kMostAtOnce);
  }
  /// `acquisition` is that of the pool, or null.
  void Settle(CandidatePool& pool, AcquisitionValues* acquisition);
  /// The logarithm of the formula's time for what was compiled, over that before.
  double LogResidual(const CompiledFacts& facts) const;

  const SearchSpace& space_;
  const int lanes_;
  const size_t devices_;
  bool tells_ = true;
  int silent_ = 0;  ///< The last rounds of which nothing came.
  double trust_ = kPrior;
  int most_ = 0;    ///< For one device; of the choice that is being made.
  int rounds_ = 0;  ///< Of it.

  std::vector<Asked> asked_;                         ///< Of this round.
  std::unordered_map<std::string, size_t> waiting_;  ///< By digest: those of them that nothing is known of yet.
  size_t handed_out_ = 0;                            ///< So many of them ToCompile() has named.
  std::unordered_map<uint64_t, double> delays_;      ///< By code.
  std::unordered_set<uint64_t> refused_;             ///< Codes of what does not compile.
  double residuals_ = 0;                             ///< The sum of all.
  size_t compiled_ = 0;                              ///< Of so many.
};

}  // namespace mmtune
