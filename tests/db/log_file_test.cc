// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that are not a log, or not one this program can use: distinct errors of one line that name the file.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <functional>

#include "absl/strings/str_cat.h"
#include "db/database.h"
#include "db/log_check.h"
#include "db/log_file.h"
#include "proto/base/log.h"
#include "proto/base/log_header.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

using ::testing::HasSubstr;

class LogFileTest : public ::testing::Test {
 protected:
  void MakeLog(int records = 1) {
    std::unique_ptr<TuningLog> log = OpenOrFail(path_);
    ASSERT_NE(log, nullptr);
    for (int number = 1; number <= records; ++number) ASSERT_OK(log->InsertRecord("", TestRecord(number)));
  }
  void Execute(const std::string& sql) {
    absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    ASSERT_OK(database->Execute(sql));
  }
  /// Both ways of opening fail like this.
  void ExpectRefused(absl::StatusCode code, const std::string& why) {
    absl::Status writing = OpenTuningLog(path_, {}).status();
    absl::Status reading = OpenTuningLogReadOnly(path_).status();
    for (const absl::Status& status : {writing, reading}) {
      std::string message(status.message());
      EXPECT_EQ(status.code(), code) << status;
      EXPECT_THAT(message, HasSubstr(why));
      EXPECT_THAT(message, HasSubstr(path_));
      EXPECT_EQ(message.find('\n'), std::string::npos);
    }
  }

  TempFolder folder_;
  std::string path_ = folder_.File("log.db");
};

/// Runs `body` where permissions count: as root they would not.
int AsOrdinaryUser(const std::function<bool()>& body) {
  pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(3);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

TEST_F(LogFileTest, AMissingLogIsCreatedForWritingAndNotFoundForReading) {
  EXPECT_EQ(CodeOf(OpenTuningLogReadOnly(path_)), absl::StatusCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_FALSE(std::filesystem::exists(path_ + ".lock"));
  MakeLog();
  EXPECT_OK(OpenTuningLogReadOnly(path_));
}

TEST_F(LogFileTest, AMissingDirectoryIsNotFound) {
  path_ = folder_.File("nowhere/log.db");
  absl::Status status = OpenTuningLog(path_, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("create it"));
}

TEST_F(LogFileTest, AnEmptyPathAndADirectoryAreRefused) {
  EXPECT_EQ(CodeOf(OpenTuningLog("", {})), absl::StatusCode::kInvalidArgument);
  path_ = folder_.path();
  ExpectRefused(absl::StatusCode::kFailedPrecondition, "is a directory");
}

// Reading a FIFO said "Illegal seek".
TEST_F(LogFileTest, RefusesWhatIsNoFile) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  ExpectRefused(absl::StatusCode::kFailedPrecondition,
                "is a FIFO, a socket or a device, not a tuning log; name a file");
  path_ = "/dev/zero";
  ExpectRefused(absl::StatusCode::kFailedPrecondition, "is a FIFO, a socket or a device");
}

TEST_F(LogFileTest, AnEmptyFileBecomesALog) {
  WriteFile(path_, "");
  MakeLog();
  EXPECT_OK(OpenTuningLogReadOnly(path_));
}

TEST_F(LogFileTest, AnEmptyFileThatWasALogIsNamedAndLeftAlone) {
  MakeLog();
  std::filesystem::resize_file(path_, 0);
  ExpectRefused(absl::StatusCode::kFailedPrecondition, "is empty");
  EXPECT_EQ(std::filesystem::file_size(path_), 0u);
  // Whoever had it was killed: its lock was not let go, but its WAL is there.
  WriteFile(path_ + ".lock", "{}");
  for (const char* written : {"", "what it had not yet moved into the log"}) {
    WriteFile(path_ + "-wal", written);
    ExpectRefused(absl::StatusCode::kFailedPrecondition, "is empty");
  }
}

TEST_F(LogFileTest, AnEmptyFileThatIsOldIsNamed) {
  WriteFile(path_, "");
  std::filesystem::last_write_time(path_, std::filesystem::last_write_time(path_) - std::chrono::hours(1));
  ExpectRefused(absl::StatusCode::kFailedPrecondition, "is empty");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".lock"));
}

