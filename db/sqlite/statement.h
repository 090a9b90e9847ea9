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

/// Obtained from Database::Prepare, to whose cache the compiled statement goes back when this is destroyed. Does not
/// outlive its Database. Parameters count from 1, columns from 0. A failed Bind is reported by the next Step or Run.
class Statement {
 public:
  Statement(DatabaseHandle* database, std::string sql, sqlite3_stmt* statement);
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;
  ~Statement();

  void Bind(int parameter, int64_t value);
  void Bind(int parameter, int value) { Bind(parameter, int64_t{value}); }
  void Bind(int parameter, bool value) { Bind(parameter, int64_t{value}); }
  /// NaN is refused: SQLite would store NULL.
  void Bind(int parameter, double value);
  void Bind(int parameter, std::string_view text);
  void Bind(int parameter, const std::string& text) { Bind(parameter, std::string_view(text)); }
  void Bind(int parameter, const char* text) { Bind(parameter, std::string_view(text)); }
  void BindBlob(int parameter, std::string_view bytes);
  /// What is bound from now on is not copied: it lives until the statement was run.
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
  void Release();

  DatabaseHandle* database_;
  std::string sql_;
  sqlite3_stmt* statement_;
  bool borrows_ = false;
  absl::Status bind_status_;
};

/// The first column of the first row, or nullopt when there is no row.
absl::StatusOr<std::optional<int64_t>> FirstId(Statement& statement);

}  // namespace mmtune
