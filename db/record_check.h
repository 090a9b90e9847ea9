// Which records the log takes, whoever brings them.
#pragma once

#include "absl/status/status.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// InvalidArgument naming the field: a uuid of 1 to 64 characters of [A-Za-z0-9_-] that cannot be taken for an id; a
/// valid problem; a schedule that survives its own text; finite times >= 0, the median > 0 when the outcome is ok;
/// sizes >= 0 (registers and spills
/// >= -1); attempt >= 1.
absl::Status CheckRecord(const TuningRecord& record);

}  // namespace mmtune
