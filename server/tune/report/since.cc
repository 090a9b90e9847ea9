// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/since.h"

#include <charconv>
#include <ctime>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

// 0 for what is no unit.
int64_t UnitMillis(char unit) {
  constexpr int64_t kSecond = 1000, kHour = 3600 * kSecond, kDay = 24 * kHour;
  constexpr std::pair<char, int64_t> kUnits[] = {
      {'s', kSecond}, {'m', 60 * kSecond}, {'h', kHour}, {'d', kDay}, {'w', 7 * kDay}};
  for (const auto& [name, millis] : kUnits) {
    if (name == unit) return millis;
  }
  return 0;
}

// Milliseconds since 1970, or -1.
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
