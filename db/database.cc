// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/database.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kMaxIdleStatements = 128;

}  // namespace

void StatementReturn::operator()(EngineStatement* statement) const { database->GiveBack(statement); }

absl::Status Statement::Run() {
  while (true) {
    ASSIGN_OR_RETURN(bool row, Step());
    if (!row) return absl::OkStatus();
  }
}

EngineStatement* DatabaseHandle::Take(std::string_view sql) {
  auto it = idle_.find(sql);
  return it == idle_.end() ? nullptr : it->second.release();
}

void DatabaseHandle::GiveBack(EngineStatement* statement) {
  std::unique_ptr<EngineStatement> owned(statement);
  if (!owned->Reset()) return;
  auto it = idle_.find(owned->sql());
  if (it == idle_.end() && idle_.size() < kMaxIdleStatements) it = idle_.emplace(owned->sql(), nullptr).first;
  if (it != idle_.end() && it->second == nullptr) it->second = std::move(owned);
}

absl::StatusOr<Statement> Database::Compile(std::string_view sql, StatementKind kind) {
  EngineStatement* statement = handle_->Take(sql);
  if (statement == nullptr) {
    ASSIGN_OR_RETURN(statement, connection().Compile(sql, kind));
  }
  return Statement(handle_.get(), statement);
}

absl::Status Database::Execute(std::string_view sql) { return connection().Execute(std::string(sql)); }

absl::StatusOr<int64_t> Database::QueryInt(std::string_view sql) {
  ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  ASSIGN_OR_RETURN(bool row, statement.Step());
  if (!row)
    return Internal(
        absl::StrCat(path(), ": this query returned no row: ", ToAbsl(sql), "; report this as a bug of mmtune"));
  return statement.Int(0);
}

absl::StatusOr<std::string> Database::QueryText(std::string_view sql) {
  ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  ASSIGN_OR_RETURN(bool row, statement.Step());
  if (!row)
    return Internal(
        absl::StrCat(path(), ": this query returned no row: ", ToAbsl(sql), "; report this as a bug of mmtune"));
  return statement.Text(0);
}

absl::StatusOr<Transaction> Transaction::Begin(Database& database) {
  RETURN_IF_ERROR(database.Run(database.connection().BeginWriting()));
  return Transaction(&database, "ROLLBACK");
}

absl::StatusOr<Transaction> Transaction::Read(Database& database) {
  const EngineConnection& connection = database.connection();
  if (database.InTransaction()) return Transaction(nullptr, "");
  RETURN_IF_ERROR(database.Run(connection.BeginReading()));
  return Transaction(&database, connection.EndReading());
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)), at_end_(other.at_end_) {}

Transaction::~Transaction() { End(); }

bool Transaction::alive() const { return database_ != nullptr && database_->InTransaction(); }

absl::Status Transaction::Commit() {
  if (!alive()) {
    std::string path = database_ == nullptr ? "" : database_->path();
    End();
    database_ = nullptr;
    return absl::AbortedError(absl::StrCat(path, ": the transaction was rolled back after an earlier error"));
  }
  const absl::Status status = database_->Run("COMMIT");
  if (!status.ok()) End();
  database_ = nullptr;
  return status;
}

void Transaction::End() {
  if (database_ == nullptr || !database_->connection().HasTransaction()) return;
  absl::Status status = database_->Run(at_end_);
  // A read that failed, as of a corrupt file, may not be committed; its caller has the error.
  if (!status.ok() && database_->connection().HasTransaction()) status = database_->Run("ROLLBACK");
  if (!status.ok() && database_->connection().HasTransaction()) {
    LogError("transaction_end_failed", {{"path", database_->path()}, {"sql", at_end_}, {"error", status.message()}});
  }
}

}  // namespace mmtune
