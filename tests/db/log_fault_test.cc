// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A full disk or an I/O error at every operation: nothing is acknowledged that is not stored, and the log recovers.
#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "tests/db/fault_vfs.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

constexpr int64_t kGroups = 3;
constexpr int64_t kGroupSize = 3;
constexpr int64_t kMaxOperations = 5000;

struct Run {
  std::vector<Group> acked;
  bool opened = false;
  bool recovered = false;  ///< A group committed after the fault, on the log as it was.
};

Run Write(const std::string& path, FaultVfs& vfs, bool lasting) {
  Run run;
  absl::StatusOr<std::unique_ptr<TuningLog>> log = OpenTuningLog(path, {});
  run.opened = log.ok();
  if (!log.ok()) return run;
  absl::StatusOr<int64_t> job = EnsureJob(**log);
  if (!job.ok()) job = EnsureJob(**log);
  if (job.ok()) {
    for (int64_t group = 0; group < kGroups; ++group) {
      int64_t first = group * 100;
      Group numbers{first, first + kGroupSize - 1};
      if (CommitGroup(**log, *job, numbers.first, numbers.last).ok()) run.acked.push_back(numbers);
    }
  }
  if (lasting) vfs.Disarm();
  if (!job.ok()) job = EnsureJob(**log);
  // Twice: the fault may be in the first.
  for (int64_t number : {9000, 9001}) {
    if (!job.ok() || !CommitGroup(**log, *job, number, number).ok()) continue;
    run.acked.push_back({number, number});
    run.recovered = true;
  }
  return run;
}

void FailAtEveryOperation(bool lasting, bool disk_full) {
  SetLogLevel(LogLevel::kError);
  FaultVfs& vfs = FaultVfs::Install();
  int64_t at = 1;
  for (; at < kMaxOperations; ++at) {
    SCOPED_TRACE(absl::StrCat("operation ", at));
    TempFolder folder;
    std::string path = folder.File("log.db");
    vfs.ArmError(at, lasting, disk_full);
    Run run = Write(path, vfs, lasting);
    bool happened = lasting ? run.acked.size() < kGroups + 2 || !run.opened : vfs.happened();
    vfs.Disarm();
    EXPECT_EQ(run.recovered, run.opened) << "the log is of no use after a fault that has passed";
    EXPECT_EQ(CheckLog(path, run.acked), 0);
    if (::testing::Test::HasFailure() || !happened) break;
  }
  EXPECT_GT(at, 50) << "the workload has too few operations to mean anything";
  EXPECT_LT(at, kMaxOperations);
}

TEST(LogFaultTest, ADiskFullForAMoment) { FailAtEveryOperation(/*lasting=*/false, /*disk_full=*/true); }
TEST(LogFaultTest, ADiskFullForLong) { FailAtEveryOperation(/*lasting=*/true, /*disk_full=*/true); }
TEST(LogFaultTest, AnIoErrorForAMoment) { FailAtEveryOperation(/*lasting=*/false, /*disk_full=*/false); }
TEST(LogFaultTest, AnIoErrorForLong) { FailAtEveryOperation(/*lasting=*/true, /*disk_full=*/false); }

TEST(LogFaultTest, AFullDiskSaysSo) {
  FaultVfs& vfs = FaultVfs::Install();
  vfs.Disarm();
  TempFolder folder;
  std::unique_ptr<TuningLog> log = OpenOrFail(folder.File("log.db"));
  ASSERT_NE(log, nullptr);
  absl::StatusOr<int64_t> job = EnsureJob(*log);
  ASSERT_OK(job);
  vfs.ArmError(1, /*lasting=*/true, /*disk_full=*/true);
  absl::Status status = CommitGroup(*log, *job, 1, 1);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("is full"));
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("log.db"));
  vfs.Disarm();
}

}  // namespace
}  // namespace mmtune::testing
