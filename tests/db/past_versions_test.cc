// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs and lines of every past version of the schema, and what has become of their records.
#include <filesystem>
#include <sstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "db/jsonl.h"
#include "db/log_check.h"
#include "db/migration.h"
#include "db/sqlite/database.h"
#include "tests/db/migration_fixture.h"

namespace mmtune::testing {
namespace {

using ::testing::HasSubstr;

/// Lines of before version 6, as today's program writes them.
std::string WithTodaysNames(const std::string& lines) {
  return absl::StrReplaceAll(lines, {{"\"family\":\"simt\"", "\"family\":\"fma\""}, {" simt=1", " fma=1"}});
}

/// The versions whose logs and lines have the family `fma` as `simt`.
constexpr int kLastSimtVersion = 5;

std::string Fixture(int64_t version, const char* suffix) {
  return absl::StrCat(MMTUNE_FIXTURES, "/v", version, suffix);
}

DamageHandler Collect(std::vector<int64_t>* ids) {
  return [ids](const DamagedRecord& record) { ids->push_back(record.id); };
}

TEST_F(MigrationTest, ALogOfVersion1SaysThatNothingWasProven) {
  const std::string copy = folder_.File("v1.db");
  ASSERT_TRUE(std::filesystem::copy_file(absl::StrCat(MMTUNE_FIXTURES, "/v1.db"), copy));
  const auto expect_unproven = [](TuningLogReader& log) {
    auto records = log.Query(RecordFilter{}, 0, 10);
    ASSERT_OK(records);
    ASSERT_FALSE(records->empty());
    for (const TuningRecord& record : *records) EXPECT_EQ(VerificationText(record.measurement.proof), "not performed");
  };
  {
    absl::StatusOr<std::unique_ptr<TuningLogReader>> reader = OpenTuningLogReadOnly(copy);
    ASSERT_OK(reader);
    expect_unproven(**reader);
  }
  std::unique_ptr<TuningLog> log = OpenOrFail(copy);
  ASSERT_NE(log, nullptr);
  expect_unproven(*log);
  ASSERT_OK(log->InsertRecord("", TestRecord(4711)));
  EXPECT_EQ(log->Get(TestUuid(4711))->measurement.proof, TestRecord(4711).measurement.proof);
}

TEST_F(MigrationTest, AnOkOfBeforeTheRulesIsShownAndNeitherRankedNorFound) {
  TuningRecord slower = TestRecord(1, 2e6), other = TestRecord(2, 3e6);
  slower.uuid = "slower";
  slower.unix_millis -= 1;
  {
    std::unique_ptr<TuningLog> log = OpenOrFail(path_);
    ASSERT_NE(log, nullptr);
    ASSERT_OK(log->InsertRecord("", slower));
    ASSERT_OK(log->InsertRecord("", other));
  }
  const char* const broken[] = {
      "check_report = json_set(check_report, '$.passed', json('false'))",
      "check_report = json_set(check_report, '$.performed', json('false'))",
      "median_ns = 1e-300, low_ns = 1e-300, high_ns = 1e-300, gflops = 1.6e304",
      "low_ns = 1.5e6",
      "median_ns = 1.05e6, gflops = 0.0156",
      "proof = json_set(proof, '$.race_free', json('false'))",
      "conditions = json_set(conditions, '$.comparison.ratio', 0.2)",
  };
  const char* const whole =
      "check_report = json_set(check_report, '$.passed', json('true'), '$.performed', "
      "json('true')), proof = json_set(proof, '$.race_free', json('true')), "
      "conditions = json_set(conditions, '$.comparison.ratio', 0.6000000000000001), median_ns = 1e6, low_ns = 9e5, "
      "high_ns = 1.1e6, gflops = 0.016384";
  for (const char* change : broken) {
    SCOPED_TRACE(change);
    {
      absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
      ASSERT_OK(database);
      for (const char* set : {whole, change}) {
        ASSERT_OK(database->Execute(absl::StrCat("UPDATE measurement SET ", set, " WHERE uuid = '", TestUuid(1), "'")));
      }
    }
    absl::StatusOr<std::unique_ptr<TuningLogReader>> reader = OpenTuningLogReadOnly(path_);
    ASSERT_OK(reader);
    TuningLogReader& log = **reader;
    EXPECT_EQ(log.Get(TestUuid(1))->measurement.outcome, Outcome::kSuspect);
    EXPECT_NE(log.Get(TestUuid(1))->measurement.message, TestRecord(1).measurement.message) << "says why";
    EXPECT_EQ(log.Query({}, 0, 10)->size(), 3u);
    const auto uuids = [](const absl::StatusOr<std::vector<RankedRecord>>& ranked) {
      std::vector<std::string> found;
      for (const RankedRecord& entry : *ranked) found.push_back(entry.record.uuid);
      return found;
    };
    EXPECT_EQ(uuids(log.Best({}, 1)), std::vector<std::string>{"slower"}) << "the next of its schedule";
    EXPECT_EQ(uuids(log.BestOfEach({}, 1)), std::vector<std::string>{"slower"});
    EXPECT_EQ(log.FindMeasured(TestTimingKey(1))->value().uuid, "slower");
  }
}

TEST_F(MigrationTest, AnOkOfBeforeTheRulesIsStoredAsSuspectWhenTheLogIsNextWritten) {
  constexpr int kBroken = 40;
  {
    std::unique_ptr<TuningLog> log = OpenOrFail(path_);
    ASSERT_NE(log, nullptr);
    for (int number = 2; number <= kBroken + 1; ++number) ASSERT_OK(log->InsertRecord("", TestRecord(number)));
  }
  {
    absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    ASSERT_OK(database->Execute(absl::StrCat(
        "PRAGMA user_version = 4; UPDATE measurement SET low_ns = 2e6 WHERE uuid <> '", TestUuid(1), "'")));
  }
  const auto expect_right = [&](TuningLogReader& log) {
    RecordFilter ok, suspect;
    ok.outcome = Outcome::kOk;
    suspect.outcome = Outcome::kSuspect;
    EXPECT_EQ(log.Query(ok, 0, 100)->size(), 1u);
    EXPECT_EQ(log.Newest(ok, INT64_MAX, 100)->size(), 1u);
    EXPECT_EQ(log.Query(suspect, 0, 100)->size(), size_t{kBroken});
    EXPECT_EQ(log.Query({}, 0, 100)->size(), size_t{kBroken} + 1);
    ASSERT_EQ(log.Best({}, 2)->size(), 1u);
    EXPECT_EQ(log.Best({}, 2)->front().record.uuid, TestUuid(1));
    EXPECT_THAT(log.Get(TestUuid(2))->measurement.message, HasSubstr("not inside its interval"));
  };
  {
    absl::StatusOr<std::unique_ptr<TuningLogReader>> reader = OpenTuningLogReadOnly(path_);
    ASSERT_OK(reader);
    expect_right(**reader);
  }
  expect_right(*OpenOrFail(path_));
  EXPECT_TRUE(std::filesystem::exists(path_ + ".v4.backup"));
  absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadOnly);
  ASSERT_OK(database);
  EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM measurement WHERE outcome = 'suspect' AND gflops IS NULL"),
            kBroken);
  EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM ranking"), 1);
}

