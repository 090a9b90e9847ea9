// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/measurement.h"

#include "proto/base/status.h"

namespace mmtune {

bool Timing::IsCold() const { return regime == RegimeName(Regime::kCold); }

absl::Status Timing::Validate() const {
  for (double sample : samples_ns) RETURN_IF_ERROR(CheckTime("timing.samples_ns", sample));
  RETURN_IF_ERROR(CheckTime("timing.median_ns", median_ns));
  RETURN_IF_ERROR(CheckTime("timing.low_ns", low_ns));
  return CheckTime("timing.high_ns", high_ns);
}

absl::Status Measurement::Validate() const {
  RETURN_IF_ERROR(resources.Validate());
  RETURN_IF_ERROR(timing.Validate());
  RETURN_IF_ERROR(phases.Validate());
  return conditions.Validate();
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
