// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/db/log_testing.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "db/jsonl.h"

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
  measurement.proof = {
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
  measurement.phases = {1.25, 2.5, 3, 4e-3, 5, 6, 7.1, 8};
  record.worker = "worker-1";
  record.attempt = 1;
  record.unix_millis = 1700000000000 + number;
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

}  // namespace mmtune::testing
