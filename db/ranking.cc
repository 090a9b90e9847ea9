// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/ranking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kKeyDigits = 16;

/// Finds the records of a schedule by the beginning of its digest, which is lower-case hex, and by kAboveDigits behind
/// it. Other conditions must have a + before their columns, which keeps SQLite from the outcome's index.
constexpr char kOfSchedule[] = "workload_id = ?1 AND schedule_digest >= ?2 AND schedule_digest < ?3";
constexpr char kAboveDigits[] = "g";

/// True if the table `best` has what this filter lets pass first.
bool IsInBest(const RecordFilter& filter) {
  return filter.job_uuid.empty() && filter.since_unix_millis == 0 && filter.schedules.empty();
}

RankingRule RuleOf(const RecordFilter& filter) {
  return {!filter.verified_only, filter.any_toolchain, filter.toolchain};
}

/// A range of the key for each value of `verified`, merged by SQLite without a sort.
std::string AscendingSql(const RecordFilter& filter) {
  const auto part = [](int verified) {
    return absl::StrCat(
        "SELECT schedule, median_ns, uuid FROM ranking WHERE workload_id = ?1 AND class_id = ?2 AND "
        "regime = ?3 AND toolchain_id = ?4 AND verified = ",
        verified);
  };
  return absl::StrCat(part(1), filter.verified_only ? "" : absl::StrCat(" UNION ALL ", part(0)),
                      " ORDER BY median_ns, uuid");
}

/// A comparison that may place a schedule.
struct Edge {
  std::string reference;  ///< Holds as many digits as the column `schedule`.
  double factor = 1;      ///< The schedule's place is no less than this of its reference's.
};
using Edges = std::map<std::string, Edge>;  // by schedule

/// Returns a time that the place of a schedule is not below, whichever of the comparisons that lead on from it count.
/// `times` has the shortest time of schedules, which is at least `others_ns` for any other.
double LeastPlace(const Edges& edges, const std::map<std::string, double>& times, double others_ns, std::string key) {
  constexpr double kRounding = 1 - 1e-9;
  double factor = kRounding, least = std::numeric_limits<double>::infinity();
  for (std::set<std::string> met; met.insert(key).second;) {
    const auto time = times.find(key);
    least = std::min(least, factor * (time == times.end() ? others_ns : time->second));
    const auto edge = edges.find(key);
    if (edge == edges.end()) break;
    factor *= edge->second.factor;
    key = edge->second.reference;
  }
  return least;
}

/// Returns the shortest time of a schedule's ok records, infinity if it has none.
absl::StatusOr<double> LeastTime(Database* database, int64_t workload_id, int64_t toolchain_id,
                                 const std::string& key) {
  ASSIGN_OR_RETURN(Statement select,
                   database->Prepare(absl::StrCat("SELECT median_ns FROM measurement WHERE ", kOfSchedule,
                                                  " AND +toolchain_id = ?4 AND +outcome = 'ok'")));
  select.BindAll(workload_id, key, key + kAboveDigits, toolchain_id);
  double least = std::numeric_limits<double>::infinity();
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) return least;
    least = std::min(least, select.Real(0));
  }
}

/// Reads the newest comparison of each schedule, verified records first.
absl::StatusOr<Edges> ReadEdges(Database* database, int64_t workload_id, int64_t class_id, const std::string& regime,
                                int64_t toolchain_id, bool verified_only) {
  ASSIGN_OR_RETURN(Statement rows,
                   database->Prepare("SELECT schedule, reference, ratio FROM ranking INDEXED BY ranking_compared "
                                     "WHERE workload_id = ?1 AND class_id = ?2 AND regime = ?3 AND toolchain_id = ?4 "
                                     "AND reference <> '' AND +verified >= ?5 ORDER BY verified, unix_millis, uuid"));
  rows.BindAll(workload_id, class_id, regime, toolchain_id, verified_only);
  Edges edges;
  while (true) {
    ASSIGN_OR_RETURN(bool row, rows.Step());
    if (!row) return edges;
    const double ratio = rows.Real(2);
    edges[rows.Text(0)] = {rows.Text(1), std::fabs(ratio - 1) <= kAsFast ? std::min(ratio, 1.0) : ratio};
  }
}

}  // namespace

