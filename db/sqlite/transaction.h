// A write transaction.
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

}  // namespace mmtune
