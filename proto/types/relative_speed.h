// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast a record is beside the vendor's library and the device's peak.
#pragma once

#include <optional>

#include "proto/types/measurement.h"

namespace mmtune {

/// The speed in percent of the baseline timed in the same run; nullopt where there was none.
std::optional<double> PercentOfBaseline(const TuningRecord& record);
/// The speed in percent of PeakGflops; nullopt where that is unknown.
std::optional<double> PercentOfPeak(const TuningRecord& record);

}  // namespace mmtune
