// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/best_table.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// The condition for one row.
constexpr char kRow[] =
    "workload_id = ?1 AND class_id = ?2 AND regime = ?3 AND verified_only = ?4 AND toolchain_id = ?5";

/// After a group with more records, all of its rankings are computed anew.
constexpr size_t kFewRecords = 256;

/// The column newest_unix_millis may be this much early, less one millisecond. With PostgreSQL a row would otherwise
/// change with each group, and every lookup would walk all its versions while some session is idle in a transaction.
constexpr int64_t kNewestSlackMillis = 60'000;

/// Joins the records `r` to the ids in the JSON array ?1.
constexpr char kAdded[] = "JOIN json_each(?1) AS e ON r.id = CAST(CAST(e.value AS text) AS bigint) ";

/// Returns the rows of the table `ranking` of canonical ok records whose ids are in the JSON array ?1.
std::string AddedRows() { return absl::StrCat(kRankingColumns, kAdded); }

/// Returns the keys of records whose ids are in the JSON array ?1.
std::string AddedKeys() {
  return absl::StrCat("SELECT DISTINCT workload_id, class_id, regime, toolchain_id FROM (", AddedRows(), ") AS added");
}

/// The condition under which a record `r` may change what a row of `best` says: it is not slower than the first place,
/// or a comparison has to do with its schedule, or another record of its schedule may be the first. The trigger
/// ranking_insert of schema.sql has the same for SQLite.
constexpr char kMayBeFirst[] =
    "r.reference <> '' OR best.place_ns IS NULL OR r.median_ns <= best.place_ns "
    "OR EXISTS (SELECT 1 FROM ranking AS k INDEXED BY ranking_compared WHERE k.workload_id = best.workload_id AND "
    "k.class_id = best.class_id "
    "AND k.regime = best.regime AND k.toolchain_id = best.toolchain_id AND k.reference <> '' "
    "AND k.reference = substr(r.schedule_digest, 1, 16) AND k.measurement_id <> r.id) "
    "OR EXISTS (SELECT 1 FROM measurement AS o WHERE o.workload_id = r.workload_id "
    "AND o.schedule_digest = r.schedule_digest AND o.id <> r.id AND +o.outcome = 'ok' "
    "AND (o.reference <> '' OR o.median_ns <= best.place_ns))";

/// Returns an UPDATE that marks the rows of `best` that one of the records whose ids are in the JSON array ?1 may
/// change, and gives the keys of all marked rows.
std::string MarkedKeys() {
  return absl::StrCat(
      "UPDATE best SET rule = 0 FROM measurement AS r ", kAdded,
      "JOIN device_class AS c ON c.device_id = r.device_id WHERE best.workload_id = r.workload_id AND "
      "best.class_id = c.class_id AND best.regime = r.regime AND best.toolchain_id = r.toolchain_id AND (best.rule <> ",
      kRankingRule, " OR (best.verified_only <= coalesce(r.verified, 0) AND (", kMayBeFirst,
      "))) RETURNING best.workload_id, best.class_id, best.regime, best.toolchain_id");
}

/// Adds the rows of `key`, or marks those that are there as perhaps wrong.
absl::Status Mark(Database& database, const RankingKey& key) {
  return database.Run(
      "INSERT INTO best (workload_id, class_id, regime, verified_only, toolchain_id, rule) "
      "SELECT ?1, ?2, ?3, column1, ?4, 0 FROM (VALUES (0), (1)) AS v WHERE true "
      "ON CONFLICT (workload_id, class_id, regime, verified_only, toolchain_id) DO UPDATE SET rule = 0, "
      "newest_unix_millis = NULL",
      key.group.workload_id, key.group.class_id, key.group.regime, key.toolchain_id);
}

/// A filter by other columns than these asks for more than the rows say.
bool IsByKey(const RecordFilter& filter) {
  return filter.job_uuid.empty() && filter.since_unix_millis == 0 && filter.schedules.empty() &&
         filter.toolchain.empty();
}

}  // namespace

