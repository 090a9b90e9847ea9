// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The power goes at a random operation: what was acknowledged is there, and the database is sound.
#include <filesystem>
#include <random>

#include "absl/strings/str_cat.h"
#include "db/database.h"
#include "proto/base/log.h"
#include "tests/db/fault_vfs.h"
#include "tests/db/log_testing.h"
#include "tests/test_seed.h"

namespace mmtune::testing {
namespace {

/// Crashes one after the other on the same log, so that recovery is crashed too.
constexpr int kCrashesPerLog = 8;

std::vector<Group> WriteUntilDark(const std::string& path, std::mt19937& random, int64_t& next_number) {
  std::vector<Group> acked;
  absl::StatusOr<std::unique_ptr<TuningLog>> log = OpenTuningLog(path, {});
  if (!log.ok()) return acked;
  absl::StatusOr<int64_t> job = EnsureJob(**log);
  while (job.ok()) {
    Group group{next_number, next_number + static_cast<int64_t>(random() % 12)};
    next_number = group.last + 1;
    if (!CommitGroup(**log, *job, group.first, group.last).ok()) break;
    acked.push_back(group);
  }
  return acked;
}

/// Checks that a log has what was acknowledged. Where the power went before a new log had its first page, its empty
/// file is refused. Then the file is removed, as the message says.
void CheckAfterCut(const std::string& path, const std::vector<Group>& acked) {
  if (acked.empty()) {
    const absl::Status opened = OpenTuningLog(path, {}).status();
    if (absl::IsFailedPrecondition(opened) && std::filesystem::file_size(path) == 0) {
      EXPECT_THAT(std::string(opened.message()), ::testing::HasSubstr("remove the file to begin a new log"));
      std::filesystem::remove(path);
      return;
    }
  }
  EXPECT_EQ(CheckLog(path, acked), 0);
}

TEST(PowerLossTest, ALogThatIsCutOffWhileItIsMadeCanBeMade) {
  SetLogLevel(LogLevel::kError);
  FaultVfs& vfs = FaultVfs::Install();
  for (int at = 1; at <= 30; ++at) {
    SCOPED_TRACE(absl::StrCat("at operation ", at));
    TempFolder folder;
    const std::string path = folder.File("log.db");
    std::mt19937 random(at);
    int64_t next_number = 0;
    for (int64_t cut : {at, at + 500}) {
      vfs.ArmPowerCut(cut, random());
      const std::vector<Group> acked = WriteUntilDark(path, random, next_number);
      EXPECT_EQ(acked.empty(), cut == at);
      vfs.ApplyPowerCut();
      vfs.Disarm();
      CheckAfterCut(path, acked);
    }
  }
}

TEST(PowerLossTest, NothingAcknowledgedIsLost) {
  SetLogLevel(LogLevel::kError);
  FaultVfs& vfs = FaultVfs::Install();
  std::mt19937 random(static_cast<uint32_t>(TestSeed(20240917)));
  const auto crashes = static_cast<int64_t>(TestCount(160, 4000));
  int64_t all_acked = 0;
  for (int64_t log = 0; log < crashes / kCrashesPerLog; ++log) {
    TempFolder folder;
    std::string path = folder.File("log.db");
    std::vector<Group> acked;
    int64_t next_number = 0;
    for (int crash = 0; crash < kCrashesPerLog; ++crash) {
      uint32_t seed = random();
      int64_t at = 1 + static_cast<int64_t>(random() % (crash % 2 == 0 ? 1500 : 120));
      SCOPED_TRACE(absl::StrCat("log ", log, ", crash ", crash, " at operation ", at, ", seed ", seed));
      vfs.ArmPowerCut(at, seed);
      std::vector<Group> more = WriteUntilDark(path, random, next_number);
      ASSERT_TRUE(vfs.happened());
      acked.insert(acked.end(), more.begin(), more.end());
      all_acked += static_cast<int64_t>(more.size());
      vfs.ApplyPowerCut();
      vfs.Disarm();
      CheckAfterCut(path, acked);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(all_acked, crashes);
}

/// Commits rows until the power goes; the last one acknowledged.
int64_t CommitRowsUntilDark(const std::string& path, const std::string& synchronous) {
  absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
  if (!database.ok()) return 0;
  int64_t acked = 0;
  bool ready = database->Execute("PRAGMA journal_mode = WAL").ok() &&
               database->Execute("PRAGMA synchronous = " + synchronous).ok() &&
               database->Execute("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY) STRICT").ok();
  while (ready && database->Execute(absl::StrCat("INSERT INTO t VALUES (", acked + 1, ")")).ok()) ++acked;
  return acked;
}

int64_t LossesWith(const std::string& synchronous) {
  FaultVfs& vfs = FaultVfs::Install();
  std::mt19937 random(static_cast<uint32_t>(TestSeed(7)));
  int64_t losses = 0;
  for (int crash = 0; crash < 40; ++crash) {
    TempFolder folder;
    std::string path = folder.File("test.db");
    vfs.ArmPowerCut(30 + static_cast<int64_t>(random() % 200), random());
    int64_t acked = CommitRowsUntilDark(path, synchronous);
    vfs.ApplyPowerCut();
    vfs.Disarm();
    absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
    EXPECT_OK(database);
    absl::StatusOr<int64_t> kept = database->QueryInt("SELECT count(*) FROM t");
    losses += acked > kept.value_or(0);
  }
  return losses;
}

// The control: a power cut that FULL survives takes acknowledged rows from NORMAL.
TEST(PowerLossTest, TheFaultyDiskDoesLoseUnsyncedWrites) {
  EXPECT_GT(LossesWith("NORMAL"), 10);
  EXPECT_EQ(LossesWith("FULL"), 0);
}

}  // namespace
}  // namespace mmtune::testing
