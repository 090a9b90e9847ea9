// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/measurement.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"

namespace mmtune {
bool Timing::IsCold() const { return regime == RegimeName(Regime::kCold); }

absl::Status CheckReport::CheckConsistency() const {
  if (!performed && passed) return InvalidArgument("check.passed is true, but check.performed is false");
  RETURN_IF_ERROR(CheckAtLeast("check.wrong_row", wrong_row, -1));
  RETURN_IF_ERROR(CheckAtLeast("check.wrong_col", wrong_col, -1));
  if ((wrong_row < 0) != (wrong_col < 0))
    return InvalidArgument(absl::StrCat("check.wrong_row and wrong_col must both be known or both be -1, got ",
                                        wrong_row, " and ", wrong_col));
  if (!passed) return absl::OkStatus();
  if (wrong_row >= 0) return InvalidArgument("check.passed is true, but check.wrong_row names a wrong element");
  if (bound_fraction && !(*bound_fraction >= 0 && *bound_fraction <= 1)) {  // NaN fails, too
    return InvalidArgument(
        absl::StrCat("check.bound_fraction is ", *bound_fraction, "; for a passed check it must be 0 to 1"));
  }
  if (relative_error && !(std::isfinite(*relative_error) && *relative_error >= 0)) {
    return InvalidArgument(absl::StrCat("check.relative_error is ", *relative_error,
                                        "; for a passed check it must be finite and at least 0"));
  }
  return absl::OkStatus();
}

absl::Status VerificationReport::CheckConsistency() const {
  RETURN_IF_ERROR(CheckAtLeast("verification.fuzzing_runs", fuzzing_runs, 0));
  if (!performed) {
    if (!passed && !correct && !race_free && !deterministic && shapes.empty() && fuzzing_runs == 0 && finding.empty()) {
      return absl::OkStatus();
    }
    return InvalidArgument("verification.performed is false, but the verification has a result");
  }
  if (!reason.empty())
    return InvalidArgument("verification.performed is true, but verification.reason says why it was not performed");
  const bool is_clean = correct && race_free && finding.empty();
  if (passed == is_clean) return absl::OkStatus();
  if (!passed) return InvalidArgument("verification.passed is false, but the verification found nothing wrong");
  return InvalidArgument(
      absl::StrCat("verification.passed is true, but the verification says correct: ", correct ? "yes" : "no",
                   ", race-free: ", race_free ? "yes" : "no", ", finding: '", finding, "'"));
}

absl::Status Timing::Validate() const {
  for (double sample : samples_ns) RETURN_IF_ERROR(CheckTime("timing.samples_ns", sample));
  RETURN_IF_ERROR(CheckTime("timing.median_ns", median_ns));
  RETURN_IF_ERROR(CheckTime("timing.low_ns", low_ns));
  return CheckTime("timing.high_ns", high_ns);
}

absl::Status Timing::CheckConsistency() const {
  if (!(median_ns > 0))
    return InvalidArgument(absl::StrCat("timing.median_ns of an ok measurement must be above 0, got ", median_ns));
  if (!(low_ns <= median_ns && median_ns <= high_ns)) {
    return InvalidArgument(absl::StrCat("timing.median_ns is ", median_ns, ", which is not inside its interval ",
                                        low_ns, " to ", high_ns));
  }
  if (samples_ns.empty()) return absl::OkStatus();
  const Spread spread(samples_ns);
  if (!spread.IsMedian(median_ns)) {
    return InvalidArgument(
        absl::StrCat("timing.median_ns is ", median_ns, ", but the median of its samples is ", spread.median));
  }
  if (spread.Contains(low_ns, high_ns)) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("timing.low_ns and high_ns must lie within the samples, ", spread.least, " to ",
                                      spread.most, ", got ", low_ns, " to ", high_ns));
}

absl::Status Measurement::Validate() const {
  RETURN_IF_ERROR(resources.Validate());
  RETURN_IF_ERROR(timing.Validate());
  RETURN_IF_ERROR(phases.Validate());
  return conditions.Validate();
}

absl::Status Measurement::CheckConsistency() const {
  RETURN_IF_ERROR(check.CheckConsistency());
  RETURN_IF_ERROR(verification.CheckConsistency());
  if (!timing.regime.empty()) RETURN_IF_ERROR(WithContext(ParseRegime(timing.regime).status(), "timing.regime"));
  RETURN_IF_ERROR(conditions.CheckConsistency());
  if (outcome == Outcome::kOk) {
    if (!check.performed) return InvalidArgument("outcome is ok, but check.performed is false");
    if (!check.passed) return InvalidArgument("outcome is ok, but check.passed is false");
    if (verification.performed && !verification.passed) {
      return InvalidArgument("outcome is ok, but verification.passed is false");
    }
    return timing.CheckConsistency();
  }
  if (outcome == Outcome::kSkipped &&
      !(timing.median_ns == 0 && timing.high_ns == 0 && timing.samples_ns.empty() && !conditions.comparison)) {
    return InvalidArgument("outcome is skipped, but timing has more than low_ns");
  }
  return absl::OkStatus();
}

bool IsVerified(const VerificationReport& verification) { return verification.performed && verification.passed; }

std::string VerificationText(const VerificationReport& verification) {
  if (verification.performed) return verification.passed ? "verified" : "failed";
  return verification.reason.empty() ? "not performed" : "not performed (" + verification.reason + ")";
}

std::optional<bool> IsRaceFree(const VerificationReport& verification) {
  if (!verification.performed || (verification.race_free && !verification.correct)) return std::nullopt;
  return verification.race_free;
}

std::optional<bool> Deterministic(const VerificationReport& verification) {
  if (!verification.performed || verification.fuzzing_runs == 0 ||
      (verification.deterministic && !verification.correct))
    return std::nullopt;
  return verification.deterministic;
}

double TuningRecord::Gflops() const {
  if (!measurement.Timed()) return 0;
  return problem.Flops() / measurement.timing.median_ns;
}

std::optional<double> PercentOfBaseline(const TuningRecord& record) {
  const Baseline& baseline = record.measurement.conditions.baseline;
  if (baseline.name.empty() || baseline.median_ns <= 0 || record.Gflops() <= 0) return std::nullopt;
  return 100 * baseline.median_ns / record.measurement.timing.median_ns;
}

std::optional<double> PercentOfPeak(const TuningRecord& record) {
  const double peak = PeakGflops(record.device, record.problem.dtype, record.problem.math);
  if (peak <= 0 || record.Gflops() <= 0) return std::nullopt;
  return 100 * record.Gflops() / peak;
}

}  // namespace mmtune
