// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proto/base/plain_text.h"
#include "proto/types/device_info.h"
#include "proto/types/measurement.h"
#include "search/space/search_space.h"

namespace mmtune {

/// `value` with `decimals` digits after the point.
std::string Fixed(double value, int decimals);

/// Decimals that show at least three significant digits of `value`, at most 6.
int DecimalsFor(double value);

/// "1,234,567".
std::string Grouped(int64_t value);
/// "1,234 valid schedules"; "about 18,000,000 valid schedules" of an estimate.
std::string SpaceText(const SpaceSize& size);

/// "0.4 s", "12 s", "3 min 05 s", "2 h 10 min".
std::string SecondsText(double seconds);

/// "2026-01-31 12:00:05", UTC; "-" for 0.
std::string UtcText(int64_t unix_millis);

/// "1.5 GiB", "48 KiB", "100 B".
std::string BytesText(int64_t bytes);

/// A unit of time and what divides nanoseconds into it.
struct TimeUnit {
  std::string_view name;
  double nanoseconds;
};
/// The unit that gives `ns` at least one digit before the point.
TimeUnit TimeUnitFor(double ns);

/// Half the width of the timing's interval, in percent of its median.
double SpreadPercent(const Timing& timing);

/// "1.2"; "-" for fewer than two samples.
std::string SpreadText(const Timing& timing);

/// "NVIDIA H200, sm_90".
std::string DeviceText(const DeviceInfo& device);

/// "1024x512x256 batch=8 epilogue=bias f32".
std::string ProblemText(const MatmulProblem& problem);

/// The note below every table with times of the SIMT device.
std::string_view SimtNote();

}  // namespace mmtune
