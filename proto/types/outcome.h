// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became of a candidate, in a word, and where its operands lay.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/fields.h"

namespace mmtune {

/// A bad candidate is data, never a Status. Stored by name.
enum class Outcome {
  kOk,
  kRejected,       ///< The family's validity rule said no.
  kCompileFailed,  ///< The pipeline or the assembler said no.
  kLaunchFailed,   ///< The driver said no.
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

/// "ok", "rejected", "compile_failed", "launch_failed", "wrong_result", "timed_out", "crashed", "unstable",
/// "suspect", "skipped".
std::string_view OutcomeName(Outcome outcome);
absl::StatusOr<Outcome> ParseOutcome(std::string_view name);

template <>
struct TextForm<Outcome> {
  static constexpr auto Write = OutcomeName;
  static constexpr auto Read = ParseOutcome;
};

/// Whether one set of operands is used again and again, or as many in turn as fill the caches three times. Stored by
/// name.
enum class Regime { kWarm, kCold };
/// "warm", "cold".
std::string_view RegimeName(Regime regime);
absl::StatusOr<Regime> ParseRegime(std::string_view name);

template <>
struct TextForm<Regime> {
  static constexpr auto Write = RegimeName;
  static constexpr auto Read = ParseRegime;
};

}  // namespace mmtune
