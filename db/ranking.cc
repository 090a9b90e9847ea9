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
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kKeyDigits = 16;

/// Finds the records of a schedule by the beginning of its digest, which is lower-case hex, and by kAboveDigits behind
/// it. Other conditions must have a + before their columns, which keeps SQLite from the outcome's index.
constexpr char kOfSchedule[] = "workload_id = ?1 AND schedule_digest >= ?2 AND schedule_digest < ?3";
constexpr char kAboveDigits[] = "g";

RankingRule RuleOf(const RecordFilter& filter) {
  return {!filter.verified_only, filter.any_toolchain, filter.toolchain};
}

/// Reads the records of a key, fastest first: a range of the table for each value of `verified`, merged here, because
/// PostgreSQL sorts where SQL merges them.
class AscendingRows {
 public:
  static absl::StatusOr<AscendingRows> Open(Database& database, const RankingKey& key, bool verified_only) {
    AscendingRows rows;
    for (int verified = 1; verified >= (verified_only ? 1 : 0); --verified) {
      ASSIGN_OR_RETURN(Statement select, database.PrepareLong(absl::StrCat(
                                             "SELECT schedule, median_ns, uuid FROM ranking WHERE workload_id = ?1 AND "
                                             "class_id = ?2 AND regime = ?3 AND toolchain_id = ?4 AND verified = ",
                                             verified, " ORDER BY median_ns, uuid")));
      select.BindAll(key.group.workload_id, key.group.class_id, key.group.regime, key.toolchain_id);
      rows.ranges_.push_back({std::move(select), false});
      RETURN_IF_ERROR(rows.Step(rows.ranges_.back()));
    }
    return rows;
  }

  /// Moves to the next row; returns false at the end.
  absl::StatusOr<bool> Next() {
    if (next_) RETURN_IF_ERROR(Step(ranges_[*next_]));
    next_.reset();
    for (size_t i = 0; i < ranges_.size(); ++i) {
      if (ranges_[i].has_row && (!next_ || Order(i) < Order(*next_))) next_ = i;
    }
    return next_.has_value();
  }
  std::string Schedule() const { return ranges_[*next_].select.Text(0); }
  double Nanoseconds() const { return ranges_[*next_].select.Real(1); }

 private:
  struct Range {
    Statement select;
    bool has_row;
  };

  static absl::Status Step(Range& range) {
    ASSIGN_OR_RETURN(range.has_row, range.select.Step());
    return absl::OkStatus();
  }
  std::pair<double, std::string_view> Order(size_t i) const {
    return {ranges_[i].select.Real(1), ranges_[i].select.View(2)};
  }

  std::vector<Range> ranges_;
  std::optional<size_t> next_;  ///< The range with the current row.
};

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
absl::StatusOr<double> LeastTime(Database* database, const RankingKey& key, const std::string& schedule) {
  ASSIGN_OR_RETURN(Statement select,
                   database->Prepare(absl::StrCat("SELECT median_ns FROM measurement WHERE ", kOfSchedule,
                                                  " AND +toolchain_id = ?4 AND +outcome = 'ok'")));
  select.BindAll(key.group.workload_id, schedule, schedule + kAboveDigits, key.toolchain_id);
  double least = std::numeric_limits<double>::infinity();
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) return least;
    least = std::min(least, select.Real(0));
  }
}

