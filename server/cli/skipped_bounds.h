// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By which bound schedules were skipped.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "proto/types/measurement.h"

namespace mmtune {

/// How many, by LeastTime::bound.
using SkippedBounds = std::map<std::string, int64_t>;

/// Counts a record that was skipped; any other one is passed over.
void CountSkipped(const TuningRecord& record, SkippedBounds& bounds);
/// "12 by blocks, 3 by schedulers".
std::string SkippedBoundsText(const SkippedBounds& bounds);

}  // namespace mmtune
