#include "db/record_json.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "db/tuning_log.h"
#include "proto/base/status.h"
#include "proto/json/object_reader.h"
#include "proto/json/strict_parse.h"
#include "proto/json/value_json.h"
#include "proto/types/validate.h"

namespace mmtune {

std::string RecordToJson(const TuningRecord& record) {
  return Dump(JsonObject({{"version", kRecordJsonVersion},
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
                          {"unix_millis", record.unix_millis}}));
}

absl::StatusOr<TuningRecord> RecordFromJson(std::string_view line) {
  if (line.size() > kMaxRecordJsonBytes) {
    return InvalidArgument(absl::StrCat("longer than ", kMaxRecordJsonBytes, " bytes"));
  }
  ASSIGN_OR_RETURN(JsonTree json, ParseStrictJson(line, kMaxRecordJsonDepth));
  absl::Status status;
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
  ReadSchedule(reader, "schedule", &record.schedule);
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
  RETURN_IF_ERROR(Admit(&record));
  return record;
}

}  // namespace mmtune
