// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts rows of the SQL table `measurement` into records. db/record_store.h writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "db/database.h"
#include "db/tuning_log.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// Converts rows of Select() into records. Caches some thousands of problems, devices and toolchains by id, because
/// their rows never change. Not thread-safe.
class RecordRows {
 public:
  /// Returns "SELECT … FROM measurement AS r JOIN …", to which a WHERE clause can be appended. Aliases: r
  /// (measurement), w (workload), d (device), t (toolchain).
  static const std::string& Select();
  /// Returns only the FROM clause of Select().
  static const std::string& From();

  /// Converts a row of Select(). Returns an error that says what is wrong if the row is damaged.
  absl::StatusOr<TuningRecord> Read(const Statement& row);
  /// Returns a query of the columns that ReadBest() needs, for the row of the table `best` with the id ?1.
  static const std::string& SelectBest();
  /// Reads a row of SelectBest(). Leaves the times unset.
  absl::StatusOr<BestSchedule> ReadBest(const Statement& row);
  /// Describes a row of Select() that Read() refused.
  static DamagedRecord Damaged(const Statement& row, const absl::Status& why);
  /// Empties the cache. Called after a rollback, because ids of rows that were undone may be used again for other
  /// values.
  void Forget();

 private:
  /// Reads the problem, device or toolchain of a row, and checks its digest.
  template <typename T>
  absl::Status ReadShared(const Statement& row, T* value);

  std::unordered_map<int64_t, MatmulProblem> problems_;
  std::unordered_map<int64_t, DeviceInfo> devices_;
  std::unordered_map<int64_t, Toolchain> toolchains_;
};

/// Converts samples to and from the column samples_ns: little-endian doubles.
std::string PackSamples(const std::vector<double>& samples);
std::vector<double> UnpackSamples(std::string_view bytes);

}  // namespace mmtune
