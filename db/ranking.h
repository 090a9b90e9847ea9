// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fastest records of each problem, class of devices and regime, read from the table `ranking`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>

#include "absl/status/statusor.h"
#include "db/sqlite/database.h"
#include "db/tuning_log.h"

namespace mmtune {

/// A SELECT with the columns of db/schema/0004_ranking.sql, in their order, that computes the rows of the table from
/// measurement: for logs that are older than the table, for repairs and for many records at once. A condition or
/// kRankingOrder may follow; rows in the order of the key are cheaper to insert.
inline constexpr char kRankingRows[] =
    "SELECT r.workload_id AS workload_id, c.class_id AS class_id, r.regime AS regime, ifnull(r.proven, 0) AS proven, "
    "r.median_ns AS median_ns, r.uuid AS uuid, r.id AS measurement_id, substr(r.schedule_digest, 1, 16) AS schedule, "
    "r.unix_millis AS unix_millis FROM measurement AS r JOIN (SELECT d.id AS id, f.class_id AS class_id "
    "FROM device AS d JOIN (SELECT class_key, min(id) AS class_id FROM device GROUP BY class_key) AS f "
    "ON f.class_key = d.class_key) AS c ON c.id = r.device_id WHERE r.canonical = 1 AND r.outcome = 'ok' ";
inline constexpr char kRankingOrder[] = "ORDER BY 1, 2, 3, 4, 5, 6";

/// The temporary view from which a reader makes its own ranking of a log that is older than the table.
inline constexpr char kOlderRankingView[] = "ranking_rows";

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

/// Does not own the database.
class Ranking {
 public:
  explicit Ranking(Database* database) : database_(database) {}

  /// Returns false to pass the record over: the next fastest one of its schedule may take its place.
  using Take = std::function<absl::StatusOr<bool>(int64_t measurement_id)>;
  /// Offers the records that pass the filter, group by group and fastest first, until `each` schedules of the group
  /// were taken. An unproven record is not offered where a proven one of its schedule passes, even a slower one. The
  /// cost depends on how many are offered, not on the length of the log.
  absl::Status ForEach(const RecordFilter& filter, int each, const Take& take);

  /// Makes the table where the log is older than it. Costs nothing again, nor where there is one.
  absl::Status MakeReady();

 private:
  struct Group {
    int64_t workload_id = 0;
    int64_t class_id = 0;
    std::string regime;
  };
  absl::StatusOr<bool> Next(const RecordFilter& filter, Group* group);
  absl::StatusOr<bool> Passes(const RecordFilter& filter, const Group& group);
  absl::Status TakeFrom(const Group& group, const RecordFilter& filter, int each, const Take& take);

  /// Whether a proven record of the schedule passes that was not passed over.
  absl::StatusOr<bool> ProvenSpeaks(const Group& group, const RecordFilter& filter, int64_t unproven,
                                    const std::unordered_set<int64_t>& passed_over);

  Database* database_;
  bool ready_ = false;
};

}  // namespace mmtune
