// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the fastest schedules of each problem, class of devices and regime (warm or cold caches) in a tuning log, by
// the rule of proto/types/ranked_record.h. The tables `ranking` and `best` keep what is needed, so that the whole log
// need not be read.
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

/// SQL that computes the rows of the table `ranking` from those of `measurement`, for checks, repairs and imports. A
/// condition, and then kRankingOrder, may be appended. Rows in the order of the key are cheaper to insert.
inline constexpr char kRankingRows[] =
    "SELECT r.workload_id AS workload_id, c.class_id AS class_id, r.regime AS regime, r.toolchain_id AS toolchain_id, "
    "ifnull(r.verified, 0) AS verified, r.median_ns AS median_ns, r.uuid AS uuid, r.id AS measurement_id, "
    "substr(r.schedule_digest, 1, 16) AS schedule, r.unix_millis AS unix_millis, r.reference AS reference, "
    "r.ratio AS ratio FROM measurement AS r JOIN device_class AS c ON c.device_id = r.device_id "
    "WHERE r.canonical = 1 AND r.outcome = 'ok' ";
inline constexpr char kRankingOrder[] = "ORDER BY 1, 2, 3, 4, 5, 6, 7";

/// The version of the rule of RankRecords(). It is raised when the rule orders any records differently. Rows of the
/// table `best` with another version are computed again.
inline constexpr int64_t kRankingRule = 1;

/// Returns the prefix of a schedule's digest that the columns `schedule` and `reference` contain.
std::string ScheduleKey(const Schedule& schedule);

/// The columns `reference` and `ratio` of a record; empty and NULL if it has no comparison.
struct ComparisonColumns {
  explicit ComparisonColumns(const TuningRecord& record);

  std::string reference;
  std::optional<double> ratio;
};

/// Identifies the records of one problem, class of devices and regime, by one toolchain.
struct RankingKey {
  int64_t workload_id = 0;
  int64_t class_id = 0;
  std::string regime;
  int64_t toolchain_id = 0;
  auto operator<=>(const RankingKey&) const = default;
};

/// Ranks many new records together, which costs less than a trigger for each. Does not own the database. Not
/// thread-safe.
class BulkRanking {
 public:
  explicit BulkRanking(Database* database) : database_(database) {}

  /// Starts, within a transaction. Until Finish() or Stop(), new records are not ranked, and no record may be changed
  /// or removed.
  absl::Status Start();
  /// Ranks the records added since Start(). Returns the keys of the rankings that changed; their rows in `best` are
  /// removed.
  absl::StatusOr<std::vector<RankingKey>> Finish();
  /// Ends without ranking. Called after Finish(), or when the transaction is rolled back.
  void Stop();

 private:
  Database* database_;
  int64_t ranked_id_ = 0;
};

/// Finds the fastest schedules, and maintains the table `best`. Does not own the database. Not thread-safe.
class Ranking {
 public:
  explicit Ranking(Database* database) : database_(database) {}

  /// Reads the ok record with this id; nullopt if it is damaged, or not ok any more.
  using Load = absl::FunctionRef<absl::StatusOr<std::optional<TuningRecord>>(int64_t measurement_id)>;
  /// Takes the ranked schedules of one group.
  using Take = absl::FunctionRef<void(std::vector<RankedRecord> ranked)>;
  /// Passes on the `each` fastest schedules of every group that has records which pass the filter. A group is a
  /// problem, class of devices and regime. Unless the filter has a job, a time or schedules, the cost depends on the
  /// number of results, not on the length of the log.
  absl::Status ForEach(const RecordFilter& filter, int each, Load load, Take take);

  /// Reads what a tuning spec needs of the record with this id; nullopt if it is damaged.
  using LoadSchedule = absl::FunctionRef<absl::StatusOr<std::optional<BestSchedule>>(int64_t measurement_id)>;
  /// Returns the fastest schedule of every group, as ForEach(filter, 1) finds it. Reads no whole records of groups that
  /// are in the table `best`.
  absl::StatusOr<std::vector<BestSchedule>> Schedules(const RecordFilter& filter, Load load,
                                                      LoadSchedule load_schedule);

  /// Adds the rows of `best` that are missing for `key`. Must be called within a transaction that writes.
  absl::Status StoreBest(const RankingKey& key, Load load);
  /// Computes the table `best` again. Must be called within a transaction that writes.
  absl::Status RebuildBest(Load load);
  /// Returns the number of rows of `best` that differ from a new ranking of the records. Missing rows do not count.
  absl::StatusOr<int64_t> CountWrongBest(Load load);

 private:
  /// A problem, class of devices and regime, with the toolchains of its records.
  struct Group {
    int64_t workload_id = 0;
    int64_t class_id = 0;
    std::string regime;
    std::vector<int64_t> toolchains;
  };
  /// A row of the table `best`.
  struct Best {
    int64_t toolchain_id = 0;
    std::optional<int64_t> measurement_id, compared_id;
    double ranked_ns = 0, place_ns = 0;
    bool operator==(const Best&) const = default;
  };
  class ShortestTimes;

  /// Returns every key of the ranking in order; only those of this problem, unless it is 0.
  absl::StatusOr<std::vector<RankingKey>> Keys(int64_t workload_id);
  /// Returns the groups whose problem, device and regime pass the filter.
  absl::StatusOr<std::vector<Group>> Groups(const RecordFilter& filter);
  absl::StatusOr<bool> Passes(const RecordFilter& filter, const Group& group);
  /// Returns the toolchains whose records are ranked by the filter.
  absl::StatusOr<std::vector<int64_t>> ToolchainsOf(const Group& group, const RecordFilter& filter);
  absl::StatusOr<std::optional<int64_t>> NewestToolchain(const Group& group, const RecordFilter& filter);
  /// Ranks the records of a group that pass the filter, without the table `best`.
  absl::StatusOr<std::vector<RankedRecord>> Rank(const Group& group, const RecordFilter& filter, int each, Load load);
  /// Returns all records of the group that pass the filter.
  absl::StatusOr<std::vector<TuningRecord>> LoadAll(const Group& group, const RecordFilter& filter, Load load);
  /// Adds all records of the schedules of a toolchain that may be among the fastest, and of their references.
  /// `shortest` has the times of the fastest so far.
  absl::Status LoadBest(const Group& group, int64_t toolchain_id, const RecordFilter& filter, Load load,
                        ShortestTimes* shortest, std::vector<TuningRecord>* records);
  /// Returns the records of a schedule. `key` is the prefix of its digest.
  absl::StatusOr<std::vector<TuningRecord>> LoadRecords(const Group& group, int64_t toolchain_id,
                                                        const std::string& key, Load load);

  /// Returns the rows of `best` of a group.
  absl::StatusOr<std::vector<Best>> ReadBest(const Group& group, bool verified_only);
  /// Returns the fastest over `toolchains`; nullopt if a row is missing, or two are tied.
  static std::optional<Best> FirstOf(const std::vector<Best>& rows, const std::vector<int64_t>& toolchains);
  absl::StatusOr<std::optional<RankedRecord>> LoadRanked(const Best& best, Load load);
  /// Ranks the records of one toolchain again.
  absl::StatusOr<Best> ComputeBest(const RankingKey& key, bool verified_only, Load load);
  absl::StatusOr<bool> HasUnverified(const RankingKey& key);

  Database* database_;
};

}  // namespace mmtune