absl::Status BulkRanking::Start() { return database_->EnableTriggers(false); }

absl::StatusOr<std::vector<RankingKey>> BulkRanking::Finish(const std::vector<int64_t>& added) {
  if (added.empty()) return std::vector<RankingKey>();
  const std::string ids = absl::StrCat("[", absl::StrJoin(added, ","), "]");
  // OR ROLLBACK, so that SQLite keeps no copy of the pages that it changes.
  RETURN_IF_ERROR(database_->RunLater(nullptr, absl::StrCat("INSERT OR ROLLBACK INTO ranking ", AddedRows()), ids));
  // To rank a key once costs less than to ask of each of many records whether it may change the first place.
  const bool all = added.size() > kFewRecords;
  RETURN_IF_ERROR(database_->RunLater(
      nullptr,
      absl::StrCat(
          "INSERT INTO best (workload_id, class_id, regime, verified_only, toolchain_id, rule, newest_unix_millis) "
          "SELECT workload_id, class_id, regime, column1, toolchain_id, 0, "
          "max(CASE WHEN verified >= column1 THEN unix_millis END) FROM (",
          AddedRows(),
          ") AS added CROSS JOIN (VALUES (0), (1)) AS v WHERE true "
          // In one order, as other coordinators wait for the rows that this one changes.
          "GROUP BY workload_id, class_id, regime, column1, toolchain_id ORDER BY 1, 2, 3, 4, 5 "
          "ON CONFLICT (workload_id, class_id, regime, verified_only, toolchain_id) DO UPDATE SET "
          "rule = CASE WHEN ?2 = 1 THEN 0 ELSE best.rule END, "
          "newest_unix_millis = CASE WHEN best.newest_unix_millis IS NULL THEN NULL "  // not known
          "WHEN excluded.newest_unix_millis > best.newest_unix_millis THEN excluded.newest_unix_millis "
          "ELSE best.newest_unix_millis END "
          // Otherwise the row is locked and not changed.
          "WHERE ?2 = 1 OR excluded.newest_unix_millis >= best.newest_unix_millis + ",
          kNewestSlackMillis),
      ids, all));
  // A statement of its own: the rows of `best` are locked by now, so that it sees what others stored before.
  ASSIGN_OR_RETURN(Statement keys, database_->Prepare(all ? AddedKeys() : MarkedKeys()));
  keys.BindAll(ids);
  std::set<RankingKey> found;
  while (true) {
    ASSIGN_OR_RETURN(const bool row, keys.Step());
    if (!row) return std::vector<RankingKey>(found.begin(), found.end());
    found.insert({{keys.Int(0), keys.Int(1), keys.Text(2)}, keys.Int(3)});
  }
}

void BulkRanking::Stop() {
  const absl::Status status = database_->EnableTriggers(true);
  if (!status.ok()) LogError("triggers_off", {{"path", database_->path()}, {"error", ToStd(status.message())}});
}

