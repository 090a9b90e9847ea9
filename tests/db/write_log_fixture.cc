// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// write_log_fixture FOLDER/v<N>: writes v<N>.db and v<N>.jsonl as this version of the log would, once, before a release
// that changes the schema. See fixtures/README.md.
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "db/jsonl.h"
#include "proto/base/status.h"
#include "tests/db/log_testing.h"
#include "tests/db/log_workload.h"

namespace mmtune::testing {
namespace {

absl::Status Fill(TuningLog& log) {
  ASSIGN_OR_RETURN(int64_t job, EnsureJob(log));
  RETURN_IF_ERROR(log.SetJobState(job, JobState::kRunning, "on its way"));
  RETURN_IF_ERROR(CommitGroup(log, job, 1, 3));
  AddLeasedCandidate(log, job, 4);
  RETURN_IF_ERROR(log.InsertCandidate(job, TestSchedule(5)).status());
  TuningRecord late = RecordOfJob("job-1", 4);
  late.canonical = false;
  RETURN_IF_ERROR(log.InsertRecord(TestToken(4), late).status());
  TuningRecord wrong = TestRecord(6);
  wrong.measurement.outcome = Outcome::kWrongResult;
  wrong.measurement.timing = {};
  wrong.device = TestDevice(DeviceKind::kCuda);
  RETURN_IF_ERROR(log.InsertRecord("", wrong).status());
  TuningRecord skipped = wrong;
  skipped.uuid = TestUuid(7);
  skipped.schedule = TestSchedule(7);
  skipped.measurement.outcome = Outcome::kSkipped;
  skipped.measurement.message = "takes at least 2 ms";
  skipped.measurement.timing.low_ns = 2e6;
  skipped.measurement.conditions.comparison.reset();
  return log.InsertRecord("", skipped).status();
}

absl::Status Write(const std::string& base) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLog> log, OpenTuningLog(base + ".db", {}));
  RETURN_IF_ERROR(Fill(*log));
  std::string lines;
  RecordFilter all;
  all.include_non_canonical = true;
  RETURN_IF_ERROR(ExportJsonl(*log, all, [&](std::string_view line) {
                    absl::StrAppend(&lines, std::string(line), "\n");
                    return absl::OkStatus();
                  }).status());
  WriteFile(base + ".jsonl", lines);
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune::testing

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  absl::Status status = mmtune::testing::Write(argv[1]);
  if (!status.ok()) fprintf(stderr, "%s\n", status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
