// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stored best schedules: the same as ranking every record gives, whatever the order in which records come.
#include <algorithm>
#include <random>
#include <sstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "db/database.h"
#include "db/jsonl.h"
#include "db/log_check.h"
#include "db/ranking.h"
#include "proto/base/digest.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

using ::testing::SizeIs;

/// Compares what the log finds with the ranking of every record that passes.
void ExpectBestOfAll(TuningLogReader& log, const RecordFilter& filter) {
  const std::vector<TuningRecord> records = *log.Query(filter, 0, 1 << 20);
  const std::vector<RankedRecord> ranked = RankRecords(records, {!filter.verified_only, filter.any_toolchain, ""});
  const std::vector<RankedRecord> of_any = RankRecords(records, {!filter.verified_only, true, ""});
  const auto best = log.BestOfEach(filter, 1);
  const auto schedules = log.BestSchedules(filter);
  ASSERT_OK(best);
  ASSERT_OK(schedules);
  ASSERT_EQ(best->size(), std::min(ranked.size(), size_t{1}));
  ASSERT_EQ(schedules->size(), best->size());
  if (best->empty()) return;
  const RankedRecord &expected = ranked[0], &found = (*best)[0];
  ASSERT_EQ(found.record.uuid, expected.record.uuid);
  ASSERT_EQ(found.comparison, expected.comparison);
  ASSERT_EQ(found.ranked_ns, expected.ranked_ns);
  ASSERT_EQ(found.place_ns, expected.place_ns);
  const TuningSpecEntry& entry = (*schedules)[0].entry;
  ASSERT_EQ(entry.problem, expected.record.problem);
  ASSERT_EQ(entry.schedule, expected.record.schedule);
  ASSERT_EQ(entry.toolchain, expected.record.toolchain);
  ASSERT_EQ(entry.code_digest, expected.record.measurement.code_digest);
  ASSERT_EQ(entry.verified, IsVerified(expected.record.measurement.verification));
  ASSERT_EQ(entry.median_ns, expected.ranked_ns);
  ASSERT_EQ((*schedules)[0].any_toolchain_ns, of_any[0].ranked_ns);
}

void ExpectBestOfAll(TuningLogReader& log) {
  for (int which = 0; which < 8; ++which) {
    RecordFilter filter;
    filter.problem = TestProblem(1024 + which % 2);
    filter.verified_only = which / 2 % 2 == 1;
    filter.any_toolchain = which / 4 == 1;
    ASSERT_NO_FATAL_FAILURE(ExpectBestOfAll(log, filter));
  }
}

/// Counts the keys of the ranking that lack a row that is right in the table `best`.
int64_t Missing(const std::string& path) {
  absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadOnly);
  EXPECT_OK(database);
  return *database->QueryInt(
      "SELECT (SELECT 2 * count(*) FROM (SELECT DISTINCT workload_id, class_id, regime, toolchain_id FROM ranking)) - "
      "(SELECT count(*) FROM best WHERE rule <> 0)");
}

TEST(BestTest, EqualsTheRankingOfAllRecordsAfterEachCommit) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const TempFolder folder;
    const std::string path = folder.File("log.db");
    std::unique_ptr<TuningLog> log = OpenOrFail(path);
    std::mt19937 random(seed);
    for (int number = 1; number <= 60; ++number) {
      ASSERT_OK(log->InsertRecord("", RandomRecord(random, number)));
      ASSERT_EQ(Missing(path), 0);
      ASSERT_NO_FATAL_FAILURE(ExpectBestOfAll(*log));
    }
    const auto check = CheckTuningLog(path, [](const DamagedRecord&) {});
    ASSERT_OK(check);
    EXPECT_EQ(check->damaged, 0);
  }
}

TEST(BestTest, EqualsTheRankingOfAllRecordsAfterAnImport) {
  const TempFolder folder;
  const std::string path = folder.File("log.db");
  std::mt19937 random(7);
  int number = 0;
  auto log = OpenTuningLog(path, {.endpoint = "", .bulk = true});
  ASSERT_OK(log);
  // Few records, of which some may change what is first; many, after which all is ranked anew.
  for (const int part : {40, 1, 1, 2, 3, 1, 2, 1, 300, 1, 1, 1, 2, 3, 1, 1}) {
    std::string lines;
    for (int i = 0; i < part; ++i) absl::StrAppend(&lines, RecordToJson(RandomRecord(random, ++number)), "\n");
    std::istringstream stream(lines);
    ASSERT_OK(ImportJsonl(**log, ImportLines(stream)));
    ASSERT_EQ(Missing(path), 0);
    ASSERT_NO_FATAL_FAILURE(ExpectBestOfAll(**log));
  }
  log->reset();
  const auto check = CheckTuningLog(path, [](const DamagedRecord&) {});
  ASSERT_OK(check);
  EXPECT_EQ(check->damaged, 0);
}

TEST(BestTest, ReadersRankWhatAnEditByHandMadeUncertain) {
  const TempFolder folder;
  const std::string path = folder.File("log.db");
  std::mt19937 random(11);
  {
    std::unique_ptr<TuningLog> log = OpenOrFail(path);
    for (int number = 1; number <= 40; ++number) ASSERT_OK(log->InsertRecord("", RandomRecord(random, number)));
  }
  for (const char* edit :
       {"UPDATE measurement SET verified = NULL, verification = '' WHERE id % 3 = 0",
        "DELETE FROM measurement WHERE id % 4 = 0", "UPDATE measurement SET canonical = 0 WHERE id % 5 = 0",
        "UPDATE best SET rule = 0, measurement_id = 1"}) {
    SCOPED_TRACE(edit);
    {
      absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
      ASSERT_OK(database);
      ASSERT_OK(database->Execute(edit));
    }
    const auto reader = OpenTuningLogReadOnly(path);
    ASSERT_OK(reader);
    ASSERT_NO_FATAL_FAILURE(ExpectBestOfAll(**reader));
  }
  std::unique_ptr<TuningLog> log = OpenOrFail(path);
  for (int number = 41; number <= 60; ++number) ASSERT_OK(log->InsertRecord("", RandomRecord(random, number)));
  ASSERT_NO_FATAL_FAILURE(ExpectBestOfAll(*log));
}

