// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a coordinator asks of the log when it starts, and when a job does, takes as many steps in a long log as in a
// short one.
#include <filesystem>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "db/database.h"
#include "db/log_file.h"
#include "proto/base/status.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int kShort = 40, kLong = 2000;
/// A tree of ten times as many rows may be a page deeper.
constexpr int64_t kDeeper = 50;

/// A log of `records`, of ten finished jobs, with their candidates, attempts and events, and an unfinished one; of each
/// job another problem. A worker is noted.
std::string MakeLog(const TempFolder& folder, int records) {
  const std::string path = folder.File(absl::StrCat("log-", records, ".db"));
  std::unique_ptr<TuningLog> log = OpenOrFail(path);
  EXPECT_OK(log->Begin());
  for (int job = 0; job <= 10; ++job) {
    JobRow row = TestJob(absl::StrCat("job-", job));
    row.problem = TestProblem(1024 + job);
    const int64_t id = *log->InsertJob(row);
    for (int number = job; number < (job < 10 ? records : 0); number += 10) {
      AddLeasedCandidate(*log, id, number);
      TuningRecord record = RecordOfJob(row.uuid, number, 1e6 + number);
      record.problem = row.problem;
      record.unix_millis += number;
      if (number >= kShort) record.measurement.conditions.comparison.reset();
      EXPECT_OK(log->InsertRecord(TestToken(number), record));
      EXPECT_OK(log->EndAttempt(TestToken(number), AttemptState::kExpired, "and said so in the diary"));
    }
    if (job < 10) EXPECT_OK(log->SetJobState(id, JobState::kDone, ""));
  }
  EXPECT_OK(log->AddWorkerNote({WorkerNoteKind::kContradicted, "gpu-a", "gpu-b", 17}));
  EXPECT_OK(log->Commit());
  return path;
}

/// Expects as many steps of both logs.
template <typename Ask>
void ExpectTheSame(Ask ask) {
  const TempFolder folder;
  const int64_t of_short = StepsOf(MakeLog(folder, kShort), ask), of_long = StepsOf(MakeLog(folder, kLong), ask);
  EXPECT_GT(of_short, 0);
  EXPECT_LE(of_long, of_short + kDeeper);
}

TEST(LogLengthTest, AStartTakesAsManyStepsInALongLog) {
  ExpectTheSame([](TuningLog& log) {
    EXPECT_THAT(*log.UnfinishedJobs(), SizeIs(1));
    EXPECT_THAT(*log.WorkerNotes(), SizeIs(1));
    EXPECT_THAT(*log.LiveAttempts(), SizeIs(0));
  });
}

TEST(LogLengthTest, ASubmissionTakesAsManyStepsInALongLog) {
  ExpectTheSame([](TuningLog& log) {
    EXPECT_TRUE(log.FindJobByRequest(TestJob("job-3").client_request_id)->has_value());
    EXPECT_FALSE(log.FindJobByRequest("a new one")->has_value());
    EXPECT_TRUE(log.FindJob("job-3")->has_value());
    EXPECT_TRUE(log.FindJobById(3)->has_value());
  });
}

TEST(LogLengthTest, ATimeOfTheSameCodeIsFoundInAsManyStepsInALongLog) {
  ExpectTheSame([](TuningLog& log) {
    EXPECT_TRUE(log.FindMeasured(TestTimingKey(13))->has_value());
    EXPECT_FALSE(log.FindMeasured("a new one")->has_value());
  });
}

TEST(LogLengthTest, WhatAJobMayLearnFromIsFoundInAsManyStepsInALongLog) {
  ExpectTheSame([](TuningLog& log) {
    EXPECT_THAT(*log.TimedSources({.at_least = 3}), SizeIs(10));
    EXPECT_THAT(*log.TimedSources({.regime = Regime::kCold}), SizeIs(0));
  });
}

