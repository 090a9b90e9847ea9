// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of several records of one schedule, which one answers for it.
#pragma once

#include "proto/types/measurement.h"

namespace mmtune {

/// An ok measurement that every job takes as far as proof and device go: it answers before a newer one that is suspect,
/// not proven, or of a device in doubt.
inline bool SpeaksForAll(const Measurement& measurement) {
  return measurement.outcome == Outcome::kOk && Proven(measurement.proof) &&
         measurement.conditions.health.finding.empty();
}

/// Nothing older is asked when this is the newest.
inline bool Settles(const Measurement& measurement) {
  const bool failed = measurement.outcome != Outcome::kOk && measurement.outcome != Outcome::kSuspect;
  return failed || SpeaksForAll(measurement);
}

}  // namespace mmtune
