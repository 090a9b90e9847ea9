// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/outcome.h"

#include "proto/types/names.h"

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

}  // namespace mmtune
