// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of search strategies, which choose the schedules (kernel families with parameters) to measure, and the
// strategies by name. It is an ask/tell interface:
//
//   while (!strategy->Exhausted()) {
//     for (const Schedule& schedule : strategy->Propose(n)) Measure(schedule);
//     strategy->Observe(results);
//   }
//
// Proposals depend only on the options (with a seed) and on the results, not on the order or time at which results
// arrive, as long as no result is lost. After Learn() or Suggest() they also depend on when these were called.
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

/// The result of measuring a proposed schedule.
struct Observation {
  Schedule schedule;
  /// kUnstable means that the schedule could not be measured, and nothing is known of it.
  Outcome outcome = Outcome::kOk;
  /// The time if the outcome is ok. For kSkipped (compiled, but predicted too slow to be measured), a lower bound of
  /// the time, which is above the best time.
  double median_ns = 0;
  double compile_ms = 0, device_ms = 0;  ///< Time to compile, and time on the device; 0 for unknown.

  /// True if it has a time.
  bool Timed() const { return outcome == Outcome::kOk && median_ns > 0; }
};

/// The result of compiling a schedule before it is measured.
struct CompiledFacts {
  /// The outcome of the compilation.
  enum class End {
    kCompiled,
    kFailed,   ///< The compiler refused the schedule.
    kUnknown,  ///< No worker could compile it, or not in time.
  };
  Schedule schedule;
  End end = End::kCompiled;
  CodeFacts code;  ///< Set if it was compiled.
};

/// The fewest measured times from which Strategy::Learn() learns.
inline constexpr size_t kMinLearned = 8;

/// Chooses the schedules to measure. Not thread-safe. tests/search/strategy_conformance tests what every strategy must
/// do.
class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual std::string_view name() const = 0;

  /// Returns up to `n` valid schedules, none of which was proposed before. Returns fewer, or none, if the strategy
  /// waits for results or is Exhausted().
  virtual std::vector<Schedule> Propose(int n) = 0;
  /// Takes results of proposed schedules, in any order, each at most once. Results of other schedules are ignored.
  virtual void Observe(const std::vector<Observation>& observations) = 0;
  /// Returns schedules to compile before the strategy decides whether to propose them (compile-ahead), each once.
  /// Propose() waits for the results, which Compiled() takes. Call it after a Propose() that returned fewer schedules
  /// than asked for; it may be called after any. Returns none if the strategy does not use compile-ahead, or
  /// StrategyOptions::compile_lanes is 0.
  virtual std::vector<Schedule> ToCompile() { return {}; }
  /// Takes the results of compiling schedules of ToCompile(), in any order, each at most once. Results of other
  /// schedules are ignored.
  virtual void Compiled(const std::vector<CompiledFacts>&) {}
  /// Takes times of similar problems on the same device, measured meanwhile by other searches. They replace those of
  /// earlier calls. Fewer than kMinLearned have no influence. Does nothing if the strategy does not learn from others.
  virtual void Learn(const std::vector<PriorObservation>&) {}
  /// Makes the schedule the next proposal, if it is in the space, was not proposed yet, and is not among those that the
  /// search proposes first. Does nothing if the strategy does not learn from others.
  virtual void Suggest(const Schedule&) {}
  /// True if Propose() will never return anything again.
  virtual bool Exhausted() const = 0;
  /// Returns the expected improvement by one more trial, as a fraction of the best time; nullopt if not known (yet).
  virtual std::optional<double> ExpectedGain() const { return std::nullopt; }
};

/// The settings of a strategy.
struct StrategyOptions {
  uint64_t seed = 0;
  /// Schedules to measure first, in order. Those that are not in the space are ignored.
  std::vector<Schedule> initial;
  /// The number of schedules that are measured at once, one on each device (a lane); at least 1. Strategies propose
  /// enough to keep all lanes busy.
  int lanes = 1;
  /// Times of schedules for other problems or devices, for strategies that learn from them. Those with another number
  /// of features than the space has are ignored.
  std::vector<PriorObservation> prior_observations = {};
  /// The number of schedules that can be compiled at once for each of `lanes`, while others are measured. 0: nothing is
  /// compiled ahead.
  int compile_lanes = 0;
};

/// The name of the strategy that measures every schedule.
inline constexpr std::string_view kExhaustive = "exhaustive";
/// Returns the names of all strategies: "exhaustive", "random", "evolutionary" and "model".
const std::vector<std::string>& StrategyNames();
/// True if the strategy implements ExpectedGain().
bool PredictsGain(std::string_view name);
/// True if the strategy uses StrategyOptions::prior_observations, and implements Learn() and Suggest().
bool UsesPriorObservations(std::string_view name);
/// Creates a strategy. `space` must outlive it. Returns InvalidArgument listing the known names for an unknown one.
absl::StatusOr<std::unique_ptr<Strategy>> CreateStrategy(std::string_view name, const SearchSpace& space,
                                                         const StrategyOptions& options);
/// Creates a strategy that proposes exactly these schedules, in order and without duplicates.
std::unique_ptr<Strategy> CreateListStrategy(const std::vector<Schedule>& schedules);

}  // namespace mmtune
