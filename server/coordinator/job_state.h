// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The states of jobs on the wire.
#pragma once

#include <string_view>

#include "db/tuning_log.h"
#include "mmtune/v1/tuning.pb.h"

namespace mmtune {

v1::JobState ToWire(JobState state);
/// As JobStateName says it; "unknown" for a value that is none of this program's.
std::string_view JobStateName(v1::JobState state);
/// False for a value that is none of this program's.
bool IsFinal(v1::JobState state);

}  // namespace mmtune
