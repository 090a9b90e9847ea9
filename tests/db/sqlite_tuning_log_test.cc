#include "db/sqlite/database.h"
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

}  // namespace
}  // namespace mmtune::testing
