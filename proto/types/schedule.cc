// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/schedule.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"

namespace mmtune {

bool IsScheduleName(std::string_view s) {
  if (s.empty() || s.size() > 32) return false;
  for (char c : s) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return false;
  }
  return true;
}

namespace {

constexpr size_t kMaxText = 4096;
/// So many parameters fit in a schedule's text however long they are.
constexpr size_t kShortSchedule = 64;

/// Objects in the JSON form of a schedule are nested this deep.
constexpr int kJsonDepth = 2;

absl::Status TooLong() { return InvalidArgument("the schedule is longer than 4096 characters"); }

absl::Status CheckLength(const Schedule& schedule) {
  if (schedule.params.size() <= kShortSchedule || schedule.CanonicalJson().size() <= kMaxText) return absl::OkStatus();
  return TooLong();
}

absl::Status NotInJsonForm() {
  return InvalidArgument("the JSON of a schedule must be {\"family\":\"…\",\"params\":{\"name\":integer,…}}");
}

}  // namespace

int64_t Schedule::Get(std::string_view name, int64_t fallback) const {
  auto it = params.find(std::string(name));
  return it == params.end() ? fallback : it->second;
}

std::string Schedule::CanonicalJson() const {
  std::string json = absl::StrCat("{\"family\":\"", family, "\",\"params\":{");
  bool first = true;
  for (const auto& [name, value] : params) {
    absl::StrAppend(&json, first ? "" : ",", "\"", name, "\":", value);
    first = false;
  }
  return json + "}}";
}

absl::Status Schedule::Validate() const {
  bool names = IsScheduleName(family);
  for (const auto& [name, value] : params) names = names && IsScheduleName(name);
  if (!names)
    return InvalidArgument("its family and its parameters must have names of 1 to 32 characters of a-z, 0-9 and _");
  return CheckLength(*this);
}

std::string Schedule::Digest() const { return Sha256Hex(CanonicalJson()); }

std::string Schedule::Text() const {
  std::string text = family;
  for (const auto& [name, value] : params) absl::StrAppend(&text, " ", name, "=", value);
  return text;
}

absl::StatusOr<Schedule> ScheduleFromJson(JsonValue json) {
  const std::optional<JsonValue> family = json.Find("family"), params = json.Find("params");
  if (!json.is_object() || json.size() != 2 || !family || !family->is_string() || !params || !params->is_object()) {
    return NotInJsonForm();
  }
  Schedule schedule{std::string(family->Text()), {}};
  if (!IsScheduleName(schedule.family))
    return InvalidArgument("the schedule's family must be a name of 1 to 32 characters of a-z, 0-9 and _");
  for (JsonValue param : *params) {
    const absl::string_view name = ToAbsl(param.name());
    if (!IsScheduleName(param.name()))
      return InvalidArgument(
          absl::StrCat("'", name, "' is not a parameter name; write 1 to 32 characters of a-z, 0-9 and _"));
    const std::optional<int64_t> value = param.Int();
    if (!value) return InvalidArgument(absl::StrCat("schedule parameter '", name, "' is not a 64-bit integer"));
    schedule.params.emplace_hint(schedule.params.end(), param.name(), *value);
  }
  RETURN_IF_ERROR(CheckLength(schedule));
  return schedule;
}

absl::StatusOr<Schedule> ParseSchedule(std::string_view text) {
  if (text.size() > kMaxText) return TooLong();
  if (!text.empty() && text.front() == '{') {
    const absl::StatusOr<JsonTree> json = ParseStrictJson(text, kJsonDepth);
    return json.ok() ? ScheduleFromJson(*json) : NotInJsonForm();
  }
  Schedule schedule;
  for (absl::string_view word : absl::StrSplit(ToAbsl(text), ' ', absl::SkipEmpty())) {
    if (schedule.family.empty()) {
      if (!IsScheduleName(ToStd(word)))
        return InvalidArgument(absl::StrCat("'", word, "' is not the name of a kernel family"));
      schedule.family = ToStd(word);
      continue;
    }
    size_t equals = word.find('=');
    std::string_view name = ToStd(word.substr(0, equals));
    if (equals == absl::string_view::npos || !IsScheduleName(name)) {
      return InvalidArgument(absl::StrCat("cannot read '", word, "' in the schedule; write name=integer"));
    }
    absl::string_view digits = word.substr(equals + 1);
    int64_t value = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      return InvalidArgument(absl::StrCat("cannot read '", word, "' in the schedule; write name=integer"));
    }
    if (!schedule.params.emplace(name, value).second) {
      return InvalidArgument(absl::StrCat("the schedule names '", ToAbsl(name), "' twice"));
    }
  }
  if (schedule.family.empty()) return InvalidArgument("the schedule is empty; write family name=integer …");
  return schedule;
}

double LogFeature(double value) {
  const double size = std::abs(value);
  const double feature = size < 1 ? size : 1 + std::log2(size);
  return std::copysign(feature, value);
}

std::vector<double> ParameterFeatures(const Schedule& schedule) {
  std::vector<double> features;
  features.reserve(schedule.params.size());
  for (const auto& [name, value] : schedule.params) features.push_back(LogFeature(static_cast<double>(value)));
  return features;
}

}  // namespace mmtune
