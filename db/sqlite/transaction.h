// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transactions that write and transactions that read.
#pragma once

#include "absl/status/statusor.h"
#include "db/sqlite/database.h"

namespace mmtune {

/// Move-only; does not outlive its Database.
class Transaction {
 public:
  /// BEGIN IMMEDIATE, to write; rolled back when destroyed uncommitted.
  static absl::StatusOr<Transaction> Begin(Database& database);
  /// Until it is destroyed, all reads of the connection see one state of the database, which is locked once for all of
  /// them. Does nothing inside another transaction.
  static absl::StatusOr<Transaction> Read(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  /// On an error everything since Begin is undone. Called once.
  absl::Status Commit();
  /// False once an error made SQLite roll back by itself.
  bool alive() const;

 private:
  Transaction(Database* database, const char* at_end) : database_(database), at_end_(at_end) {}
  void End();

  Database* database_;  ///< Null once ended.
  const char* at_end_;  ///< What the destructor executes.
};

}  // namespace mmtune
