#include "proto/types/measurement.h"

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "proto/base/digest.h"
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

std::string ProofText(const ProofReport& proof) {
  if (proof.performed) return proof.passed ? "proven" : "failed";
  return proof.reason.empty() ? "not performed" : "not performed (" + proof.reason + ")";
}

std::string Toolchain::CanonicalJson() const {
  return nlohmann::json{{"assembler", assembler}, {"families", families}, {"mlir", mlir}, {"mmtune", mmtune}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string Toolchain::Digest() const { return Sha256Hex(CanonicalJson()); }

double TuningRecord::Gflops() const {
  if (measurement.outcome != Outcome::kOk || measurement.timing.median_ns <= 0) return 0;
  return problem.Flops() / measurement.timing.median_ns;
}

}  // namespace mmtune
