// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sqlite/transaction.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<Transaction> Transaction::Begin(Database& database) {
  ASSIGN_OR_RETURN(Statement begin, database.Prepare("BEGIN IMMEDIATE"));
  RETURN_IF_ERROR(begin.Run());
  return Transaction(&database);
}

Transaction::Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() { Rollback(); }

bool Transaction::alive() const { return database_ != nullptr && database_->InTransaction(); }

absl::Status Transaction::Commit() {
  if (!alive()) {
    std::string path = database_ == nullptr ? "" : database_->path();
    database_ = nullptr;
    return absl::AbortedError(absl::StrCat(path, ": the transaction was rolled back after an earlier error"));
  }
  absl::StatusOr<Statement> commit = database_->Prepare("COMMIT");
  absl::Status status = commit.ok() ? commit->Run() : commit.status();
  if (!status.ok()) {
    Rollback();
    return status;
  }
  database_ = nullptr;
  return status;
}

void Transaction::Rollback() {
  Database* database = std::exchange(database_, nullptr);
  if (database == nullptr || !database->InTransaction()) return;
  absl::Status status = database->Execute("ROLLBACK");
  if (!status.ok()) LogError("rollback_failed", {{"path", database->path()}, {"error", ToStd(status.message())}});
}

absl::StatusOr<Snapshot> Snapshot::Begin(Database& database) {
  if (database.InTransaction()) return Snapshot(nullptr);
  RETURN_IF_ERROR(database.Execute("BEGIN"));
  return Snapshot(&database);
}

Snapshot::Snapshot(Snapshot&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}

Snapshot::~Snapshot() {
  if (database_ == nullptr || !database_->InTransaction()) return;
  const absl::Status status = database_->Execute("COMMIT");
  if (!status.ok()) LogError("snapshot_end_failed", {{"path", database_->path()}, {"error", ToStd(status.message())}});
}

}  // namespace mmtune