absl::Status BestTable::ForEach(const RecordFilter& filter, int each, Load load, Take take) {
  if (each <= 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::vector<Group> groups, Groups(filter));
  for (const Group& group : groups) {
    if (each == 1) {
      if (const std::optional<Row> row = FirstOf(group.rows, filter)) {
        if (!row->first.measurement_id) continue;
        ASSIGN_OR_RETURN(std::optional<RankedRecord> ranked, LoadRanked(row->first, load));
        if (ranked) {
          take({*std::move(ranked)});
          continue;
        }
      }
    }
    ASSIGN_OR_RETURN(std::vector<RankedRecord> ranked,
                     ranking_.Rank(group.group, group.toolchains, filter, each, load));
    if (!ranked.empty()) take(std::move(ranked));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<BestSchedule>> BestTable::Schedules(const RecordFilter& filter, Load load,
                                                               LoadSchedule load_schedule) {
  RecordFilter any = filter;
  any.any_toolchain = true;
  ASSIGN_OR_RETURN(const std::vector<Group> groups, Groups(filter));
  std::vector<BestSchedule> schedules;
  schedules.reserve(groups.size());
  for (const Group& group : groups) {
    const std::optional<Row> row = FirstOf(group.rows, filter), row_of_any = FirstOf(group.rows, any);
    if (row && !row->first.measurement_id) continue;
    std::optional<BestSchedule> best;
    if (row) {
      ASSIGN_OR_RETURN(best, load_schedule(row->id));
    }
    if (best) {
      best->entry.median_ns = best->any_toolchain_ns = row->first.ranked_ns;
    } else {
      ASSIGN_OR_RETURN(std::vector<RankedRecord> ranked,
                       ranking_.Rank(group.group, group.toolchains, filter, /*each=*/1, load));
      if (ranked.empty()) continue;
      best = ToBestSchedule(std::move(ranked.front()));
    }
    if (row_of_any) {
      best->any_toolchain_ns = row_of_any->first.ranked_ns;
    } else if (!filter.any_toolchain && group.toolchains.size() > 1) {
      ASSIGN_OR_RETURN(const std::vector<RankedRecord> ranked,
                       ranking_.Rank(group.group, group.toolchains, any, /*each=*/1, load));
      if (!ranked.empty()) best->any_toolchain_ns = ranked.front().ranked_ns;
    }
    schedules.push_back(*std::move(best));
  }
  return schedules;
}

absl::StatusOr<std::vector<BestTable::Row>> BestTable::Rows(bool verified_only, std::optional<int64_t> workload_id) {
  // Without an order: to read all in the order of the key takes longer than to sort them.
  ASSIGN_OR_RETURN(Statement select,
                   database_->Prepare(absl::StrCat(
                       "SELECT rowid, workload_id, class_id, regime, toolchain_id, rule, newest_unix_millis, "
                       "measurement_id, compared_id, ranked_ns, place_ns FROM best WHERE verified_only = ?1",
                       workload_id ? " AND workload_id = ?2" : "")));
  select.Bind(1, verified_only);
  if (workload_id) select.Bind(2, *workload_id);
  std::vector<Row> rows;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, select.Step());
    if (!more) break;
    const auto id = [&select](int column) {
      return select.Int(column) == 0 ? std::nullopt : std::optional(select.Int(column));
    };
    rows.push_back({.id = select.Int(0),
                    .key = {{select.Int(1), select.Int(2), select.Text(3)}, select.Int(4)},
                    .is_right = select.Int(5) == kRankingRule,
                    .newest_unix_millis = select.Int(6),
                    .first = {id(7), id(8), select.Real(9), select.Real(10)}});
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.key < b.key; });
  return rows;
}

absl::StatusOr<std::vector<BestTable::Group>> BestTable::Groups(const RecordFilter& filter) {
  std::vector<Group> groups;
  if (filter.outcome && *filter.outcome != Outcome::kOk) return groups;
  std::optional<int64_t> workload_id;
  if (filter.problem) {
    ASSIGN_OR_RETURN(workload_id,
                     database_->FirstId("SELECT id FROM workload WHERE digest = ?1", filter.problem->Digest()));
    if (!workload_id) return groups;
  }
  ASSIGN_OR_RETURN(std::vector<Row> rows, Rows(filter.verified_only, workload_id));
  for (Row& row : rows) {
    if (groups.empty() || groups.back().group != row.key.group) groups.push_back({row.key.group, {}, {}});
    groups.back().toolchains.push_back(row.key.toolchain_id);
    groups.back().rows.push_back(std::move(row));
  }
  std::vector<Group> passing;
  for (Group& group : groups) {
    ASSIGN_OR_RETURN(const bool passes, Passes(filter, group.group));
    if (passes) passing.push_back(std::move(group));
  }
  return passing;
}

