#include "proto/json/value_json.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/schedule_name.h"

namespace mmtune {
namespace {

constexpr size_t kShortSchedule = 64;

/// False: ParseSchedule is to say what is wrong.
bool ReadGoodSchedule(const nlohmann::json& json, Schedule* out) {
  if (!json.is_object() || json.size() != 2 || !json.contains("family") || !json.contains("params")) return false;
  const nlohmann::json &family = json["family"], &params = json["params"];
  if (!family.is_string() || !params.is_object() || params.size() > kShortSchedule) return false;
  Schedule schedule{family.get<std::string>(), {}};
  if (!IsScheduleName(schedule.family)) return false;
  for (const auto& [name, value] : params.items()) {
    if (!IsScheduleName(name) || !FitsInt64(value)) return false;
    schedule.params.emplace_hint(schedule.params.end(), name, value.get<int64_t>());
  }
  *out = std::move(schedule);
  return true;
}

}  // namespace

void ReadSchedule(ObjectReader& reader, const char* key, Schedule* out) {
  const nlohmann::json* json = reader.Find(key);
  if (json == nullptr || ReadGoodSchedule(*json, out)) return;
  absl::StatusOr<Schedule> schedule = ParseSchedule(json->is_object() ? Dump(*json) : "{}");
  if (!schedule.ok()) return reader.Fail(key, ToStd(schedule.status().message()));
  *out = *std::move(schedule);
}

template <typename T>
absl::StatusOr<T> ParseColumn(std::string_view text) {
  T value;
  absl::Status status;
  nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  FromJson(ObjectReader(json, "", &status), &value);
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
