// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a record may say. A worker's report, an imported line, what is stored and what older logs hold all come by here.
#pragma once

#include "absl/status/status.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// InvalidArgument naming the field. Every record: a uuid of 1 to 64 characters of [A-Za-z0-9_-] that cannot be taken
/// for an id; a valid problem; a schedule that survives its own text; times as Timing::Validate() has them; sizes >= 0
/// (registers and spills >= -1); attempt >= 1. An ok measurement, on top: a device as
/// CheckDevice() has it; a check that was performed and passed; no
/// proof that failed; a median > 0 inside its interval; not more GFLOPS than MostGflops().
absl::Status Validate(const TuningRecord& record);

/// For what comes from outside. As Validate(), but an ok measurement that is only too fast for its device becomes
/// suspect, and its message says why.
absl::Status Admit(TuningRecord* record);

/// For what was stored before there were these rules: an ok measurement that Validate() would refuse becomes suspect.
void Distrust(TuningRecord* record);

}  // namespace mmtune
