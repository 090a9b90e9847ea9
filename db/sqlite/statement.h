// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A prepared statement.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

struct sqlite3_stmt;

namespace mmtune {

class DatabaseHandle;

/// Gives a compiled statement back to the cache of its connection.
struct StatementReturn {
  DatabaseHandle* database = nullptr;
  void operator()(sqlite3_stmt* statement) const;
};

/// Obtained from Database::Prepare. Move-only; does not outlive its Database. Parameters count from 1, columns from 0.
/// A failed Bind is reported by the next Step or Run.
class Statement {
 public:
  Statement(DatabaseHandle* database, sqlite3_stmt* statement) : statement_(statement, {database}) {}

  void Bind(int parameter, int64_t value);
  void Bind(int parameter, int value) { Bind(parameter, int64_t{value}); }
  void Bind(int parameter, bool value) { Bind(parameter, int64_t{value}); }
  /// NaN is refused: SQLite would store NULL.
  void Bind(int parameter, double value);
  void Bind(int parameter, std::string_view text);
  void Bind(int parameter, const std::string& text) { Bind(parameter, std::string_view(text)); }
  void Bind(int parameter, const char* text) { Bind(parameter, std::string_view(text)); }
  void BindBlob(int parameter, std::string_view bytes);
  /// What is bound from now on is not copied and must live until the statement has run.
  void BorrowValues() { borrows_ = true; }
  void BindNull(int parameter);
  template <typename T>
  void Bind(int parameter, const std::optional<T>& value) {
    value ? Bind(parameter, *value) : BindNull(parameter);
  }
  /// Binds parameters 1, 2, 3 …
  template <typename... Values>
  Statement& BindAll(const Values&... values) {
    int parameter = 0;
    (Bind(++parameter, values), ...);
    return *this;
  }

  /// True: a row is ready. False: done, and the statement may be bound and run again.
  absl::StatusOr<bool> Step();
  /// Steps to the end, dropping rows.
  absl::Status Run();

  int Columns() const;
  int64_t Int(int column) const;
  double Real(int column) const;
  /// A copy; empty for NULL.
  std::string Text(int column) const;
  /// Valid until the next Step.
  std::string_view View(int column) const;

 private:
  void Note(int code);
  absl::Status Error(int code) const;

  std::unique_ptr<sqlite3_stmt, StatementReturn> statement_;
  bool borrows_ = false;
  absl::Status bind_status_;
};

}  // namespace mmtune
