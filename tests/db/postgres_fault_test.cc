// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A full disk, an I/O error or a lost connection at every statement that changes a table of PostgreSQL: a group is
// stored as a whole or not at all, and the log recovers.
#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "tests/db/log_testing.h"
#include "tests/db/postgres_server.h"

namespace mmtune::testing {
namespace {

constexpr int64_t kGroupSize = 3;
constexpr int kMaxStatements = 200;

/// Makes a statement fail: `failure` is what PL/pgSQL executes in place of the 1,000th one. A sequence is not rolled
/// back, so that the statement fails once.
std::string FailAtTheThousandth(const std::string& failure) {
  return absl::StrCat(
      "CREATE SEQUENCE mmtune.statements; CREATE FUNCTION mmtune.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
      "IF nextval('mmtune.statements') = 1000 THEN ",
      failure,
      "; END IF; RETURN NULL; END $$; DO $$ DECLARE name text; BEGIN FOR name IN SELECT tablename FROM pg_tables WHERE "
      "schemaname = 'mmtune' LOOP EXECUTE format('CREATE TRIGGER fail BEFORE INSERT OR UPDATE OR DELETE ON mmtune.%I "
      "FOR EACH STATEMENT EXECUTE FUNCTION mmtune.fail()', name); END LOOP; END $$");
}

void FailAtEveryStatement(const std::string& failure, absl::StatusCode expected) {
  SetLogLevel(LogLevel::kError);
  std::string why;
  const std::unique_ptr<PostgresServer> server = PostgresServer::Start(&why);
  if (server == nullptr) GTEST_SKIP() << why;
  const std::string url = server->NewDatabase();
  const std::string database = url.substr(url.find("@/") + 2, url.find('?') - url.find("@/") - 2);
  const absl::StatusOr<std::unique_ptr<TuningLog>> log = OpenTuningLog(url, {});
  ASSERT_OK(log);
  const absl::StatusOr<int64_t> job = EnsureJob(**log);
  ASSERT_OK(job);
  server->Psql(database, FailAtTheThousandth(failure));
  const auto count = [&](const std::string& table) {
    return server->Psql(database, absl::StrCat("SELECT count(*) FROM mmtune.", table));
  };
  int failed = 0;
  for (bool passed = false; !passed && failed < kMaxStatements;) {
    SCOPED_TRACE(absl::StrCat("statement ", failed + 1));
    const int64_t first = 100 * failed;
    server->Psql(database, absl::StrCat("SELECT setval('mmtune.statements', ", 999 - failed, ")"));
    const absl::Status status = CommitGroup(**log, *job, first, first + kGroupSize - 1);
    passed = status.ok();
    if (!passed) {
      EXPECT_EQ(status.code(), expected) << status;
      EXPECT_EQ(count("measurement"), absl::StrCat(failed * kGroupSize)) << "a part of the group is stored";
      EXPECT_EQ(count("attempt"), absl::StrCat(failed * kGroupSize)) << "a part of the group is stored";
      absl::Status again = CommitGroup(**log, *job, first, first + kGroupSize - 1);
      // The first group after a lost connection is refused.
      if (absl::IsUnavailable(again)) again = CommitGroup(**log, *job, first, first + kGroupSize - 1);
      ASSERT_OK(again);
      ++failed;
    }
    ASSERT_EQ(count("measurement"), absl::StrCat((failed + (passed ? 1 : 0)) * kGroupSize));
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(failed, 5) << "a group has too few statements to mean anything";
  EXPECT_LT(failed, kMaxStatements);
}

TEST(PostgresFaultTest, ADiskIsFullAtEveryStatement) {
  FailAtEveryStatement("RAISE EXCEPTION 'injected' USING ERRCODE = '53100'", absl::StatusCode::kResourceExhausted);
}

TEST(PostgresFaultTest, AnIoErrorAtEveryStatement) {
  FailAtEveryStatement("RAISE EXCEPTION 'injected' USING ERRCODE = '58030'", absl::StatusCode::kInternal);
}

TEST(PostgresFaultTest, TheConnectionIsLostAtEveryStatement) {
  FailAtEveryStatement("PERFORM pg_terminate_backend(pg_backend_pid())", absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace mmtune::testing
