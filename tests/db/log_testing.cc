// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/db/log_testing.h"

#include <sqlite3.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/database.h"
#include "db/jsonl.h"
#include "proto/base/status.h"

namespace mmtune::testing {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

void WriteFile(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << content;
}

// So small that any time in nanoseconds is one that its device may take.
MatmulProblem TestProblem(int64_t m) { return {m, 4, 2, DataType::kF32}; }

Schedule TestSchedule(int64_t number) { return {"fma", {{"bm", 128}, {"bn", 64}, {"variant", number}}}; }

DeviceInfo TestDevice(DeviceKind kind) {
  DeviceInfo device;
  device.kind = kind;
  device.name = kind == DeviceKind::kCuda ? "NVIDIA H200" : "simt-cpu (test, 2 threads)";
  device.uuid = kind == DeviceKind::kCuda ? "GPU-1" : "simt-host";
  device.arch = "sm_90";
  device.multiprocessors = 132;
  device.memory_bytes = int64_t{141} << 30;
  device.shared_bytes_per_block = 232448;
  device.shared_bytes_per_multiprocessor = 233472;
  device.l2_bytes = 50 << 20;
  device.driver = kind == DeviceKind::kCuda ? "13.0" : "";
  return device;
}

std::string TestUuid(int64_t number) { return absl::StrCat("record-", absl::Dec(number, absl::kZeroPad8)); }

std::string TestTimingKey(int64_t number) { return absl::StrCat("key-", number); }

TuningRecord TestRecord(int64_t number, double median_ns) {
  TuningRecord record;
  record.uuid = TestUuid(number);
  record.job_uuid = "another-log's job";
  record.problem = TestProblem();
  record.schedule = TestSchedule(number);
  record.device = TestDevice();
  record.toolchain = {"0.1.0", "22.1.8", "ptxas 13.0", "direct=1 fma=1"};
  Measurement& measurement = record.measurement;
  measurement.message = "a \"message\"\twith\nspecials, ü and \x01";
  measurement.code_digest = "c0de";
  measurement.resources = {63, 8, 33792, 256, 8, 4, 1};
  measurement.check = {true, true, "exact", -1, -1, 0.1, 1.0 / 3, "all equal", 0.0625, 1e-7, number % 2 == 0};
  measurement.verification = {
      true, true, "", true, true, false, {"64x64x96"}, number % 7, "d16e57", "", "two\nlines \"of\" text"};
  measurement.timing = {
      {median_ns * 1.1, median_ns, median_ns * 0.9}, median_ns, median_ns * 0.9, median_ns * 1.1, "warm", "steady"};
  measurement.timing_key = TestTimingKey(number);
  measurement.conditions.run = "run";
  measurement.conditions.baseline = {"", "none here", 0, 0, 0, 0};
  measurement.conditions.health = {"NVML 13.0", "", {1, -1, 3, 4, 0, {}}, {5, 6, 7, 8, 1, {"a", "b"}}, "busy"};
  // With a schedule that no log has, so that times alone rank the records.
  measurement.conditions.comparison =
      Comparison{TestSchedule(number + 1'000'000), (0.1 + 1.1) / 2, 0.1, 1.1, {1.1, 0.1}, {1.1e6, 3e5}, {1e6, 3e6}};
  measurement.conditions.precision = 0.1;
  measurement.conditions.failed_attempts = {{Outcome::kTimedOut, "30 s", Provenance::kWorker}};
  measurement.phases = {1.25, 2.5, 3, 4e-3, 5, 6, 7.1, 8, 9.5};
  record.worker = "worker-1";
  record.attempt = 1;
  record.unix_millis = 1700000000000 + number;
  return record;
}

Comparison ComparisonWith(int64_t reference, double ratio) {
  return {TestSchedule(reference), ratio, ratio, ratio, {ratio}, {ratio * 1e6}, {1e6}};
}

TuningRecord RandomRecord(std::mt19937& random, int number) {
  const auto below = [&random](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  TuningRecord record = TestRecord(number, 1e6 * (1 + 0.005 * below(40)));
  record.problem = TestProblem(1024 + below(2));
  const int schedule = below(6);
  record.schedule = TestSchedule(schedule);
  record.toolchain.mmtune = absl::StrCat("0.1.", below(8) == 0 ? 1 : 2);
  record.unix_millis += below(50);
  record.measurement.conditions.run = absl::StrCat("run-", below(3));
  record.measurement.conditions.comparison.reset();
  if (below(4) == 0) {
    const int reference = (schedule + 1 + below(5)) % 6;
    record.measurement.conditions.comparison = ComparisonWith(reference, below(3) == 0 ? 1.0 : 0.9 + 0.005 * below(40));
  }
  if (below(5) == 0) record.measurement.verification = VerificationReport();
  return record;
}

JobRow TestJob(const std::string& uuid) {
  JobRow job;
  job.uuid = uuid;
  job.client_request_id = "request of " + uuid;
  job.spec = std::string("\x00\xff spec", 7);
  job.spec_digest = "digest";
  job.problem = TestProblem();
  job.created_unix_millis = 1700000000000;
  return job;
}

std::string TestToken(int64_t number, int64_t attempt) { return absl::StrCat("token-", number, "-", attempt); }

int64_t AddLeasedCandidate(TuningLog& log, int64_t job_id, int64_t number, int64_t attempt) {
  absl::StatusOr<int64_t> id = log.InsertCandidate(job_id, TestSchedule(number));
  EXPECT_OK(id);
  if (!id.ok()) return 0;
  AttemptRow row;
  row.token = TestToken(number, attempt);
  row.candidate_id = *id;
  row.number = attempt;
  row.worker = "worker-1";
  row.device_uuid = "simt-host";
  EXPECT_OK(log.InsertAttempt(row));
  EXPECT_OK(log.SetCandidateState(*id, CandidateState::kLeased));
  return *id;
}

TuningRecord RecordOfJob(const std::string& job_uuid, int64_t number, double median_ns) {
  TuningRecord record = TestRecord(number, median_ns);
  record.job_uuid = job_uuid;
  return record;
}

std::string WithoutId(TuningRecord record) {
  record.id = 0;
  return RecordToJson(record);
}

std::unique_ptr<TuningLog> OpenOrFail(const std::string& path) {
  absl::StatusOr<std::unique_ptr<TuningLog>> log = OpenTuningLog(path, {});
  EXPECT_OK(log);
  return log.ok() ? *std::move(log) : nullptr;
}

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

namespace {

std::atomic<int64_t> g_steps = 0;

int OnEnd(unsigned, void*, void* statement, void*) {
  g_steps += sqlite3_stmt_status(static_cast<sqlite3_stmt*>(statement), SQLITE_STMTSTATUS_VM_STEP, /*reset=*/1);
  return 0;
}

extern "C" int OnConnection(sqlite3* connection, const char**, const void*) {
  return sqlite3_trace_v2(connection, SQLITE_TRACE_PROFILE, OnEnd, nullptr);
}

using EntryPoint = void (*)();

}  // namespace

StatementSteps::StatementSteps() {
  sqlite3_auto_extension(reinterpret_cast<EntryPoint>(OnConnection));
  g_steps = 0;
}

StatementSteps::~StatementSteps() { sqlite3_cancel_auto_extension(reinterpret_cast<EntryPoint>(OnConnection)); }

int64_t StatementSteps::Take() { return g_steps.exchange(0); }

}  // namespace mmtune::testing
