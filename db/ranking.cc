#include "db/ranking.h"

#include <unordered_set>

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
    return absl::StrCat("SELECT measurement_id, schedule, median_ns, uuid FROM ranking WHERE ", conditions,
                        " AND proven = ", proven);
  };
  return absl::StrCat(part(1), filter.proven_only ? "" : absl::StrCat(" UNION ALL ", part(0)),
                      " ORDER BY median_ns, uuid");
}

}  // namespace

absl::Status BulkRanking::Start() {
  ASSIGN_OR_RETURN(ranked_id_, database_->QueryInt("SELECT ifnull(max(id), 0) FROM measurement"));
  return database_->EnableTriggers(false);
}

absl::Status BulkRanking::Finish() {
  // OR ROLLBACK: no copy is kept of what it changes.
  ASSIGN_OR_RETURN(Statement insert,
                   database_->Prepare(absl::StrCat("INSERT OR ROLLBACK INTO ranking ", kRankingRows, "AND r.id > ?1")));
  insert.Bind(1, ranked_id_);
  return insert.Run();
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
    ASSIGN_OR_RETURN(Statement select, database_->Prepare("SELECT id FROM workload WHERE digest = ?1"));
    select.Bind(1, filter.problem->Digest());
    ASSIGN_OR_RETURN(std::optional<int64_t> id, FirstId(select));
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
  // SQLite seeks to >= and passes over what is equal: 2 is above any `proven`, so that there is nothing to pass over.
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
  ASSIGN_OR_RETURN(Statement select, database_->Prepare("SELECT id FROM device WHERE id = ?1 AND (kind = lower(?2) OR "
                                                        "instr(lower(name), lower(?2)) > 0)"));
  select.BindAll(group.class_id, filter.device);
  return select.Step();
}

absl::Status Ranking::TakeFrom(const Group& group, const RecordFilter& filter, int each, const Take& take) {
  ASSIGN_OR_RETURN(Statement select, database_->Prepare(GroupSql(filter)));
  select.BindAll(group.workload_id, group.class_id, group.regime, filter.since_unix_millis);
  if (!filter.job_uuid.empty()) select.Bind(5, filter.job_uuid);
  std::unordered_set<std::string> taken;
  while (static_cast<int>(taken.size()) < each) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) return absl::OkStatus();
    std::string schedule = select.Text(1);
    if (taken.contains(schedule)) continue;
    ASSIGN_OR_RETURN(bool took, take(select.Int(0)));
    if (took) taken.insert(std::move(schedule));
  }
  return absl::OkStatus();
}

}  // namespace mmtune
