#include "proto/types/measurement.h"

namespace mmtune {

std::string ProofText(const ProofReport& proof) {
  if (proof.performed) return proof.passed ? "proven" : "failed";
  return proof.reason.empty() ? "not performed" : "not performed (" + proof.reason + ")";
}

double TuningRecord::Gflops() const {
  if (measurement.outcome != Outcome::kOk || measurement.timing.median_ns <= 0) return 0;
  return problem.Flops() / measurement.timing.median_ns;
}

}  // namespace mmtune
