// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sql_log_reader.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/database.h"
#include "db/filter_sql.h"
#include "db/past_times.h"
#include "db/tuning_log.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"

namespace mmtune {
namespace {

constexpr size_t kMinPrefix = 4;
constexpr size_t kMaxTold = 1000;
/// So many are found by the index of their time, and then put into the order of their ids.
constexpr int64_t kFewRecords = 10'000;

std::optional<int64_t> AsId(std::string_view text) {
  int64_t id = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || id < 1) return std::nullopt;
  return id;
}

constexpr char kAttemptColumns[] = "SELECT token, candidate_id, number, worker, device_uuid, state, detail ";
constexpr char kSelectJob[] =
    "SELECT j.id, j.uuid, j.client_request_id, j.spec, j.spec_digest, w.problem, j.state, j.message, "
    "j.created_unix_millis FROM job AS j JOIN workload AS w ON w.id = j.workload_id ";
constexpr char kSelectCandidate[] = "SELECT id, job_id, schedule, state FROM candidate ";

absl::StatusOr<AttemptRow> ReadAttempt(const Statement& row) {
  AttemptRow attempt;
  attempt.token = row.Text(0);
  attempt.candidate_id = row.Int(1);
  attempt.number = row.Int(2);
  attempt.worker = row.Text(3);
  attempt.device_uuid = row.Text(4);
  ASSIGN_OR_RETURN(attempt.state, ParseAttemptState(row.View(5)));
  attempt.detail = row.Text(6);
  return attempt;
}

absl::StatusOr<JobRow> ReadJob(const Statement& row) {
  JobRow job;
  job.id = row.Int(0);
  job.uuid = row.Text(1);
  job.client_request_id = row.Text(2);
  job.spec = row.Text(3);
  job.spec_digest = row.Text(4);
  ASSIGN_OR_RETURN(job.problem, ParseColumn<MatmulProblem>(row.View(5)));
  ASSIGN_OR_RETURN(job.state, ParseJobState(row.View(6)));
  job.message = row.Text(7);
  job.created_unix_millis = row.Int(8);
  return job;
}

absl::StatusOr<CandidateRow> ReadCandidate(const Statement& row) {
  CandidateRow candidate;
  candidate.id = row.Int(0);
  candidate.job_id = row.Int(1);
  ASSIGN_OR_RETURN(candidate.schedule, ParseSchedule(row.View(2)));
  ASSIGN_OR_RETURN(candidate.state, ParseCandidateState(row.View(3)));
  return candidate;
}

/// Returns the digest of a value. That of the last value is kept. Not for values with an epilogue, whose numbers 0 and
/// -0 are equal, with digests of their own.
template <typename T>
const std::string& KeptDigest(const T& value) {
  thread_local std::optional<std::pair<T, std::string>> last;
  if (!last || !(last->first == value)) last.emplace(value, value.Digest());
  return last->second;
}

/// Reads the rows of a query. Those that cannot be read are left out: they must not keep a coordinator from starting.
template <typename Row, typename... Values>
absl::StatusOr<std::vector<Row>> ReadRows(Database& database, absl::StatusOr<Row> (*read)(const Statement&),
                                          std::string_view sql, const Values&... values) {
  ASSIGN_OR_RETURN(Statement statement, database.Prepare(sql));
  statement.BindAll(values...);
  std::vector<Row> rows;
  while (true) {
    ASSIGN_OR_RETURN(bool more, statement.Step());
    if (!more) return rows;
    absl::StatusOr<Row> row = read(statement);
    if (row.ok()) {
      rows.push_back(*std::move(row));
    } else {
      LogWarning("row_damaged", {{"row", statement.View(0)}, {"why", row.status().message()}});
    }
  }
}

/// Reads the first row of a query.
template <typename Row, typename... Values>
absl::StatusOr<std::optional<Row>> ReadRow(Database& database, absl::StatusOr<Row> (*read)(const Statement&),
                                           std::string_view sql, const Values&... values) {
  ASSIGN_OR_RETURN(std::vector<Row> rows, ReadRows(database, read, sql, values...));
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

}  // namespace

SqlLogReader::SqlLogReader(Database database) : database_(std::move(database)), best_(&database_) {
  on_damaged_ = [this](const DamagedRecord& record) {
    if (told_.size() >= kMaxTold || !told_.insert(record.id).second) return;
    LogWarning("record_damaged",
               {{"path", database_.path()}, {"id", record.id}, {"uuid", record.uuid}, {"why", record.why}});
  };
}

RecordRows& SqlLogReader::Rows() {
  if (rows_session_ != database_.Session()) rows_.Forget();
  rows_session_ = database_.Session();
  return rows_;
}

absl::StatusOr<std::optional<TuningRecord>> SqlLogReader::NextRecord(Statement& statement) {
  while (true) {
    ASSIGN_OR_RETURN(bool row, statement.Step());
    if (!row) return std::nullopt;
    absl::StatusOr<TuningRecord> record = Rows().Read(statement);
    if (record.ok()) return *std::move(record);
    on_damaged_(RecordRows::Damaged(statement, record.status()));
  }
}

absl::StatusOr<std::vector<TuningRecord>> SqlLogReader::Page(const RecordFilter& filter, bool newest_first,
                                                             int64_t from, int limit) {
  ASSIGN_OR_RETURN(const Transaction snapshot, Transaction::Read(database_));
  FilterSql sql(filter);
  if (filter.since_unix_millis > 0) {
    // SQLite would walk the table in the order of its ids. That is right where many records are so new.
    ASSIGN_OR_RETURN(const std::optional<int64_t> many,
                     database_.FirstId("SELECT 1 FROM measurement WHERE unix_millis >= ?1 LIMIT 1 OFFSET ?2",
                                       filter.since_unix_millis, kFewRecords));
    if (!many) {
      sql.Add("r.id IN (SELECT id FROM measurement INDEXED BY measurement_by_time WHERE unix_millis >= ",
              filter.since_unix_millis, ")");
    }
  }
  // No LIMIT in SQL: damaged records do not count.
  sql.Add(newest_first ? "r.id < " : "r.id > ", from);
  ASSIGN_OR_RETURN(Statement statement,
                   database_.PrepareLong(absl::StrCat(RecordRows::Select(), sql.Where(), "ORDER BY r.id",
                                                      newest_first ? " DESC LIMIT -1" : " LIMIT -1")));
  sql.Bind(statement);
  std::vector<TuningRecord> records;
  while (static_cast<int>(records.size()) < limit) {
    ASSIGN_OR_RETURN(std::optional<TuningRecord> record, NextRecord(statement));
    if (!record) break;
    if (filter.outcome && record->measurement.outcome != *filter.outcome) continue;
    records.push_back(*std::move(record));
  }
  return records;
}

absl::StatusOr<std::vector<TuningRecord>> SqlLogReader::Query(const RecordFilter& filter, int64_t after_id, int limit) {
  return Page(filter, /*newest_first=*/false, after_id, limit);
}

absl::StatusOr<std::vector<TuningRecord>> SqlLogReader::Newest(const RecordFilter& filter, int64_t before_id,
                                                               int limit) {
  return Page(filter, /*newest_first=*/true, before_id, limit);
}

absl::Status SqlLogReader::ForEachBrief(const RecordFilter& filter,
                                        const std::function<void(const RecordBrief& brief)>& visit) {
  ASSIGN_OR_RETURN(const Transaction snapshot, Transaction::Read(database_));
  std::unordered_map<int64_t, int64_t> classes;
  {
    ASSIGN_OR_RETURN(Statement devices, database_.Prepare("SELECT d.id, min(f.id) FROM device AS d JOIN device AS f "
                                                          "ON f.class_key = d.class_key GROUP BY d.id"));
    while (true) {
      ASSIGN_OR_RETURN(const bool row, devices.Step());
      if (!row) break;
      classes.emplace(devices.Int(0), devices.Int(1));
    }
  }
  const FilterSql sql(filter);
  // None of these columns lies behind the long ones, which may be on pages of their own.
  ASSIGN_OR_RETURN(Statement select,
                   database_.PrepareLong(
                       absl::StrCat("SELECT r.id, r.workload_id, r.device_id, r.job_uuid, r.regime, "
                                    "r.schedule_digest, r.canonical, r.outcome, r.median_ns FROM measurement AS r ",
                                    sql.Where(), "ORDER BY r.id")));
  sql.Bind(select);
  RecordBrief brief;
  while (true) {
    ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return absl::OkStatus();
    const absl::StatusOr<Outcome> outcome = ParseOutcome(select.View(7));
    if (!outcome.ok()) continue;
    const auto device = classes.find(select.Int(2));
    brief.id = select.Int(0);
    brief.workload_id = select.Int(1);
    brief.class_id = device == classes.end() ? 0 : device->second;
    brief.job_uuid = select.View(3);
    brief.regime = select.View(4);
    brief.schedule_digest = select.View(5);
    brief.canonical = select.Int(6) != 0;
    brief.outcome = *outcome;
    brief.median_ns = select.Real(8);
    visit(brief);
  }
}

absl::StatusOr<std::vector<TuningRecord>> SqlLogReader::GetAll(const std::vector<int64_t>& ids) {
  ASSIGN_OR_RETURN(const Transaction snapshot, Transaction::Read(database_));
  std::vector<TuningRecord> records;
  for (const int64_t id : ids) {
    ASSIGN_OR_RETURN(Statement statement, SelectRecords("WHERE r.id = ?1", id));
    ASSIGN_OR_RETURN(std::optional<TuningRecord> record, NextRecord(statement));
    if (record) records.push_back(*std::move(record));
  }
  return records;
}

absl::StatusOr<std::vector<RankedRecord>> SqlLogReader::BestOfEach(const RecordFilter& filter, int each) {
  ASSIGN_OR_RETURN(const Transaction snapshot, Transaction::Read(database_));
  std::vector<RankedRecord> best;
  RETURN_IF_ERROR(best_.ForEach(
      filter, each, [&](int64_t id) { return GetOkById(id); },
      [&](std::vector<RankedRecord> ranked) {
        best.insert(best.end(), std::make_move_iterator(ranked.begin()), std::make_move_iterator(ranked.end()));
      }));
  return best;
}

absl::StatusOr<std::vector<BestSchedule>> SqlLogReader::BestSchedules(const RecordFilter& filter) {
  ASSIGN_OR_RETURN(const Transaction snapshot, Transaction::Read(database_));
  return best_.Schedules(
      filter, [&](int64_t id) { return GetOkById(id); }, [&](int64_t row_id) { return ReadBestSchedule(row_id); });
}

absl::StatusOr<std::optional<BestSchedule>> SqlLogReader::ReadBestSchedule(int64_t row_id) {
  ASSIGN_OR_RETURN(Statement select, database_.Prepare(RecordRows::SelectBest()));
  ASSIGN_OR_RETURN(const bool row, select.BindAll(row_id).Step());
  absl::StatusOr<BestSchedule> best = row ? Rows().ReadBest(select) : NotFound("the row was removed");
  return best.ok() ? std::optional(*std::move(best)) : std::nullopt;  // the records are ranked then
}

absl::StatusOr<std::vector<RankedRecord>> SqlLogReader::Best(const RecordFilter& filter, int limit) {
  ASSIGN_OR_RETURN(std::vector<RankedRecord> best, BestOfEach(filter, limit));
  SortRankings(&best);
  if (best.size() > static_cast<size_t>(std::max(limit, 0))) best.resize(static_cast<size_t>(std::max(limit, 0)));
  return best;
}

absl::StatusOr<std::optional<TuningRecord>> SqlLogReader::GetOkById(int64_t id) {
  ASSIGN_OR_RETURN(Statement statement, SelectRecords("WHERE r.id = ?1", id));
  ASSIGN_OR_RETURN(std::optional<TuningRecord> record, NextRecord(statement));
  if (record && record->measurement.outcome != Outcome::kOk) record.reset();
  return record;
}

absl::StatusOr<std::optional<TuningRecord>> SqlLogReader::NextOrDamage(Statement& statement) {
  ASSIGN_OR_RETURN(bool row, statement.Step());
  if (!row) return std::nullopt;
  absl::StatusOr<TuningRecord> record = Rows().Read(statement);
  if (record.ok()) return *std::move(record);
  const DamagedRecord damaged = RecordRows::Damaged(statement, record.status());
  return FailedPrecondition(absl::StrCat("record ", damaged.id, " (", damaged.uuid, ") of ", database_.path(),
                                         " is damaged: ", damaged.why,
                                         IsLogUrl(database_.path()) ? "" : "; tune records check --repair"));
}

absl::StatusOr<std::vector<TuningRecord>> SqlLogReader::GetByPrefix(std::string_view prefix) {
  // The exact uuid sorts first, should it be the beginning of another. 0x7f is above every character of a uuid.
  ASSIGN_OR_RETURN(Statement statement, SelectRecords("WHERE r.uuid >= ?1 AND r.uuid < ?2 ORDER BY r.uuid LIMIT 2",
                                                      prefix, absl::StrCat(ToAbsl(prefix), "\x7f")));
  std::vector<TuningRecord> records;
  while (true) {
    ASSIGN_OR_RETURN(std::optional<TuningRecord> record, NextOrDamage(statement));
    if (!record) return records;
    records.push_back(*std::move(record));
  }
}

absl::StatusOr<TuningRecord> SqlLogReader::Get(std::string_view id_or_uuid) {
  if (std::optional<int64_t> id = AsId(id_or_uuid)) {
    ASSIGN_OR_RETURN(Statement statement, SelectRecords("WHERE r.id = ?1", *id));
    ASSIGN_OR_RETURN(std::optional<TuningRecord> record, NextOrDamage(statement));
    if (record) return *std::move(record);
  }
  absl::string_view name = ToAbsl(id_or_uuid);
  if (id_or_uuid.empty()) return InvalidArgument("name a record by its id or uuid");
  ASSIGN_OR_RETURN(std::vector<TuningRecord> records, GetByPrefix(id_or_uuid));
  bool exact = !records.empty() && records.front().uuid == id_or_uuid;
  if (exact || (records.size() == 1 && id_or_uuid.size() >= kMinPrefix)) return std::move(records.front());
  if (records.empty() || AsId(id_or_uuid)) return NotFound(absl::StrCat("no record '", name, "' in this log"));
  if (id_or_uuid.size() < kMinPrefix) {
    return InvalidArgument(absl::StrCat("'", name, "' is too short for a uuid; give 4 characters or more"));
  }
  return InvalidArgument(absl::StrCat("'", name, "' begins the uuids of several records; give more characters"));
}

std::string SqlLogReader::DigestOf(const MatmulProblem& problem) {
  return problem.epilogue.empty() ? KeptDigest(problem) : problem.Digest();
}

absl::StatusOr<std::optional<TuningRecord>> SqlLogReader::Find(const MatmulProblem& problem, const Schedule& schedule,
                                                               const DeviceInfo& device, const Toolchain& toolchain,
                                                               Regime regime) {
  const std::string problem_digest = DigestOf(problem);
  const std::string schedule_digest = schedule.Digest();
  // Most schedules that are asked for are not there, which one index says.
  ASSIGN_OR_RETURN(const std::optional<int64_t> any,
                   database_.FirstId("SELECT 1 FROM measurement WHERE workload_id = (SELECT id FROM workload WHERE "
                                     "digest = ?1) AND schedule_digest = ?2 LIMIT 1",
                                     problem_digest, schedule_digest));
  if (!any) return std::optional<TuningRecord>();
  // Several jobs, or imports, may have measured it, in whatever order they were added.
  ASSIGN_OR_RETURN(
      Statement statement,
      SelectRecords("WHERE w.digest = ?1 AND r.schedule_digest = ?2 AND d.class_key = ?3 AND "
                    "t.digest = ?4 AND r.canonical = 1 AND r.outcome <> 'skipped' AND "
                    "(r.regime = ?5 OR (r.outcome <> 'ok' AND r.regime = '')) "
                    "ORDER BY r.unix_millis DESC, r.uuid DESC",
                    problem_digest, schedule_digest, device.ClassKey(), KeptDigest(toolchain), RegimeName(regime)));
  std::vector<TuningRecord> found;
  while (true) {
    ASSIGN_OR_RETURN(std::optional<TuningRecord> next, NextRecord(statement));
    if (!next) break;
    found.push_back(*std::move(next));
  }
  return ChooseReusableRecord(std::move(found));
}

absl::StatusOr<std::optional<TuningRecord>> SqlLogReader::FindMeasured(std::string_view timing_key) {
  if (timing_key.empty()) return std::optional<TuningRecord>();
  ASSIGN_OR_RETURN(Statement statement,
                   // Without being told, SQLite walks the index by outcome.
                   SelectRecords("WHERE r.id IN (SELECT id FROM measurement INDEXED BY measurement_by_timing_key "
                                 "WHERE timing_key = ?1 AND timing_key <> '' AND canonical = 1 AND outcome = 'ok') "
                                 "ORDER BY r.unix_millis DESC, r.uuid DESC",
                                 timing_key));
  while (true) {
    ASSIGN_OR_RETURN(std::optional<TuningRecord> record, NextRecord(statement));
    if (!record || record->measurement.outcome == Outcome::kOk) return record;
  }
}

absl::StatusOr<std::vector<TimedSource>> SqlLogReader::TimedSources(const TimesFilter& filter) {
  ASSIGN_OR_RETURN(const Transaction snapshot, Transaction::Read(database_));
  return ReadTimedSources(database_, filter);
}

absl::StatusOr<std::vector<MeasuredTime>> SqlLogReader::TimesOf(const MatmulProblem& problem, const DeviceInfo& device,
                                                                const TimesFilter& filter, int most) {
  ASSIGN_OR_RETURN(const Transaction snapshot, Transaction::Read(database_));
  return ReadTimesOf(database_, problem, device, filter, most);
}

absl::StatusOr<std::vector<JobRow>> SqlLogReader::UnfinishedJobs() {
  // As the index job_unfinished has it.
  return ReadRows(database_, ReadJob,
                  absl::StrCat(kSelectJob, "WHERE (j.state = 'waiting' OR j.state = 'running')",
                               OwnJobsCondition("j.id"), " ORDER BY j.id"));
}

absl::StatusOr<std::optional<JobRow>> SqlLogReader::FindJob(std::string_view uuid) {
  return ReadRow(database_, ReadJob, absl::StrCat(kSelectJob, "WHERE j.uuid = ?1"), uuid);
}

absl::StatusOr<std::optional<JobRow>> SqlLogReader::FindJobById(int64_t id) {
  return ReadRow(database_, ReadJob, absl::StrCat(kSelectJob, "WHERE j.id = ?1"), id);
}

absl::StatusOr<std::optional<JobRow>> SqlLogReader::FindJobByRequest(std::string_view client_request_id) {
  return ReadRow(database_, ReadJob, absl::StrCat(kSelectJob, "WHERE j.client_request_id = ?1"), client_request_id);
}

absl::StatusOr<std::vector<CandidateRow>> SqlLogReader::Candidates(int64_t job_id) {
  RETURN_IF_ERROR(BeforeReadingCandidates());
  return ReadRows(database_, ReadCandidate, absl::StrCat(kSelectCandidate, "WHERE job_id = ?1 ORDER BY id"), job_id);
}

absl::StatusOr<std::optional<CandidateRow>> SqlLogReader::FindCandidate(int64_t candidate_id) {
  RETURN_IF_ERROR(BeforeReadingCandidates());
  return ReadRow(database_, ReadCandidate, absl::StrCat(kSelectCandidate, "WHERE id = ?1"), candidate_id);
}

absl::StatusOr<std::vector<AttemptRow>> SqlLogReader::LiveAttempts() {
  RETURN_IF_ERROR(BeforeReadingCandidates());
  const std::string own = OwnJobsCondition("job_id");
  // Without being told, SQLite walks the table in the order that is asked for.
  return ReadRows(
      database_, ReadAttempt,
      absl::StrCat(
          kAttemptColumns, "FROM attempt INDEXED BY attempt_one_live WHERE state = 'live'",
          own.empty() ? "" : absl::StrCat(" AND candidate_id IN (SELECT id FROM candidate WHERE true", own, ")"),
          " ORDER BY id"));
}

absl::StatusOr<std::optional<AttemptRow>> SqlLogReader::FindAttempt(std::string_view token) {
  RETURN_IF_ERROR(BeforeReadingCandidates());
  return ReadRow(database_, ReadAttempt, absl::StrCat(kAttemptColumns, "FROM attempt WHERE token = ?1"), token);
}

}  // namespace mmtune
