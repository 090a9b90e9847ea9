// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts between TuningRecord and the rows of the SQL table `measurement`: RecordRows reads rows, RecordStore writes
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "db/database.h"
#include "db/ranking.h"
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

/// Writes records, within the transaction that its caller has open. Does not own the database.
class RecordStore {
 public:
  explicit RecordStore(Database* database) : database_(database) {}

  /// Returns the id of the problem's row. Inserts the row if there is none.
  absl::StatusOr<int64_t> InternWorkload(const MatmulProblem& problem);
  /// Implements TuningLog::InsertRecord(). `columns` is MakeColumns(record), or null if they were not computed yet.
  absl::StatusOr<InsertedRecord> Insert(std::string_view token, const TuningRecord& record,
                                        const RecordColumns* columns);
  /// Empties the caches. Called after a rollback, because rows that were inserted may be gone.
  void Forget();
  /// Returns the ids of the canonical ok records that were added since the last call.
  std::vector<int64_t> TakeAdded();
  /// Returns the keys of the ranking to which canonical ok records were added since the last call.
  absl::StatusOr<std::vector<RankingKey>> TakeRanked();

 private:
  /// The candidate and the attempt that a record belongs to, as the log has them.
  struct Owner {
    bool has_canonical = false;             ///< True if the candidate has a canonical record already.
    std::optional<InsertedRecord> written;  ///< The record of an earlier report of the same attempt.
  };
  struct Interned {
    int64_t workload_id;
    int64_t device_id;
    int64_t toolchain_id;
  };

  /// The row ids of the last few values. Most records have the same values as the record before.
  template <typename T>
  using Recent = std::vector<std::pair<T, int64_t>>;
  template <typename T>
  static std::optional<int64_t> Known(const Recent<T>& recent, const T& value);

  /// Returns the id of the row of `table` for the digest of the value's JSON; `add(digest, json)` inserts a new one.
  template <typename T, typename Add>
  absl::StatusOr<int64_t> Intern(Recent<T>& recent, const T& value, const std::string& table, Add add);
  absl::StatusOr<int64_t> InternDevice(const DeviceInfo& device);
  absl::StatusOr<int64_t> InternToolchain(const Toolchain& toolchain);
  /// Returns the record with this uuid, if it was stored.
  absl::StatusOr<std::optional<InsertedRecord>> FindWritten(const std::string& uuid);
  /// Returns an error if the attempt is not there, or is of another schedule, job or problem than the record.
  absl::StatusOr<Owner> FindOwner(std::string_view token, const TuningRecord& record, std::string_view schedule_digest);
  /// Returns nullopt if one of the rows was not used lately.
  std::optional<Interned> FindKnown(const TuningRecord& record) const;
  absl::StatusOr<Interned> InternAll(const TuningRecord& record);
  /// Inserts the record of the attempt with this token, or one that belongs to no candidate. Returns the id of the new
  /// row; nullopt if the log refuses it, for a reason that FindOwner() and FindWritten() tell.
  absl::StatusOr<std::optional<int64_t>> InsertRow(std::string_view token, const Interned& interned,
                                                   const TuningRecord& record, const RecordColumns& columns,
                                                   bool canonical);

  Database* database_;
  Recent<MatmulProblem> problems_;
  Recent<DeviceInfo> devices_;
  Recent<Toolchain> toolchains_;
  std::vector<int64_t> added_;   ///< For TakeAdded().
  std::set<RankingKey> ranked_;  ///< The class_id of these keys is the id of the device, not of its class.
};

}  // namespace mmtune