TEST_F(LogFileTest, ANewLogOfWhichNothingCameLeavesNoEmptyFile) {
  struct rlimit old;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  auto handler = signal(SIGXFSZ, SIG_IGN);
  struct rlimit none = {512, old.rlim_max};  // room for the lock
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  const absl::Status full = OpenTuningLog(path_, {}).status();
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  EXPECT_FALSE(full.ok());
  EXPECT_TRUE(!std::filesystem::exists(path_) || std::filesystem::file_size(path_) > 0);
  MakeLog();
}

TEST_F(LogFileTest, ATextFileIsNotADatabaseAndIsLeftAlone) {
  std::string text = "a letter to a friend\n";
  WriteFile(path_, text);
  ExpectRefused(absl::StatusCode::kFailedPrecondition, "not a database");
  EXPECT_EQ(ReadFile(path_), text);
  EXPECT_FALSE(std::filesystem::exists(path_ + ".lock"));
}

TEST_F(LogFileTest, AnotherProgramsDatabaseIsRefusedAndLeftAlone) {
  Execute("CREATE TABLE theirs (id INTEGER PRIMARY KEY)");
  const std::string before = ReadFile(path_);
  ExpectRefused(absl::StatusCode::kFailedPrecondition, "another program");
  EXPECT_EQ(ReadFile(path_), before);
  Execute("PRAGMA application_id = 42");
  ExpectRefused(absl::StatusCode::kFailedPrecondition, "another program");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".lock"));
}

TEST_F(LogFileTest, RefusesEveryOtherSchemaVersionAndLeavesTheFileAlone) {
  MakeLog();
  for (const int version : {0, 2, 10, 99}) {
    SCOPED_TRACE(version);
    Execute(absl::StrCat("PRAGMA user_version = ", version));
    const std::string before = ReadFile(path_);
    ExpectRefused(absl::StatusCode::kOutOfRange,
                  absl::StrCat("is a tuning log of schema version ", version,
                               ", and this program reads and writes version 1 only: export its records"));
    const DamageHandler nobody = [](const DamagedRecord&) {};
    EXPECT_EQ(CodeOf(CheckTuningLog(path_, nobody)), absl::StatusCode::kOutOfRange);
    EXPECT_EQ(CodeOf(RepairTuningLog(path_, nobody)), absl::StatusCode::kOutOfRange);
    EXPECT_EQ(ReadFile(path_), before);
    EXPECT_EQ(ReadFile(path_ + ".lock"), "");
  }
}

TEST_F(LogFileTest, RefusesTablesAndTriggersOfAnEarlierBuild) {
  const std::string whole = folder_.File("whole.db");
  MakeLog();
  std::filesystem::copy_file(path_, whole);
  for (const auto& [change, name] : {std::pair("ALTER TABLE best DROP COLUMN schedule", "table 'best'"),
                                     {"ALTER TABLE job ADD COLUMN priority INTEGER", "table 'job'"},
                                     {"ALTER TABLE event RENAME COLUMN detail TO text", "table 'event'"},
                                     {"DROP TABLE best", "table 'best'"},
                                     {"DROP TRIGGER ranking_insert", "trigger 'ranking_insert'"},
                                     {"CREATE TABLE a (b INTEGER)", "table 'a'"}}) {
    SCOPED_TRACE(change);
    std::filesystem::copy_file(whole, path_, std::filesystem::copy_options::overwrite_existing);
    Execute(change);
    const std::string before = ReadFile(path_);
    ExpectRefused(absl::StatusCode::kOutOfRange,
                  absl::StrCat("is a tuning log of an earlier build of mmtune, whose ", name,
                               " is not the one that this build makes: export its records"));
    const DamageHandler nobody = [](const DamagedRecord&) {};
    EXPECT_EQ(CodeOf(CheckTuningLog(path_, nobody)), absl::StatusCode::kOutOfRange);
    EXPECT_EQ(CodeOf(RepairTuningLog(path_, nobody)), absl::StatusCode::kOutOfRange);
    EXPECT_EQ(ReadFile(path_), before);
  }
}

TEST_F(LogFileTest, AnIndexAndWhatSqliteAddsByItselfAreNoOtherSchema) {
  MakeLog();
  Execute("CREATE INDEX mine ON measurement (gflops); DROP INDEX measurement_by_time; ANALYZE; VACUUM");
  EXPECT_OK(OpenTuningLog(path_, {}).status());
  EXPECT_OK(OpenTuningLogReadOnly(path_).status());
}