absl::StatusOr<bool> BestTable::Passes(const RecordFilter& filter, const RankingGroup& group) {
  if (filter.regime && group.regime != RegimeName(*filter.regime)) return false;
  if (filter.device.empty()) return true;
  ASSIGN_OR_RETURN(const std::optional<int64_t> id,
                   database_->FirstId("SELECT id FROM device WHERE id = ?1 AND "
                                      "(kind = ?2 OR instr(lower(name), ?2) > 0)",
                                      group.class_id, absl::AsciiStrToLower(filter.device)));
  return id.has_value();
}

std::optional<BestTable::Row> BestTable::FirstOf(const std::vector<Row>& rows, const RecordFilter& filter) {
  if (!IsByKey(filter)) return std::nullopt;
  const auto is_before = [&filter](const Row& a, const Row& b) {
    return filter.any_toolchain ? a.first.place_ns < b.first.place_ns
                                : a.newest_unix_millis >= b.newest_unix_millis + kNewestSlackMillis;
  };
  const Row* first = nullptr;
  for (const Row& row : rows) {
    if (!row.is_right) return std::nullopt;
    if (row.first.measurement_id && (first == nullptr || !is_before(*first, row))) first = &row;
  }
  if (first == nullptr) return Row();
  for (const Row& row : rows) {
    if (row.first.measurement_id && &row != first && !is_before(*first, row)) return std::nullopt;
  }
  return *first;
}

absl::StatusOr<std::optional<RankedRecord>> BestTable::LoadRanked(const First& first, Load load) {
  RankedRecord ranked;
  ranked.ranked_ns = first.ranked_ns;
  ranked.place_ns = first.place_ns;
  ASSIGN_OR_RETURN(std::optional<TuningRecord> record, load(*first.measurement_id));
  if (!record) return std::nullopt;
  ranked.record = *std::move(record);
  if (first.compared_id == first.measurement_id) {
    ranked.comparison = ranked.record.measurement.conditions.comparison;
  } else if (first.compared_id) {
    ASSIGN_OR_RETURN(record, load(*first.compared_id));
    if (!record) return std::nullopt;
    ranked.comparison = std::move(record->measurement.conditions.comparison);
  }
  return ranked;
}

absl::StatusOr<BestTable::First> BestTable::Compute(const RankingKey& key, bool verified_only, Load load) {
  RecordFilter filter;
  filter.verified_only = verified_only;
  ASSIGN_OR_RETURN(const std::vector<RankedRecord> ranked,
                   ranking_.Rank(key.group, {key.toolchain_id}, filter, /*each=*/1, load));
  if (ranked.empty()) return First();
  const RankedRecord& best = ranked.front();
  First first{best.record.id, std::nullopt, best.ranked_ns, best.place_ns};
  if (!best.comparison) return first;
  ASSIGN_OR_RETURN(const std::vector<TuningRecord> records,
                   ranking_.LoadRecords(key, ScheduleKey(best.record.schedule), load));
  for (const TuningRecord& record : records) {
    if (record.measurement.conditions.comparison == best.comparison) first.compared_id = record.id;
  }
  return first;
}

absl::StatusOr<bool> BestTable::HasUnverified(const RankingKey& key) {
  ASSIGN_OR_RETURN(const std::optional<int64_t> any,
                   database_->FirstId("SELECT 1 FROM ranking WHERE workload_id = ?1 AND class_id = ?2 AND regime = ?3 "
                                      "AND toolchain_id = ?4 AND verified = 0 LIMIT 1",
                                      key.group.workload_id, key.group.class_id, key.group.regime, key.toolchain_id));
  return any.has_value();
}

