// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Damaged records: one of them keeps nothing else from being read; a check names it, a repair mends the log.
#include "db/log_check.h"
#include "db/jsonl.h"

#include <filesystem>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "db/database.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LogCheckTest : public ::testing::Test {
 protected:
  /// Records 1 and 2 of a job, 3 and 4 imported; 1 is the fastest.
  void SetUp() override {
    std::unique_ptr<TuningLog> log = OpenOrFail(path_);
    ASSERT_NE(log, nullptr);
    absl::StatusOr<int64_t> job = log->InsertJob(TestJob("job-1"));
    ASSERT_OK(job);
    for (int64_t number = 1; number <= 2; ++number) {
      AddLeasedCandidate(*log, *job, number);
      ASSERT_OK(log->InsertRecord(TestToken(number), RecordOfJob("job-1", number, 1e6 * static_cast<double>(number))));
    }
    for (int64_t number = 3; number <= 4; ++number) {
      ASSERT_OK(log->InsertRecord("", TestRecord(number, 1e6 * static_cast<double>(number))));
    }
  }
  void Execute(const std::string& sql) {
    absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    ASSERT_OK(database->Execute(sql));
  }
  void Damage(int64_t id, const std::string& column) {
    Execute(absl::StrCat("UPDATE measurement SET ", column, " = 'x' || substr(", column, ", 2) WHERE id = ", id));
  }
  static std::vector<int64_t> Ids(const absl::StatusOr<std::vector<TuningRecord>>& records) {
    EXPECT_OK(records);
    std::vector<int64_t> ids;
    for (const TuningRecord& record : records.value_or(std::vector<TuningRecord>())) ids.push_back(record.id);
    return ids;
  }
  static std::vector<int64_t> Ids(const absl::StatusOr<std::vector<RankedRecord>>& ranked) {
    EXPECT_OK(ranked);
    std::vector<int64_t> ids;
    for (const RankedRecord& entry : ranked.value_or(std::vector<RankedRecord>())) ids.push_back(entry.record.id);
    return ids;
  }

  TempFolder folder_;
  std::string path_ = folder_.File("log.db");
};

TEST_F(LogCheckTest, ADamagedRecordIsLeftOutAndTold) {
  for (const char* column : {"schedule", "check_report", "phases", "verification", "conditions"}) {
    SCOPED_TRACE(column);
    Damage(1, column);
    absl::StatusOr<std::unique_ptr<TuningLogReader>> log = OpenTuningLogReadOnly(path_);
    ASSERT_OK(log);
    std::vector<DamagedRecord> told;
    (*log)->OnDamaged([&told](const DamagedRecord& record) { told.push_back(record); });
    EXPECT_THAT(Ids((*log)->Query({}, 0, 2)), ElementsAre(2, 3)) << "a page is full without it";
    EXPECT_THAT(Ids((*log)->Newest({}, 1000, 10)), ElementsAre(4, 3, 2));
    EXPECT_THAT(Ids((*log)->BestOfEach({}, 1)), ElementsAre(2)) << "the next fastest takes its place";
    EXPECT_THAT(Ids((*log)->Best({}, 10)), ElementsAre(2, 3, 4));
    const TuningRecord first = TestRecord(1);
    const auto found = (*log)->Find(first.problem, first.schedule, first.device, first.toolchain, Regime::kWarm);
    ASSERT_OK(found);
    EXPECT_FALSE(found->has_value());
    int64_t exported = 0;
    EXPECT_OK(ExportJsonl(**log, {}, [&exported](std::string_view) {
      ++exported;
      return absl::OkStatus();
    }));
    EXPECT_EQ(exported, 3);
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told[0].id, 1);
    EXPECT_EQ(told[0].uuid, TestUuid(1));
    EXPECT_FALSE(told[0].why.empty());
    const std::string error((*log)->Get("1").status().message());
    EXPECT_THAT(error, HasSubstr("record 1 "));
    EXPECT_THAT(error, HasSubstr(path_));
    Execute(absl::StrCat("UPDATE measurement SET ", column, " = '{' || substr(", column, ", 2) WHERE id = 1"));
  }
}

