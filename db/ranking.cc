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

/// So much of a schedule's digest is in the column `schedule`.
constexpr size_t kKeyDigits = 16;

/// Finds the records of a schedule by the beginning of its digest, which is lower-case hex, and by kAboveDigits behind
/// it. Other conditions must have a + before their columns, which keeps SQLite from the outcome's index.
constexpr char kOfSchedule[] = "workload_id = ?1 AND schedule_digest >= ?2 AND schedule_digest < ?3";
constexpr char kAboveDigits[] = "g";

std::string KeyOf(const Schedule& schedule) { return schedule.Digest().substr(0, kKeyDigits); }

RankingRule RuleOf(const RecordFilter& filter) { return {!filter.proven_only, filter.any_toolchain, filter.toolchain}; }

/// A range of the key for each value of `proven`, merged by SQLite without a sort.
std::string AscendingSql(const RecordFilter& filter) {
  const auto part = [](int proven) {
    return absl::StrCat(
        "SELECT schedule, median_ns, uuid FROM ranking WHERE workload_id = ?1 AND class_id = ?2 AND "
        "regime = ?3 AND toolchain_id = ?4 AND proven = ",
        proven);
  };
  return absl::StrCat(part(1), filter.proven_only ? "" : absl::StrCat(" UNION ALL ", part(0)),
                      " ORDER BY median_ns, uuid");
}

/// The comparison that may place a schedule.
struct Edge {
  std::string rival;  ///< Holds as many digits as the column `schedule`.
  double factor = 1;  ///< The schedule's place is no less than this of its rival's.
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
    key = edge->second.rival;
  }
  return least;
}

/// Returns the least time of a schedule's ok records, infinity where it has none.
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
                                int64_t toolchain_id, bool proven_only) {
  ASSIGN_OR_RETURN(Statement rows,
                   database->Prepare(
                       "SELECT k.schedule, json_extract(r.conditions, '$.comparison.rival'), "
                       "json_extract(r.conditions, '$.comparison.ratio') "
                       "FROM ranking AS k INDEXED BY ranking_compared JOIN measurement AS r ON r.id = k.measurement_id "
                       "WHERE k.workload_id = ?1 AND k.class_id = ?2 AND k.regime = ?3 AND k.toolchain_id = ?4 AND "
                       "k.compared = 1 AND +k.proven >= ?5 AND "
                       "json_valid(r.conditions) ORDER BY k.proven, k.unix_millis, k.uuid"));
  rows.BindAll(workload_id, class_id, regime, toolchain_id, proven_only);
  Edges edges;
  std::map<std::string, std::string, std::less<>> rivals;  // Keys by text: those of a job have one rival.
  while (true) {
    ASSIGN_OR_RETURN(bool row, rows.Step());
    if (!row) return edges;
    auto rival = rivals.find(rows.View(1));
    if (rival == rivals.end()) {
      const absl::StatusOr<Schedule> schedule = ParseSchedule(rows.View(1));
      if (!schedule.ok()) continue;  // Damaged, and left out when it is loaded.
      rival = rivals.emplace(rows.Text(1), KeyOf(*schedule)).first;
    }
    const double ratio = rows.Real(2);
    edges[rows.Text(0)] = {rival->second, std::fabs(ratio - 1) <= kAsFast ? std::min(ratio, 1.0) : ratio};
  }
}

}  // namespace

/// The `count` schedules with the shortest of the times added.
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

absl::Status BulkRanking::Finish() {
  // OR ROLLBACK, so that SQLite keeps no copy of the pages that it changes.
  return database_->Run(absl::StrCat("INSERT OR ROLLBACK INTO ranking ", kRankingRows, "AND r.id > ?1"), ranked_id_);
}

void BulkRanking::Stop() {
  const absl::Status status = database_->EnableTriggers(true);
  if (!status.ok()) LogError("triggers_off", {{"path", database_->path()}, {"error", ToStd(status.message())}});
}

