// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/judge.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "db/record_rows.h"
#include "proto/base/status.h"

namespace mmtune {

absl::Status JudgeStoredRecords(Database& database) {
  std::vector<std::pair<int64_t, std::string>> suspect;
  {
    RecordRows rows;
    ASSIGN_OR_RETURN(Statement select, database.Prepare(absl::StrCat(RecordRows::Select(), "WHERE r.outcome = 'ok'")));
    while (true) {
      ASSIGN_OR_RETURN(bool row, select.Step());
      if (!row) break;
      const absl::StatusOr<TuningRecord> record = rows.Read(select);
      if (!record.ok() || record->measurement.outcome == Outcome::kOk) continue;
      suspect.emplace_back(record->id, record->measurement.message);
    }
  }
  ASSIGN_OR_RETURN(Statement update,
                   database.Prepare("UPDATE measurement SET outcome = 'suspect', gflops = NULL, message = ?2 "
                                    "WHERE id = ?1"));
  for (const auto& [id, why] : suspect) RETURN_IF_ERROR(update.BindAll(id, why).Run());
  return absl::OkStatus();
}

}  // namespace mmtune
