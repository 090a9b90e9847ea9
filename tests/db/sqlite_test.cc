// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Database, Statement, Transaction.
#include <cmath>
#include <utility>

#include "db/database.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

class SqliteTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<Database> database = Database::Open(folder_.File("test.db"), Database::Mode::kReadWrite);
    ASSERT_OK(database);
    database_.emplace(*std::move(database));
    ASSERT_OK(database_->Execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE CHECK (v <> 'bad')) STRICT"));
  }
  int64_t Count() { return *database_->QueryInt("SELECT count(*) FROM t"); }

  TempFolder folder_;
  std::optional<Database> database_;
};

TEST_F(SqliteTest, ValuesSurviveBindingAndReading) {
  absl::StatusOr<Statement> statement = database_->Prepare("SELECT ?1, ?2, ?3, ?4 IS NULL, ?5");
  ASSERT_OK(statement);
  std::string bytes("a\0b\xff", 4);
  statement->BindAll(int64_t{-5}, 0.1, "text", std::optional<int64_t>());
  statement->BindBlob(5, bytes);
  ASSERT_TRUE(*statement->Step());
  EXPECT_EQ(statement->Int(0), -5);
  EXPECT_EQ(statement->Real(1), 0.1);
  EXPECT_EQ(statement->Text(2), "text");
  EXPECT_EQ(statement->Int(3), 1);
  EXPECT_EQ(statement->Text(5 - 1), bytes);
  EXPECT_FALSE(*statement->Step());
}

TEST_F(SqliteTest, AFailedBindIsReportedByTheNextRun) {
  absl::StatusOr<Statement> statement = database_->Prepare("INSERT INTO t (v) VALUES (?1)");
  ASSERT_OK(statement);
  statement->Bind(2, "there is no second parameter");
  EXPECT_FALSE(statement->Run().ok());
  statement->Bind(1, std::nan(""));
  EXPECT_EQ(statement->Run().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Count(), 0);
}

TEST_F(SqliteTest, AStatementOfTheSameTextStartsWithoutOldBindings) {
  for (int pass = 0; pass < 2; ++pass) {
    absl::StatusOr<Statement> statement = database_->Prepare("SELECT ?1 IS NULL");
    ASSERT_OK(statement);
    if (pass == 0) statement->Bind(1, 7);
    ASSERT_TRUE(*statement->Step());
    EXPECT_EQ(statement->Int(0), pass);
  }
}

TEST_F(SqliteTest, TwoStatementsOfOneTextAreIndependent) {
  ASSERT_OK(database_->Execute("INSERT INTO t (v) VALUES ('a'), ('b')"));
  absl::StatusOr<Statement> first = database_->Prepare("SELECT v FROM t ORDER BY v");
  absl::StatusOr<Statement> second = database_->Prepare("SELECT v FROM t ORDER BY v");
  ASSERT_TRUE(*first->Step());
  ASSERT_TRUE(*first->Step());
  ASSERT_TRUE(*second->Step());
  EXPECT_EQ(first->Text(0), "b");
  EXPECT_EQ(second->Text(0), "a");
}

TEST_F(SqliteTest, ConstraintsHaveTheirOwnCodes) {
  ASSERT_OK(database_->Execute("INSERT INTO t (v) VALUES ('a')"));
  EXPECT_EQ(database_->Execute("INSERT INTO t (v) VALUES ('a')").code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(database_->Execute("INSERT INTO t (v) VALUES ('bad')").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(database_->Execute("SELEKT").code(), absl::StatusCode::kInternal);
}

TEST_F(SqliteTest, ATransactionEndsWithItsScope) {
  {
    absl::StatusOr<Transaction> transaction = Transaction::Begin(*database_);
    ASSERT_OK(transaction);
    ASSERT_OK(database_->Execute("INSERT INTO t (v) VALUES ('a')"));
    EXPECT_TRUE(transaction->alive());
  }
  EXPECT_EQ(Count(), 0);
  absl::StatusOr<Transaction> transaction = Transaction::Begin(*database_);
  ASSERT_OK(transaction);
  ASSERT_OK(database_->Execute("INSERT INTO t (v) VALUES ('a')"));
  ASSERT_OK(transaction->Commit());
  EXPECT_EQ(Count(), 1);
}

TEST_F(SqliteTest, ATransactionRolledBackBehindItsBackDoesNotCommit) {
  absl::StatusOr<Transaction> transaction = Transaction::Begin(*database_);
  ASSERT_OK(transaction);
  ASSERT_OK(database_->Execute("ROLLBACK"));
  EXPECT_FALSE(transaction->alive());
  EXPECT_EQ(transaction->Commit().code(), absl::StatusCode::kAborted);
}

TEST_F(SqliteTest, ReadOnlyDoesNotWrite) {
  absl::StatusOr<Database> reader = Database::Open(folder_.File("test.db"), Database::Mode::kReadOnly);
  ASSERT_OK(reader);
  EXPECT_EQ(reader->Execute("INSERT INTO t (v) VALUES ('a')").code(), absl::StatusCode::kPermissionDenied);
}

TEST_F(SqliteTest, TheImmutableModeReadsPathsThatLookLikeUris) {
  std::string odd = folder_.File("odd 100%?#name.db");
  {
    absl::StatusOr<Database> database = Database::Open(odd, Database::Mode::kReadWrite);
    ASSERT_OK(database);
    ASSERT_OK(database->Execute("CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT; INSERT INTO t VALUES (42)"));
  }
  absl::StatusOr<Database> reader = Database::Open(odd, Database::Mode::kReadOnlyImmutable);
  ASSERT_OK(reader);
  EXPECT_EQ(*reader->QueryInt("SELECT id FROM t"), 42);
}

}  // namespace
}  // namespace mmtune::testing
