// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/outcome.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

std::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return "ok";
    case Outcome::kRejected:
      return "rejected";
    case Outcome::kCompileFailed:
      return "compile_failed";
    case Outcome::kLaunchFailed:
      return "launch_failed";
    case Outcome::kWrongResult:
      return "wrong_result";
    case Outcome::kTimedOut:
      return "timed_out";
    case Outcome::kCrashed:
      return "crashed";
    case Outcome::kUnstable:
      return "unstable";
    case Outcome::kSuspect:
      return "suspect";
  }
  return "crashed";
}

absl::StatusOr<Outcome> ParseOutcome(std::string_view name) {
  std::string known;
  for (Outcome outcome : kAllOutcomes) {
    if (OutcomeName(outcome) == name) return outcome;
    absl::StrAppend(&known, known.empty() ? "" : ", ", ToAbsl(OutcomeName(outcome)));
  }
  return InvalidArgument(absl::StrCat("unknown outcome '", ToAbsl(name), "'; known: ", known));
}

std::string_view RegimeName(Regime regime) { return regime == Regime::kWarm ? "warm" : "cold"; }

absl::StatusOr<Regime> ParseRegime(std::string_view name) {
  for (Regime regime : {Regime::kWarm, Regime::kCold}) {
    if (RegimeName(regime) == name) return regime;
  }
  return InvalidArgument(absl::StrCat("unknown regime '", ToAbsl(name), "'; known: warm, cold"));
}

}  // namespace mmtune
