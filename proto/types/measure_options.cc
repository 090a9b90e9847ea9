// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/measure_options.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/fields.h"

namespace mmtune {
namespace {

constexpr Named<Outcome> kOutcomes[] = {
    {Outcome::kOk, "ok"},
    {Outcome::kRejected, "rejected"},
    {Outcome::kCompileFailed, "compile_failed"},
    {Outcome::kLaunchFailed, "launch_failed"},
    {Outcome::kWrongResult, "wrong_result"},
    {Outcome::kTimedOut, "timed_out"},
    {Outcome::kCrashed, "crashed"},
    {Outcome::kUnstable, "unstable"},
    {Outcome::kSuspect, "suspect"},
    {Outcome::kSkipped, "skipped"},
};
constexpr Named<Regime> kRegimes[] = {{Regime::kWarm, "warm"}, {Regime::kCold, "cold"}};

}  // namespace

std::string_view OutcomeName(Outcome outcome) { return NameIn(kOutcomes, outcome, "crashed"); }
absl::StatusOr<Outcome> ParseOutcome(std::string_view name) { return ValueIn(kOutcomes, name, "outcome"); }

std::string_view RegimeName(Regime regime) { return NameIn(kRegimes, regime, "cold"); }
absl::StatusOr<Regime> ParseRegime(std::string_view name) { return ValueIn(kRegimes, name, "regime"); }

namespace {

constexpr double kMaxBudgetSeconds = 3600;

}  // namespace

double DefaultBudgetSeconds(DeviceKind kind) { return kind == DeviceKind::kCuda ? 0.3 : 1; }

MeasureOptions MeasureOptions::For(DeviceKind kind) const {
  MeasureOptions resolved = *this;
  if (resolved.budget_seconds == 0) resolved.budget_seconds = DefaultBudgetSeconds(kind);
  return resolved;
}

absl::Status MeasureOptions::Validate() const {
  if (!(precision > 0 && precision < 1)) {  // NaN fails, too
    return InvalidArgument(absl::StrCat("precision must be above 0 and below 1, got ", precision));
  }
  if (budget_seconds >= 0 && budget_seconds <= kMaxBudgetSeconds) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("budget_seconds must be 0 to ", kMaxBudgetSeconds, ", got ", budget_seconds));
}

}  // namespace mmtune