absl::Status Ranking::ForEach(const RecordFilter& filter, int each, Load load, Take take) {
  if (each <= 0 || (filter.outcome && *filter.outcome != Outcome::kOk)) return absl::OkStatus();
  Group group;
  if (filter.problem) {
    ASSIGN_OR_RETURN(const std::optional<int64_t> id,
                     database_->FirstId("SELECT id FROM workload WHERE digest = ?1", filter.problem->Digest()));
    if (!id) return absl::OkStatus();
    group.workload_id = *id;
  }
  // What passes by other columns than the table's order is read as a whole.
  const bool all = !filter.job_uuid.empty() || filter.since_unix_millis > 0;
  while (true) {
    ASSIGN_OR_RETURN(bool found, Next(filter, &group));
    if (!found) return absl::OkStatus();
    ASSIGN_OR_RETURN(bool passes, Passes(filter, group));
    if (!passes) continue;
    std::vector<TuningRecord> records;
    if (all) {
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
    if (!ranked.empty()) take(std::move(ranked));
  }
}

absl::StatusOr<bool> Ranking::Next(const RecordFilter& filter, Group* group) {
  // SQLite seeks to >= and skips equal rows: no toolchain has this id, so that there are none to skip. Ordered by the
  // toolchain, too, so that it seeks by the key and not by an index without the toolchain, of which it would read all.
  ASSIGN_OR_RETURN(Statement select,
                   database_->Prepare("SELECT workload_id, class_id, regime FROM ranking "
                                      "WHERE (workload_id, class_id, regime, toolchain_id) > "
                                      "(?1, ?2, ?3, ?4) "
                                      "ORDER BY workload_id, class_id, regime, toolchain_id LIMIT 1"));
  const int64_t only = group->workload_id;
  select.BindAll(group->workload_id, group->class_id, group->regime, std::numeric_limits<int64_t>::max());
  ASSIGN_OR_RETURN(bool row, select.Step());
  if (!row || (filter.problem && select.Int(0) != only)) return false;
  *group = {select.Int(0), select.Int(1), select.Text(2)};
  return true;
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
  for (int proven = filter.proven_only ? 1 : 0; proven <= 1; ++proven) {
    ASSIGN_OR_RETURN(
        Statement select,
        database_->Prepare("SELECT toolchain_id, unix_millis, uuid FROM ranking WHERE workload_id = ?1 AND "
                           "class_id = ?2 AND regime = ?3 AND proven = ?4 "
                           "ORDER BY unix_millis DESC, uuid DESC LIMIT 1"));
    select.BindAll(group.workload_id, group.class_id, group.regime, proven);
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
  std::vector<int64_t> toolchains;
  if (!filter.any_toolchain) {
    ASSIGN_OR_RETURN(const std::optional<int64_t> newest, NewestToolchain(group, filter));
    if (newest) toolchains.push_back(*newest);
    return toolchains;
  }
  for (int64_t after = 0;;) {
    ASSIGN_OR_RETURN(const std::optional<int64_t> next,
                     database_->FirstId("SELECT toolchain_id FROM ranking WHERE workload_id = ?1 AND class_id = ?2 AND "
                                        "regime = ?3 AND toolchain_id > ?4 ORDER BY toolchain_id LIMIT 1",
                                        group.workload_id, group.class_id, group.regime, after));
    if (!next) return toolchains;
    toolchains.push_back(after = *next);
  }
}

absl::StatusOr<std::vector<TuningRecord>> Ranking::LoadAll(const Group& group, const RecordFilter& filter, Load load) {
  ASSIGN_OR_RETURN(
      Statement select,
      database_->Prepare(absl::StrCat(
          "SELECT measurement_id FROM ranking WHERE workload_id = ?1 AND class_id = ?2 AND regime = ?3 AND "
          "unix_millis >= ?4 AND proven >= ?5",
          filter.job_uuid.empty() ? "" : " AND measurement_id IN (SELECT id FROM measurement WHERE job_uuid = ?6)")));
  select.BindAll(group.workload_id, group.class_id, group.regime, filter.since_unix_millis, filter.proven_only);
  if (!filter.job_uuid.empty()) select.Bind(6, filter.job_uuid);
  std::vector<TuningRecord> records;
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) return records;
    ASSIGN_OR_RETURN(std::optional<TuningRecord> record, load(select.Int(0)));
    if (record) records.push_back(*std::move(record));
  }
}

absl::StatusOr<std::vector<TuningRecord>> Ranking::LoadSchedule(const Group& group, int64_t toolchain_id,
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
  const RankingRule rule{.allow_unproven = !filter.proven_only, .any_toolchain = false, .toolchain = ""};
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
        ASSIGN_OR_RETURN(at->second, LoadSchedule(group, toolchain_id, keys[i], load));
      }
      for (const TuningRecord& record : at->second) {
        chain.push_back(record);
        const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
        if (!comparison) continue;
        std::string rival = KeyOf(comparison->rival);
        if (met.insert(rival).second) keys.push_back(std::move(rival));
      }
    }
    for (const RankedRecord& ranked : RankRecords(std::move(chain), rule)) {
      const std::string of_ranked = KeyOf(ranked.record.schedule);
      if (added.contains(of_ranked)) shortest->Add(of_ranked, ranked.place_ns);
    }
    return absl::OkStatus();
  };
  for (const Schedule& schedule : filter.schedules) RETURN_IF_ERROR(take(KeyOf(schedule)));
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
                                                  toolchain_id, filter.proven_only));
    for (const auto& [key, edge] : edges) {
      if (times.contains(edge.rival)) continue;
      ASSIGN_OR_RETURN(times[edge.rival], LeastTime(database_, group.workload_id, toolchain_id, edge.rival));
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

}  // namespace mmtune
