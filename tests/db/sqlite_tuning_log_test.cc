// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <filesystem>

#include "db/database.h"
#include "tests/db/tuning_log_conformance.h"

namespace mmtune::testing {
namespace {

LogBackend SqliteBackend(const std::string& name, bool bulk) {
  return {name,
          [bulk](const std::string& folder) -> std::unique_ptr<TuningLog> {
            TuningLogOptions options;
            options.bulk = bulk;
            absl::StatusOr<std::unique_ptr<TuningLog>> log = OpenTuningLog(folder + "/log.db", options);
            EXPECT_OK(log);
            return log.ok() ? *std::move(log) : nullptr;
          },
          [](const std::string& folder) -> std::unique_ptr<TuningLogReader> {
            absl::StatusOr<std::unique_ptr<TuningLogReader>> reader = OpenTuningLogReadOnly(folder + "/log.db");
            EXPECT_OK(reader);
            return reader.ok() ? *std::move(reader) : nullptr;
          }};
}

INSTANTIATE_TEST_SUITE_P(Backends, TuningLogConformance,
                         ::testing::Values(SqliteBackend("Sqlite", false), SqliteBackend("SqliteBulk", true)),
                         [](const auto& info) { return info.param.name; });

TEST(SqliteTuningLogTest, TheDiaryHasTheAttemptsOfWhichNothingCame) {
  TempFolder folder;
  const std::string path = folder.File("log.db");
  std::unique_ptr<TuningLog> log = OpenOrFail(path);
  ASSERT_NE(log, nullptr);
  const int64_t job = *log->InsertJob(TestJob("job-1"));
  AddLeasedCandidate(*log, job, 1);
  AddLeasedCandidate(*log, job, 2);
  ASSERT_OK(log->EndAttempt(TestToken(1), AttemptState::kReported, ""));
  ASSERT_OK(log->EndAttempt(TestToken(2), AttemptState::kExpired, "lease ran out"));
  log.reset();
  absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadOnly);
  ASSERT_OK(database);
  EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM event WHERE kind LIKE 'attempt%'"), 1);
  EXPECT_EQ(*database->QueryInt("SELECT count(*) FROM event WHERE kind = 'attempt_expired' AND "
                                "detail = 'token-2-1: lease ran out'"),
            1);
}

TEST(SqliteTuningLogTest, AnErrorNamesTheCandidateOrTheAttemptThatIsMissing) {
  TempFolder folder;
  std::unique_ptr<TuningLog> log = OpenOrFail(folder.File("log.db"));
  ASSERT_NE(log, nullptr);
  const int64_t candidate = AddLeasedCandidate(*log, *log->InsertJob(TestJob("job-1")), 1);
  ASSERT_OK(log->Begin());
  ASSERT_OK(log->SetCandidateState(candidate, CandidateState::kDone));
  ASSERT_OK(log->SetCandidateState(999, CandidateState::kDone));
  EXPECT_THAT(std::string(log->Commit().message()), ::testing::HasSubstr("no candidate 999 in this log"));
  ASSERT_OK(log->Begin());
  ASSERT_OK(log->EndAttempt(TestToken(1), AttemptState::kReported, ""));
  ASSERT_OK(log->EndAttempt("0123456789abcdef", AttemptState::kReported, ""));
  EXPECT_THAT(std::string(log->Commit().message()),
              ::testing::HasSubstr("no attempt with the token 01234567... in this log"));
}

TEST(SqliteTuningLogTest, AnUnverifiedRecordStandsInForAVerifiedOneThatCannotBeRead) {
  TempFolder folder;
  const std::string path = folder.File("log.db");
  TuningRecord unverified = TestRecord(1, 1e6), verified = TestRecord(2, 2e6), slow = TestRecord(3, 3e6);
  verified.schedule = unverified.schedule;
  unverified.measurement.verification = {};
  std::unique_ptr<TuningLog> log = OpenOrFail(path);
  ASSERT_NE(log, nullptr);
  for (const TuningRecord& record : {unverified, verified, slow}) ASSERT_OK(log->InsertRecord("", record));
  const auto best = [&log] {
    std::vector<std::string> uuids;
    const absl::StatusOr<std::vector<RankedRecord>> ranked = log->Best(RecordFilter(), 10);
    EXPECT_OK(ranked);
    for (const RankedRecord& entry : *ranked) uuids.push_back(entry.record.uuid);
    return uuids;
  };
  EXPECT_THAT(best(), ::testing::ElementsAre(verified.uuid, slow.uuid)) << "the verified one speaks for its schedule";
  log.reset();
  {
    absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    ASSERT_OK(database->Execute("UPDATE measurement SET phases = 'x' WHERE uuid = '" + verified.uuid + "'"));
  }
  log = OpenOrFail(path);
  ASSERT_NE(log, nullptr);
  EXPECT_THAT(best(), ::testing::ElementsAre(unverified.uuid, slow.uuid));
}

TEST(SqliteTuningLogTest, ALogThatCannotBeOpenedIsKept) {
  TempFolder folder;
  const std::string path = folder.File("log.db");
  std::unique_ptr<TuningLog> log = OpenOrFail(path);
  ASSERT_NE(log, nullptr);
  for (int number = 1; number <= 200; ++number) ASSERT_OK(log->InsertRecord("", TestRecord(number)));
  log.reset();
  const std::string half = ReadFile(path).substr(0, std::filesystem::file_size(path) / 2);
  WriteFile(path, half);
  EXPECT_EQ(CodeOf(OpenTuningLog(path, {})), absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(std::filesystem::exists(path));
  EXPECT_EQ(ReadFile(path), half);
}

}  // namespace
}  // namespace mmtune::testing