TEST_F(LogCheckTest, AnOkRecordEditedAgainstTheRulesIsReadAsSuspect) {
  TuningRecord slower = TestRecord(1, 2e6), other = TestRecord(2, 3e6);
  slower.uuid = "slower";
  slower.unix_millis -= 1;
  {
    std::filesystem::remove(path_);
    std::unique_ptr<TuningLog> log = OpenOrFail(path_);
    ASSERT_NE(log, nullptr);
    ASSERT_OK(log->InsertRecord("", TestRecord(1)));
    ASSERT_OK(log->InsertRecord("", slower));
    ASSERT_OK(log->InsertRecord("", other));
  }
  const char* const broken[] = {
      "check_report = json_set(check_report, '$.passed', json('false'))",
      "check_report = json_set(check_report, '$.performed', json('false'))",
      "median_ns = 1e-300, low_ns = 1e-300, high_ns = 1e-300, gflops = 1.6e304",
      "low_ns = 1.5e6",
      "median_ns = 1.05e6, gflops = 0.0156",
      "verification = json_set(verification, '$.race_free', json('false'))",
      "conditions = json_set(conditions, '$.comparison.ratio', 0.2)",
  };
  const char* const whole =
      "check_report = json_set(check_report, '$.passed', json('true'), '$.performed', "
      "json('true')), verification = json_set(verification, '$.race_free', json('true')), "
      "conditions = json_set(conditions, '$.comparison.ratio', 0.6000000000000001), median_ns = 1e6, low_ns = 9e5, "
      "high_ns = 1.1e6, gflops = 0.016384";
  for (const char* change : broken) {
    SCOPED_TRACE(change);
    for (const char* set : {whole, change}) {
      Execute(absl::StrCat("UPDATE measurement SET ", set, " WHERE uuid = '", TestUuid(1), "'"));
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

TEST_F(LogCheckTest, ADamagedCandidateKeepsNoCoordinatorFromStarting) {
  Execute("UPDATE candidate SET schedule = '{x' WHERE id = 1");
  absl::StatusOr<std::unique_ptr<TuningLogReader>> log = OpenTuningLogReadOnly(path_);
  ASSERT_OK(log);
  const auto candidates = (*log)->Candidates(1);
  ASSERT_OK(candidates);
  EXPECT_EQ(candidates->size(), 1u);
}

TEST_F(LogCheckTest, ACheckNamesWhatADigestDeniesToo) {
  // Reads well, and is another schedule than its digest says.
  Execute("UPDATE measurement SET schedule = replace(schedule, '128', '129') WHERE id = 3");
  Damage(2, "phases");
  std::vector<int64_t> ids;
  const auto check = CheckTuningLog(path_, [&ids](const DamagedRecord& record) { ids.push_back(record.id); });
  ASSERT_OK(check);
  EXPECT_THAT(ids, ElementsAre(2, 3));
  EXPECT_EQ(check->records, 4);
  EXPECT_EQ(check->damaged, 2);
  EXPECT_TRUE(check->backup.empty());
}

TEST_F(LogCheckTest, ARepairRestoresSchedulesAndRemovesTheRest) {
  const auto nobody = [](const DamagedRecord&) {};
  Damage(1, "schedule");
  Damage(3, "conditions");
  const auto repair = RepairTuningLog(path_, nobody);
  ASSERT_OK(repair);
  EXPECT_EQ(repair->damaged, 2);
  EXPECT_EQ(repair->restored, 1);
  EXPECT_EQ(repair->removed, 1);
  EXPECT_EQ(repair->backup, path_ + ".before-repair.backup");
  std::unique_ptr<TuningLog> log = OpenOrFail(path_);
  ASSERT_NE(log, nullptr);
  EXPECT_THAT(Ids(log->Query({}, 0, 10)), ElementsAre(1, 2, 4));
  EXPECT_THAT(Ids(log->Best({}, 10)), ElementsAre(1, 2, 4));
  EXPECT_EQ(log->Get("1")->schedule, TestSchedule(1));
  log.reset();
  std::vector<int64_t> left;
  ASSERT_OK(CheckTuningLog(path_, [&left](const DamagedRecord& record) { left.push_back(record.id); }));
  EXPECT_THAT(left, IsEmpty());
  const auto before = CheckTuningLog(repair->backup, nobody);
  ASSERT_OK(before);
  EXPECT_EQ(before->damaged, 2) << "the copy is the log as it was";
  // Nothing to mend: nothing is written, though the copy of the last time is still there.
  EXPECT_OK(RepairTuningLog(path_, nobody));
  Damage(2, "verification");
  EXPECT_EQ(CodeOf(RepairTuningLog(path_, nobody)), absl::StatusCode::kFailedPrecondition);
}

TEST_F(LogCheckTest, ALogInUseIsNotRepaired) {
  std::unique_ptr<TuningLog> log = OpenOrFail(path_);
  EXPECT_EQ(CodeOf(RepairTuningLog(path_, [](const DamagedRecord&) {})), absl::StatusCode::kUnavailable);
  EXPECT_OK(CheckTuningLog(path_, [](const DamagedRecord&) {}));
}

/// A kind of damage and its end: damage, a part of the line that names it, rows restored and removed, records left.
struct RowDamage {
  const char *sql, *line;
  int restored, removed, records;
};
constexpr RowDamage kRowDamage[] = {
    // One byte: the digest says which it was.
    {"UPDATE toolchain SET info = 'x' || substr(info, 2)", "toolchain 1 is not what its digest says", 1, 0, 4},
    {"UPDATE workload SET problem = replace(problem, '\"n\":4', '\"n\":5')", "problem 1 is not", 1, 0, 4},
    {"UPDATE device SET digest = 'x' || substr(digest, 2)", "device 1 is not", 1, 0, 4},
    {"UPDATE measurement SET schedule = '[' || substr(schedule, 2) WHERE id = 3", "", 1, 0, 4},
    {"UPDATE candidate SET schedule = '[' || substr(schedule, 2) WHERE id = 1", "candidate 1's schedule is not", 1, 0,
     4},
    // More: what stands elsewhere, or nothing.
    {"UPDATE candidate SET schedule = 'lost', schedule_digest = replace(schedule_digest, '0', '1') WHERE id = 2",
     "candidate 2's schedule is not", 1, 0, 4},
    {"UPDATE device SET info = replace(info, 'simt', 'simu')",
     "device 1 is not what its digest says, and cannot be restored; 4 records belong to it: 1, 2, 3, 4", 0, 1, 0},
    {"UPDATE workload SET problem = 'lost'", "cannot be restored; 4 records belong to it", 0, 1, 0},
    {"PRAGMA foreign_keys = OFF; DELETE FROM toolchain", "record 3 leads to no problem, device or toolchain", 0, 4, 0},
    {"PRAGMA foreign_keys = OFF; UPDATE job SET workload_id = 77", "job 1 leads to no problem", 1, 0, 4},
    {"PRAGMA foreign_keys = OFF; UPDATE candidate SET job_id = 77 WHERE id = 1", "candidate 1 leads to no job", 0, 1,
     4},
    {"PRAGMA foreign_keys = OFF; UPDATE attempt SET candidate_id = 77 WHERE id = 2", "attempt 2 leads to no candidate",
     0, 1, 4},
};

TEST_F(LogCheckTest, EveryOtherRowIsLookedAtTooAndRestoredOrRemoved) {
  const DamageHandler nobody = [](const DamagedRecord&) {};
  const std::string whole = folder_.File("whole.db");
  std::filesystem::copy_file(path_, whole);
  for (const RowDamage& damage : kRowDamage) {
    SCOPED_TRACE(damage.sql);
    std::filesystem::copy_file(whole, path_, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::remove(path_ + ".before-repair.backup");
    Execute(damage.sql);
    const auto check = CheckTuningLog(path_, nobody);
    ASSERT_OK(check);
    EXPECT_GT(check->damaged, 0);
    EXPECT_THAT(absl::StrJoin(check->rows, "\n"), HasSubstr(damage.line));
    const auto repair = RepairTuningLog(path_, nobody);
    ASSERT_OK(repair);
    EXPECT_EQ(repair->restored, damage.restored);
    EXPECT_EQ(repair->removed, damage.removed);
    EXPECT_EQ(repair->records, 4);
    EXPECT_TRUE(std::filesystem::exists(repair->backup));
    const auto again = CheckTuningLog(path_, nobody);
    ASSERT_OK(again);
    EXPECT_EQ(again->damaged, 0) << absl::StrJoin(again->rows, "\n");
    EXPECT_EQ(again->records, damage.records);
    absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    ASSERT_OK(database->Execute("PRAGMA foreign_keys = ON"));
    EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM ranking"), damage.records);
  }
}

/// Changes to the ranking alone, as a lost trigger or an edit by hand leaves it.
constexpr const char* kRankingDamage[] = {
    "DELETE FROM ranking WHERE measurement_id = 1",
    "DELETE FROM ranking",
    "UPDATE ranking SET median_ns = 1 WHERE measurement_id = 3",
    "UPDATE ranking SET verified = 1 - verified WHERE measurement_id = 2",
    "UPDATE ranking SET measurement_id = 4 WHERE measurement_id = 3",
    "UPDATE ranking SET unix_millis = 7 WHERE measurement_id = 1",
    "UPDATE ranking SET schedule = 'x' WHERE measurement_id = 1",
    "UPDATE ranking SET class_id = 99",
    "CREATE TEMP TABLE copy AS SELECT * FROM ranking; UPDATE copy SET uuid = uuid || 'x'; "
    "INSERT INTO ranking SELECT * FROM copy",
    "CREATE TEMP TABLE copy AS SELECT * FROM ranking; DELETE FROM measurement WHERE id = 4; "
    "INSERT INTO ranking SELECT * FROM copy WHERE measurement_id = 4",
};

TEST_F(LogCheckTest, ARankingThatDoesNotFollowFromTheRecordsIsNamedAndMadeAnew) {
  const DamageHandler nobody = [](const DamagedRecord&) {};
  const std::string whole = folder_.File("whole.db");
  std::filesystem::copy_file(path_, whole);
  for (const char* damage : kRankingDamage) {
    SCOPED_TRACE(damage);
    std::filesystem::copy_file(whole, path_, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::remove(path_ + ".before-repair.backup");
    Execute(damage);
    const auto check = CheckTuningLog(path_, nobody);
    ASSERT_OK(check);
    EXPECT_EQ(check->damaged, 1);
    EXPECT_THAT(absl::StrJoin(check->rows, "\n"), HasSubstr("the ranking has "));
    const auto repair = RepairTuningLog(path_, nobody);
    ASSERT_OK(repair);
    EXPECT_EQ(repair->restored, 1);
    EXPECT_EQ(repair->removed, 0);
    EXPECT_EQ(CheckTuningLog(path_, nobody)->damaged, 0);
    absl::StatusOr<std::unique_ptr<TuningLogReader>> log = OpenTuningLogReadOnly(path_);
    ASSERT_OK(log);
    EXPECT_EQ(Ids((*log)->BestOfEach({}, 10)).size(), static_cast<size_t>(repair->records));
  }
}

TEST_F(LogCheckTest, AWrongRowOfTheBestSchedulesIsNamedAndMadeAnew) {
  const DamageHandler nobody = [](const DamagedRecord&) {};
  const std::string whole = folder_.File("whole.db");
  std::filesystem::copy_file(path_, whole);
  for (const char* damage :
       {"UPDATE best SET measurement_id = 2", "UPDATE best SET measurement_id = NULL WHERE verified_only = 1",
        "UPDATE best SET ranked_ns = 1 WHERE verified_only = 0", "UPDATE best SET place_ns = 1",
        "UPDATE best SET compared_id = 3", "UPDATE best SET workload_id = 7", "UPDATE best SET schedule = '{}'",
        "UPDATE best SET code_digest = 'ab'", "UPDATE best SET verified = 0 WHERE verified_only = 0",
        "UPDATE best SET newest_unix_millis = 1", "UPDATE best SET device_id = 2",
        "DELETE FROM best WHERE verified_only = 1"}) {
    SCOPED_TRACE(damage);
    std::filesystem::copy_file(whole, path_, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::remove(path_ + ".before-repair.backup");
    Execute(damage);
    const auto check = CheckTuningLog(path_, nobody);
    ASSERT_OK(check);
    EXPECT_EQ(check->damaged, 1);
    EXPECT_THAT(absl::StrJoin(check->rows, "\n"), HasSubstr("the table of the best schedules has "));
    const auto repair = RepairTuningLog(path_, nobody);
    ASSERT_OK(repair);
    EXPECT_EQ(repair->restored, 1);
    EXPECT_EQ(CheckTuningLog(path_, nobody)->damaged, 0);
    absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadOnly);
    ASSERT_OK(database);
    EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM best WHERE measurement_id = 1"), 2);
  }
}

TEST_F(LogCheckTest, AColumnThatDiffersFromWhatItFollowsFromIsNamedAndRestored) {
  const DamageHandler nobody = [](const DamagedRecord&) {};
  const std::string whole = folder_.File("whole.db");
  std::filesystem::copy_file(path_, whole);
  for (const char* damage :
       {"UPDATE device SET class_key = 'another'", "UPDATE device SET kind = 'cuda'", "UPDATE device SET name = ''",
        "UPDATE device SET arch = 'sm_70'", "UPDATE workload SET m = 7", "UPDATE workload SET k = 7",
        "UPDATE workload SET dtype = 'f16'", "UPDATE workload SET op = 'add'",
        "UPDATE measurement SET gflops = 1e9 WHERE id = 2", "UPDATE measurement SET verified = 0 WHERE id = 2",
        "UPDATE measurement SET verified = NULL WHERE id = 2",
        "UPDATE measurement SET reference = '', ratio = NULL WHERE id = 2",
        "UPDATE measurement SET ratio = 7 WHERE id = 3"}) {
    SCOPED_TRACE(damage);
    std::filesystem::copy_file(whole, path_, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::remove(path_ + ".before-repair.backup");
    Execute(damage);
    EXPECT_EQ(CheckTuningLog(path_, nobody)->damaged, 1);
    const auto repair = RepairTuningLog(path_, nobody);
    ASSERT_OK(repair);
    EXPECT_EQ(repair->restored, 1);
    EXPECT_EQ(repair->removed, 0);
    EXPECT_EQ(CheckTuningLog(path_, nobody)->damaged, 0);
    absl::StatusOr<std::unique_ptr<TuningLogReader>> log = OpenTuningLogReadOnly(path_);
    ASSERT_OK(log);
    EXPECT_THAT(Ids((*log)->Best({}, 10)), ElementsAre(1, 2, 3, 4));
  }
}

}  // namespace
}  // namespace mmtune::testing
