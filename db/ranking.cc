// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/ranking.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <queue>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// So much of a schedule's digest is in the column `schedule`.
constexpr size_t kKeyDigits = 16;

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

/// The shortest of the times added, at most `count` of them.
class ShortestTimes {
 public:
  explicit ShortestTimes(int count) : count_(static_cast<size_t>(count)) {}

  void Add(const std::vector<RankedRecord>& ranked) {
    for (const RankedRecord& record : ranked) {
      times_.push(record.place_ns);
      if (times_.size() > count_) times_.pop();
    }
  }
  /// Returns true if there are as many as wanted, all shorter than `ns`.
  bool AllBelow(double ns) const { return times_.size() == count_ && times_.top() < ns; }

 private:
  size_t count_;
  std::priority_queue<double> times_;
};

void Append(std::vector<TuningRecord> from, std::vector<TuningRecord>* to) {
  to->insert(to->end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

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

absl::Status Ranking::MakeReady() {
  if (ready_) return absl::OkStatus();
  ASSIGN_OR_RETURN(int64_t older,
                   database_->QueryInt(
                       absl::StrCat("SELECT count(*) FROM temp.sqlite_schema WHERE name = '", kOlderRankingView, "'")));
  is_older_ = older > 0;
  if (is_older_) {
    RETURN_IF_ERROR(database_->Execute(
        absl::StrCat("CREATE TEMP TABLE ranking AS SELECT * FROM ", kOlderRankingView,
                     "; CREATE INDEX temp.ranking_order ON ranking "
                     "(workload_id, class_id, regime, toolchain_id, proven, median_ns, uuid, measurement_id, schedule, "
                     "unix_millis)")));
  }
  ready_ = true;
  return absl::OkStatus();
}

absl::Status Ranking::ForEach(const RecordFilter& filter, int each, Load load, Take take) {
  if (each <= 0 || (filter.outcome && *filter.outcome != Outcome::kOk)) return absl::OkStatus();
  RETURN_IF_ERROR(MakeReady());
  Group group;
  if (filter.problem) {
    ASSIGN_OR_RETURN(const std::optional<int64_t> id,
                     database_->FirstId("SELECT id FROM workload WHERE digest = ?1", filter.problem->Digest()));
    if (!id) return absl::OkStatus();
    group.workload_id = *id;
  }
  // What a reader has to judge, or passes by other columns than the table's order, is read as a whole.
  const bool all = is_older_ || !filter.job_uuid.empty() || filter.since_unix_millis > 0;
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
      for (int64_t id : toolchains) RETURN_IF_ERROR(LoadBest(group, id, filter, each, load, &records));
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
  // SQLite seeks to >= and skips equal rows: no toolchain has this id, so that there are none to skip.
  ASSIGN_OR_RETURN(Statement select, database_->Prepare("SELECT workload_id, class_id, regime FROM ranking "
                                                        "WHERE (workload_id, class_id, regime, toolchain_id) > "
                                                        "(?1, ?2, ?3, ?4) "
                                                        "ORDER BY workload_id, class_id, regime LIMIT 1"));
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
  // The + keeps SQLite from the outcome's index. Digests are lower-case hex: 'g' is above their digits.
  ASSIGN_OR_RETURN(const std::vector<int64_t> ids,
                   database_->Ids("SELECT id FROM measurement WHERE workload_id = ?1 AND schedule_digest >= ?2 AND "
                                  "schedule_digest < ?3 AND +regime = ?4 AND +toolchain_id = ?5 AND +canonical = 1 AND "
                                  "+outcome = 'ok' AND +device_id IN (SELECT d.id FROM device AS d JOIN device AS f "
                                  "ON f.class_key = d.class_key WHERE f.id = ?6)",
                                  group.workload_id, key, key + "g", group.regime, toolchain_id, group.class_id));
  std::vector<TuningRecord> records;
  for (int64_t id : ids) {
    ASSIGN_OR_RETURN(std::optional<TuningRecord> record, load(id));
    if (record) records.push_back(*std::move(record));
  }
  return records;
}

absl::Status Ranking::LoadBest(const Group& group, int64_t toolchain_id, const RecordFilter& filter, int each,
                               Load load, std::vector<TuningRecord>* records) {
  std::set<std::string> seen;
  const auto take = [&](const std::string& key) -> absl::StatusOr<std::vector<TuningRecord>> {
    if (!seen.insert(key).second) return std::vector<TuningRecord>();
    return LoadSchedule(group, toolchain_id, key, load);
  };
  // What a comparison places may be placed anywhere.
  std::vector<TuningRecord> found;
  std::vector<std::string> keys;
  {
    ASSIGN_OR_RETURN(Statement compared,
                     database_->Prepare("SELECT schedule FROM ranking WHERE workload_id = ?1 AND class_id = ?2 AND "
                                        "regime = ?3 AND toolchain_id = ?4 AND compared = 1"));
    compared.BindAll(group.workload_id, group.class_id, group.regime, toolchain_id);
    while (true) {
      ASSIGN_OR_RETURN(bool row, compared.Step());
      if (!row) break;
      keys.push_back(compared.Text(0));
    }
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    ASSIGN_OR_RETURN(std::vector<TuningRecord> own, take(keys[i]));
    for (const TuningRecord& record : own) {
      const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
      if (comparison) keys.push_back(KeyOf(comparison->rival));
    }
    Append(std::move(own), &found);
  }
  for (const Schedule& schedule : filter.schedules) {
    ASSIGN_OR_RETURN(std::vector<TuningRecord> own, take(KeyOf(schedule)));
    Append(std::move(own), &found);
  }
  if (filter.schedules.empty()) {
    const RankingRule rule{.allow_unproven = !filter.proven_only, .any_toolchain = false, .toolchain = ""};
    ShortestTimes shortest(each);
    shortest.Add(RankRecords(found, rule));
    ASSIGN_OR_RETURN(Statement rows, database_->Prepare(AscendingSql(filter)));
    rows.BindAll(group.workload_id, group.class_id, group.regime, toolchain_id);
    while (true) {
      ASSIGN_OR_RETURN(bool row, rows.Step());
      // No record of a schedule that comes later is faster than this one, so that no such schedule is, either.
      if (!row || shortest.AllBelow(rows.Real(1))) break;
      ASSIGN_OR_RETURN(std::vector<TuningRecord> own, take(rows.Text(0)));
      shortest.Add(RankRecords(own, rule));
      Append(std::move(own), &found);
    }
  }
  Append(std::move(found), records);
  return absl::OkStatus();
}

}  // namespace mmtune