TEST(BestTest, ARowWithAnotherScheduleIsNotBelieved) {
  const TempFolder folder;
  const std::string path = folder.File("log.db");
  std::mt19937 random(13);
  {
    std::unique_ptr<TuningLog> log = OpenOrFail(path);
    for (int number = 1; number <= 40; ++number) ASSERT_OK(log->InsertRecord("", RandomRecord(random, number)));
  }
  absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
  ASSERT_OK(database);
  ASSERT_OK(database->Execute(absl::StrCat("UPDATE best SET schedule = '", TestSchedule(7).CanonicalJson(), "'")));
  const auto reader = OpenTuningLogReadOnly(path);
  ASSERT_OK(reader);
  ASSERT_NO_FATAL_FAILURE(ExpectBestOfAll(**reader));
}

TEST(BestTest, ASpecNeedsNoRecord) {
  const TempFolder folder;
  const std::string path = folder.File("log.db");
  {
    std::unique_ptr<TuningLog> log = OpenOrFail(path);
    for (int number = 1; number <= 3; ++number) ASSERT_OK(log->InsertRecord("", TestRecord(number)));
  }
  {
    absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    ASSERT_OK(database->EnableTriggers(false));
    ASSERT_OK(database->Execute("PRAGMA foreign_keys = OFF; DELETE FROM measurement; DELETE FROM ranking"));
  }
  const auto reader = OpenTuningLogReadOnly(path);
  ASSERT_OK(reader);
  EXPECT_THAT(*(*reader)->BestSchedules({}), SizeIs(1));
  EXPECT_THAT(*(*reader)->BestOfEach({}, 1), SizeIs(0));
}

/// Ranks sets of random records, and returns the digest of what comes out.
std::string DigestOfRankings() {
  std::mt19937 random(17);
  std::string text;
  for (int set = 0; set < 200; ++set) {
    std::vector<TuningRecord> records;
    for (int number = 1; number <= 30; ++number) {
      records.push_back(RandomRecord(random, number));
      records.back().canonical = number % 10 != 0;
      const int variant = static_cast<int>(random() % 8);
      KernelResources& resources = records.back().measurement.resources;
      resources.shared_bytes = 1024 * (variant % 2);
      resources.registers = 32 + variant / 2 % 2;
      if (variant / 4 == 1) records.back().measurement.timing.high_ns *= 1.1;
    }
    for (const bool any : {false, true}) {
      for (const RankedRecord& ranked : RankRecords(records, {set % 2 == 0, any, ""})) {
        absl::StrAppend(&text, ranked.record.uuid, " ", ranked.ranked_ns, " ", ranked.place_ns, " ",
                        ranked.comparison ? ranked.comparison->reference.Text() : "", "\n");
      }
    }
  }
  return Sha256Hex(text);
}

// Rows of the table `best` that an older program stored are read as long as they have this program's number. A change
// of RankRecords() that changes this digest therefore needs another number.
TEST(BestTest, TheRuleHasItsNumber) {
  EXPECT_EQ(kRankingRule, 2);
  EXPECT_EQ(DigestOfRankings(), "8ac52099727d2b80ffdf320cd9879acc65744bf4412a68844cd8ef65a4671e91")
      << "if RankRecords() ranks otherwise on purpose, raise kRankingRule, and write "
         "its new value and this digest here";
}

/// A log of one problem with `records` schedules, of which the first is the fastest.
std::string MakeLog(const TempFolder& folder, int records) {
  const std::string path = folder.File(absl::StrCat("log-", records, ".db"));
  std::unique_ptr<TuningLog> log = OpenOrFail(path);
  EXPECT_OK(log->Begin());
  for (int number = 1; number <= records; ++number) {
    TuningRecord record = TestRecord(number, 1e6 + 1e4 * number);
    record.measurement.conditions.comparison.reset();
    if (number > 1) {
      const double ratio = (1e6 + 1e4 * number) / 1.01e6;
      record.measurement.conditions.comparison =
          Comparison{TestSchedule(1), ratio, ratio, ratio, {ratio}, {ratio * 1.01e6}, {1.01e6}};
    }
    EXPECT_OK(log->InsertRecord("", record));
  }
  EXPECT_OK(log->Commit());
  return path;
}

TEST(BestTest, ASpecTakesFewStepsForAProblemHoweverManyRecordsItHas) {
  constexpr int64_t kSteps = 250;  // Of all statements; a row that is visited takes several.
  const TempFolder folder;
  for (const int records : {2, 1000}) {
    EXPECT_LE(StepsOf(MakeLog(folder, records), [](TuningLog& log) { EXPECT_THAT(*log.BestSchedules({}), SizeIs(1)); }),
              kSteps);
  }
}

TEST(BestTest, ASlowerRecordTakesAsManyStepsInALongLog) {
  const TempFolder folder;
  const auto insert = [](TuningLog& log) {
    TuningRecord record = TestRecord(5000, 9e6);
    record.measurement.conditions.comparison.reset();
    EXPECT_OK(log.InsertRecord("", record));
  };
  const int64_t of_short = StepsOf(MakeLog(folder, 40), insert);
  EXPECT_LE(StepsOf(MakeLog(folder, 2000), insert), of_short + 50);
}

}  // namespace
}  // namespace mmtune::testing