/// Reads the newest comparison of each schedule, verified records first.
absl::StatusOr<Edges> ReadEdges(Database* database, const RankingKey& key, bool verified_only) {
  ASSIGN_OR_RETURN(Statement rows,
                   database->Prepare("SELECT schedule, reference, ratio FROM ranking INDEXED BY ranking_compared "
                                     "WHERE workload_id = ?1 AND class_id = ?2 AND regime = ?3 AND toolchain_id = ?4 "
                                     "AND reference <> '' AND +verified >= ?5 ORDER BY verified, unix_millis, uuid"));
  rows.BindAll(key.group.workload_id, key.group.class_id, key.group.regime, key.toolchain_id, verified_only);
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

absl::StatusOr<std::vector<RankedRecord>> Ranking::Rank(const RankingGroup& group,
                                                        const std::vector<int64_t>& toolchains,
                                                        const RecordFilter& filter, int each, Load load) {
  std::vector<TuningRecord> records;
  // A filter by other columns than those that order the table reads all of its rows.
  if (!filter.job_uuid.empty() || filter.since_unix_millis > 0) {
    ASSIGN_OR_RETURN(records, LoadAll(group, filter, load));
  } else {
    ASSIGN_OR_RETURN(const std::vector<int64_t> ranked, Ranked(group, toolchains, filter));
    ShortestTimes shortest(each);
    for (int64_t id : ranked) RETURN_IF_ERROR(LoadBest({group, id}, filter, load, &shortest, &records));
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

absl::StatusOr<std::vector<RankingKey>> Ranking::Keys() {
  // SQLite seeks to >= and skips equal rows: `verified` is never 2, so that there are none to skip.
  ASSIGN_OR_RETURN(Statement select,
                   database_->Prepare("SELECT workload_id, class_id, regime, toolchain_id FROM ranking "
                                      "WHERE (workload_id, class_id, regime, toolchain_id, verified) > "
                                      "(?1, ?2, ?3, ?4, 2) "
                                      "ORDER BY workload_id, class_id, regime, toolchain_id, verified LIMIT 1"));
  std::vector<RankingKey> keys;
  for (RankingKey last;;) {
    const RankingGroup& group = last.group;
    ASSIGN_OR_RETURN(const bool row,
                     select.BindAll(group.workload_id, group.class_id, group.regime, last.toolchain_id).Step());
    if (!row) return keys;
    last = {{select.Int(0), select.Int(1), select.Text(2)}, select.Int(3)};
    RETURN_IF_ERROR(select.Run());  // to its end, to be bound again
    keys.push_back(last);
  }
}

absl::StatusOr<std::optional<int64_t>> Ranking::NewestToolchain(const RankingGroup& group, const RecordFilter& filter) {
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

absl::StatusOr<std::vector<int64_t>> Ranking::Ranked(const RankingGroup& group, const std::vector<int64_t>& toolchains,
                                                     const RecordFilter& filter) {
  if (!filter.toolchain.empty()) {
    return database_->Ids("SELECT id FROM toolchain WHERE digest = ?1", filter.toolchain);
  }
  if (filter.any_toolchain || toolchains.size() < 2) return toolchains;
  ASSIGN_OR_RETURN(const std::optional<int64_t> newest, NewestToolchain(group, filter));
  return newest ? std::vector{*newest} : std::vector<int64_t>();
}

absl::StatusOr<std::vector<TuningRecord>> Ranking::LoadAll(const RankingGroup& group, const RecordFilter& filter,
                                                           Load load) {
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

absl::StatusOr<std::vector<TuningRecord>> Ranking::LoadRecords(const RankingKey& key, const std::string& schedule,
                                                               Load load) {
  const RankingGroup& group = key.group;
  ASSIGN_OR_RETURN(
      const std::vector<int64_t> ids,
      database_->Ids(absl::StrCat("SELECT id FROM measurement WHERE ", kOfSchedule,
                                  " AND +regime = ?4 AND +toolchain_id = ?5 AND +canonical = 1 AND +outcome = 'ok' AND "
                                  "+device_id IN (SELECT d.id FROM device AS d JOIN device AS f "
                                  "ON f.class_key = d.class_key WHERE f.id = ?6)"),
                     group.workload_id, schedule, schedule + kAboveDigits, group.regime, key.toolchain_id,
                     group.class_id));
  std::vector<TuningRecord> records;
  for (int64_t id : ids) {
    ASSIGN_OR_RETURN(std::optional<TuningRecord> record, load(id));
    if (record) records.push_back(*std::move(record));
  }
  return records;
}

absl::Status Ranking::LoadBest(const RankingKey& key, const RecordFilter& filter, Load load, ShortestTimes* shortest,
                               std::vector<TuningRecord>* records) {
  const RankingRule rule{.allow_unverified = !filter.verified_only, .any_toolchain = false, .toolchain = ""};
  std::map<std::string, std::vector<TuningRecord>> loaded;
  // Loads a schedule and those that it was compared with, directly or not, which say where it is placed.
  const auto take = [&](const std::string& first) -> absl::Status {
    if (loaded.contains(first)) return absl::OkStatus();
    std::vector<std::string> schedules = {first};
    std::set<std::string> met = {first}, added;
    std::vector<TuningRecord> chain;
    for (size_t i = 0; i < schedules.size(); ++i) {
      const auto [at, is_new] = loaded.try_emplace(schedules[i]);
      if (is_new) {
        added.insert(schedules[i]);
        ASSIGN_OR_RETURN(at->second, LoadRecords(key, schedules[i], load));
      }
      for (const TuningRecord& record : at->second) {
        chain.push_back(record);
        const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
        if (!comparison) continue;
        std::string reference = ScheduleKey(comparison->reference);
        if (met.insert(reference).second) schedules.push_back(std::move(reference));
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
    ASSIGN_OR_RETURN(AscendingRows rows, AscendingRows::Open(*database_, key, filter.verified_only));
    while (true) {
      ASSIGN_OR_RETURN(const bool row, rows.Next());
      next_ns = row ? rows.Nanoseconds() : std::numeric_limits<double>::infinity();
      // No record of a schedule that comes later is faster than this one, so that its own time is not, either.
      if (!row || shortest->AllBelow(next_ns)) break;
      const std::string schedule = rows.Schedule();
      times.try_emplace(schedule, next_ns);
      RETURN_IF_ERROR(take(schedule));
    }
    // A comparison may place a schedule before its own time.
    ASSIGN_OR_RETURN(const Edges edges, ReadEdges(database_, key, filter.verified_only));
    for (const auto& [schedule, edge] : edges) {
      if (times.contains(edge.reference)) continue;
      ASSIGN_OR_RETURN(times[edge.reference], LeastTime(database_, key, edge.reference));
    }
    std::vector<std::pair<double, std::string>> compared;
    for (const auto& [schedule, edge] : edges) {
      if (!loaded.contains(schedule)) compared.emplace_back(LeastPlace(edges, times, next_ns, schedule), schedule);
    }
    std::sort(compared.begin(), compared.end());
    for (const auto& [least_ns, schedule] : compared) {
      if (shortest->AllBelow(least_ns)) break;
      RETURN_IF_ERROR(take(schedule));
    }
  }
  for (auto& [schedule, own] : loaded) {
    records->insert(records->end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  return absl::OkStatus();
}

}  // namespace mmtune