TEST_F(LogFileTest, ADamagedPageIsFoundWhenWritersOpen) {
  MakeLog(200);
  std::string content = ReadFile(path_);
  ASSERT_GT(content.size(), 100000u);
  for (size_t at = 4096 * 3; at < content.size(); at += 4096) content.replace(at, 64, 64, '\x5a');
  WriteFile(path_, content);
  absl::Status status = OpenTuningLog(path_, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("corrupt"));
  // A reader that gets past opening errs on what it reads, and does not crash.
  absl::StatusOr<std::unique_ptr<TuningLogReader>> reader = OpenTuningLogReadOnly(path_);
  absl::Status read = reader.ok() ? (*reader)->Query({}, 0, 1000).status() : reader.status();
  EXPECT_EQ(read.code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(LogFileTest, ATruncatedLogIsCorrupt) {
  MakeLog(200);
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  absl::Status status = OpenTuningLog(path_, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("corrupt"));
  std::filesystem::resize_file(path_, 50);
  ExpectRefused(absl::StatusCode::kFailedPrecondition, "not a database");
}

TEST_F(LogFileTest, AnUnwritableFileOrDirectoryIsPermissionDenied) {
  MakeLog();
  ASSERT_EQ(chmod(folder_.path().c_str(), 0777), 0);
  ASSERT_EQ(chmod(path_.c_str(), 0444), 0);
  ASSERT_EQ(chmod((path_ + ".lock").c_str(), 0666), 0);
  auto denied = [&] {
    absl::Status status = OpenTuningLog(path_, {}).status();
    if (!absl::IsPermissionDenied(status)) fprintf(stderr, "%s\n", status.ToString().c_str());
    return absl::IsPermissionDenied(status);
  };
  EXPECT_EQ(AsOrdinaryUser(denied), 0);
  ASSERT_EQ(chmod(path_.c_str(), 0666), 0);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0555), 0);
  EXPECT_EQ(AsOrdinaryUser(denied), 0) << "a WAL cannot be made there";
  std::filesystem::remove(path_ + ".lock");
  EXPECT_EQ(AsOrdinaryUser(denied), 0) << "a lock file cannot be made there";
  std::filesystem::remove(path_);
  EXPECT_EQ(AsOrdinaryUser(denied), 0) << "nothing can be made there";
  ASSERT_EQ(chmod(folder_.path().c_str(), 0777), 0);
}

TEST_F(LogFileTest, AnUnreadableFileIsPermissionDenied) {
  MakeLog();
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(path_.c_str(), 0), 0);
  EXPECT_EQ(AsOrdinaryUser([&] { return absl::IsPermissionDenied(OpenTuningLogReadOnly(path_).status()); }), 0);
}

TEST_F(LogFileTest, AReadOnlyDirectoryWithoutAWriterCanBeRead) {
  MakeLog(3);
  ASSERT_FALSE(std::filesystem::exists(path_ + "-wal"));
  ASSERT_EQ(chmod(path_.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0555), 0);
  auto reads_all = [&] {
    absl::StatusOr<std::unique_ptr<TuningLogReader>> reader = OpenTuningLogReadOnly(path_);
    if (!reader.ok()) fprintf(stderr, "%s\n", reader.status().ToString().c_str());
    return reader.ok() && (*reader)->Query({}, 0, 10).value().size() == 3;
  };
  EXPECT_EQ(AsOrdinaryUser(reads_all), 0);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0777), 0);
}

TEST_F(LogFileTest, AnotherUserReadsWhileTheWriterRuns) {
  std::unique_ptr<TuningLog> log = OpenOrFail(path_);
  ASSERT_NE(log, nullptr);
  ASSERT_OK(log->InsertRecord("", TestRecord(1)));
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(path_.c_str(), 0644), 0);
  auto reads_one = [&] {
    absl::StatusOr<std::unique_ptr<TuningLogReader>> reader = OpenTuningLogReadOnly(path_);
    if (!reader.ok()) fprintf(stderr, "%s\n", reader.status().ToString().c_str());
    return reader.ok() && (*reader)->Query({}, 0, 10).value().size() == 1;
  };
  EXPECT_EQ(AsOrdinaryUser(reads_one), 0);
}

