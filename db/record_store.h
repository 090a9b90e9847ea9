// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records into rows.
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
#include "db/ranking.h"
#include "db/sqlite/database.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Writes within the transaction that its caller has open. Does not own the database.
class RecordStore {
 public:
  explicit RecordStore(Database* database) : database_(database) {}

  /// The id of the problem's row, inserted when new.
  absl::StatusOr<int64_t> InternWorkload(const MatmulProblem& problem);
  /// As TuningLog::InsertRecord; `columns` may be null: then they are made here.
  absl::StatusOr<InsertedRecord> Insert(std::string_view token, const TuningRecord& record,
                                        const RecordColumns* columns);
  /// To be called after a rollback: rows that were interned may be gone.
  void Forget();
  /// Returns the keys of the ranking to which canonical ok records were added since the last call.
  absl::StatusOr<std::vector<RankingKey>> TakeRanked();

 private:
  /// The candidate and attempt that a record belongs to; empty for an import.
  struct Owner {
    std::optional<int64_t> candidate_id;
    std::optional<int64_t> attempt_id;
    bool has_canonical = false;             ///< The candidate has a canonical record.
    std::optional<InsertedRecord> written;  ///< What the attempt has reported before.
  };
  /// What a job's row says that never changes.
  struct Job {
    std::string uuid;
    int64_t workload_id;
    std::string problem_digest;
  };
  struct Interned {
    int64_t workload_id;
    int64_t device_id;
    int64_t toolchain_id;
  };

  /// The rows of the last few values: most records share these with the record before.
  template <typename T>
  using Recent = std::vector<std::pair<T, int64_t>>;
  template <typename T>
  static std::optional<int64_t> Known(const Recent<T>& recent, const T& value);

  /// The id of the row of `table` for the digest of the value's JSON; `add(digest, json)` inserts a new one.
  template <typename T, typename Add>
  absl::StatusOr<int64_t> Intern(Recent<T>& recent, const T& value, const std::string& table, Add add);
  absl::StatusOr<int64_t> InternDevice(const DeviceInfo& device);
  absl::StatusOr<int64_t> InternToolchain(const Toolchain& toolchain);
  absl::StatusOr<Job> FindJob(int64_t id);
  /// The record with this uuid.
  absl::StatusOr<std::optional<InsertedRecord>> FindWritten(const std::string& uuid);
  absl::StatusOr<Owner> FindOwner(std::string_view token, const TuningRecord& record, std::string_view schedule_digest);
  absl::Status InsertRow(const Owner& owner, const Interned& interned, const TuningRecord& record,
                         const RecordColumns& columns, bool canonical);

  Database* database_;
  Recent<MatmulProblem> problems_;
  Recent<DeviceInfo> devices_;
  Recent<Toolchain> toolchains_;
  std::unordered_map<int64_t, Job> jobs_;
  std::set<RankingKey> ranked_;  ///< With the id of the device in place of its class.
};

}  // namespace mmtune
