// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/measurement.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Of doubles that were computed from others on another machine.
constexpr double kRounding = 1e-9;

}  // namespace

bool Timing::IsCold() const { return regime == RegimeName(Regime::kCold); }

absl::Status CheckReport::CheckConsistency() const {
  if (!performed && passed) return InvalidArgument("check.passed is true and check.performed false");
  RETURN_IF_ERROR(CheckAtLeast("check.wrong_row", wrong_row, -1));
  RETURN_IF_ERROR(CheckAtLeast("check.wrong_col", wrong_col, -1));
  if ((wrong_row < 0) != (wrong_col < 0)) return InvalidArgument("check.wrong_row and wrong_col: only one is known");
  if (!passed) return absl::OkStatus();
  if (wrong_row >= 0) return InvalidArgument("check.passed is true, and check.wrong_row names a wrong element");
  if (bound_fraction && !(*bound_fraction >= 0 && *bound_fraction <= 1)) {  // NaN fails, too
    return InvalidArgument(
        absl::StrCat("check.bound_fraction is ", *bound_fraction, "; of a passed check it is 0 to 1"));
  }
  if (relative_error && !(std::isfinite(*relative_error) && *relative_error >= 0)) {
    return InvalidArgument(
        absl::StrCat("check.relative_error is ", *relative_error, "; of a passed check it is finite and >= 0"));
  }
  return absl::OkStatus();
}

absl::Status ProofReport::CheckConsistency() const {
  RETURN_IF_ERROR(CheckAtLeast("proof.stress_runs", stress_runs, 0));
  if (!performed) {
    if (!passed && !correct && !race_free && !deterministic && shapes.empty() && stress_runs == 0 && finding.empty()) {
      return absl::OkStatus();
    }
    return InvalidArgument("proof.performed is false, and the proof has a result");
  }
  if (!reason.empty()) return InvalidArgument("proof.performed is true, and proof.reason says why it was not");
  const bool is_clean = correct && race_free && finding.empty();
  if (passed == is_clean) return absl::OkStatus();
  if (!passed) return InvalidArgument("proof.passed is false, and the proof found nothing wrong");
  return InvalidArgument(absl::StrCat("proof.passed is true, and the proof says correct: ", correct ? "yes" : "no",
                                      ", race-free: ", race_free ? "yes" : "no", ", finding: '", finding, "'"));
}

absl::Status Timing::Validate() const {
  for (double sample : samples_ns) RETURN_IF_ERROR(CheckTime("timing.samples_ns", sample));
  RETURN_IF_ERROR(CheckTime("timing.median_ns", median_ns));
  RETURN_IF_ERROR(CheckTime("timing.low_ns", low_ns));
  return CheckTime("timing.high_ns", high_ns);
}

absl::Status Timing::CheckConsistency() const {
  if (!(median_ns > 0)) return InvalidArgument("timing.median_ns of an ok measurement is not a positive time");
  if (!(low_ns <= median_ns && median_ns <= high_ns)) {
    return InvalidArgument(
        absl::StrCat("timing.median_ns is ", median_ns, ", not inside its interval ", low_ns, " to ", high_ns));
  }
  if (samples_ns.empty()) return absl::OkStatus();
  std::vector<double> sorted = samples_ns;
  std::sort(sorted.begin(), sorted.end());
  const size_t n = sorted.size();
  const double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  if (std::fabs(median_ns - median) > kRounding * median) {
    return InvalidArgument(absl::StrCat("timing.median_ns is ", median_ns, "; the median of its samples is ", median));
  }
  if (low_ns >= sorted.front() * (1 - kRounding) && high_ns <= sorted.back() * (1 + kRounding)) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("timing: the interval ", low_ns, " to ", high_ns,
                                      " is not inside its samples, which are ", sorted.front(), " to ", sorted.back()));
}

absl::Status Measurement::Validate() const {
  RETURN_IF_ERROR(resources.Validate());
  RETURN_IF_ERROR(timing.Validate());
  RETURN_IF_ERROR(phases.Validate());
  return conditions.Validate();
}

absl::Status Measurement::CheckConsistency() const {
  RETURN_IF_ERROR(check.CheckConsistency());
  RETURN_IF_ERROR(proof.CheckConsistency());
  if (!timing.regime.empty()) RETURN_IF_ERROR(WithContext(ParseRegime(timing.regime).status(), "timing.regime"));
  RETURN_IF_ERROR(conditions.CheckConsistency());
  if (outcome == Outcome::kOk) {
    if (!check.performed) return InvalidArgument("check.performed is false; what was not checked is not ok");
    if (!check.passed) return InvalidArgument("check.passed is false; a wrong result is not ok");
    if (proof.performed && !proof.passed) {
      return InvalidArgument("proof.passed is false; what failed its proof is not ok");
    }
    return timing.CheckConsistency();
  }
  if (outcome == Outcome::kSkipped &&
      !(timing.median_ns == 0 && timing.high_ns == 0 && timing.samples_ns.empty() && !conditions.comparison)) {
    return InvalidArgument("outcome is skipped, and timing has more than low_ns, the least time");
  }
  return absl::OkStatus();
}

bool Proven(const ProofReport& proof) { return proof.performed && proof.passed; }

std::string ProofText(const ProofReport& proof) {
  if (proof.performed) return proof.passed ? "proven" : "failed";
  return proof.reason.empty() ? "not performed" : "not performed (" + proof.reason + ")";
}

std::optional<bool> RaceFree(const ProofReport& proof) {
  if (!proof.performed || (proof.race_free && !proof.correct)) return std::nullopt;
  return proof.race_free;
}

std::optional<bool> Deterministic(const ProofReport& proof) {
  if (!proof.performed || proof.stress_runs == 0 || (proof.deterministic && !proof.correct)) return std::nullopt;
  return proof.deterministic;
}

double TuningRecord::Gflops() const {
  if (!measurement.Timed()) return 0;
  return problem.Flops() / measurement.timing.median_ns;
}

}  // namespace mmtune
