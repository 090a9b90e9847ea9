// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Migrations, with made-up later versions.
#include <filesystem>
#include <vector>

#include "absl/strings/str_cat.h"
#include "db/log_file.h"
#include "db/migration.h"
#include "db/sqlite/database.h"
#include "tests/db/migration_fixture.h"

namespace mmtune::testing {
namespace {

using ::testing::HasSubstr;

std::vector<Migration> WithNext(std::string_view sql) {
  std::span<const Migration> now = LogMigrations();
  std::vector<Migration> migrations(now.begin(), now.end());
  migrations.push_back({now.back().version + 1, sql});
  return migrations;
}

/// Where the log of `path` is kept before it is migrated.
std::string Backup(const std::string& path) {
  return absl::StrCat(path, ".v", LogMigrations().back().version, ".backup");
}

TEST_F(MigrationTest, VersionsCountFromOneWithoutGaps) {
  int64_t expected = 0;
  for (const Migration& migration : LogMigrations()) EXPECT_EQ(migration.version, ++expected);
  EXPECT_GE(expected, 1);
}

TEST_F(MigrationTest, ANewLogNeedsNoBackup) { EXPECT_FALSE(std::filesystem::exists(Backup(path_))); }

TEST_F(MigrationTest, AnOlderLogIsBackedUpAndMigrated) {
  std::vector<Migration> migrations = WithNext("ALTER TABLE job ADD COLUMN priority INTEGER NOT NULL DEFAULT 7");
  {
    absl::StatusOr<Database> database = OpenLogForWriting(path_, migrations);
    ASSERT_OK(database);
    EXPECT_EQ(*database->QueryInt("PRAGMA user_version"), migrations.back().version);
    EXPECT_EQ(*database->QueryInt("SELECT count(priority) FROM job"), 0);
    EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM measurement"), 1);
  }
  absl::StatusOr<std::unique_ptr<TuningLogReader>> backup = OpenTuningLogReadOnly(Backup(path_));
  ASSERT_OK(backup);
  EXPECT_OK((*backup)->Get(TestUuid(1)));
  // What the next version wrote, this one refuses.
  EXPECT_EQ(CodeOf(OpenTuningLog(path_, {})), absl::StatusCode::kFailedPrecondition);
}

TEST_F(MigrationTest, AFailedMigrationLeavesTheOldVersionWhole) {
  std::vector<Migration> migrations = WithNext("DROP TABLE event; CREATE TABLE broken (");
  absl::Status status = OpenLogForWriting(path_, migrations).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(absl::StrCat("migration to version ", migrations.back().version)));
  std::unique_ptr<TuningLog> log = OpenOrFail(path_);
  ASSERT_NE(log, nullptr);
  EXPECT_OK(log->Get(TestUuid(1)));
  EXPECT_OK(log->InsertJob(TestJob("job-1")));  // writes to the event table, too
}

TEST_F(MigrationTest, AReaderDoesNotMigrate) {
  std::vector<Migration> migrations = WithNext("ALTER TABLE job ADD COLUMN priority INTEGER");
  absl::Status status = OpenLogForReading(path_, migrations).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("older than this program's"));
  EXPECT_OK(OpenTuningLogReadOnly(path_));
}

TEST_F(MigrationTest, ANewLogLeavesNoBackup) {
  ASSERT_NE(OpenOrFail(folder_.File("new.db")), nullptr);
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(folder_.File("new.db")).parent_path())) {
    EXPECT_EQ(entry.path().string().find("new.db.v"), std::string::npos) << entry.path();
  }
}

TEST_F(MigrationTest, TriggersKeepTheRankingInStep) {
  absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
  ASSERT_OK(database);
  const auto ranked = [&] { return *database->QueryInt("SELECT count(*) FROM ranking"); };
  EXPECT_EQ(ranked(), 1);
  ASSERT_OK(database->Execute("UPDATE measurement SET median_ns = 7, proven = NULL"));
  EXPECT_EQ(*database->QueryInt("SELECT median_ns = 7 AND proven = 0 FROM ranking"), 1);
  // An outcome of later versions, which version 1 had no room for.
  ASSERT_OK(database->Execute("UPDATE measurement SET outcome = 'suspect', gflops = NULL"));
  EXPECT_EQ(ranked(), 0);
  ASSERT_OK(database->Execute("UPDATE measurement SET outcome = 'skipped'"));
  EXPECT_EQ(ranked(), 0);
  EXPECT_FALSE(database->Execute("UPDATE measurement SET outcome = 'nonsense'").ok());
  ASSERT_OK(database->Execute("UPDATE measurement SET outcome = 'ok', gflops = 1"));
  EXPECT_EQ(ranked(), 1);
  ASSERT_OK(database->Execute("DELETE FROM measurement"));
  EXPECT_EQ(ranked(), 0);
  EXPECT_EQ(*database->QueryText("PRAGMA integrity_check"), "ok");
}

/// SQLite would make a table of the list in `CHECK (state IN (…))`, and drop it, for each row that is written.
TEST_F(MigrationTest, StatesThatDoNotExistAreRefusedWithoutATableOfThoseThatDo) {
  const std::string older = folder_.File("v7.db");
  ASSERT_TRUE(std::filesystem::copy_file(absl::StrCat(MMTUNE_FIXTURES, "/v7.db"), older));
  ASSERT_NE(OpenOrFail(older), nullptr);
  absl::StatusOr<Database> database = Database::Open(older, Database::Mode::kReadWrite);
  ASSERT_OK(database);
  for (const auto& [table, column] :
       {std::pair("candidate", "state"), {"attempt", "state"}, {"measurement", "outcome"}}) {
    SCOPED_TRACE(table);
    EXPECT_GT(*database->QueryInt(absl::StrCat("SELECT count(*) FROM ", table)), 0);
    EXPECT_FALSE(database->Execute(absl::StrCat("UPDATE ", table, " SET ", column, " = 'nonsense'")).ok());
    EXPECT_OK(database->Execute(absl::StrCat("UPDATE ", table, " SET ", column, " = ", column)));
    absl::StatusOr<Statement> plan = database->Prepare(absl::StrCat("EXPLAIN INSERT INTO ", table, " DEFAULT VALUES"));
    ASSERT_OK(plan);
    int steps = 0;
    for (; plan->Step().value(); ++steps) EXPECT_NE(plan->Text(1), "OpenEphemeral");
    EXPECT_GT(steps, 0);
  }
}

TEST_F(MigrationTest, AnInterruptedBackupIsMadeAgain) {
  WriteFile(Backup(path_) + ".partial", "half a backup");
  ASSERT_OK(OpenLogForWriting(path_, WithNext("CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT")));
  EXPECT_OK(OpenTuningLogReadOnly(Backup(path_)));
  EXPECT_FALSE(std::filesystem::exists(Backup(path_) + ".partial"));
}

}  // namespace
}  // namespace mmtune::testing
