// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why schedules were skipped.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "proto/types/measurement.h"

namespace mmtune {

/// How many, by RuntimeLowerBound::bound, or kNotChosen.
using SkippedBounds = std::map<std::string, int64_t>;

/// Compiled for a search that chose others.
inline constexpr char kNotChosen[] = "not chosen";

/// Counts a record that was skipped; any other one is passed over.
void CountSkipped(const TuningRecord& record, SkippedBounds& bounds);
/// "12 by blocks, 3 by schedulers"; empty where none was skipped by a bound.
std::string SkippedBoundsText(const SkippedBounds& bounds);
/// "36 more, to choose by registers and spills"; empty where all that were compiled were chosen.
std::string NotChosenText(const SkippedBounds& bounds);

}  // namespace mmtune
