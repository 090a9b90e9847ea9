// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of measuring a candidate (one schedule in one search), and the outcomes that a measurement can have.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/fields.h"

namespace mmtune {

/// The way in which the measurement of a candidate ended. A schedule that fails is a normal result and is stored;
/// absl::Status is only for failures of this program or its machine. Stored by name.
enum class Outcome {
  kOk,             ///< It was checked and timed.
  kRejected,       ///< Its parameters break a rule of the kernel family.
  kCompileFailed,  ///< The compiler or the assembler refused it.
  kLaunchFailed,   ///< The CUDA driver refused to launch it.
  kWrongResult,    ///< It computed a wrong element, or has a data race.
  kTimedOut,       ///< It did not finish within its time limit.
  kCrashed,        ///< It crashed the process that ran it.
  kUnstable,       ///< No time could be measured, for example because workers failed. Nothing is known of it.
  kSuspect,        ///< Its time is shorter than the device allows. The record is kept, but never ranked or reused.
  kSkipped,  ///< It was not measured: after compilation it was predicted too slow, or it was not chosen. Never reused.
};
/// All outcomes, in the order of the enum.
inline constexpr Outcome kAllOutcomes[] = {
    Outcome::kOk,       Outcome::kRejected, Outcome::kCompileFailed, Outcome::kLaunchFailed, Outcome::kWrongResult,
    Outcome::kTimedOut, Outcome::kCrashed,  Outcome::kUnstable,      Outcome::kSuspect,      Outcome::kSkipped};

/// Converts to and from the name: "ok", "rejected", "compile_failed", …
std::string_view OutcomeName(Outcome outcome);
absl::StatusOr<Outcome> ParseOutcome(std::string_view name);
MMTUNE_TEXT_FORM(Outcome, OutcomeName, ParseOutcome);

/// The state of the caches in a timing. Warm: every launch uses the same operands. Cold: launches rotate through enough
/// operand sets to fill the L2 cache three times. Stored by name.
enum class Regime { kWarm, kCold };
/// Converts to and from "warm", "cold".
std::string_view RegimeName(Regime regime);
absl::StatusOr<Regime> ParseRegime(std::string_view name);
MMTUNE_TEXT_FORM(Regime, RegimeName, ParseRegime);

/// The default of MeasureOptions::precision: 0.5 %.
inline constexpr double kDefaultPrecision = 0.005;
/// Returns the default of MeasureOptions::budget_seconds for a kind of device.
double DefaultBudgetSeconds(DeviceKind kind);

/// How a candidate is to be measured.
struct MeasureOptions {
  Regime regime = Regime::kWarm;
  /// Timing ends when the confidence interval of the median has this relative half-width.
  double precision = kDefaultPrecision;
  double budget_seconds = 0;  ///< The time limit of the timing; 0 for the device's default.
  bool baseline = true;       ///< If true, the vendor's library is timed beside the candidate.
  /// If true, the schedule is verified at small shapes on the SIMT device before it is timed.
  bool verification = true;

  /// Returns these options with a budget of 0 replaced by the default of the device.
  MeasureOptions For(DeviceKind kind) const;
  /// Returns InvalidArgument unless precision is between 0 and 1, and the budget between 0 and 3600 seconds.
  absl::Status Validate() const;

  MMTUNE_FIELDS(regime, precision, budget_seconds, baseline, verification)
  bool operator==(const MeasureOptions&) const = default;
};

}  // namespace mmtune
