// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a candidate is measured, and its outcome in a word.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/fields.h"

namespace mmtune {

/// The outcome of a candidate: a bad candidate is data, never a Status. Stored by name.
enum class Outcome {
  kOk,
  kRejected,       ///< It breaks a rule of its family.
  kCompileFailed,  ///< The pipeline or the assembler refused it.
  kLaunchFailed,   ///< The driver refused it.
  kWrongResult,
  kTimedOut,
  kCrashed,
  kUnstable,
  kSuspect,  ///< Timed faster than the device can be: kept, never ranked, never reused.
  kSkipped,  ///< Compiled at most: too slow for its job (Timing::low_ns), or not chosen (0 there). Never reused.
};
inline constexpr Outcome kAllOutcomes[] = {
    Outcome::kOk,       Outcome::kRejected, Outcome::kCompileFailed, Outcome::kLaunchFailed, Outcome::kWrongResult,
    Outcome::kTimedOut, Outcome::kCrashed,  Outcome::kUnstable,      Outcome::kSuspect,      Outcome::kSkipped};

/// Converts to and from the name: "ok", "rejected", "compile_failed", …
std::string_view OutcomeName(Outcome outcome);
absl::StatusOr<Outcome> ParseOutcome(std::string_view name);
MMTUNE_TEXT_FORM(Outcome, OutcomeName, ParseOutcome);

/// The operands of successive launches: the same set every time (warm), or as many sets in rotation as fill the caches
/// three times (cold). Stored by name.
enum class Regime { kWarm, kCold };
/// Converts to and from "warm", "cold".
std::string_view RegimeName(Regime regime);
absl::StatusOr<Regime> ParseRegime(std::string_view name);
MMTUNE_TEXT_FORM(Regime, RegimeName, ParseRegime);

/// The default of MeasureOptions::precision.
inline constexpr double kDefaultPrecision = 0.005;
/// Returns the default of MeasureOptions::budget_seconds for a kind of device.
double DefaultBudgetSeconds(DeviceKind kind);

/// Options of the measurement of a candidate.
struct MeasureOptions {
  Regime regime = Regime::kWarm;
  double precision = kDefaultPrecision;  ///< Timing ends when the median's interval has this relative half-width.
  double budget_seconds = 0;             ///< Limit of the timing phase; 0: the device's default.
  bool baseline = true;                  ///< Time the vendor's library beside the candidate.
  bool verification = true;              ///< Verify a schedule at small shapes before it is timed.

  /// Returns the options with the device's default budget in place of 0. Called where a candidate gets its device.
  MeasureOptions For(DeviceKind kind) const;
  /// Returns InvalidArgument unless precision is between 0 and 1 and the budget 0 to 3600 s.
  absl::Status Validate() const;

  MMTUNE_FIELDS(regime, precision, budget_seconds, baseline, verification)
  bool operator==(const MeasureOptions&) const = default;
};

}  // namespace mmtune
