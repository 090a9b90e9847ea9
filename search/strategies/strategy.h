// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Search strategies, with a seeded ask/tell interface. Proposals depend only on the options, the outcome of each
// schedule and the facts of each compilation, not on when they arrive, as long as none is lost.
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

/// The outcome of a proposal.
struct Observation {
  Schedule schedule;
  /// kUnstable: the schedule could not be measured, and nothing is known of it.
  Outcome outcome = Outcome::kOk;
  double median_ns = 0;                  ///< If ok; for kSkipped a lower bound of its time, above the best.
  double compile_ms = 0, device_ms = 0;  ///< Time to compile, and on the device; 0: not known.

  /// True if it has a time, as Measurement::Timed.
  bool Timed() const { return outcome == Outcome::kOk && median_ns > 0; }
};

/// Facts from compiling a schedule, before it is measured.
struct CompiledFacts {
  enum class End {
    kCompiled,
    kFailed,   ///< The compiler refuses it.
    kUnknown,  ///< No worker could compile it, or not in time.
  };
  Schedule schedule;
  End end = End::kCompiled;
  CodeFacts code;  ///< If compiled.
};

/// Chooses which schedules to measure. Not thread-safe. Conformance suite: tests/search/strategy_conformance.
class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual std::string_view name() const = 0;

  /// Returns at most `n` valid schedules that were never proposed before; fewer, or none, if the strategy waits for
  /// observations or compilations, or is Exhausted().
  virtual std::vector<Schedule> Propose(int n) = 0;
  /// Tells the strategy outcomes, in any order, each proposed schedule at most once. Others are ignored.
  virtual void Observe(const std::vector<Observation>& observations) = 0;
  /// Returns schedules to compile ahead, each once; Propose waits for the result. Returns none if the strategy does not
  /// use compilations, or StrategyOptions::compile_lanes is 0. Must be called after a Propose that returned fewer
  /// schedules than asked for; may be called after any.
  virtual std::vector<Schedule> ToCompile() { return {}; }
  /// Tells the strategy the results of ToCompile(), in any order, each at most once. Others are ignored.
  virtual void Compiled(const std::vector<CompiledFacts>&) {}
  /// True when Propose will never return anything again.
  virtual bool Exhausted() const = 0;
  /// Returns the expected improvement of one more trial, as a fraction of the best time. Nullopt: not known, or not
  /// yet.
  virtual std::optional<double> ExpectedGain() const { return std::nullopt; }
};

struct StrategyOptions {
  uint64_t seed = 0;
  /// Schedules to measure first, in order. Those outside of the space are ignored.
  std::vector<Schedule> initial;
  /// The number of schedules that are measured at once, 1 or more. A strategy that waits for results keeps all busy.
  int lanes = 1;
  /// Times of schedules on other devices or for other problems, for strategies that learn. Those with other features
  /// than the space has (SearchSpace::Features) are ignored.
  std::vector<PriorObservation> prior_observations = {};
  /// The number of schedules compiled at once for each of `lanes`, beside the measurements. 0: nothing is compiled
  /// ahead.
  int compile_lanes = 0;
};

/// The name of the strategy that measures every schedule.
inline constexpr std::string_view kExhaustive = "exhaustive";
/// Returns kExhaustive, "random", "evolutionary" and "model".
const std::vector<std::string>& StrategyNames();
/// True if the strategy has an ExpectedGain().
bool PredictsGain(std::string_view name);
/// True if the strategy uses StrategyOptions::prior_observations.
bool UsesPriorObservations(std::string_view name);
/// Creates a strategy; InvalidArgument, listing the names, for an unknown one. `space` must outlive it.
absl::StatusOr<std::unique_ptr<Strategy>> CreateStrategy(std::string_view name, const SearchSpace& space,
                                                         const StrategyOptions& options);
/// Creates a strategy that proposes exactly these schedules, in order, duplicates once.
std::unique_ptr<Strategy> CreateListStrategy(const std::vector<Schedule>& schedules);

}  // namespace mmtune