TEST_F(LogFileTest, RefusesALogWithASecondName) {
  MakeLog();
  const std::string own = path_, link = folder_.File("link.db");
  std::filesystem::create_hard_link(own, link);
  for (const std::string& name : {own, link}) {
    path_ = name;
    ExpectRefused(absl::StatusCode::kFailedPrecondition, "has 2 names (hard links)");
    EXPECT_EQ(CodeOf(CheckTuningLog(name, [](const DamagedRecord&) {})), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(CodeOf(RepairTuningLog(name, [](const DamagedRecord&) {})), absl::StatusCode::kFailedPrecondition);
  }
  EXPECT_FALSE(std::filesystem::exists(link + ".lock"));
  std::filesystem::remove(link);
  EXPECT_OK(OpenTuningLog(own, {}));
}

TEST_F(LogFileTest, RefusesFilesBesideTheLogThatAreElsewhereToo) {
  MakeLog();
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {
    const std::string victim = folder_.File("victim");
    WriteFile(victim, "");
    std::filesystem::create_hard_link(victim, path_ + suffix);
    ExpectRefused(absl::StatusCode::kFailedPrecondition, suffix);
    std::filesystem::remove(path_ + suffix);
    std::filesystem::create_symlink(victim, path_ + suffix);
    ExpectRefused(absl::StatusCode::kFailedPrecondition, suffix);
    std::filesystem::remove(path_ + suffix);
    EXPECT_EQ(ReadFile(victim), "");
    std::filesystem::remove(victim);
  }
  EXPECT_OK(OpenTuningLog(path_, {}));
}

/// A log of three records that is open for writing.
class TakenLogTest : public LogFileTest {
 protected:
  void SetUp() override {
    SetLogLevel(LogLevel::kError);
    MakeLog(1);
    std::filesystem::copy_file(path_, backup_);
    log_ = OpenOrFail(path_);
    ASSERT_NE(log_, nullptr);
    ASSERT_OK(log_->InsertRecord("", TestRecord(2)));
    ASSERT_OK(log_->InsertRecord("", TestRecord(3)));
  }
  /// The next group is refused with this word, and everything after it.
  std::string ExpectLost(const std::string& word) {
    EXPECT_OK(log_->Begin());
    EXPECT_OK(log_->InsertRecord("", TestRecord(4)));
    const absl::Status lost = log_->Commit();
    EXPECT_TRUE(absl::IsDataLoss(lost)) << lost;
    EXPECT_THAT(std::string(lost.message()), HasSubstr(word));
    EXPECT_EQ(lost.message().find('\n'), absl::string_view::npos);
    for (const absl::Status& later :
         {log_->Begin(), log_->InsertRecord("", TestRecord(5)).status(), log_->TryWriting()}) {
      EXPECT_EQ(later, lost);
    }
    return std::string(lost.message());
  }
  static size_t RecordsOf(const std::string& path) {
    const auto reader = OpenTuningLogReadOnly(path);
    EXPECT_TRUE(reader.ok()) << path << ": " << reader.status();
    return reader.ok() ? (*reader)->Query({}, 0, 10).value().size() : 0;
  }
  /// The files beside the log that are copies of it.
  std::vector<std::string> Copies() const {
    std::vector<std::string> copies;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".backup" && entry.path() != backup_) copies.push_back(entry.path());
    }
    return copies;
  }

  const std::string backup_ = folder_.File("backup");
  std::unique_ptr<TuningLog> log_;
};

TEST_F(TakenLogTest, ABackupMovedOverItEndsItAndLosesNothing) {
  std::filesystem::rename(backup_, path_);
  const std::string message = ExpectLost(path_ + " was replaced by another file");
  log_.reset();
  ASSERT_EQ(Copies().size(), 1u);
  EXPECT_THAT(message, HasSubstr("what was stored is in " + Copies()[0]));
  EXPECT_EQ(RecordsOf(Copies()[0]), 3u);
  EXPECT_EQ(RecordsOf(path_), 1u) << "the -wal of the old one must not be taken for its own";
}

