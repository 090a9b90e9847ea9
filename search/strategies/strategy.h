// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schedules to measure next: ask/tell, seeded. The same options and the same outcome of each schedule propose the
// same schedules in the same order, whenever the outcomes come, as long as each of them comes; and where it has
// schedules compiled, as long as what that tells is the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/compilation.h"
#include "proto/types/measurement.h"
#include "search/cost_model/prior_observations.h"
#include "search/space/search_space.h"

namespace mmtune {

/// What came of a proposal.
struct Observation {
  Schedule schedule;
  /// kUnstable says nothing of the schedule: it could not be measured, and is waited for no longer.
  Outcome outcome = Outcome::kOk;
  double median_ns = 0;  ///< Meaningful when ok; of kSkipped, the time that it takes at least, above the best.
  double compile_ms = 0, device_ms = 0;  ///< So long it was compiled, and was on the device; 0: not known.

  /// Whether it has a time, as Measurement::Timed.
  bool Timed() const { return outcome == Outcome::kOk && median_ns > 0; }
};

/// What compiling a schedule told, before it was measured.
struct CompiledFacts {
  enum class End {
    kCompiled,
    kFailed,   ///< The compiler refuses it.
    kUnknown,  ///< Nobody could compile it, or not in time.
  };
  Schedule schedule;
  End end = End::kCompiled;
  CodeFacts code;  ///< When compiled.
};

/// Not thread-safe. Conformance suite: tests/search/strategy_conformance.
class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual std::string_view name() const = 0;

  /// At most `n` schedules never proposed before, all valid. Fewer, or none, when the strategy waits for observations
  /// or for what it wants compiled (not Exhausted) or has nothing left (Exhausted).
  virtual std::vector<Schedule> Propose(int n) = 0;
  /// In any order; each proposed schedule at most once. A schedule never proposed is ignored.
  virtual void Observe(const std::vector<Observation>& observations) = 0;
  /// Schedules to compile, each named once, some of which it will propose: Propose waits for what comes of them. None
  /// of a strategy that chooses without, or where StrategyOptions::compile_lanes is 0. May be asked after each Propose;
  /// where that gave fewer than it was asked for, it has to be.
  virtual std::vector<Schedule> ToCompile() { return {}; }
  /// In any order; each schedule of ToCompile() at most once, others are ignored.
  virtual void Compiled(const std::vector<CompiledFacts>&) {}
  /// True when Propose will never return anything again.
  virtual bool Exhausted() const = 0;
  /// By how much, as a share of its time, one more trial is expected to improve upon the best so far. Nullopt: the
  /// strategy cannot tell, or not yet.
  virtual std::optional<double> ExpectedGain() const { return std::nullopt; }
};

struct StrategyOptions {
  uint64_t seed = 0;
  /// Measure these first, in order; those the space does not contain are passed over.
  std::vector<Schedule> initial;
  /// So many schedules can be measured at once, 1 or more: a strategy that waits for results keeps them all busy.
  int lanes = 1;
  /// Times of schedules on other devices or for other problems, for strategies that learn. Those with other features
  /// than the space has (SearchSpace::Features) are ignored.
  std::vector<PriorObservation> prior_observations = {};
  /// So many schedules compile at once for each of `lanes`, beside what is measured: a strategy may have schedules
  /// compiled before it chooses among them. 0: it chooses without.
  int compile_lanes = 0;
};

/// Measures every schedule.
inline constexpr std::string_view kExhaustive = "exhaustive";
/// kExhaustive, "random", "evolutionary", "model".
const std::vector<std::string>& StrategyNames();
/// Whether it has an ExpectedGain().
bool PredictsGain(std::string_view name);
/// True if the strategy uses StrategyOptions::prior_observations.
bool UsesPriorObservations(std::string_view name);
/// InvalidArgument listing the names. `space` must outlive the strategy.
absl::StatusOr<std::unique_ptr<Strategy>> CreateStrategy(std::string_view name, const SearchSpace& space,
                                                         const StrategyOptions& options);
/// Proposes exactly these, in order; duplicates once.
std::unique_ptr<Strategy> CreateListStrategy(const std::vector<Schedule>& schedules);

}  // namespace mmtune
