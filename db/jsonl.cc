// Export and import of JSON lines.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "db/tuning_log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int kPage = 500;

/// A log's copy of a record may have another id; all else is the record.
bool SameRecord(TuningRecord a, TuningRecord b) {
  a.id = b.id = 0;
  return RecordToJson(a) == RecordToJson(b);
}

absl::Status ImportLine(TuningLog& log, std::string_view line, ImportResult* result) {
  ASSIGN_OR_RETURN(TuningRecord record, RecordFromJson(line));
  ASSIGN_OR_RETURN(InsertedRecord inserted, log.InsertRecord("", record));
  if (!inserted.duplicate) {
    ++result->added;
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(TuningRecord present, log.Get(record.uuid));
  if (!SameRecord(record, std::move(present))) {
    return InvalidArgument(absl::StrCat("uuid ", record.uuid, " is taken by a record that says something else"));
  }
  ++result->present;
  return absl::OkStatus();
}

absl::StatusOr<ImportResult> ImportAll(TuningLog& log, const std::function<bool(std::string* line)>& next_line) {
  ImportResult result;
  std::string line;
  for (int64_t number = 1; next_line(&line); ++number) {
    if (line.find_first_not_of(" \t\r\n") == std::string::npos) continue;
    RETURN_IF_ERROR(WithContext(ImportLine(log, line, &result), absl::StrCat("line ", number)));
  }
  return result;
}

}  // namespace

absl::StatusOr<int64_t> ExportJsonl(TuningLogReader& log, const RecordFilter& filter,
                                    const std::function<absl::Status(std::string_view line)>& write) {
  int64_t written = 0;
  int64_t after_id = 0;
  while (true) {
    ASSIGN_OR_RETURN(std::vector<TuningRecord> page, log.Query(filter, after_id, kPage));
    if (page.empty()) return written;
    for (const TuningRecord& record : page) {
      RETURN_IF_ERROR(write(RecordToJson(record)));
      ++written;
    }
    after_id = page.back().id;
  }
}

absl::StatusOr<ImportResult> ImportJsonl(TuningLog& log, const std::function<bool(std::string* line)>& next_line) {
  RETURN_IF_ERROR(log.Begin());
  absl::StatusOr<ImportResult> result = ImportAll(log, next_line);
  if (!result.ok()) {
    log.Rollback();
    return WithContext(result.status(), "nothing was imported");
  }
  RETURN_IF_ERROR(log.Commit());
  return result;
}

}  // namespace mmtune
