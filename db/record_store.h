// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes records (the results of candidates) as rows of the SQL table `measurement`. db/record_rows.h reads them.
//
// A token identifies an attempt, which is one lease of a candidate to a worker. At most one record of a candidate is
// canonical: only that one is ranked. A record is ok if its outcome is Outcome::kOk. A ranking orders the canonical ok
// records that can be compared with one another: those of one problem, class of devices, timing regime and toolchain
// (RankingKey).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "db/database.h"
#include "db/ranking.h"
#include "db/tuning_log.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// Writes records, within the transaction that its caller has open. Does not own the database. Its methods also return
/// the errors of the database (database.h).
class RecordStore {
 public:
  explicit RecordStore(Database* database) : database_(database) {}

  /// Returns the id of the problem's row. Inserts the row if there is none.
  absl::StatusOr<int64_t> InternWorkload(const MatmulProblem& problem);
  /// Stores the record of the attempt with this token, or, if the token is empty, a record that belongs to no
  /// candidate. It is canonical if `record.canonical` is set and its candidate has no canonical record yet. A second
  /// record of an attempt changes nothing. `columns` is MakeColumns(record), the values of the record that are stored
  /// as text; null if they were not computed yet. Implements TuningLog::InsertRecord(), which lists the errors.
  absl::StatusOr<InsertedRecord> Insert(std::string_view token, const TuningRecord& record,
                                        const RecordColumns* columns);
  /// Stores records that belong to no candidate. `columns` has MakeColumns() of each record. Implements
  /// TuningLog::ImportRecords().
  absl::StatusOr<std::vector<InsertedRecord>> Import(const std::vector<TuningRecord>& records,
                                                     const std::vector<RecordColumns>& columns);
  /// Empties the caches. Called after a rollback, because rows that were inserted may be gone.
  void Forget();
  /// Returns the ids of the canonical ok records that were added since the last call of this function or TakeRanked().
  std::vector<int64_t> TakeAdded();
  /// Returns the keys of the rankings to which canonical ok records were added since the last call of this function or
  /// TakeAdded().
  absl::StatusOr<std::vector<RankingKey>> TakeRanked();

 private:
  /// The candidate and the attempt that a record belongs to, as the log has them.
  struct Owner {
    bool has_canonical = false;                  ///< True if the candidate has a canonical record already.
    std::optional<InsertedRecord> written = {};  ///< The record of an earlier report of the same attempt.
  };
  struct RowValues;
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
  /// Imports at most as many records as one statement inserts, and appends the results.
  absl::Status ImportRows(const TuningRecord* records, const RecordColumns* columns,
                          std::vector<InsertedRecord>* inserted);
  /// Binds the columns of a record. `before` is the number of parameters of the rows before it.
  static void BindRow(Statement& insert, size_t before, const Interned& interned, const TuningRecord& record,
                      const RecordColumns& columns, const RowValues& values, bool canonical);
  /// Notes a record that was inserted, for TakeAdded() and TakeRanked().
  void NoteAdded(const InsertedRecord& inserted, const Interned& interned, const TuningRecord& record);

  Database* database_;
  Recent<MatmulProblem> problems_;
  Recent<DeviceInfo> devices_;
  Recent<Toolchain> toolchains_;
  std::vector<int64_t> added_;   ///< For TakeAdded().
  std::set<RankingKey> ranked_;  ///< The class_id of these keys is the id of the device, not of its class.
};

}  // namespace mmtune
