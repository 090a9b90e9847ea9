// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts a RecordFilter (tuning_log.h), which selects records of a tuning log, into an SQL WHERE clause.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "db/database.h"
#include "db/tuning_log.h"

namespace mmtune {

/// The conditions of a RecordFilter as SQL. The SQL text consists of constant fragments; values are bound as
/// parameters.
class FilterSql {
 public:
  explicit FilterSql(const RecordFilter& filter);

  /// Adds a condition that consists of the first text, a parameter with this value, and the last text.
  void Add(const std::string& condition_before_parameter, std::variant<int64_t, std::string> value,
           const std::string& condition_after_parameter = "");
  /// Adds a condition without a parameter.
  void Add(const std::string& condition);
  /// Returns "WHERE a AND b …", or "" for no conditions.
  std::string Where() const;
  /// Binds the values from parameter 1 on. Returns the number of the next parameter.
  int Bind(Statement& statement) const;
  /// Returns the number of the next parameter.
  int next_parameter() const { return static_cast<int>(values_.size()) + 1; }

 private:
  std::string conditions_;
  std::vector<std::variant<int64_t, std::string>> values_;
};

}  // namespace mmtune
