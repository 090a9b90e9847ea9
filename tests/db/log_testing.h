// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of the tests of the log: values to store, groups of records as the coordinator writes them with a check of
// the log afterwards, and a count of the steps of SQL statements.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "db/tuning_log.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/temp_folder.h"

namespace mmtune::testing {

std::string ReadFile(const std::string& path);
void WriteFile(const std::string& path, std::string_view content);

MatmulProblem TestProblem(int64_t m = 1024);
/// Another schedule for every number.
Schedule TestSchedule(int64_t number);
DeviceInfo TestDevice(DeviceKind kind = DeviceKind::kSimt);
/// An ok record with every field set to something of its own; `number` makes uuid and schedule.
TuningRecord TestRecord(int64_t number, double median_ns = 1e6);
/// The timing key of TestRecord(number).
std::string TestTimingKey(int64_t number);
/// The uuid of TestRecord(number).
std::string TestUuid(int64_t number);
/// A comparison with TestSchedule(reference).
Comparison ComparisonWith(int64_t reference, double ratio);
/// A record of one of a few schedules, toolchains and times, so that records meet in every way.
TuningRecord RandomRecord(std::mt19937& random, int number);

/// A job of TestProblem() with this uuid.
JobRow TestJob(const std::string& uuid);
/// Inserts a candidate and a live attempt for TestSchedule(number); the token is "token-<number>-<attempt>".
/// Returns the candidate's id. Fails the test on an error.
int64_t AddLeasedCandidate(TuningLog& log, int64_t job_id, int64_t number, int64_t attempt = 1);
std::string TestToken(int64_t number, int64_t attempt = 1);
/// TestRecord(number) as the job's own.
TuningRecord RecordOfJob(const std::string& job_uuid, int64_t number, double median_ns = 1e6);

/// Two records are one up to the id a log gave them.
std::string WithoutId(TuningRecord record);

std::unique_ptr<TuningLog> OpenOrFail(const std::string& path);

}  // namespace mmtune::testing

/// Fails the test when a Status or StatusOr is not OK.
#define ASSERT_OK(expr)                                     \
  do {                                                      \
    const auto& ok_result_ = (expr);                        \
    ASSERT_TRUE(ok_result_.ok()) << StatusText(ok_result_); \
  } while (false)
#define EXPECT_OK(expr)                                     \
  do {                                                      \
    const auto& ok_result_ = (expr);                        \
    EXPECT_TRUE(ok_result_.ok()) << StatusText(ok_result_); \
  } while (false)

namespace mmtune::testing {
inline std::string StatusText(const absl::Status& status) { return status.ToString(); }
template <typename T>
std::string StatusText(const absl::StatusOr<T>& value) {
  return value.status().ToString();
}
inline absl::StatusCode CodeOf(const absl::Status& status) { return status.code(); }
template <typename T>
absl::StatusCode CodeOf(const absl::StatusOr<T>& value) {
  return value.status().code();
}

/// Returns the id of job-1, inserted unless it is there.
absl::StatusOr<int64_t> EnsureJob(TuningLog& log);

/// Writes candidates, attempts and records of the numbers first … last, whose worker names the group, without Begin and
/// Commit. On an error the caller rolls back.
absl::Status WriteGroup(TuningLog& log, int64_t job_id, int64_t first, int64_t last);

/// Writes a group between Begin and Commit; rolled back on an error.
absl::Status CommitGroup(TuningLog& log, int64_t job_id, int64_t first, int64_t last);

struct Group {
  int64_t first = 0;
  int64_t last = 0;
};

/// Fails the test unless the database is sound (integrity, foreign keys) and every group is whole or absent. Returns
/// how many records of the groups in `acked` are missing.
int64_t CheckLog(const std::string& path, const std::vector<Group>& acked);

/// While it lives, counts the steps of SQLite's virtual machine that statements take, those of all connections that are
/// opened meanwhile: a row that is visited takes several. One at a time.
class StatementSteps {
 public:
  StatementSteps();
  ~StatementSteps();
  StatementSteps(const StatementSteps&) = delete;
  StatementSteps& operator=(const StatementSteps&) = delete;

  /// Returns the steps of the statements that have ended since the last call.
  static int64_t Take();
};

/// Counts the steps of `ask`, which gets a log that was opened for it; those of opening it do not count.
template <typename Ask>
int64_t StepsOf(const std::string& path, Ask ask) {
  const StatementSteps steps;
  std::unique_ptr<TuningLog> log = OpenOrFail(path);
  StatementSteps::Take();
  ask(*log);
  return StatementSteps::Take();
}

}  // namespace mmtune::testing
