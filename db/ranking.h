// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best schedules of each problem, class of devices and regime, found by the rule of proto/types/ranked_record.h
// with the help of the table `ranking`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "db/sqlite/database.h"
#include "db/tuning_log.h"
#include "proto/types/ranked_record.h"

namespace mmtune {

/// Computes the rows of the table `ranking` from those of `measurement`, with its columns in their order: for checks,
/// repairs and imports. A condition or kRankingOrder may follow; rows in the order of the key are cheaper to insert.
inline constexpr char kRankingRows[] =
    "SELECT r.workload_id AS workload_id, c.class_id AS class_id, r.regime AS regime, r.toolchain_id AS toolchain_id, "
    "ifnull(r.proven, 0) AS proven, r.median_ns AS median_ns, r.uuid AS uuid, r.id AS measurement_id, "
    "substr(r.schedule_digest, 1, 16) AS schedule, r.unix_millis AS unix_millis, "
    "instr(r.conditions, '\"comparison\":{') > 0 AS compared "
    "FROM measurement AS r JOIN (SELECT d.id AS id, f.class_id AS class_id "
    "FROM device AS d JOIN (SELECT class_key, min(id) AS class_id FROM device GROUP BY class_key) AS f "
    "ON f.class_key = d.class_key) AS c ON c.id = r.device_id WHERE r.canonical = 1 AND r.outcome = 'ok' ";
inline constexpr char kRankingOrder[] = "ORDER BY 1, 2, 3, 4, 5, 6, 7";

/// Ranks many new records together, which costs less than a trigger for each of them. Does not own the database.
class BulkRanking {
 public:
  explicit BulkRanking(Database* database) : database_(database) {}

  /// Within a transaction: until Finish or Stop new records are not ranked, and no record may be changed or removed.
  absl::Status Start();
  /// Ranks the records added since Start.
  absl::Status Finish();
  /// Ends it without ranking anything: after Finish, or when the transaction is rolled back.
  void Stop();

 private:
  Database* database_;
  int64_t ranked_id_ = 0;
};

/// Finds what ranks first. Does not own the database.
class Ranking {
 public:
  explicit Ranking(Database* database) : database_(database) {}

  /// Reads the ok record with this id; nullopt when it is damaged, or no longer ok as it is read.
  using Load = absl::FunctionRef<absl::StatusOr<std::optional<TuningRecord>>(int64_t measurement_id)>;
  using Take = absl::FunctionRef<void(std::vector<RankedRecord> ranked)>;
  /// Passes on the `each` best schedules of each group with records that pass the filter. Without a job, a time or
  /// `schedules` in the filter the cost depends on how many are passed on, not on the length of the log.
  absl::Status ForEach(const RecordFilter& filter, int each, Load load, Take take);

 private:
  struct Group {
    int64_t workload_id = 0;
    int64_t class_id = 0;
    std::string regime;
  };
  absl::StatusOr<bool> Next(const RecordFilter& filter, Group* group);
  absl::StatusOr<bool> Passes(const RecordFilter& filter, const Group& group);
  /// The toolchains whose records the filter's rule ranks.
  absl::StatusOr<std::vector<int64_t>> ToolchainsOf(const Group& group, const RecordFilter& filter);
  absl::StatusOr<std::optional<int64_t>> NewestToolchain(const Group& group, const RecordFilter& filter);
  /// All records of the group that pass.
  absl::StatusOr<std::vector<TuningRecord>> LoadAll(const Group& group, const RecordFilter& filter, Load load);
  class ShortestTimes;
  /// Adds all records of the schedules of a toolchain that may be among the best, and of those that place them.
  /// `shortest` has the times of the best so far.
  absl::Status LoadBest(const Group& group, int64_t toolchain_id, const RecordFilter& filter, Load load,
                        ShortestTimes* shortest, std::vector<TuningRecord>* records);
  /// The records of a schedule, of which `key` is the beginning of the digest.
  absl::StatusOr<std::vector<TuningRecord>> LoadSchedule(const Group& group, int64_t toolchain_id,
                                                         const std::string& key, Load load);

  Database* database_;
};

}  // namespace mmtune
