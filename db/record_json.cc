// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
  nlohmann::json json = ToJson(record);
  json["version"] = kRecordJsonVersion;
  json["gflops"] = DoubleToJson(record.Gflops());
  return Dump(json);
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
  ReadFields(reader, &record);
  reader.Ignore("gflops");  // follows from the rest
  reader.Finish();
  if (!status.ok()) return status;
  RETURN_IF_ERROR(Admit(&record));
  return record;
}

}  // namespace mmtune