std::string ScheduleKey(const Schedule& schedule) { return schedule.Digest().substr(0, kKeyDigits); }

ComparisonColumns::ComparisonColumns(const TuningRecord& record) {
  const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
  if (!comparison) return;
  reference = ScheduleKey(comparison->reference);
  ratio = comparison->ratio;
}

/// Keeps the `count` schedules with the shortest of the times added.
class Ranking::ShortestTimes {
 public:
  explicit ShortestTimes(int count) : count_(static_cast<size_t>(count)) {}

  void Add(const std::string& schedule, double ns) {
    const auto [at, is_new] = times_.try_emplace(schedule, ns);
    if (!is_new && at->second <= ns) return;
    order_.erase({at->second, schedule});
    at->second = ns;
    order_.emplace(ns, schedule);
    if (order_.size() <= count_) return;
    times_.erase(order_.rbegin()->second);
    order_.erase(std::prev(order_.end()));
  }
  /// Returns true if there are as many as wanted, all shorter than `ns`.
  bool AllBelow(double ns) const { return order_.size() == count_ && order_.rbegin()->first < ns; }

 private:
  size_t count_;
  std::map<std::string, double> times_;
  std::set<std::pair<double, std::string>> order_;
};

absl::Status BulkRanking::Start() {
  ASSIGN_OR_RETURN(ranked_id_, database_->QueryInt("SELECT ifnull(max(id), 0) FROM measurement"));
  return database_->EnableTriggers(false);
}

absl::StatusOr<std::vector<RankingKey>> BulkRanking::Finish() {
  std::vector<RankingKey> keys;
  {
    ASSIGN_OR_RETURN(Statement select, database_->Prepare(absl::StrCat(
                                           "SELECT DISTINCT workload_id, class_id, regime, toolchain_id FROM (",
                                           kRankingRows, "AND r.id > ?1)")));
    select.Bind(1, ranked_id_);
    while (true) {
      ASSIGN_OR_RETURN(const bool row, select.Step());
      if (!row) break;
      keys.push_back({select.Int(0), select.Int(1), select.Text(2), select.Int(3)});
    }
  }
  for (const RankingKey& key : keys) {
    RETURN_IF_ERROR(
        database_->Run("DELETE FROM best WHERE workload_id = ?1 AND class_id = ?2 AND regime = ?3 AND "
                       "verified_only IN (0, 1) AND toolchain_id = ?4",
                       key.workload_id, key.class_id, key.regime, key.toolchain_id));
  }
  // OR ROLLBACK, so that SQLite keeps no copy of the pages that it changes.
  RETURN_IF_ERROR(
      database_->Run(absl::StrCat("INSERT OR ROLLBACK INTO ranking ", kRankingRows, "AND r.id > ?1"), ranked_id_));
  return keys;
}

void BulkRanking::Stop() {
  const absl::Status status = database_->EnableTriggers(true);
  if (!status.ok()) LogError("triggers_off", {{"path", database_->path()}, {"error", ToStd(status.message())}});
}

