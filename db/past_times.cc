// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/past_times.h"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"

namespace mmtune {
namespace {

/// More records of a source than this are not all looked at: a job's start does not wait for the longest source.
constexpr int64_t kMostOfSource = 1 << 16;

// The next problem and class of devices in the key's order. SQLite seeks to >= and skips equal rows: '~' is above any
// regime, so that there are none to skip.
constexpr char kNextSource[] =
    "SELECT workload_id, class_id FROM ranking WHERE (workload_id, class_id, regime) > (?1, ?2, '~') "
    "ORDER BY workload_id, class_id LIMIT 1";

// A row where there are ?6 records or more. ?1 regime, ?2 the least `verified`, ?3 the time of day.
constexpr char kHasTimes[] =
    "SELECT 1 FROM ranking WHERE workload_id = ?4 AND class_id = ?5 AND regime = ?1 AND verified >= ?2 AND "
    "unix_millis < ?3 LIMIT 1 OFFSET ?6 - 1";

// The records of a source: ?1 to ?3 as above, ?4 the problem's digest, ?5 the class of devices.
constexpr char kOfSource[] =
    "FROM ranking WHERE workload_id = (SELECT id FROM workload WHERE digest = ?4) "
    "AND class_id = (SELECT min(id) FROM device WHERE class_key = ?5) "
    "AND regime = ?1 AND verified >= ?2 AND unix_millis < ?3 ";

constexpr char kOtherToolchain[] = "AND toolchain_id IS DISTINCT FROM (SELECT id FROM toolchain WHERE digest = ?8) ";

// ?6 how many. Of `count` rows those are taken at which place * ?6 / count reaches a whole number: all of them where
// there are no more. ?7 leaves out schedules whose digest is not below it.
std::string TimesSql(bool other_toolchain) {
  return absl::StrCat(
      "WITH passing AS (SELECT measurement_id, median_ns, uuid, "
      "  row_number() OVER (PARTITION BY schedule ORDER BY unix_millis DESC, uuid DESC) AS age ",
      kOfSource, "AND schedule < ?7 ", other_toolchain ? kOtherToolchain : "",
      "), placed AS (SELECT measurement_id, row_number() OVER (ORDER BY median_ns, uuid) - 1 AS place, "
      "  count(*) OVER () AS count FROM passing WHERE age = 1) "
      "SELECT r.id, r.schedule, r.median_ns, r.unix_millis, t.id, t.info FROM placed "
      "JOIN measurement AS r ON r.id = placed.measurement_id JOIN toolchain AS t ON t.id = r.toolchain_id "
      "WHERE place * ?6 % count < ?6 ORDER BY place");
}

/// Below it are the digests of about kMostOfSource of `count` records: digests are uniform, and a schedule has one.
std::string DigestBound(int64_t count) {
  if (count <= kMostOfSource) return "g";  // above every digit
  const double share = static_cast<double>(kMostOfSource) / static_cast<double>(count);
  return absl::StrCat(absl::Hex(static_cast<uint64_t>(std::ldexp(share, 64)), absl::kZeroPad16));
}

void SayDamaged(const char* table, int64_t id, const absl::Status& why) {
  LogWarning("row_damaged", {{"table", table}, {"row", id}, {"why", why.message()}});
}

/// Devices are read once each: there are few, with many problems.
using Devices = std::unordered_map<int64_t, absl::StatusOr<DeviceInfo>>;

template <typename T>
absl::StatusOr<T> ReadColumn(Database& database, const char* sql, int64_t id) {
  ASSIGN_OR_RETURN(Statement select, database.Prepare(sql));
  ASSIGN_OR_RETURN(const bool row, select.BindAll(id).Step());
  if (!row) return NotFound("other rows refer to it, but the table lacks it");
  return ParseColumn<T>(select.View(0));
}

const absl::StatusOr<DeviceInfo>& ReadDevice(Database& database, int64_t id, Devices& known) {
  const auto [at, is_new] = known.try_emplace(id, absl::UnknownError(""));
  if (is_new) at->second = ReadColumn<DeviceInfo>(database, "SELECT info FROM device WHERE id = ?1", id);
  return at->second;
}

absl::StatusOr<MeasuredTime> ReadTime(const Statement& row, std::unordered_map<int64_t, Toolchain>& toolchains) {
  MeasuredTime time;
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

/// Returns the least of the ranking's column `verified` that passes.
int64_t LeastVerified(const TimesFilter& filter) { return filter.verified_only ? 1 : 0; }

}  // namespace

absl::StatusOr<std::vector<TimedSource>> ReadTimedSources(Database& database, const TimesFilter& filter) {
  ASSIGN_OR_RETURN(Statement next, database.Prepare(kNextSource));
  std::vector<TimedSource> sources;
  Devices devices;
  for (int64_t workload = 0, device_class = 0;;) {
    ASSIGN_OR_RETURN(const bool row, next.BindAll(workload, device_class).Step());
    if (!row) return sources;
    workload = next.Int(0);
    device_class = next.Int(1);
    RETURN_IF_ERROR(next.Run());  // to its end, to be bound again
    const absl::StatusOr<DeviceInfo>& device = ReadDevice(database, device_class, devices);
    if (!device.ok()) {
      SayDamaged("device", device_class, device.status());
      continue;
    }
    if (device->kind != filter.kind) continue;
    ASSIGN_OR_RETURN(const std::optional<int64_t> any,
                     database.FirstId(kHasTimes, RegimeName(filter.regime), LeastVerified(filter),
                                      filter.before_unix_millis, workload, device_class, filter.at_least));
    if (!any) continue;
    absl::StatusOr<MatmulProblem> problem =
        ReadColumn<MatmulProblem>(database, "SELECT problem FROM workload WHERE id = ?1", workload);
    if (problem.ok()) {
      sources.push_back({*std::move(problem), *device});
    } else {
      SayDamaged("workload", workload, problem.status());
    }
  }
}

absl::StatusOr<std::vector<MeasuredTime>> ReadTimesOf(Database& database, const MatmulProblem& problem,
                                                      const DeviceInfo& device, const TimesFilter& filter, int most) {
  const auto bind = [&](Statement& select) {
    select.BindAll(RegimeName(filter.regime), LeastVerified(filter), filter.before_unix_millis, problem.Digest(),
                   device.ClassKey());
  };
  ASSIGN_OR_RETURN(Statement count, database.Prepare(absl::StrCat("SELECT count(*) ", kOfSource)));
  bind(count);
  ASSIGN_OR_RETURN(const bool counted, count.Step());
  const std::string bound = DigestBound(counted ? count.Int(0) : 0);
  const bool other_toolchain = !filter.without_toolchain.empty();
  ASSIGN_OR_RETURN(Statement select, database.Prepare(TimesSql(other_toolchain)));
  bind(select);
  select.Bind(6, most);
  select.Bind(7, bound);
  if (other_toolchain) select.Bind(8, filter.without_toolchain);
  std::unordered_map<int64_t, Toolchain> toolchains;
  std::vector<MeasuredTime> times;
  while (true) {
    ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return times;
    absl::StatusOr<MeasuredTime> time = ReadTime(select, toolchains);
    if (time.ok()) {
      times.push_back(*std::move(time));
    } else {
      SayDamaged("measurement", select.Int(0), time.status());
    }
  }
}

}  // namespace mmtune
