// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Returns the number with commas between the thousands.
std::string WithCommas(std::string number) {
  const size_t begin = number[0] == '-' ? 1 : 0;
  for (size_t at = std::min(number.find_first_not_of("0123456789", begin), number.size()); at > begin + 3;) {
    at -= 3;
    number.insert(at, ",");
  }
  return number;
}

}  // namespace

std::string Fixed(double value, int decimals) { return absl::StrFormat("%.*f", decimals, value); }

int DecimalsFor(double value) {
  const double size = std::abs(value);
  if (!(size > 0)) return 1;
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 6);
}

std::string Grouped(int64_t value) { return WithCommas(absl::StrCat(value)); }

std::string Number(double value, int decimals) { return WithCommas(Fixed(value, decimals)); }

std::string Number(double value) { return Number(value, DecimalsFor(value)); }

std::string SpeedText(double gflops) {
  if (gflops >= 1000) return absl::StrCat(Fixed(gflops / 1000, 1), " TFLOP/s");
  return absl::StrCat(Fixed(gflops, DecimalsFor(gflops)), " GFLOP/s");
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

std::string TimeText(double ns) {
  if (ns <= 0) return "-";
  const TimeUnit unit = TimeUnitFor(ns);
  return absl::StrCat(Fixed(ns / unit.nanoseconds, DecimalsFor(ns / unit.nanoseconds)), " ", ToAbsl(unit.name));
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

std::string JsonText(const nlohmann::ordered_json& value) {
  return PrintableJson(value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::string_view SimtNote() { return "times are of the SIMT device on a CPU, not of a GPU"; }

namespace {

/// Returns 0 for an unknown unit.
int64_t UnitMillis(char unit) {
  constexpr int64_t kSecond = 1000, kHour = 3600 * kSecond, kDay = 24 * kHour;
  constexpr std::pair<char, int64_t> kUnits[] = {
      {'s', kSecond}, {'m', 60 * kSecond}, {'h', kHour}, {'d', kDay}, {'w', 7 * kDay}};
  for (const auto& [name, millis] : kUnits) {
    if (name == unit) return millis;
  }
  return 0;
}

/// Returns milliseconds since 1970, or -1.
int64_t ParseDate(const std::string& text) {
  for (const char* format :
       {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"}) {
    tm utc = {};
    const char* end = strptime(text.c_str(), format, &utc);
    if (end == nullptr || (*end != '\0' && std::string_view(end) != "Z")) continue;
    const int day = utc.tm_mday;
    const time_t seconds = timegm(&utc);
    if (seconds < 0 || utc.tm_mday != day) return -1;  // before 1970, or a 31st of June
    return int64_t{seconds} * 1000;
  }
  return -1;
}

}  // namespace

std::optional<int64_t> ParseAge(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const int64_t unit = UnitMillis(text.back());
  const std::string_view digits = text.substr(0, text.size() - 1);
  int64_t count = 0;
  auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool whole = error == std::errc() && stop == digits.data() + digits.size();
  if (unit == 0 || !whole || count < 0) return std::nullopt;
  int64_t age = 0;
  return __builtin_mul_overflow(count, unit, &age) ? std::nullopt : std::optional(age);
}

absl::StatusOr<int64_t> ParseSince(std::string_view text, int64_t now_unix_millis) {
  if (const std::optional<int64_t> age = ParseAge(text)) {
    if (*age <= now_unix_millis) return now_unix_millis - *age;
    return InvalidArgument(absl::StrCat("'", ToAbsl(text), "' ago is before 1970: leave --since out for all records"));
  }
  if (int64_t date = ParseDate(std::string(text)); date >= 0) return date;
  return InvalidArgument(absl::StrCat("cannot read the time '", ToAbsl(text),
                                      "': give an age as 90s, 30m, 2h, 7d or 1w, or a date as 2026-01-31 or "
                                      "2026-01-31T12:00 (UTC)"));
}

}  // namespace mmtune
