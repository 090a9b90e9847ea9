// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sqlite/transaction.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<Transaction> Transaction::Begin(Database& database) {
  RETURN_IF_ERROR(database.Run("BEGIN IMMEDIATE"));
  return Transaction(&database, "ROLLBACK");
}

absl::StatusOr<Transaction> Transaction::Read(Database& database) {
  // COMMIT at the end: a reader's temporary tables stay.
  if (database.InTransaction()) return Transaction(nullptr, "COMMIT");
  RETURN_IF_ERROR(database.Run("BEGIN"));
  return Transaction(&database, "COMMIT");
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)), at_end_(other.at_end_) {}

Transaction::~Transaction() { End(); }

bool Transaction::alive() const { return database_ != nullptr && database_->InTransaction(); }

absl::Status Transaction::Commit() {
  if (!alive()) {
    std::string path = database_ == nullptr ? "" : database_->path();
    database_ = nullptr;
    return absl::AbortedError(absl::StrCat(path, ": the transaction was rolled back after an earlier error"));
  }
  const absl::Status status = database_->Run("COMMIT");
  if (!status.ok()) End();
  database_ = nullptr;
  return status;
}

void Transaction::End() {
  if (!alive()) return;
  const absl::Status status = database_->Run(at_end_);
  if (!status.ok()) {
    LogError("transaction_end_failed", {{"path", database_->path()}, {"sql", at_end_}, {"error", status.message()}});
  }
}

}  // namespace mmtune