TEST_F(TakenLogTest, ADeletedLogEndsItAndLosesNothing) {
  for (const char* suffix : {"", "-wal", "-shm", ".lock"}) std::filesystem::remove(path_ + suffix);
  ExpectLost(path_ + " was deleted or moved away");
  log_.reset();
  ASSERT_EQ(Copies().size(), 1u);
  EXPECT_EQ(RecordsOf(Copies()[0]), 3u);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(TakenLogTest, ALogMovedAwayHasEverything) {
  const std::string away = folder_.File("away.db");
  std::filesystem::rename(path_, away);
  EXPECT_THAT(ExpectLost("was deleted or moved away"), HasSubstr("is in the file that was moved away"));
  log_.reset();
  EXPECT_TRUE(Copies().empty());
  EXPECT_EQ(RecordsOf(away), 3u);
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
}

TEST_F(TakenLogTest, AMissingFileBesideItEndsItToo) {
  for (const char* suffix : {"-wal", "-shm", ".lock"}) {
    std::filesystem::remove(path_ + suffix);
    EXPECT_THAT(ExpectLost(path_ + suffix + " was deleted"), HasSubstr("is in " + path_));
    log_.reset();
    EXPECT_EQ(RecordsOf(path_), 3u);
    log_ = OpenOrFail(path_);
    ASSERT_OK(log_->TryWriting());  // makes the WAL
  }
}

TEST_F(TakenLogTest, FilesOfAnotherLogAreLeftAlone) {
  for (const char* suffix : {"", "-wal"}) {
    std::filesystem::rename(path_ + suffix, folder_.File(std::string("away") + suffix));
  }
  std::filesystem::rename(backup_, path_);
  WriteFile(path_ + "-wal", "of the other log");
  ExpectLost("was replaced");
  log_.reset();
  EXPECT_EQ(ReadFile(path_ + "-wal"), "of the other log");
}

TEST_F(TakenLogTest, TheNameOfALinkCountsToo) {
  log_.reset();
  const std::string link = folder_.File("link.db");
  std::filesystem::create_symlink(path_, link);
  log_ = OpenOrFail(link);
  ASSERT_OK(log_->TryWriting());
  std::filesystem::rename(backup_, link);
  EXPECT_THAT(ExpectLost(link + " was replaced"), HasSubstr("is in " + path_));
}

TEST_F(TakenLogTest, WhatIsLostIsSavedWhenNothingMoreIsWritten) {
  std::filesystem::rename(backup_, path_);
  log_.reset();
  ASSERT_EQ(Copies().size(), 1u);
  EXPECT_EQ(RecordsOf(Copies()[0]), 3u);
  EXPECT_EQ(RecordsOf(path_), 1u);
}

TEST_F(LogFileTest, ANewLogWithoutRecordsGoesWhereThatIsAsked) {
  const auto open = [&] { return OpenTuningLog(path_, {.endpoint = "", .discard_unused = true}); };
  ASSERT_OK(open());
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  MakeLog(0);
  ASSERT_OK(open());
  EXPECT_TRUE(std::filesystem::exists(path_)) << "it was there before";
  std::filesystem::remove(path_);
  {
    auto log = open();
    ASSERT_OK(log);
    ASSERT_OK((*log)->InsertRecord("", TestRecord(1)));
  }
  EXPECT_OK(OpenTuningLogReadOnly(path_));
}

TEST_F(LogFileTest, TriggersKeepTheRankingInStep) {
  MakeLog();
  absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
  ASSERT_OK(database);
  const auto ranked = [&] { return *database->QueryInt("SELECT count(*) FROM ranking"); };
  EXPECT_EQ(ranked(), 1);
  ASSERT_OK(database->Execute("UPDATE measurement SET median_ns = 7, verified = NULL"));
  EXPECT_EQ(*database->QueryInt("SELECT median_ns = 7 AND verified = 0 FROM ranking"), 1);
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
TEST_F(LogFileTest, StatesThatDoNotExistAreRefusedWithoutATableOfThoseThatDo) {
  {
    std::unique_ptr<TuningLog> log = OpenOrFail(path_);
    ASSERT_NE(log, nullptr);
    const absl::StatusOr<int64_t> job = log->InsertJob(TestJob("job-1"));
    ASSERT_OK(job);
    AddLeasedCandidate(*log, *job, 1);
    ASSERT_OK(log->InsertRecord(TestToken(1), RecordOfJob("job-1", 1)));
  }
  absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
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

TEST_F(LogFileTest, TheLogIsSetUpToLast) {
  MakeLog();
  absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadOnly);
  ASSERT_OK(database);
  EXPECT_EQ(*database->QueryText("PRAGMA journal_mode"), "wal");
  EXPECT_EQ(*database->QueryInt("PRAGMA application_id"), kLogApplicationId);
  EXPECT_EQ(*database->QueryInt("PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM pragma_table_list "
                                "WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' AND type = 'table' AND strict = 0"),
            0)
      << "a table is not STRICT";
}

}  // namespace
}  // namespace mmtune::testing
