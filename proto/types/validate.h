// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a record may say: the rules for reports of workers, imported lines, stored records and those of older logs.
#pragma once

#include "absl/status/status.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// InvalidArgument naming the field. Every record: a uuid of 1 to 64 characters of [A-Za-z0-9_-] that cannot be taken
/// for an id; a valid problem; a schedule that can be read back from its own text; times that are finite and >= 0;
/// sizes >= 0 (registers and spills >= -1); attempt >= 1. All but suspect ones: fields that do not contradict each
/// other (Measurement::CheckConsistency()). An ok measurement also needs a device that CheckDevice() accepts, and no
/// time that makes more than MostGflops().
absl::Status Validate(const TuningRecord& record);

/// For what comes from outside. As Validate(), but an ok measurement that is only too fast for its device becomes
/// suspect, and its message says why.
absl::Status Admit(TuningRecord* record);

/// For what was stored before these rules existed: an ok measurement that Validate() would refuse becomes suspect.
void Distrust(TuningRecord* record);

}  // namespace mmtune
