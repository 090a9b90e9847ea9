// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/chosen_record.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/report/format.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {
namespace {

absl::Status NoRecord(const MatmulProblem& problem) {
  return ExitWith(ExitCode::kNoResult, NotFound(absl::StrCat("the log has no valid record of ", ProblemText(problem),
                                                             ": run tune matmul, or give --schedule")));
}

}  // namespace

absl::StatusOr<TuningRecord> BestRecord(const MatmulProblem& problem, const std::string& log_path, bool prefer_simt) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(log_path));
  DeviceKind order[] = {DeviceKind::kCuda, DeviceKind::kSimt};
  if (prefer_simt) std::swap(order[0], order[1]);
  for (DeviceKind kind : order) {
    for (bool proven : {true, false}) {
      RecordFilter filter;
      filter.problem = problem;
      filter.device = DeviceKindName(kind);
      filter.proven_only = proven;
      // A device of another kind may have the kind in its name.
      auto best = log->BestOfEach(filter, /*each=*/1);
      if (!best.ok()) return ExitWith(ExitCode::kLog, best.status());
      SortRankings(&*best);
      const auto first = std::find_if(best->begin(), best->end(),
                                      [kind](const RankedRecord& ranked) { return ranked.record.device.kind == kind; });
      if (first != best->end()) return std::move(first->record);
    }
  }
  return NoRecord(problem);
}

absl::StatusOr<TuningRecord> NamedRecord(const MatmulProblem& problem, const std::string& id,
                                         const std::string& log_path) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(log_path));
  absl::StatusOr<TuningRecord> record = log->Get(id);
  if (record.ok() && record->problem != problem) {
    return InvalidArgument(absl::StrCat("record ", PlainText(id), " is of ", ProblemText(record->problem), ", not of ",
                                        ProblemText(problem), ": give the record's problem"));
  }
  if (record.ok()) return record;
  return ExitWith(absl::IsNotFound(record.status()) ? ExitCode::kNoResult : ExitCode::kLog, record.status());
}

}  // namespace mmtune