absl::Status Ranking::ForEach(const RecordFilter& filter, int each, Load load, Take take) {
  if (each <= 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::vector<Group> groups, Groups(filter));
  for (const Group& group : groups) {
    if (each == 1 && IsInBest(filter)) {
      ASSIGN_OR_RETURN(const std::vector<Best> rows, ReadBest(group, filter.verified_only));
      ASSIGN_OR_RETURN(const std::vector<int64_t> toolchains, ToolchainsOf(group, filter));
      if (const std::optional<Best> first = FirstOf(rows, toolchains)) {
        if (!first->measurement_id) continue;
        ASSIGN_OR_RETURN(std::optional<RankedRecord> ranked, LoadRanked(*first, load));
        if (ranked) {
          take({*std::move(ranked)});
          continue;
        }
      }
    }
    ASSIGN_OR_RETURN(std::vector<RankedRecord> ranked, Rank(group, filter, each, load));
    if (!ranked.empty()) take(std::move(ranked));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<BestSchedule>> Ranking::Schedules(const RecordFilter& filter, Load load,
                                                             LoadSchedule load_schedule) {
  RecordFilter any = filter;
  any.any_toolchain = true;
  ASSIGN_OR_RETURN(const std::vector<Group> groups, Groups(filter));
  std::vector<BestSchedule> schedules;
  for (const Group& group : groups) {
    std::optional<BestSchedule> best;
    std::optional<Best> first, first_of_any;
    if (IsInBest(filter)) {
      ASSIGN_OR_RETURN(const std::vector<Best> rows, ReadBest(group, filter.verified_only));
      ASSIGN_OR_RETURN(const std::vector<int64_t> toolchains, ToolchainsOf(group, filter));
      first = FirstOf(rows, toolchains);
      first_of_any = FirstOf(rows, group.toolchains);
    }
    if (first && !first->measurement_id) continue;
    if (first) {
      ASSIGN_OR_RETURN(best, load_schedule(*first->measurement_id));
    }
    if (best) {
      best->entry.median_ns = best->any_toolchain_ns = first->ranked_ns;
    } else {
      ASSIGN_OR_RETURN(std::vector<RankedRecord> ranked, Rank(group, filter, /*each=*/1, load));
      if (ranked.empty()) continue;
      best = ToBestSchedule(std::move(ranked.front()));
    }
    if (first_of_any) {
      best->any_toolchain_ns = first_of_any->ranked_ns;
    } else if (!filter.any_toolchain && group.toolchains.size() > 1) {
      ASSIGN_OR_RETURN(const std::vector<RankedRecord> ranked, Rank(group, any, /*each=*/1, load));
      if (!ranked.empty()) best->any_toolchain_ns = ranked.front().ranked_ns;
    }
    schedules.push_back(*std::move(best));
  }
  return schedules;
}

absl::StatusOr<std::vector<RankedRecord>> Ranking::Rank(const Group& group, const RecordFilter& filter, int each,
                                                        Load load) {
  std::vector<TuningRecord> records;
  // A filter by other columns than those that order the table reads all of its rows.
  if (!filter.job_uuid.empty() || filter.since_unix_millis > 0) {
    ASSIGN_OR_RETURN(records, LoadAll(group, filter, load));
  } else {
    ASSIGN_OR_RETURN(const std::vector<int64_t> toolchains, ToolchainsOf(group, filter));
    ShortestTimes shortest(each);
    for (int64_t id : toolchains) RETURN_IF_ERROR(LoadBest(group, id, filter, load, &shortest, &records));
  }
  std::vector<RankedRecord> ranked = RankRecords(std::move(records), RuleOf(filter));
  if (!filter.schedules.empty()) {
    std::erase_if(ranked, [&filter](const RankedRecord& entry) {
      return std::find(filter.schedules.begin(), filter.schedules.end(), entry.record.schedule) ==
             filter.schedules.end();
    });
  }
  if (ranked.size() > static_cast<size_t>(each)) ranked.resize(static_cast<size_t>(each));
  return ranked;
}

absl::StatusOr<std::vector<RankingKey>> Ranking::Keys(int64_t workload_id) {
  // SQLite seeks to >= and skips equal rows: `verified` is never 2, so that there are none to skip.
  ASSIGN_OR_RETURN(Statement select,
                   database_->Prepare("SELECT workload_id, class_id, regime, toolchain_id FROM ranking "
                                      "WHERE (workload_id, class_id, regime, toolchain_id, verified) > "
                                      "(?1, ?2, ?3, ?4, 2) "
                                      "ORDER BY workload_id, class_id, regime, toolchain_id, verified LIMIT 1"));
  std::vector<RankingKey> keys;
  for (RankingKey last{.workload_id = workload_id, .class_id = 0, .regime = "", .toolchain_id = 0};;) {
    ASSIGN_OR_RETURN(const bool row,
                     select.BindAll(last.workload_id, last.class_id, last.regime, last.toolchain_id).Step());
    if (!row || (workload_id != 0 && select.Int(0) != workload_id)) return keys;
    last = {select.Int(0), select.Int(1), select.Text(2), select.Int(3)};
    RETURN_IF_ERROR(select.Run());  // to its end, to be bound again
    keys.push_back(last);
  }
}

absl::StatusOr<std::vector<Ranking::Group>> Ranking::Groups(const RecordFilter& filter) {
  std::vector<Group> groups;
  if (filter.outcome && *filter.outcome != Outcome::kOk) return groups;
  int64_t workload_id = 0;
  if (filter.problem) {
    ASSIGN_OR_RETURN(const std::optional<int64_t> id,
                     database_->FirstId("SELECT id FROM workload WHERE digest = ?1", filter.problem->Digest()));
    if (!id) return groups;
    workload_id = *id;
  }
  ASSIGN_OR_RETURN(const std::vector<RankingKey> keys, Keys(workload_id));
  for (const RankingKey& key : keys) {
    if (groups.empty() || groups.back().workload_id != key.workload_id || groups.back().class_id != key.class_id ||
        groups.back().regime != key.regime) {
      groups.push_back({key.workload_id, key.class_id, key.regime, {}});
    }
    groups.back().toolchains.push_back(key.toolchain_id);
  }
  std::vector<Group> passing;
  for (Group& group : groups) {
    ASSIGN_OR_RETURN(const bool passes, Passes(filter, group));
    if (passes) passing.push_back(std::move(group));
  }
  return passing;
}

absl::StatusOr<bool> Ranking::Passes(const RecordFilter& filter, const Group& group) {
  if (filter.regime && group.regime != RegimeName(*filter.regime)) return false;
  if (filter.device.empty()) return true;
  ASSIGN_OR_RETURN(const std::optional<int64_t> id,
                   database_->FirstId("SELECT id FROM device WHERE id = ?1 AND "
                                      "(kind = lower(?2) OR instr(lower(name), lower(?2)) > 0)",
                                      group.class_id, filter.device));
  return id.has_value();
}

absl::StatusOr<std::optional<int64_t>> Ranking::NewestToolchain(const Group& group, const RecordFilter& filter) {
  std::optional<int64_t> newest;
  std::pair<int64_t, std::string> age;
  for (int verified = filter.verified_only ? 1 : 0; verified <= 1; ++verified) {
    ASSIGN_OR_RETURN(
        Statement select,
        database_->Prepare("SELECT toolchain_id, unix_millis, uuid FROM ranking WHERE workload_id = ?1 AND "
                           "class_id = ?2 AND regime = ?3 AND verified = ?4 "
                           "ORDER BY unix_millis DESC, uuid DESC LIMIT 1"));
    select.BindAll(group.workload_id, group.class_id, group.regime, verified);
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) continue;
    std::pair<int64_t, std::string> found(select.Int(1), select.Text(2));
    if (newest && found < age) continue;
    newest = select.Int(0);
    age = std::move(found);
  }
  return newest;
}

absl::StatusOr<std::vector<int64_t>> Ranking::ToolchainsOf(const Group& group, const RecordFilter& filter) {
  if (!filter.toolchain.empty()) {
    return database_->Ids("SELECT id FROM toolchain WHERE digest = ?1", filter.toolchain);
  }
  if (filter.any_toolchain || group.toolchains.size() < 2) return group.toolchains;
  std::vector<int64_t> toolchains;
  ASSIGN_OR_RETURN(const std::optional<int64_t> newest, NewestToolchain(group, filter));
  if (newest) toolchains.push_back(*newest);
  return toolchains;
}

absl::StatusOr<std::vector<TuningRecord>> Ranking::LoadAll(const Group& group, const RecordFilter& filter, Load load) {
  ASSIGN_OR_RETURN(
      Statement select,
      database_->Prepare(absl::StrCat(
          "SELECT measurement_id FROM ranking WHERE workload_id = ?1 AND class_id = ?2 AND regime = ?3 AND "
          "unix_millis >= ?4 AND verified >= ?5",
          filter.job_uuid.empty() ? "" : " AND measurement_id IN (SELECT id FROM measurement WHERE job_uuid = ?6)")));
  select.BindAll(group.workload_id, group.class_id, group.regime, filter.since_unix_millis, filter.verified_only);
  if (!filter.job_uuid.empty()) select.Bind(6, filter.job_uuid);
  std::vector<TuningRecord> records;
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) return records;
    ASSIGN_OR_RETURN(std::optional<TuningRecord> record, load(select.Int(0)));
    if (record) records.push_back(*std::move(record));
  }
}

