// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table `best` of a tuning log caches which schedule ranks first. It has two rows for each RankingKey: a problem, a
// class of devices, a regime (timed with warm or cold caches) and a toolchain. One row is the first of all records, the
// other one the first of the verified records. The keys that differ only in the toolchain make a RankingGroup.
//
// When a record is added or changed, triggers of a SQLite file, or BulkRanking, mark the rows that may now be outdated.
// Store() computes marked rows again. A query answers from the unmarked rows of a group; if one that it needs is
// marked, it ranks the records of the group instead.
//
// BulkRanking ranks many new records at once, and adds them to the table `ranking`, which has all ranked records in
// order. It is used for imports and, in PostgreSQL, which has no triggers, for every transaction that adds records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "db/database.h"
#include "db/ranking.h"
#include "db/tuning_log.h"
#include "proto/types/ranked_record.h"

namespace mmtune {

/// Ranks many new records together, which costs less than a trigger for each of them. Does not own the database. Its
/// methods return the errors of the database (database.h).
class BulkRanking {
 public:
  explicit BulkRanking(Database* database) : database_(database) {}

  /// Begins to add many records. Must be called within a transaction. Until Finish() or Stop(), new records are not
  /// ranked, and no record may be changed or removed.
  absl::Status Start();
  /// Ranks the records that were added since Start(). `added` has their ids, but only of canonical records (those that
  /// count for their candidates, tuning_log.h) with the outcome ok. Returns the keys of the ranking whose rows of
  /// `best` are to be stored, because one of the records may be the first.
  absl::StatusOr<std::vector<RankingKey>> Finish(const std::vector<int64_t>& added);
  /// Ends what Start() began, without ranking anything. Called after Finish(), or when the transaction is rolled back.
  void Stop();

 private:
  Database* database_;
};

/// Finds the best schedules in the table, and maintains it. Not thread-safe. Does not own the database. Its methods
/// return the errors of the database (database.h) and of `load`.
class BestTable {
 public:
  explicit BestTable(Database* database) : database_(database), ranking_(database) {}

  using Load = Ranking::Load;
  using Take = absl::FunctionRef<void(std::vector<RankedRecord> ranked)>;
  /// Calls `take` once for each group with records that pass the filter, with the group's best schedules, best first.
  /// `each` is the largest number of schedules of a group. `load` reads a record by its id. With `each` = 1 and rows
  /// that are not marked, only the records of these schedules are read. Otherwise the cost is that of Ranking::Rank().
  absl::Status ForEach(const RecordFilter& filter, int each, Load load, Take take);

  /// Reads the fields that a tuning spec needs from a row of the table; nullopt if the row is damaged.
  using LoadSchedule = absl::FunctionRef<absl::StatusOr<std::optional<BestSchedule>>(int64_t row_id)>;
  /// Returns the best schedule of each group, as ForEach(filter, 1) does. Takes it from the rows of a group where
  /// none is marked as out of date, and reads records of other groups only.
  absl::StatusOr<std::vector<BestSchedule>> Schedules(const RecordFilter& filter, Load load,
                                                      LoadSchedule load_schedule);

  /// Ranks the records again for those rows of `key` that are marked, and stores the result. Must be called within a
  /// transaction that writes.
  absl::Status Store(const RankingKey& key, Load load);
  /// Computes all rows of the table again. Must be called within a transaction that writes.
  absl::Status Rebuild(Load load);
  /// Ranks all records, and returns the number of rows that differ from the result or are missing. Marked rows do not
  /// count.
  absl::StatusOr<int64_t> CountWrong(Load load);

 private:
  /// The columns of a row that say which schedule is first.
  struct First {
    /// The record of its own time, and the record with the comparison that determines its rank, if there is one.
    std::optional<int64_t> measurement_id, compared_id;
    double ranked_ns = 0, place_ns = 0;  ///< RankedRecord::ranked_ns and RankedRecord::place_ns.
    bool operator==(const First&) const = default;
  };
  struct Row {
    int64_t id = 0;
    RankingKey key;
    bool is_right = false;  ///< False if it is marked, or was ranked by another kRankingRule.
    int64_t newest_unix_millis = 0;
    First first;
  };
  struct Group {
    RankingGroup group;
    std::vector<int64_t> toolchains;
    std::vector<Row> rows;  ///< One for each toolchain.
  };

  /// Returns the groups whose problem, device and regime pass, with the rows for the filter's `verified_only`.
  absl::StatusOr<std::vector<Group>> Groups(const RecordFilter& filter);
  /// True if the problem, device and regime of the group pass.
  absl::StatusOr<bool> Passes(const RecordFilter& filter, const RankingGroup& group);
  /// Returns the rows of a problem, or of all problems if `workload_id` is nullopt: those that rank only verified
  /// records or, if `verified_only` is false, those that rank all records.
  absl::StatusOr<std::vector<Row>> Rows(bool verified_only, std::optional<int64_t> workload_id);
  /// Returns the row that is first by the filter's rule (RankingRule), or a row without a record if none has one.
  /// Returns nullopt if this cannot be decided from the rows: the filter is by other columns, a row is marked, or two
  /// rows tie for the first place.
  static std::optional<Row> FirstOf(const std::vector<Row>& rows, const RecordFilter& filter);
  absl::StatusOr<std::optional<RankedRecord>> LoadRanked(const First& first, Load load);
  /// Ranks the records of a key.
  absl::StatusOr<First> Compute(const RankingKey& key, bool verified_only, Load load);
  absl::StatusOr<bool> HasUnverified(const RankingKey& key);

  Database* database_;
  Ranking ranking_;
};

}  // namespace mmtune
