// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transactions that write, and such that read.
#pragma once

#include "absl/status/statusor.h"
#include "db/sqlite/database.h"

namespace mmtune {

/// BEGIN IMMEDIATE … COMMIT; rolled back when destroyed uncommitted. Move-only; does not outlive its Database.
class Transaction {
 public:
  static absl::StatusOr<Transaction> Begin(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  /// On an error everything since Begin is undone. Called once.
  absl::Status Commit();
  void Rollback();
  /// False once an error made SQLite roll back by itself.
  bool alive() const;

 private:
  explicit Transaction(Database* database) : database_(database) {}

  Database* database_;  ///< Null once ended.
};

/// While it lives, all reads of the connection see one state of the database, which is locked once for them. Within a
/// transaction it is nothing of its own. Does not outlive its Database.
class Snapshot {
 public:
  static absl::StatusOr<Snapshot> Begin(Database& database);
  Snapshot(Snapshot&& other) noexcept;
  Snapshot& operator=(Snapshot&&) = delete;
  ~Snapshot();

 private:
  explicit Snapshot(Database* database) : database_(database) {}

  Database* database_;  ///< Null where there is nothing to end.
};

}  // namespace mmtune