TEST_F(MigrationTest, RankingsOfOlderLogsAreTheSameReadAndMigrated) {
  for (int version = 1; version <= kLastSimtVersion; ++version) {
    SCOPED_TRACE(version);
    const std::string copy = folder_.File(absl::StrCat("ranked", version, ".db"));
    ASSERT_TRUE(std::filesystem::copy_file(absl::StrCat(MMTUNE_FIXTURES, "/v", version, ".db"), copy));
    const auto uuids = [](TuningLogReader& log) {
      std::vector<std::string> found;
      const auto best = log.BestOfEach({}, 10);
      EXPECT_OK(best);
      if (!best.ok()) return found;
      for (const RankedRecord& entry : *best) found.push_back(entry.record.uuid);
      return found;
    };
    std::vector<std::string> read;
    {
      absl::StatusOr<std::unique_ptr<TuningLogReader>> reader = OpenTuningLogReadOnly(copy);
      ASSERT_OK(reader);
      read = uuids(**reader);
      EXPECT_FALSE(read.empty());
    }
    std::unique_ptr<TuningLog> log = OpenOrFail(copy);
    ASSERT_NE(log, nullptr);
    EXPECT_EQ(uuids(*log), read);
  }
}

TEST_F(MigrationTest, RecordsOfTheFamilySimtAreFoundAsFma) {
  for (int version = 1; version <= kLastSimtVersion; ++version) {
    SCOPED_TRACE(version);
    const std::string copy = folder_.File(absl::StrCat("renamed", version, ".db"));
    ASSERT_TRUE(std::filesystem::copy_file(Fixture(version, ".db"), copy));
    std::vector<int64_t> damaged;
    EXPECT_EQ(CheckTuningLog(copy, Collect(&damaged))->damaged, 0) << "only read, with the names of its time";
    {
      std::unique_ptr<TuningLog> log = OpenOrFail(copy);
      ASSERT_NE(log, nullptr);
      const auto records = log->Query({}, 0, 100);
      ASSERT_OK(records);
      ASSERT_FALSE(records->empty());
      for (const TuningRecord& record : *records) {
        EXPECT_EQ(record.schedule.family, "fma");
        EXPECT_EQ(record.toolchain.families, "direct=1 fma=1");
        const auto found = log->Find(record.problem, record.schedule, record.device, record.toolchain, Regime::kWarm);
        ASSERT_OK(found);
        ASSERT_TRUE(found->has_value());
        EXPECT_EQ((*found)->uuid, record.uuid);
        if (const auto& comparison = record.measurement.conditions.comparison) {
          EXPECT_EQ(comparison->rival.family, "fma");
        }
      }
      // A candidate of then is reported now.
      const auto live = log->LiveAttempts();
      ASSERT_OK(live);
      ASSERT_FALSE(live->empty());
      TuningRecord report = RecordOfJob("job-1", 4);
      report.uuid = "a-report-of-now";
      for (const AttemptRow& attempt : *live) {
        const auto candidate = log->FindCandidate(attempt.candidate_id);
        ASSERT_OK(candidate);
        EXPECT_EQ((*candidate)->schedule.family, "fma");
        report.schedule = (*candidate)->schedule;
        EXPECT_OK(log->InsertRecord(attempt.token, report));
      }
    }
    EXPECT_EQ(CheckTuningLog(copy, Collect(&damaged))->damaged, 0);
    EXPECT_TRUE(damaged.empty());
    absl::StatusOr<Database> database = Database::Open(copy, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM measurement WHERE instr(schedule || conditions, 'simt')"), 0);
    EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM ranking AS k JOIN measurement AS r ON r.id = k.measurement_id "
                                  "WHERE k.schedule <> substr(r.schedule_digest, 1, 16)"),
              0);
    EXPECT_GT(*database->QueryInt("SELECT count(*) FROM ranking"), 0);
  }
}