absl::StatusOr<std::vector<TuningRecord>> Ranking::LoadRecords(const Group& group, int64_t toolchain_id,
                                                               const std::string& key, Load load) {
  ASSIGN_OR_RETURN(
      const std::vector<int64_t> ids,
      database_->Ids(absl::StrCat("SELECT id FROM measurement WHERE ", kOfSchedule,
                                  " AND +regime = ?4 AND +toolchain_id = ?5 AND +canonical = 1 AND +outcome = 'ok' AND "
                                  "+device_id IN (SELECT d.id FROM device AS d JOIN device AS f "
                                  "ON f.class_key = d.class_key WHERE f.id = ?6)"),
                     group.workload_id, key, key + kAboveDigits, group.regime, toolchain_id, group.class_id));
  std::vector<TuningRecord> records;
  for (int64_t id : ids) {
    ASSIGN_OR_RETURN(std::optional<TuningRecord> record, load(id));
    if (record) records.push_back(*std::move(record));
  }
  return records;
}

absl::Status Ranking::LoadBest(const Group& group, int64_t toolchain_id, const RecordFilter& filter, Load load,
                               ShortestTimes* shortest, std::vector<TuningRecord>* records) {
  const RankingRule rule{.allow_unverified = !filter.verified_only, .any_toolchain = false, .toolchain = ""};
  std::map<std::string, std::vector<TuningRecord>> loaded;
  // Loads a schedule and those that it was compared with, directly or not, which say where it is placed.
  const auto take = [&](const std::string& key) -> absl::Status {
    if (loaded.contains(key)) return absl::OkStatus();
    std::vector<std::string> keys = {key};
    std::set<std::string> met = {key}, added;
    std::vector<TuningRecord> chain;
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto [at, is_new] = loaded.try_emplace(keys[i]);
      if (is_new) {
        added.insert(keys[i]);
        ASSIGN_OR_RETURN(at->second, LoadRecords(group, toolchain_id, keys[i], load));
      }
      for (const TuningRecord& record : at->second) {
        chain.push_back(record);
        const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
        if (!comparison) continue;
        std::string reference = ScheduleKey(comparison->reference);
        if (met.insert(reference).second) keys.push_back(std::move(reference));
      }
    }
    for (const RankedRecord& ranked : RankRecords(std::move(chain), rule)) {
      const std::string of_ranked = ScheduleKey(ranked.record.schedule);
      if (added.contains(of_ranked)) shortest->Add(of_ranked, ranked.place_ns);
    }
    return absl::OkStatus();
  };
  for (const Schedule& schedule : filter.schedules) RETURN_IF_ERROR(take(ScheduleKey(schedule)));
  if (filter.schedules.empty()) {
    std::map<std::string, double> times;
    double next_ns = 0;
    ASSIGN_OR_RETURN(Statement rows, database_->Prepare(AscendingSql(filter)));
    rows.BindAll(group.workload_id, group.class_id, group.regime, toolchain_id);
    while (true) {
      ASSIGN_OR_RETURN(bool row, rows.Step());
      next_ns = row ? rows.Real(1) : std::numeric_limits<double>::infinity();
      // No record of a schedule that comes later is faster than this one, so that its own time is not, either.
      if (!row || shortest->AllBelow(next_ns)) break;
      const std::string key = rows.Text(0);
      times.try_emplace(key, next_ns);
      RETURN_IF_ERROR(take(key));
    }
    // A comparison may place a schedule before its own time.
    ASSIGN_OR_RETURN(const Edges edges, ReadEdges(database_, group.workload_id, group.class_id, group.regime,
                                                  toolchain_id, filter.verified_only));
    for (const auto& [key, edge] : edges) {
      if (times.contains(edge.reference)) continue;
      ASSIGN_OR_RETURN(times[edge.reference], LeastTime(database_, group.workload_id, toolchain_id, edge.reference));
    }
    std::vector<std::pair<double, std::string>> compared;
    for (const auto& [key, edge] : edges) {
      if (!loaded.contains(key)) compared.emplace_back(LeastPlace(edges, times, next_ns, key), key);
    }
    std::sort(compared.begin(), compared.end());
    for (const auto& [least_ns, key] : compared) {
      if (shortest->AllBelow(least_ns)) break;
      RETURN_IF_ERROR(take(key));
    }
  }
  for (auto& [key, own] : loaded) {
    records->insert(records->end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Ranking::Best>> Ranking::ReadBest(const Group& group, bool verified_only) {
  ASSIGN_OR_RETURN(
      Statement select,
      database_->Prepare("SELECT toolchain_id, measurement_id, compared_id, ranked_ns, place_ns FROM best WHERE "
                         "workload_id = ?1 AND class_id = ?2 AND regime = ?3 AND verified_only = ?4 AND rule = ?5"));
  select.BindAll(group.workload_id, group.class_id, group.regime, verified_only, kRankingRule);
  std::vector<Best> rows;
  while (true) {
    ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return rows;
    const auto id = [&select](int column) {
      return select.Int(column) == 0 ? std::nullopt : std::optional(select.Int(column));
    };
    rows.push_back({select.Int(0), id(1), id(2), select.Real(3), select.Real(4)});
  }
}

std::optional<Ranking::Best> Ranking::FirstOf(const std::vector<Best>& rows, const std::vector<int64_t>& toolchains) {
  Best first;
  for (int64_t toolchain : toolchains) {
    const auto row =
        std::find_if(rows.begin(), rows.end(), [=](const Best& each) { return each.toolchain_id == toolchain; });
    if (row == rows.end()) return std::nullopt;
    if (!row->measurement_id) continue;
    if (first.measurement_id && row->place_ns == first.place_ns) return std::nullopt;
    if (!first.measurement_id || row->place_ns < first.place_ns) first = *row;
  }
  return first;
}

absl::StatusOr<std::optional<RankedRecord>> Ranking::LoadRanked(const Best& best, Load load) {
  RankedRecord ranked;
  ranked.ranked_ns = best.ranked_ns;
  ranked.place_ns = best.place_ns;
  ASSIGN_OR_RETURN(std::optional<TuningRecord> record, load(*best.measurement_id));
  if (!record) return std::nullopt;
  ranked.record = *std::move(record);
  if (best.compared_id == best.measurement_id) {
    ranked.comparison = ranked.record.measurement.conditions.comparison;
  } else if (best.compared_id) {
    ASSIGN_OR_RETURN(record, load(*best.compared_id));
    if (!record) return std::nullopt;
    ranked.comparison = std::move(record->measurement.conditions.comparison);
  }
  return ranked;
}

absl::StatusOr<Ranking::Best> Ranking::ComputeBest(const RankingKey& key, bool verified_only, Load load) {
  const Group group{key.workload_id, key.class_id, key.regime, {key.toolchain_id}};
  RecordFilter filter;
  filter.verified_only = verified_only;
  Best best{.toolchain_id = key.toolchain_id, .measurement_id = std::nullopt, .compared_id = std::nullopt};
  ASSIGN_OR_RETURN(const std::vector<RankedRecord> ranked, Rank(group, filter, /*each=*/1, load));
  if (ranked.empty()) return best;
  const RankedRecord& first = ranked.front();
  best.measurement_id = first.record.id;
  best.ranked_ns = first.ranked_ns;
  best.place_ns = first.place_ns;
  if (!first.comparison) return best;
  ASSIGN_OR_RETURN(const std::vector<TuningRecord> records,
                   LoadRecords(group, key.toolchain_id, ScheduleKey(first.record.schedule), load));
  for (const TuningRecord& record : records) {
    if (record.measurement.conditions.comparison == first.comparison) best.compared_id = record.id;
  }
  return best;
}

absl::StatusOr<bool> Ranking::HasUnverified(const RankingKey& key) {
  ASSIGN_OR_RETURN(const std::optional<int64_t> any,
                   database_->FirstId("SELECT 1 FROM ranking WHERE workload_id = ?1 AND class_id = ?2 AND regime = ?3 "
                                      "AND toolchain_id = ?4 AND verified = 0 LIMIT 1",
                                      key.workload_id, key.class_id, key.regime, key.toolchain_id));
  return any.has_value();
}

absl::Status Ranking::StoreBest(const RankingKey& key, Load load) {
  std::optional<Best> of_verified;
  for (const bool verified_only : {true, false}) {
    const Group group{key.workload_id, key.class_id, key.regime, {key.toolchain_id}};
    ASSIGN_OR_RETURN(const std::vector<Best> rows, ReadBest(group, verified_only));
    if (FirstOf(rows, group.toolchains)) continue;
    bool same = false;
    if (of_verified) {
      ASSIGN_OR_RETURN(const bool unverified, HasUnverified(key));
      same = !unverified;
    }
    Best best;
    if (same) {
      best = *of_verified;
    } else {
      ASSIGN_OR_RETURN(best, ComputeBest(key, verified_only, load));
    }
    if (verified_only) of_verified = best;
    std::optional<double> ranked_ns, place_ns;
    if (best.measurement_id) {
      ranked_ns = best.ranked_ns;
      place_ns = best.place_ns;
    }
    RETURN_IF_ERROR(database_->Run("INSERT OR REPLACE INTO best VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                                   key.workload_id, key.class_id, key.regime, verified_only, key.toolchain_id,
                                   kRankingRule, best.measurement_id, best.compared_id, ranked_ns, place_ns));
  }
  return absl::OkStatus();
}

absl::Status Ranking::RebuildBest(Load load) {
  RETURN_IF_ERROR(database_->Execute("DELETE FROM best"));
  ASSIGN_OR_RETURN(const std::vector<RankingKey> keys, Keys(/*workload_id=*/0));
  for (const RankingKey& key : keys) RETURN_IF_ERROR(StoreBest(key, load));
  return absl::OkStatus();
}

absl::StatusOr<int64_t> Ranking::CountWrongBest(Load load) {
  ASSIGN_OR_RETURN(const std::vector<RankingKey> keys, Keys(/*workload_id=*/0));
  int64_t rows = 0, right = 0;
  for (const RankingKey& key : keys) {
    for (const bool verified_only : {true, false}) {
      ASSIGN_OR_RETURN(const std::vector<Best> stored,
                       ReadBest({key.workload_id, key.class_id, key.regime, {}}, verified_only));
      for (const Best& best : stored) {
        if (best.toolchain_id != key.toolchain_id) continue;
        ASSIGN_OR_RETURN(const Best anew, ComputeBest(key, verified_only, load));
        right += best == anew;
      }
    }
  }
  ASSIGN_OR_RETURN(rows, database_->QueryInt(absl::StrCat("SELECT count(*) FROM best WHERE rule = ", kRankingRule)));
  return rows - right;
}

}  // namespace mmtune
