// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/schedule.h"

#include <charconv>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "nlohmann/json.hpp"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/types/schedule_name.h"

namespace mmtune {
namespace {

constexpr size_t kMaxText = 4096;
/// So many parameters fit in a schedule's text however long they are.
constexpr size_t kShortSchedule = 64;

absl::StatusOr<Schedule> ParseJson(std::string_view text) {
  nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("family") || !json["family"].is_string() || !json.contains("params") ||
      !json["params"].is_object() || json.size() != 2) {
    return InvalidArgument("a schedule in JSON is {\"family\":\"…\",\"params\":{\"name\":integer,…}}");
  }
  Schedule schedule;
  schedule.family = json["family"].get_ref<const std::string&>();
  if (!IsScheduleName(schedule.family)) return InvalidArgument("the schedule's family is not a name");
  for (const auto& [name, value] : json["params"].items()) {
    if (!IsScheduleName(name)) return InvalidArgument(absl::StrCat("'", name, "' is not a parameter name"));
    const bool too_large = value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX};
    if (!value.is_number_integer() || too_large) {
      return InvalidArgument(absl::StrCat("schedule parameter '", name, "' is not a 64-bit integer"));
    }
    schedule.params[name] = value.get<int64_t>();
  }
  return schedule;
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
  if (!names) return InvalidArgument("its family or a parameter is not a name");
  if (params.size() <= kShortSchedule) return absl::OkStatus();
  return ParseSchedule(CanonicalJson()).status();
}

std::string Schedule::Digest() const { return Sha256Hex(CanonicalJson()); }

std::string Schedule::Text() const {
  std::string text = family;
  for (const auto& [name, value] : params) absl::StrAppend(&text, " ", name, "=", value);
  return text;
}

absl::StatusOr<Schedule> ParseSchedule(std::string_view text) {
  if (text.size() > kMaxText) return InvalidArgument("the schedule is longer than 4096 characters");
  if (!text.empty() && text.front() == '{') return ParseJson(text);
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

}  // namespace mmtune