TEST_F(MigrationTest, LinesOfTheFamilySimtAreImportedAsFma) {
  for (int version = 1; version <= kLastSimtVersion; ++version) {
    SCOPED_TRACE(version);
    const std::string copy = folder_.File(absl::StrCat("imported", version, ".db"));
    ASSERT_TRUE(std::filesystem::copy_file(Fixture(version, ".db"), copy));
    for (const std::string& path : {folder_.File(absl::StrCat("empty", version, ".db")), copy}) {
      std::unique_ptr<TuningLog> log = OpenOrFail(path);
      ASSERT_NE(log, nullptr);
      std::istringstream lines(ReadFile(Fixture(version, ".jsonl")));
      const auto imported = ImportJsonl(*log, ImportLines(lines));
      ASSERT_OK(imported);
      EXPECT_EQ(imported->added, path == copy ? 0 : 5);
      EXPECT_EQ(imported->present, path == copy ? 5 : 0) << "the same records, whichever way they came";
      for (const TuningRecord& record : *log->Query({}, 0, 100)) EXPECT_EQ(record.schedule.family, "fma");
    }
  }
}

TEST_F(MigrationTest, WhatWasDamagedStaysDamagedAndCanBeRestored) {
  const std::string copy = folder_.File("damaged.db");
  ASSERT_TRUE(std::filesystem::copy_file(Fixture(kLastSimtVersion, ".db"), copy));
  {
    absl::StatusOr<Database> database = Database::Open(copy, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    ASSERT_OK(database->Execute("UPDATE measurement SET schedule = 'torn' WHERE id = 1"));
    ASSERT_OK(database->Execute("UPDATE measurement SET schedule = replace(schedule, '128', '129') WHERE id = 2"));
  }
  OpenOrFail(copy);
  std::vector<int64_t> damaged;
  EXPECT_OK(CheckTuningLog(copy, Collect(&damaged)));
  EXPECT_EQ(damaged, (std::vector<int64_t>{1, 2}));
  const auto repaired = RepairTuningLog(copy, Collect(&damaged));
  ASSERT_OK(repaired);
  EXPECT_EQ(repaired->restored, 2) << "from their candidates, by the digest of the new name";
  EXPECT_EQ(OpenOrFail(copy)->Get("1")->schedule, TestSchedule(1));
}

TEST_F(MigrationTest, WhatIsDamagedWithoutATwinIsRestoredAndThenRenamed) {
  const std::string copy = folder_.File("alone.db");
  ASSERT_TRUE(std::filesystem::copy_file(Fixture(kLastSimtVersion, ".db"), copy));
  {
    absl::StatusOr<Database> database = Database::Open(copy, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    ASSERT_OK(database->Execute("UPDATE toolchain SET info = replace(info, ' simt=', ' simu=')"));
    ASSERT_OK(
        database->Execute("UPDATE measurement SET candidate_id = NULL, attempt_id = NULL, "
                          "schedule = replace(schedule, 'simt', 'simu') WHERE id = 1"));
    ASSERT_OK(database->Execute("DELETE FROM attempt; DELETE FROM candidate"));
  }
  OpenOrFail(copy);
  std::vector<int64_t> damaged;
  const auto repaired = RepairTuningLog(copy, Collect(&damaged));
  ASSERT_OK(repaired);
  EXPECT_EQ(repaired->removed, 0);
  EXPECT_EQ(repaired->set_aside, 0);
  EXPECT_EQ(CheckTuningLog(copy, Collect(&damaged))->damaged, 0);
  std::unique_ptr<TuningLog> log = OpenOrFail(copy);
  const TuningRecord record = *log->Get("1");
  EXPECT_EQ(record.schedule, TestSchedule(1));
  EXPECT_TRUE(log->Find(record.problem, record.schedule, record.device, record.toolchain, Regime::kWarm)->has_value());
}

TEST_F(MigrationTest, BothNamesOfAToolchainBecomeOne) {
  const std::string copy = folder_.File("both.db");
  ASSERT_TRUE(std::filesystem::copy_file(Fixture(kLastSimtVersion, ".db"), copy));
  const auto count = [&](const char* of) {
    return *Database::Open(copy, Database::Mode::kReadOnly)->QueryInt(absl::StrCat("SELECT count(*) FROM ", of));
  };
  const int64_t toolchains = count("toolchain"), records = count("measurement");
  {
    absl::StatusOr<Database> database = Database::Open(copy, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    ASSERT_OK(
        database->Execute("INSERT INTO toolchain (digest, info) SELECT sha256(now), now FROM (SELECT "
                          "replace(info, ' simt=', ' fma=') AS now FROM toolchain ORDER BY id LIMIT 1)"));
    ASSERT_OK(database->Execute("UPDATE measurement SET toolchain_id = (SELECT max(id) FROM toolchain) WHERE id = 2"));
  }
  ASSERT_NE(OpenOrFail(copy), nullptr);
  EXPECT_EQ(count("toolchain"), toolchains);
  EXPECT_EQ(count("measurement"), records);
  std::vector<int64_t> damaged;
  EXPECT_EQ(CheckTuningLog(copy, Collect(&damaged))->damaged, 0);
  std::unique_ptr<TuningLog> log = OpenOrFail(copy);
  EXPECT_EQ(log->Get("1")->toolchain, log->Get("2")->toolchain);
}

/// fixtures/v<N>.db is a log as version N wrote it, v<N>.jsonl its records.
TEST_F(MigrationTest, EveryPastVersionOpens) {
  for (const Migration& migration : LogMigrations()) {
    std::string fixture = absl::StrCat(MMTUNE_FIXTURES, "/v", migration.version);
    SCOPED_TRACE(fixture);
    std::string copy = folder_.File(absl::StrCat("v", migration.version, ".db"));
    ASSERT_TRUE(std::filesystem::copy_file(fixture + ".db", copy)) << "add the fixture of this version";
    std::unique_ptr<TuningLog> log = OpenOrFail(copy);
    ASSERT_NE(log, nullptr);
    std::string exported;
    RecordFilter all;
    all.include_non_canonical = true;
    ASSERT_OK(ExportJsonl(*log, all, [&](std::string_view line) {
      absl::StrAppend(&exported, std::string(line), "\n");
      return absl::OkStatus();
    }));
    EXPECT_EQ(exported, WithTodaysNames(ReadFile(fixture + ".jsonl")));
    EXPECT_FALSE(exported.empty());
    EXPECT_FALSE(log->UnfinishedJobs()->empty());
    EXPECT_FALSE(log->LiveAttempts()->empty());
    EXPECT_OK(log->InsertRecord("", TestRecord(4711)));
  }
}

}  // namespace
}  // namespace mmtune::testing
