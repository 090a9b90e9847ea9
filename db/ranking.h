// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks the schedules of one problem, class of devices (DeviceInfo::ClassKey()) and regime (timed with warm or cold
// caches) by the rule of proto/types/ranked_record.h. The table `ranking` has the columns that are needed to find
// the best schedules, so that only their records are read. It has a row for each record that is canonical (counts for
// its candidate, tuning_log.h) and has the outcome ok.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "db/database.h"
#include "db/tuning_log.h"
#include "proto/types/ranked_record.h"

namespace mmtune {

/// SQL that computes the rows of the table `ranking` from those of `measurement`, for checks, repairs and imports.
/// kRankingColumns has no WHERE clause; RankingRows() adds the one that selects the canonical ok records. Rows are
/// cheaper to insert in the order of the table's key, which is kRankingOrder.
inline constexpr char kRankingColumns[] =
    "SELECT r.workload_id AS workload_id, c.class_id AS class_id, r.regime AS regime, r.toolchain_id AS toolchain_id, "
    "coalesce(r.verified, 0) AS verified, r.median_ns AS median_ns, r.uuid AS uuid, r.id AS measurement_id, "
    "substr(r.schedule_digest, 1, 16) AS schedule, r.unix_millis AS unix_millis, r.reference AS reference, "
    "r.ratio AS ratio FROM measurement AS r JOIN device_class AS c ON c.device_id = r.device_id ";
inline const std::string& RankingRows() {
  static const std::string* const rows =
      new std::string(std::string(kRankingColumns) + "WHERE r.canonical = 1 AND r.outcome = 'ok' ");
  return *rows;
}
inline constexpr char kRankingOrder[] = "ORDER BY 1, 2, 3, 4, 5, 6, 7";

/// The version of the rule by which RankRecords() ranks. It must be increased whenever RankRecords() changes the order
/// of any records. The table `best` caches the record that ranks first for each RankingKey; its rows with another
/// version are computed again. The test BestTest.TheRuleHasItsNumber fails if the version was not increased.
inline constexpr int64_t kRankingRule = 2;

/// Returns the prefix of a schedule's digest that the columns `schedule` and `reference` contain.
std::string ScheduleKey(const Schedule& schedule);

/// The columns `reference` and `ratio` of a record, from its comparison with another schedule (Comparison in
/// proto/types/conditions.h): the ScheduleKey() of that schedule, and the ratio of the two times. Without a comparison
/// they are empty and NULL.
struct ComparisonColumns {
  explicit ComparisonColumns(const TuningRecord& record);

  std::string reference;
  std::optional<double> ratio;
};

/// A problem, a class of devices, and a regime (RegimeName()). Each group has a ranking of its own.
struct RankingGroup {
  int64_t workload_id = 0;
  int64_t class_id = 0;
  std::string regime;
  auto operator<=>(const RankingGroup&) const = default;
};

/// The records of a group that one toolchain made.
struct RankingKey {
  RankingGroup group;
  int64_t toolchain_id = 0;
  auto operator<=>(const RankingKey&) const = default;
};

/// Finds the best schedules, and reads their records. Not thread-safe. Does not own the database. Its methods return
/// the errors of the database (database.h).
class Ranking {
 public:
  explicit Ranking(Database* database) : database_(database) {}

  /// Reads the ok record with this id; nullopt if it is damaged, or not ok any more.
  using Load = absl::FunctionRef<absl::StatusOr<std::optional<TuningRecord>>(int64_t measurement_id)>;
  /// Returns the best schedules of a group whose records pass the filter, at most `each`, best first. `toolchains` has
  /// the toolchains that made the group's records. If the filter has no job, time or `schedules`, the cost depends on
  /// `each` and not on the length of the log.
  absl::StatusOr<std::vector<RankedRecord>> Rank(const RankingGroup& group, const std::vector<int64_t>& toolchains,
                                                 const RecordFilter& filter, int each, Load load);
  /// Returns the canonical ok records of a schedule. `schedule` is its ScheduleKey().
  absl::StatusOr<std::vector<TuningRecord>> LoadRecords(const RankingKey& key, const std::string& schedule, Load load);
  /// Returns every key of the table `ranking`, in its order.
  absl::StatusOr<std::vector<RankingKey>> Keys();

 private:
  class ShortestTimes;

  /// Returns the id of the toolchain of the group's newest record; nullopt if the group has none that passes.
  absl::StatusOr<std::optional<int64_t>> NewestToolchain(const RankingGroup& group, const RecordFilter& filter);
  /// Returns the elements of `toolchains` whose records the filter's rule ranks.
  absl::StatusOr<std::vector<int64_t>> Ranked(const RankingGroup& group, const std::vector<int64_t>& toolchains,
                                              const RecordFilter& filter);
  /// Returns all records of the group that pass the filter.
  absl::StatusOr<std::vector<TuningRecord>> LoadAll(const RankingGroup& group, const RecordFilter& filter, Load load);
  /// Adds to `records` all records of those schedules of `key` that may be among the best, and of the schedules with
  /// which these were compared. `shortest` has the times of the best schedules found so far.
  absl::Status LoadBest(const RankingKey& key, const RecordFilter& filter, Load load, ShortestTimes* shortest,
                        std::vector<TuningRecord>* records);

  Database* database_;
};

}  // namespace mmtune
