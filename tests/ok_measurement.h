// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports of a worker that measures nothing.
#pragma once

#include "proto/types/measurement.h"

namespace mmtune {

/// Timed `samples` times at `ns`, right and verified.
inline Measurement OkMeasurement(double ns, size_t samples = 1) {
  Measurement measurement;
  measurement.timing.samples_ns.assign(samples, ns);
  measurement.timing.median_ns = measurement.timing.low_ns = measurement.timing.high_ns = ns;
  measurement.timing.regime = "warm";
  measurement.check.performed = measurement.check.passed = true;
  measurement.verification.performed = measurement.verification.passed = true;
  measurement.verification.correct = measurement.verification.race_free = true;
  return measurement;
}

}  // namespace mmtune
