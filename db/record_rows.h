// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of the measurement table as TuningRecords, and filters as SQL.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "db/sqlite/statement.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Turns rows of Select() into records. Problems, devices and toolchains are parsed once per id, as their rows never
/// change, and some thousands of each are kept.
class RecordRows {
 public:
  /// "SELECT … FROM measurement AS r JOIN …"; append WHERE. Aliases: r, w (workload), d (device), t (toolchain).
  static const std::string& Select();
  /// The FROM clause of Select() alone.
  static const std::string& From();

  absl::StatusOr<TuningRecord> Read(const Statement& row);
  /// Selects the few columns of the record with id ?1 that ReadBest() needs.
  static const std::string& SelectBest();
  /// Leaves the times to the caller.
  absl::StatusOr<BestSchedule> ReadBest(const Statement& row);
  /// For a row of Select() that Read() refused.
  static DamagedRecord Damaged(const Statement& row, const absl::Status& why);
  /// To be called after a rollback: the same ids may come again for other values.
  void Forget();

 private:
  /// Reads problem, device and toolchain, and checks the digests of problem and schedule.
  template <typename T>
  absl::Status ReadShared(const Statement& row, T* value);

  std::unordered_map<int64_t, MatmulProblem> problems_;
  std::unordered_map<int64_t, DeviceInfo> devices_;
  std::unordered_map<int64_t, Toolchain> toolchains_;
};

/// The conditions of a filter; the SQL text is constant fragments only, values are bound.
class FilterSql {
 public:
  explicit FilterSql(const RecordFilter& filter);

  void Add(const std::string& condition_before_parameter, std::variant<int64_t, std::string> value,
           const std::string& condition_after_parameter = "");
  /// A condition without a parameter.
  void Add(const std::string& condition);
  /// "WHERE a AND b …", or empty.
  std::string Where() const;
  /// Binds the conditions' values from parameter 1; returns the next parameter.
  int Bind(Statement& statement) const;
  /// The number the next bound value will have.
  int next_parameter() const { return static_cast<int>(values_.size()) + 1; }

 private:
  std::string conditions_;
  std::vector<std::variant<int64_t, std::string>> values_;
};

/// Little-endian binary64, as in the samples_ns column.
std::string PackSamples(const std::vector<double>& samples);
std::vector<double> UnpackSamples(std::string_view bytes);

}  // namespace mmtune
