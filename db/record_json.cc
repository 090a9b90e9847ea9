#include "db/record_json.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "db/object_reader.h"
#include "db/record_check.h"
#include "db/tuning_log.h"
#include "db/value_json.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Parses one line within the limits; the first thing wrong goes to `*status`.
nlohmann::json ParseLine(std::string_view line, absl::Status* status) {
  std::vector<std::set<std::string>> keys;  // of the objects open now
  auto watch = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (!status->ok()) return false;
    bool opens = event == Event::object_start || event == Event::array_start;
    if (opens && depth >= kMaxRecordJsonDepth) {
      *status = InvalidArgument(absl::StrCat("nested deeper than ", kMaxRecordJsonDepth, " levels"));
      return false;
    }
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.get_ref<const std::string&>()).second) {
      *status = InvalidArgument(absl::StrCat("names the field '", parsed.get<std::string>().substr(0, 64), "' twice"));
    }
    return true;
  };
  nlohmann::json json = nlohmann::json::parse(line, watch, /*allow_exceptions=*/false);
  if (status->ok() && json.is_discarded()) *status = InvalidArgument("not valid JSON");
  return json;
}

void ReadSchedule(ObjectReader& reader, Schedule* out) {
  const nlohmann::json* json = reader.Find("schedule");
  if (json == nullptr) return;
  absl::StatusOr<Schedule> schedule = ParseSchedule(json->is_object() ? Dump(*json) : "{}");
  if (!schedule.ok()) return reader.Fail("schedule", ToStd(schedule.status().message()));
  *out = *std::move(schedule);
}

}  // namespace

std::string RecordToJson(const TuningRecord& record) {
  return Dump({{"version", kRecordJsonVersion},
               {"id", record.id},
               {"uuid", record.uuid},
               {"job", record.job_uuid},
               {"problem", ToJson(record.problem)},
               {"schedule", ToJson(record.schedule)},
               {"device", ToJson(record.device)},
               {"toolchain", ToJson(record.toolchain)},
               {"measurement", ToJson(record.measurement)},
               {"gflops", DoubleToJson(record.Gflops())},
               {"worker", record.worker},
               {"attempt", record.attempt},
               {"canonical", record.canonical},
               {"unix_millis", record.unix_millis}});
}

absl::StatusOr<TuningRecord> RecordFromJson(std::string_view line) {
  if (line.size() > kMaxRecordJsonBytes) {
    return InvalidArgument(absl::StrCat("longer than ", kMaxRecordJsonBytes, " bytes"));
  }
  absl::Status status;
  nlohmann::json json = ParseLine(line, &status);
  if (!status.ok()) return status;
  ObjectReader reader(json, "", &status);
  int64_t version = 0;
  reader.Read("version", &version);
  if (status.ok() && version != kRecordJsonVersion) {
    return InvalidArgument(absl::StrCat("version ", version, " is not one this program reads (", kRecordJsonVersion,
                                        ")", version > kRecordJsonVersion ? "; update it" : ""));
  }
  TuningRecord record;
  reader.Read("id", &record.id);
  reader.Read("uuid", &record.uuid);
  reader.Read("job", &record.job_uuid);
  FromJson(reader.Child("problem"), &record.problem);
  ReadSchedule(reader, &record.schedule);
  FromJson(reader.Child("device"), &record.device);
  FromJson(reader.Child("toolchain"), &record.toolchain);
  FromJson(reader.Child("measurement"), &record.measurement);
  reader.Read("worker", &record.worker);
  reader.Read("attempt", &record.attempt);
  reader.Read("canonical", &record.canonical);
  reader.Read("unix_millis", &record.unix_millis);
  reader.Ignore("gflops");  // follows from the rest
  reader.Finish();
  if (!status.ok()) return status;
  RETURN_IF_ERROR(CheckRecord(record));
  return record;
}

}  // namespace mmtune