TEST(LogLengthTest, OfALongSourceOnlyAPartOfTheSchedulesIsLookedAt) {
  const TempFolder folder;
  const std::string path = MakeLog(folder, kShort);
  {
    absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    ASSERT_OK(database->Execute(
        "CREATE TEMP TABLE long AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150000) "
        "SELECT r.* FROM (SELECT * FROM ranking ORDER BY workload_id LIMIT 1) AS r, n; "
        "UPDATE long SET uuid = uuid || rowid, schedule = substr(sha256(rowid), 1, 16); "
        "INSERT INTO ranking SELECT * FROM long"));
  }
  std::unique_ptr<TuningLog> log = OpenOrFail(path);
  const auto times = log->TimesOf(TestProblem(), TestDevice(), {}, 1 << 20);
  ASSERT_OK(times);
  EXPECT_GT(times->size(), 60'000u);
  EXPECT_LT(times->size(), 70'000u);
  EXPECT_THAT(*log->TimesOf(TestProblem(), TestDevice(), {}, 100), SizeIs(100));
}

TEST(LogLengthTest, TheRecordsOfAScheduleAreFoundInAsManyStepsInALongLog) {
  ExpectTheSame([](TuningLog& log) {
    RecordFilter filter;
    filter.problem = TestProblem(1024 + 3);
    filter.schedule_digest = TestSchedule(13).Digest();
    filter.job_uuid = "job-3";
    EXPECT_THAT(*log.Query(filter, 0, 10), SizeIs(1));
    EXPECT_THAT(*log.Newest(filter, INT64_MAX, 10), SizeIs(1));
  });
}

TEST(LogLengthTest, NewRecordsAreListedInAsManyStepsInALongLog) {
  ExpectTheSame([](TuningLog& log) {
    RecordFilter filter;
    filter.device = "simt";
    filter.since_unix_millis = TestRecord(0).unix_millis + 10'000;
    EXPECT_THAT(*log.Newest(filter, INT64_MAX, 10), SizeIs(0));
    EXPECT_THAT(*log.Query(filter, 0, 10), SizeIs(0));
  });
}

TEST(LogLengthTest, TheBestOfEachProblemAreFoundInAsManyStepsInALongLog) {
  ExpectTheSame([](TuningLog& log) {
    EXPECT_THAT(*log.BestOfEach({}, 1), SizeIs(10));
    EXPECT_THAT(*log.Best({}, 3), SizeIs(3));
    RecordFilter filter;
    filter.verified_only = filter.any_toolchain = true;
    EXPECT_THAT(*log.BestOfEach(filter, 1), SizeIs(10));
  });
}

TEST(LogLengthTest, ComparedSchedulesThatCannotBeTheBestAreNotRead) {
  constexpr int kCompared = 40;
  const TempFolder folder;
  const std::string path = folder.File("log.db");
  {
    std::unique_ptr<TuningLog> log = OpenOrFail(path);
    for (int number = 1; number <= kCompared; ++number) {
      TuningRecord record = TestRecord(number, 1e6 + 1e5 * number);
      const double ratio = (1e6 + 1e5 * number) / 1.1e6;
      record.measurement.conditions.comparison.reset();
      if (number > 1) {
        record.measurement.conditions.comparison =
            Comparison{TestSchedule(1), ratio, ratio, ratio, {ratio}, {ratio * 1.1e6}, {1.1e6}};
      }
      record.schedule = TestSchedule(number);
      ASSERT_OK(log->InsertRecord("", record));
    }
  }
  const auto steps = [&path](int each) {
    return StepsOf(path, [each](TuningLog& log) { EXPECT_THAT(*log.BestOfEach({}, each), SizeIs(each)); });
  };
  EXPECT_LT(3 * steps(1), steps(kCompared));
}

/// A log of more than is checked whole; `damage` is written over `bytes` at the beginning of the first page of `table`.
std::string DamagedLongLog(const TempFolder& folder, const std::string& table) {
  const std::string path = MakeLog(folder, kShort);
  int64_t page = 0;
  {
    absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
    EXPECT_OK(database);
    for (int64_t bytes = 0; bytes <= kCheckedWhole; bytes += 20 << 20) {
      EXPECT_OK(database->Execute(
          "INSERT INTO event (unix_millis, kind, detail) VALUES (0, 'long', hex(zeroblob(10 * 1024 * 1024)))"));
    }
    page = *database->QueryInt(absl::StrCat("SELECT rootpage FROM sqlite_schema WHERE name = '", table, "'"));
    EXPECT_OK(database->Execute("PRAGMA wal_checkpoint(TRUNCATE)"));
  }
  EXPECT_GT(std::filesystem::file_size(path), static_cast<uintmax_t>(kCheckedWhole));
  std::string content = ReadFile(path);
  content.replace(static_cast<size_t>(4096 * (page - 1)), 64, 64, '\x5a');
  WriteFile(path, content);
  return path;
}

TEST(LogLengthTest, DamageToTheRecordsOfALongLogIsFoundWhenTheyAreRead) {
  const TempFolder folder;
  std::unique_ptr<TuningLog> log = OpenOrFail(DamagedLongLog(folder, "measurement"));
  ASSERT_NE(log, nullptr);
  EXPECT_THAT(*log->UnfinishedJobs(), SizeIs(1));
  const absl::Status read = log->Query({}, 0, 10).status();
  EXPECT_EQ(read.code(), absl::StatusCode::kFailedPrecondition);
}

TEST(LogLengthTest, DamageToTheJobsOfALongLogIsFoundWhenItIsOpened) {
  for (const char* table : {"job", "workload"}) {
    const TempFolder folder;
    const absl::Status opened = OpenTuningLog(DamagedLongLog(folder, table), {}).status();
    EXPECT_EQ(opened.code(), absl::StatusCode::kFailedPrecondition) << table;
    EXPECT_THAT(std::string(opened.message()), HasSubstr("corrupt")) << table;
  }
}

}  // namespace
}  // namespace mmtune::testing
