// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/ranking.h"

#include <unordered_map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Two ranges of the key, merged by SQLite without a sort.
std::string GroupSql(const RecordFilter& filter) {
  std::string conditions = "workload_id = ?1 AND class_id = ?2 AND regime = ?3 AND unix_millis >= ?4";
  if (!filter.job_uuid.empty()) {
    absl::StrAppend(&conditions, " AND measurement_id IN (SELECT id FROM measurement WHERE job_uuid = ?5)");
  }
  const auto part = [&](int proven) {
    return absl::StrCat("SELECT measurement_id, schedule, median_ns, uuid, proven FROM ranking WHERE ", conditions,
                        " AND proven = ", proven);
  };
  return absl::StrCat(part(1), filter.proven_only ? "" : absl::StrCat(" UNION ALL ", part(0)),
                      " ORDER BY median_ns, uuid");
}

/// Proven records that pass, of the schedule of record ?1 in the group; by the index of measurement.
std::string ProvenOfScheduleSql(const RecordFilter& filter) {
  return absl::StrCat(
      "SELECT r.id FROM measurement AS o JOIN measurement AS r "
      "ON r.workload_id = o.workload_id AND r.schedule_digest = o.schedule_digest "
      "WHERE o.id = ?1 AND r.regime = o.regime AND r.unix_millis >= ?2 AND r.proven = 1 AND r.canonical = 1 "
      "AND r.outcome = 'ok' AND r.device_id IN (SELECT d.id FROM device AS d JOIN device AS f "
      "ON f.class_key = d.class_key WHERE f.id = ?3)",
      filter.job_uuid.empty() ? "" : " AND r.job_uuid = ?4");
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
  if (older > 0) {
    RETURN_IF_ERROR(database_->Execute(absl::StrCat(
        "CREATE TEMP TABLE ranking AS SELECT * FROM ", kOlderRankingView,
        "; CREATE INDEX temp.ranking_order ON ranking "
        "(workload_id, class_id, regime, proven, median_ns, uuid, measurement_id, schedule, unix_millis)")));
  }
  ready_ = true;
  return absl::OkStatus();
}

absl::Status Ranking::ForEach(const RecordFilter& filter, int each, const Take& take) {
  if (each <= 0 || (filter.outcome && *filter.outcome != Outcome::kOk)) return absl::OkStatus();
  RETURN_IF_ERROR(MakeReady());
  Group group;
  if (filter.problem) {
    ASSIGN_OR_RETURN(const std::optional<int64_t> id,
                     database_->FirstId("SELECT id FROM workload WHERE digest = ?1", filter.problem->Digest()));
    if (!id) return absl::OkStatus();
    group.workload_id = *id;
  }
  while (true) {
    ASSIGN_OR_RETURN(bool found, Next(filter, &group));
    if (!found) return absl::OkStatus();
    ASSIGN_OR_RETURN(bool passes, Passes(filter, group));
    if (passes) RETURN_IF_ERROR(TakeFrom(group, filter, each, take));
  }
}

absl::StatusOr<bool> Ranking::Next(const RecordFilter& filter, Group* group) {
  // SQLite seeks to >= and skips equal rows: 2 is above any `proven`, so that there are none to skip.
  ASSIGN_OR_RETURN(Statement select, database_->Prepare("SELECT workload_id, class_id, regime FROM ranking "
                                                        "WHERE (workload_id, class_id, regime, proven) > "
                                                        "(?1, ?2, ?3, 2) "
                                                        "ORDER BY workload_id, class_id, regime LIMIT 1"));
  const int64_t only = group->workload_id;
  select.BindAll(group->workload_id, group->class_id, group->regime);
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

absl::StatusOr<bool> Ranking::ProvenSpeaks(const Group& group, const RecordFilter& filter, int64_t unproven,
                                           const std::unordered_set<int64_t>& passed_over) {
  ASSIGN_OR_RETURN(Statement select, database_->Prepare(ProvenOfScheduleSql(filter)));
  select.BindAll(unproven, filter.since_unix_millis, group.class_id);
  if (!filter.job_uuid.empty()) select.Bind(4, filter.job_uuid);
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row || !passed_over.contains(select.Int(0))) return row;
  }
}

absl::Status Ranking::TakeFrom(const Group& group, const RecordFilter& filter, int each, const Take& take) {
  ASSIGN_OR_RETURN(Statement select, database_->Prepare(GroupSql(filter)));
  select.BindAll(group.workload_id, group.class_id, group.regime, filter.since_unix_millis);
  if (!filter.job_uuid.empty()) select.Bind(5, filter.job_uuid);
  std::unordered_set<std::string> taken;
  std::unordered_set<int64_t> passed_over;
  std::unordered_map<std::string, std::vector<int64_t>> waiting;  // unproven ones of schedules that have a proven one
  const auto offer = [&](const std::string& schedule, int64_t id) -> absl::StatusOr<bool> {
    ASSIGN_OR_RETURN(bool took, take(id));
    if (took) taken.insert(schedule);
    return took;
  };
  while (static_cast<int>(taken.size()) < each) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) return absl::OkStatus();
    const std::string schedule = select.Text(1);
    const int64_t id = select.Int(0);
    if (taken.contains(schedule)) continue;
    bool speaks = false;
    if (select.Int(4) == 0) {
      ASSIGN_OR_RETURN(speaks, ProvenSpeaks(group, filter, id, passed_over));
      if (speaks) waiting[schedule].push_back(id);
    }
    if (speaks) continue;
    ASSIGN_OR_RETURN(bool took, offer(schedule, id));
    if (took) continue;
    passed_over.insert(id);
    if (select.Int(4) == 0) continue;
    // If this was its last proven record, the unproven ones that waited for it are offered.
    ASSIGN_OR_RETURN(speaks, ProvenSpeaks(group, filter, id, passed_over));
    for (size_t i = 0; !speaks && !took && i < waiting[schedule].size(); ++i) {
      ASSIGN_OR_RETURN(took, offer(schedule, waiting[schedule][i]));
    }
  }
  return absl::OkStatus();
}

}  // namespace mmtune