absl::Status BestTable::Store(const RankingKey& key, Load load) {
  const auto& [group, toolchain_id] = key;
  std::optional<First> of_verified;
  for (const bool verified_only : {true, false}) {
    ASSIGN_OR_RETURN(
        const std::optional<int64_t> right,
        database_->FirstId(absl::StrCat("SELECT 1 FROM best WHERE ", kRow, " AND rule = ?6"), group.workload_id,
                           group.class_id, group.regime, verified_only, toolchain_id, kRankingRule));
    if (right) continue;
    bool same = false;
    if (of_verified) {
      ASSIGN_OR_RETURN(const bool unverified, HasUnverified(key));
      same = !unverified;
    }
    First first;
    if (same) {
      first = *of_verified;
    } else {
      ASSIGN_OR_RETURN(first, Compute(key, verified_only, load));
    }
    if (verified_only) of_verified = first;
    std::optional<double> ranked_ns, place_ns;
    if (first.measurement_id) {
      ranked_ns = first.ranked_ns;
      place_ns = first.place_ns;
    }
    RETURN_IF_ERROR(database_->Run(
        absl::StrCat(
            "UPDATE best SET rule = ?6, measurement_id = ?7, compared_id = ?8, ranked_ns = ?9, place_ns = ?10, "
            "newest_unix_millis = coalesce(newest_unix_millis, (SELECT max(unix_millis) FROM ranking WHERE "
            "workload_id = ?1 AND class_id = ?2 AND regime = ?3 AND verified >= ?4 AND toolchain_id = ?5)), "
            "(device_id, schedule, schedule_digest, code_digest, verified) = (SELECT device_id, schedule, "
            "schedule_digest, code_digest, coalesce(verified, 0) FROM measurement WHERE id = ?7) WHERE ",
            kRow),
        group.workload_id, group.class_id, group.regime, verified_only, toolchain_id, kRankingRule,
        first.measurement_id, first.compared_id, ranked_ns, place_ns));
  }
  return absl::OkStatus();
}

absl::Status BestTable::Rebuild(Load load) {
  RETURN_IF_ERROR(database_->Execute("DELETE FROM best"));
  ASSIGN_OR_RETURN(const std::vector<RankingKey> keys, ranking_.Keys());
  for (const RankingKey& key : keys) {
    RETURN_IF_ERROR(Mark(*database_, key));
    RETURN_IF_ERROR(Store(key, load));
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> BestTable::CountWrong(Load load) {
  ASSIGN_OR_RETURN(const std::vector<RankingKey> keys, ranking_.Keys());
  ASSIGN_OR_RETURN(int64_t wrong,
                   database_->QueryInt(absl::StrCat(
                       "SELECT count(*) FROM best AS b LEFT JOIN measurement AS r ON r.id = b.measurement_id "
                       "WHERE b.rule = ",
                       kRankingRule,
                       " AND ((SELECT b.newest_unix_millis IS NOT max(k.unix_millis) AND ifnull("
                       "b.newest_unix_millis NOT BETWEEN max(k.unix_millis) - ",
                       kNewestSlackMillis - 1,
                       " AND max(k.unix_millis), 1) FROM ranking AS k WHERE k.workload_id = b.workload_id AND "
                       "k.class_id = b.class_id AND k.regime = b.regime AND k.toolchain_id = b.toolchain_id AND "
                       "k.verified >= b.verified_only) OR (b.device_id, b.schedule, b.schedule_digest, b.code_digest, "
                       "b.verified) IS NOT (r.device_id, r.schedule, r.schedule_digest, r.code_digest, "
                       "iif(r.id, ifnull(r.verified, 0), NULL)))")));
  for (const bool verified_only : {true, false}) {
    ASSIGN_OR_RETURN(const std::vector<Row> rows, Rows(verified_only, /*workload_id=*/std::nullopt));
    auto row = rows.begin();
    for (const RankingKey& key : keys) {
      for (; row != rows.end() && row->key < key; ++row) wrong += row->is_right;
      if (row == rows.end() || row->key != key) {
        ++wrong;
        continue;
      }
      if (row->is_right) {
        ASSIGN_OR_RETURN(const First first, Compute(key, verified_only, load));
        wrong += row->first != first;
      }
      ++row;
    }
    for (; row != rows.end(); ++row) wrong += row->is_right;
  }
  return wrong;
}

}  // namespace mmtune
