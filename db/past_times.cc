// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/past_times.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/json/value_json.h"

namespace mmtune {
namespace {

// ?1 regime, ?2 the least `proven`, ?3 the time of day.
constexpr char kSources[] =
    "SELECT w.id, w.problem, d.info FROM "
    "(SELECT DISTINCT workload_id, class_id FROM ranking WHERE regime = ?1 AND proven >= ?2 AND unix_millis < ?3) AS s "
    "JOIN workload AS w ON w.id = s.workload_id JOIN device AS d ON d.id = s.class_id WHERE d.kind = ?4";

// ?4 the problem's digest, ?5 the class of devices, ?6 how many. Of `count` rows those are taken at which
// place * ?6 / count reaches a whole number: all of them where there are no more.
constexpr char kTimes[] =
    "WITH passing AS (SELECT measurement_id, median_ns, uuid, "
    "  row_number() OVER (PARTITION BY schedule ORDER BY unix_millis DESC, uuid DESC) AS age FROM ranking "
    "  WHERE workload_id = (SELECT id FROM workload WHERE digest = ?4) "
    "  AND class_id = (SELECT min(id) FROM device WHERE class_key = ?5) "
    "  AND regime = ?1 AND proven >= ?2 AND unix_millis < ?3 "
    "  AND (SELECT toolchain_id FROM measurement WHERE id = measurement_id) "
    "  IS NOT (SELECT id FROM toolchain WHERE digest = ?7)), "
    "placed AS (SELECT measurement_id, row_number() OVER (ORDER BY median_ns, uuid) - 1 AS place, count(*) OVER () AS "
    "count "
    "  FROM passing WHERE age = 1) "
    "SELECT r.id, r.schedule, r.median_ns, r.unix_millis, t.id, t.info FROM placed "
    "JOIN measurement AS r ON r.id = placed.measurement_id JOIN toolchain AS t ON t.id = r.toolchain_id "
    "WHERE place * ?6 % count < ?6 ORDER BY place";

void SayDamaged(const char* table, int64_t id, const absl::Status& why) {
  LogWarning("row_damaged", {{"table", table}, {"row", id}, {"why", why.message()}});
}

absl::StatusOr<TimedSource> ReadSource(const Statement& row) {
  TimedSource source;
  ASSIGN_OR_RETURN(source.problem, ParseColumn<MatmulProblem>(row.View(1)));
  ASSIGN_OR_RETURN(source.device, ParseColumn<DeviceInfo>(row.View(2)));
  return source;
}

absl::StatusOr<PastTime> ReadTime(const Statement& row, std::unordered_map<int64_t, Toolchain>& toolchains) {
  PastTime time;
  ASSIGN_OR_RETURN(time.schedule, ParseSchedule(row.View(1)));
  time.median_ns = row.Real(2);
  time.unix_millis = row.Int(3);
  auto known = toolchains.find(row.Int(4));
  if (known == toolchains.end()) {
    ASSIGN_OR_RETURN(Toolchain toolchain, ParseColumn<Toolchain>(row.View(5)));
    known = toolchains.emplace(row.Int(4), std::move(toolchain)).first;
  }
  time.toolchain = known->second;
  return time;
}

/// The least of the ranking's column `proven` that passes.
int64_t LeastProven(const TimesFilter& filter) { return filter.proven_only ? 1 : 0; }

}  // namespace

absl::StatusOr<std::vector<TimedSource>> ReadTimedSources(Database& database, const TimesFilter& filter) {
  ASSIGN_OR_RETURN(Statement select, database.Prepare(kSources));
  select.BindAll(RegimeName(filter.regime), LeastProven(filter), filter.before_unix_millis,
                 DeviceKindName(filter.kind));
  std::vector<TimedSource> sources;
  while (true) {
    ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return sources;
    absl::StatusOr<TimedSource> source = ReadSource(select);
    if (source.ok()) {
      sources.push_back(*std::move(source));
    } else {
      SayDamaged("workload or device", select.Int(0), source.status());
    }
  }
}

absl::StatusOr<std::vector<PastTime>> ReadTimesOf(Database& database, const MatmulProblem& problem,
                                                  const DeviceInfo& device, const TimesFilter& filter, int most) {
  ASSIGN_OR_RETURN(Statement select, database.Prepare(kTimes));
  select.BindAll(RegimeName(filter.regime), LeastProven(filter), filter.before_unix_millis, problem.Digest(),
                 device.ClassKey(), most, filter.without_toolchain);
  std::unordered_map<int64_t, Toolchain> toolchains;
  std::vector<PastTime> times;
  while (true) {
    ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return times;
    absl::StatusOr<PastTime> time = ReadTime(select, toolchains);
    if (time.ok()) {
      times.push_back(*std::move(time));
    } else {
      SayDamaged("measurement", select.Int(0), time.status());
    }
  }
}

}  // namespace mmtune
