// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/db/log_workload.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/sqlite/database.h"
#include "proto/base/status.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

constexpr char kJob[] = "job-1";

absl::Status WriteOne(TuningLog& log, int64_t job_id, int64_t number, const std::string& group) {
  ASSIGN_OR_RETURN(int64_t candidate_id, log.InsertCandidate(job_id, TestSchedule(number)));
  AttemptRow attempt;
  attempt.token = TestToken(number);
  attempt.candidate_id = candidate_id;
  RETURN_IF_ERROR(log.InsertAttempt(attempt));
  TuningRecord record = RecordOfJob(kJob, number);
  record.worker = group;
  RETURN_IF_ERROR(log.InsertRecord(TestToken(number), record).status());
  RETURN_IF_ERROR(log.EndAttempt(TestToken(number), AttemptState::kReported, ""));
  return log.SetCandidateState(candidate_id, CandidateState::kDone);
}

void CheckSound(const std::string& path) {
  absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadOnly);
  ASSERT_OK(database);
  absl::StatusOr<std::string> verdict = database->QueryText("PRAGMA integrity_check");
  ASSERT_OK(verdict);
  EXPECT_EQ(*verdict, "ok");
  EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM pragma_foreign_key_check"), 0);
}

/// A group is named "first-last".
void CheckWhole(const std::set<std::string>& groups, const std::set<std::string>& uuids) {
  for (const std::string& group : groups) {
    Group numbers;
    ASSERT_EQ(sscanf(group.c_str(), "%ld-%ld", &numbers.first, &numbers.last), 2) << group;
    for (int64_t number = numbers.first; number <= numbers.last; ++number) {
      EXPECT_EQ(uuids.count(TestUuid(number)), 1u) << "group " << group << " is stored in part";
    }
  }
}

}  // namespace

absl::StatusOr<int64_t> EnsureJob(TuningLog& log) {
  ASSIGN_OR_RETURN(const std::optional<JobRow> job, log.FindJob(kJob));
  if (job) return job->id;
  return log.InsertJob(TestJob(kJob));
}

absl::Status WriteGroup(TuningLog& log, int64_t job_id, int64_t first, int64_t last) {
  std::string group = absl::StrCat(first, "-", last);
  for (int64_t number = first; number <= last; ++number) RETURN_IF_ERROR(WriteOne(log, job_id, number, group));
  return absl::OkStatus();
}

absl::Status CommitGroup(TuningLog& log, int64_t job_id, int64_t first, int64_t last) {
  RETURN_IF_ERROR(log.Begin());
  absl::Status status = WriteGroup(log, job_id, first, last);
  if (status.ok()) return log.Commit();
  log.Rollback();
  return status;
}

int64_t CheckLog(const std::string& path, const std::vector<Group>& acked) {
  std::unique_ptr<TuningLog> log = OpenOrFail(path);
  if (log == nullptr) return -1;
  CheckSound(path);
  std::set<std::string> groups, uuids;
  absl::StatusOr<std::vector<TuningRecord>> records = log->Query({}, 0, 1 << 30);
  EXPECT_OK(records);
  if (!records.ok()) return -1;
  for (const TuningRecord& record : *records) {
    groups.insert(record.worker);
    uuids.insert(record.uuid);
  }
  CheckWhole(groups, uuids);
  int64_t lost = 0;
  for (const Group& group : acked) {
    for (int64_t number = group.first; number <= group.last; ++number) lost += uuids.count(TestUuid(number)) == 0;
  }
  return lost;
}

}  // namespace mmtune::testing
