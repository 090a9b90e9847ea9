#include "db/sqlite_log_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/states.h"
#include "proto/base/status.h"
#include "proto/json/value_json.h"

namespace mmtune {
namespace {

constexpr size_t kMinPrefix = 4;

std::optional<int64_t> AsId(std::string_view text) {
  int64_t id = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || id < 1) return std::nullopt;
  return id;
}

constexpr char kAttemptColumns[] =
    "SELECT token, candidate_id, number, worker, device_uuid, state, detail FROM attempt ";

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

/// Steps the statement to its end.
template <typename Row>
absl::StatusOr<std::vector<Row>> ReadRows(Statement& statement, absl::StatusOr<Row> (*read)(const Statement&)) {
  std::vector<Row> rows;
  while (true) {
    ASSIGN_OR_RETURN(bool more, statement.Step());
    if (!more) return rows;
    ASSIGN_OR_RETURN(Row row, read(statement));
    rows.push_back(std::move(row));
  }
}

template <typename Row>
std::optional<Row> FirstOf(std::vector<Row> rows) {
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

}  // namespace

absl::StatusOr<std::vector<TuningRecord>> SqliteLogReader::Query(const RecordFilter& filter, int64_t after_id,
                                                                 int limit) {
  FilterSql sql(filter);
  sql.Add("r.id > ", after_id);
  ASSIGN_OR_RETURN(Statement statement,
                   database_->Prepare(
                       absl::StrCat(RecordRows::Select(), sql.Where(), "ORDER BY r.id LIMIT ?", sql.next_parameter())));
  int parameter = sql.Bind(statement);
  statement.Bind(parameter, std::max(limit, 0));
  return rows_.ReadAll(statement);
}

absl::StatusOr<std::vector<TuningRecord>> SqliteLogReader::Best(const RecordFilter& filter, int limit) {
  RecordFilter canonical = filter;
  canonical.include_non_canonical = false;
  // Rows of before there were rules may be ok in name only: those are read again without them.
  for (std::string distrusted;;) {
    ASSIGN_OR_RETURN(std::vector<TuningRecord> records, BestRows(canonical, distrusted, limit));
    const size_t known = distrusted.size();
    for (const TuningRecord& record : records) {
      if (record.measurement.outcome == Outcome::kOk) continue;
      absl::StrAppend(&distrusted, distrusted.empty() ? "" : ",", record.id);
    }
    if (distrusted.size() == known) return records;
  }
}

absl::StatusOr<std::vector<TuningRecord>> SqliteLogReader::BestRows(const RecordFilter& filter,
                                                                    const std::string& without_ids, int limit) {
  FilterSql sql(filter);
  sql.Add("r.outcome = 'ok'");
  if (!without_ids.empty()) sql.Add(absl::StrCat("r.id NOT IN (", without_ids, ")"));
  // Kinds of devices are never ranked together, nor are regimes: "cuda" sorts before "simt", "warm" after "cold".
  ASSIGN_OR_RETURN(
      Statement statement,
      database_->Prepare(absl::StrCat(
          RecordRows::Select(),
          "WHERE r.id IN (SELECT place.id FROM (SELECT r.id AS id, ROW_NUMBER() OVER (PARTITION BY r.workload_id, "
          "d.class_key, r.schedule_digest, r.regime ORDER BY r.median_ns, r.uuid) AS nth",
          RecordRows::From(), sql.Where(),
          ") AS place WHERE place.nth = 1) ORDER BY d.kind, r.regime DESC, r.gflops DESC, r.median_ns, r.uuid LIMIT ?",
          sql.next_parameter())));
  int parameter = sql.Bind(statement);
  statement.Bind(parameter, std::max(limit, 0));
  return rows_.ReadAll(statement);
}

absl::StatusOr<std::optional<TuningRecord>> SqliteLogReader::GetById(int64_t id) {
  ASSIGN_OR_RETURN(Statement statement, database_->Prepare(absl::StrCat(RecordRows::Select(), "WHERE r.id = ?1")));
  statement.Bind(1, id);
  ASSIGN_OR_RETURN(std::vector<TuningRecord> records, rows_.ReadAll(statement));
  return FirstOf(std::move(records));
}

absl::StatusOr<std::vector<TuningRecord>> SqliteLogReader::GetByPrefix(std::string_view prefix) {
  // The exact uuid sorts first, should it be the beginning of another. 0x7f is above every character of a uuid.
  ASSIGN_OR_RETURN(Statement statement,
                   database_->Prepare(absl::StrCat(RecordRows::Select(),
                                                   "WHERE r.uuid >= ?1 AND r.uuid < ?2 ORDER BY r.uuid LIMIT 2")));
  statement.BindAll(prefix, absl::StrCat(ToAbsl(prefix), "\x7f"));
  return rows_.ReadAll(statement);
}

absl::StatusOr<TuningRecord> SqliteLogReader::Get(std::string_view id_or_uuid) {
  if (std::optional<int64_t> id = AsId(id_or_uuid)) {
    ASSIGN_OR_RETURN(std::optional<TuningRecord> record, GetById(*id));
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
  return InvalidArgument(absl::StrCat("'", name, "' begins the uuids of several records; give more of it"));
}

absl::StatusOr<std::optional<TuningRecord>> SqliteLogReader::Find(const MatmulProblem& problem,
                                                                  const Schedule& schedule, const DeviceInfo& device,
                                                                  const Toolchain& toolchain, Regime regime) {
  // Several jobs, or imports, may have measured it: the newest speaks, whatever the order they came in.
  ASSIGN_OR_RETURN(Statement statement,
                   database_->Prepare(absl::StrCat(RecordRows::Select(),
                                                   "WHERE w.digest = ?1 AND r.schedule_digest = ?2 AND "
                                                   "d.class_key = ?3 AND t.digest = ?4 AND r.canonical = 1 AND "
                                                   "(r.regime = ?5 OR (r.outcome <> 'ok' AND r.regime = '')) "
                                                   "ORDER BY r.unix_millis DESC, r.uuid DESC LIMIT 1")));
  statement.BindAll(problem.Digest(), schedule.Digest(), device.ClassKey(), toolchain.Digest(), RegimeName(regime));
  ASSIGN_OR_RETURN(std::vector<TuningRecord> records, rows_.ReadAll(statement));
  return FirstOf(std::move(records));
}

absl::StatusOr<std::optional<TuningRecord>> SqliteLogReader::FindMeasured(std::string_view timing_key) {
  if (timing_key.empty()) return std::optional<TuningRecord>();
  ASSIGN_OR_RETURN(Statement statement,
                   database_->Prepare(absl::StrCat(RecordRows::Select(),
                                                   "WHERE r.timing_key = ?1 AND r.timing_key <> '' AND r.canonical = 1 "
                                                   "AND r.outcome = 'ok' "
                                                   "ORDER BY r.unix_millis DESC, r.uuid DESC LIMIT 1")));
  statement.BindAll(timing_key);
  ASSIGN_OR_RETURN(std::vector<TuningRecord> records, rows_.ReadAll(statement));
  std::erase_if(records, [](const TuningRecord& record) { return record.measurement.outcome != Outcome::kOk; });
  return FirstOf(std::move(records));
}

absl::StatusOr<std::vector<JobRow>> SqliteLogReader::Jobs() {
  ASSIGN_OR_RETURN(Statement statement,
                   database_->Prepare("SELECT j.id, j.uuid, j.client_request_id, j.spec, j.spec_digest, "
                                      "w.problem, j.state, j.message, j.created_unix_millis FROM job AS j "
                                      "JOIN workload AS w ON w.id = j.workload_id ORDER BY j.id"));
  return ReadRows<JobRow>(statement, ReadJob);
}

absl::StatusOr<std::vector<CandidateRow>> SqliteLogReader::Candidates(int64_t job_id) {
  ASSIGN_OR_RETURN(
      Statement statement,
      database_->Prepare("SELECT id, job_id, schedule, state FROM candidate WHERE job_id = ?1 ORDER BY id"));
  statement.Bind(1, job_id);
  return ReadRows<CandidateRow>(statement, ReadCandidate);
}

absl::StatusOr<std::vector<AttemptRow>> SqliteLogReader::LiveAttempts() {
  ASSIGN_OR_RETURN(Statement statement,
                   database_->Prepare(absl::StrCat(kAttemptColumns, "WHERE state = 'live' ORDER BY id")));
  return ReadRows<AttemptRow>(statement, ReadAttempt);
}

absl::StatusOr<std::optional<AttemptRow>> SqliteLogReader::FindAttempt(std::string_view token) {
  ASSIGN_OR_RETURN(Statement statement, database_->Prepare(absl::StrCat(kAttemptColumns, "WHERE token = ?1")));
  statement.Bind(1, token);
  ASSIGN_OR_RETURN(std::vector<AttemptRow> rows, ReadRows<AttemptRow>(statement, ReadAttempt));
  return FirstOf(std::move(rows));
}

}  // namespace mmtune
