// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/format.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/base/status.h"

namespace mmtune {

std::string Fixed(double value, int decimals) { return absl::StrFormat("%.*f", decimals, value); }

int DecimalsFor(double value) {
  const double size = std::abs(value);
  if (!(size > 0)) return 1;
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 6);
}

std::string Grouped(int64_t value) {
  const std::string digits = absl::StrCat(value);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    const bool after_digit = i > 0 && digits[i - 1] != '-';
    if (after_digit && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string SpaceText(const SpaceSize& size) {
  return absl::StrCat(size.estimated ? "about " : "", Grouped(size.schedules), " valid schedules");
}

std::string SecondsText(double seconds) {
  if (!(seconds >= 0) || seconds > 1e9) return "?";
  if (seconds < 9.95) return absl::StrFormat("%.1f s", seconds);
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  if (whole < 60) return absl::StrCat(whole, " s");
  if (whole < 3600) return absl::StrFormat("%d min %02d s", whole / 60, whole % 60);
  return absl::StrFormat("%d h %02d min", whole / 3600, whole / 60 % 60);
}

std::string UtcText(int64_t unix_millis) {
  if (unix_millis <= 0) return "-";
  const time_t seconds = unix_millis / 1000;
  tm utc;
  gmtime_r(&seconds, &utc);
  char text[32];
  return std::string(text, strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &utc));
}

std::string BytesText(int64_t bytes) {
  constexpr std::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  const bool whole = value == std::floor(value) || value >= 100;
  return absl::StrCat(Fixed(value, whole ? 0 : 1), " ", ToAbsl(kUnits[unit]));
}

TimeUnit TimeUnitFor(double ns) {
  if (ns < 1e3) return {"ns", 1};
  if (ns < 1e6) return {"us", 1e3};
  if (ns < 1e9) return {"ms", 1e6};
  return {"s", 1e9};
}

double SpreadPercent(const Timing& timing) {
  if (timing.median_ns <= 0) return 0;
  return 50.0 * std::max(0.0, timing.high_ns - timing.low_ns) / timing.median_ns;
}

std::string SpreadText(const Timing& timing) {
  return timing.samples_ns.size() < 2 ? "-" : Fixed(SpreadPercent(timing), 1);
}

std::string DeviceText(const DeviceInfo& device) {
  return PlainText(absl::StrCat(device.name, device.arch.empty() ? "" : ", ", device.arch));
}

std::string ProblemText(const MatmulProblem& problem) {
  return absl::StrCat(problem.Text(), problem.IsPlainF32() ? " f32" : "");
}

std::string_view SimtNote() { return "times are of the SIMT device on a CPU, not of a GPU"; }

}  // namespace mmtune
