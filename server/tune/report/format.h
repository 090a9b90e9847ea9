// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats numbers, times, devices and problems for people, and parses the times that `--since` takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "nlohmann/json_fwd.hpp"
#include "proto/base/plain_text.h"
#include "proto/types/device_info.h"
#include "proto/types/measurement.h"
#include "search/space/search_space.h"

namespace mmtune {

/// Returns `value` with `decimals` digits after the point.
std::string Fixed(double value, int decimals);

/// Returns the number of decimals with which at least three significant digits of `value` are shown; at most 6.
int DecimalsFor(double value);

/// Returns "1,234,567".
std::string Grouped(int64_t value);
/// Returns "12,345.6", with `decimals` digits after the point.
std::string Number(double value, int decimals);
/// Returns "49,141", "18.9" or "0.123": at least three significant digits.
std::string Number(double value);
/// Returns "18.9 GFLOP/s" or "49.1 TFLOP/s".
std::string SpeedText(double gflops);
/// Returns "1,234 valid schedules", or "about 18,000,000 valid schedules" for an estimate.
std::string SpaceText(const SpaceSize& size);

/// Returns "0.4 s", "12 s", "3 min 05 s", "2 h 10 min"; "?" for a negative time, NaN, or more than 1e9 s.
std::string SecondsText(double seconds);

/// Returns "2026-01-31 12:00:05", UTC; "-" for 0.
std::string UtcText(int64_t unix_millis);

/// Returns "1.5 GiB", "48 KiB", "100 B".
std::string BytesText(int64_t bytes);

/// A unit of time and its length in nanoseconds.
struct TimeUnit {
  std::string_view name;
  double nanoseconds;
};
/// Returns the unit that gives `ns` at least one digit before the point.
TimeUnit TimeUnitFor(double ns);
/// Returns "1.02 ms", with a unit and decimals chosen by the size of `ns`; "-" for 0.
std::string TimeText(double ns);
/// Returns half the width of the timing's confidence interval, in percent of its median; 0 if it has no median.
double SpreadPercent(const Timing& timing);

/// Returns SpreadPercent() as text, such as "1.2"; "-" for fewer than two samples.
std::string SpreadText(const Timing& timing);

/// Returns "NVIDIA H200, sm_90".
std::string DeviceText(const DeviceInfo& device);

/// Returns "1024x512x256 batch=8 epilogue=bias f32".
std::string ProblemText(const MatmulProblem& problem);

/// Returns the value as JSON on one line, safe to print on a terminal. Bytes that are not valid UTF-8 become U+FFFD.
std::string JsonText(const nlohmann::ordered_json& value);

/// Returns the note below every table with times of the SIMT device.
std::string_view SimtNote();

/// Parses "90s", "30m", "2h", "7d" or "1w" into milliseconds; nullopt for anything else.
std::optional<int64_t> ParseAge(std::string_view text);

/// Parses a point in time into milliseconds since 1970. `text` is an age before `now_unix_millis` (ParseAge()), or a
/// UTC date or time: "2026-01-31", "2026-01-31T12:00" or "2026-01-31T12:00:05". Returns InvalidArgument for any other
/// text, and for an age that begins before 1970.
absl::StatusOr<int64_t> ParseSince(std::string_view text, int64_t now_unix_millis);

}  // namespace mmtune
