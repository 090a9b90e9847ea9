// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/value_json.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/json/strict_parse.h"
#include "proto/types/schedule_name.h"

namespace mmtune {
namespace {

constexpr size_t kShortSchedule = 64;
constexpr int kColumnDepth = 8;

/// False: ParseSchedule has to say what is wrong.
bool ReadGoodSchedule(JsonValue json, Schedule* out) {
  if (!json.is_object() || json.size() != 2) return false;
  const std::optional<JsonValue> family = json.Find("family"), params = json.Find("params");
  if (!family || !params || !family->is_string() || !params->is_object() || params->size() > kShortSchedule)
    return false;
  Schedule schedule{std::string(family->Text()), {}};
  if (!IsScheduleName(schedule.family)) return false;
  for (JsonValue param : *params) {
    const std::optional<int64_t> value = param.Int();
    if (!IsScheduleName(param.name()) || !value) return false;
    schedule.params.emplace_hint(schedule.params.end(), param.name(), *value);
  }
  *out = std::move(schedule);
  return true;
}

}  // namespace

void ReadSchedule(ObjectReader& reader, const char* key, Schedule* out) {
  const std::optional<JsonValue> json = reader.Find(key);
  if (!json || ReadGoodSchedule(*json, out)) return;
  absl::StatusOr<Schedule> schedule = ParseSchedule(json->is_object() ? Dump(json->Copy()) : "{}");
  if (!schedule.ok()) return reader.Fail(key, ToStd(schedule.status().message()));
  *out = *std::move(schedule);
}

template <typename T>
absl::StatusOr<T> ParseColumn(std::string_view text) {
  T value;
  absl::Status status;
  absl::StatusOr<JsonTree> json = ParseStrictJson(text, kColumnDepth);
  if (!json.ok()) return FailedPrecondition(absl::StrCat("the log is corrupt: ", json.status().message()));
  FromJson(ObjectReader(*json, "", &status), &value);
  if (!status.ok()) return FailedPrecondition(absl::StrCat("the log is corrupt: ", status.message()));
  return value;
}

template absl::StatusOr<MatmulProblem> ParseColumn<MatmulProblem>(std::string_view text);
template absl::StatusOr<DeviceInfo> ParseColumn<DeviceInfo>(std::string_view text);
template absl::StatusOr<Toolchain> ParseColumn<Toolchain>(std::string_view text);
template absl::StatusOr<CheckReport> ParseColumn<CheckReport>(std::string_view text);
template absl::StatusOr<ProofReport> ParseColumn<ProofReport>(std::string_view text);
template absl::StatusOr<Conditions> ParseColumn<Conditions>(std::string_view text);
template absl::StatusOr<PhaseTimes> ParseColumn<PhaseTimes>(std::string_view text);

template void FromJson<MatmulProblem>(ObjectReader reader, MatmulProblem* out);
template void FromJson<DeviceInfo>(ObjectReader reader, DeviceInfo* out);
template void FromJson<Toolchain>(ObjectReader reader, Toolchain* out);
template void FromJson<ProofReport>(ObjectReader reader, ProofReport* out);
template void FromJson<Measurement>(ObjectReader reader, Measurement* out);
template nlohmann::json ToJson<MatmulProblem>(const MatmulProblem& value);
template nlohmann::json ToJson<DeviceInfo>(const DeviceInfo& value);
template nlohmann::json ToJson<Toolchain>(const Toolchain& value);
template nlohmann::json ToJson<ProofReport>(const ProofReport& value);
template nlohmann::json ToJson<Measurement>(const Measurement& value);

}  // namespace mmtune
