// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sqlite_tuning_log.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "db/states.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Not the fault of what was asked: the group cannot be trusted any more.
bool SpoilsGroup(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
      return false;
    default:
      return true;
  }
}

const absl::Status& StatusOf(const absl::Status& status) { return status; }
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& value) {
  return value.status();
}

}  // namespace

SqliteTuningLog::SqliteTuningLog(std::string path, LogLock lock, Database database, bool bulk)
    : path_(std::move(path)),
      lock_(std::move(lock)),
      database_(std::move(database)),
      reader_(&database_),
      store_(&database_) {
  if (bulk) bulk_.emplace(&database_);
}

SqliteTuningLog::~SqliteTuningLog() {
  group_.reset();
  absl::Status status = database_.Checkpoint();
  if (!status.ok()) LogWarning("checkpoint_failed", {{"path", path_}, {"error", ToStd(status.message())}});
}

absl::StatusOr<std::vector<TuningRecord>> SqliteTuningLog::Query(const RecordFilter& filter, int64_t after_id,
                                                                 int limit) {
  return reader_.Query(filter, after_id, limit);
}
void SqliteTuningLog::OnDamaged(DamageHandler handler) { reader_.OnDamaged(std::move(handler)); }
absl::StatusOr<std::vector<TuningRecord>> SqliteTuningLog::Newest(const RecordFilter& filter, int64_t before_id,
                                                                  int limit) {
  return reader_.Newest(filter, before_id, limit);
}
absl::StatusOr<std::vector<TuningRecord>> SqliteTuningLog::BestOfEach(const RecordFilter& filter, int each) {
  return reader_.BestOfEach(filter, each);
}
absl::StatusOr<std::vector<TuningRecord>> SqliteTuningLog::Best(const RecordFilter& filter, int limit) {
  return reader_.Best(filter, limit);
}
absl::StatusOr<TuningRecord> SqliteTuningLog::Get(std::string_view id_or_uuid) { return reader_.Get(id_or_uuid); }
absl::StatusOr<std::optional<TuningRecord>> SqliteTuningLog::Find(const MatmulProblem& problem,
                                                                  const Schedule& schedule, const DeviceInfo& device,
                                                                  const Toolchain& toolchain, Regime regime) {
  return reader_.Find(problem, schedule, device, toolchain, regime);
}
absl::StatusOr<std::optional<TuningRecord>> SqliteTuningLog::FindMeasured(std::string_view timing_key) {
  return reader_.FindMeasured(timing_key);
}
absl::StatusOr<std::vector<JobRow>> SqliteTuningLog::Jobs() { return reader_.Jobs(); }
absl::StatusOr<std::vector<CandidateRow>> SqliteTuningLog::Candidates(int64_t job_id) {
  return reader_.Candidates(job_id);
}
absl::StatusOr<std::optional<CandidateRow>> SqliteTuningLog::FindCandidate(int64_t candidate_id) {
  return reader_.FindCandidate(candidate_id);
}
absl::StatusOr<std::vector<AttemptRow>> SqliteTuningLog::LiveAttempts() { return reader_.LiveAttempts(); }
absl::StatusOr<std::optional<AttemptRow>> SqliteTuningLog::FindAttempt(std::string_view token) {
  return reader_.FindAttempt(token);
}

absl::Status SqliteTuningLog::Begin() {
  if (group_) return FailedPrecondition(absl::StrCat(path_, ": Begin inside a group; Commit or Rollback first"));
  ASSIGN_OR_RETURN(Transaction group, Transaction::Begin(database_));
  if (bulk_) RETURN_IF_ERROR(bulk_->Start());
  group_.emplace(std::move(group));
  group_error_ = absl::OkStatus();
  return absl::OkStatus();
}

absl::Status SqliteTuningLog::Commit() {
  if (!group_) return FailedPrecondition(absl::StrCat(path_, ": Commit without Begin"));
  absl::Status status = group_error_;
  if (status.ok() && bulk_) status = bulk_->Finish();
  if (status.ok()) status = group_->Commit();
  if (!status.ok()) {
    Rollback();
    return WithContext(status, "nothing of this group was stored");
  }
  group_.reset();
  if (bulk_) bulk_->Stop();
  return status;
}

void SqliteTuningLog::Rollback() {
  group_.reset();
  if (bulk_) bulk_->Stop();
  group_error_ = absl::OkStatus();
  reader_.ForgetRows();
  store_.Forget();
}

absl::Status SqliteTuningLog::TryWriting() {
  return InGroup([&] { return AddEvent("log_written_again", std::nullopt, ""); });
}

absl::Status SqliteTuningLog::CheckGroup() {
  RETURN_IF_ERROR(group_error_);
  if (group_->alive()) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat(path_, ": the group was rolled back after an earlier error"));
}

void SqliteTuningLog::NoteError(const absl::Status& status) {
  if (group_error_.ok() && SpoilsGroup(status)) group_error_ = status;
}

template <typename Write>
auto SqliteTuningLog::InGroup(Write write) -> decltype(write()) {
  if (group_) {
    RETURN_IF_ERROR(CheckGroup());
    auto result = write();
    NoteError(StatusOf(result));
    return result;
  }
  RETURN_IF_ERROR(Begin());
  auto result = write();
  NoteError(StatusOf(result));
  if (!result.ok()) {
    Rollback();
    return result;
  }
  RETURN_IF_ERROR(Commit());
  return result;
}

absl::Status SqliteTuningLog::AddEvent(std::string_view kind, std::optional<int64_t> job_id, std::string_view detail) {
  ASSIGN_OR_RETURN(Statement insert,
                   database_.Prepare("INSERT INTO event (unix_millis, kind, job_id, detail) VALUES (?1, ?2, ?3, ?4)"));
  insert.BindAll(Clock::Real().UnixMillis(), kind, job_id, detail);
  return insert.Run();
}

absl::StatusOr<int64_t> SqliteTuningLog::InsertJob(const JobRow& job) {
  return InGroup([&] { return WriteJob(job); });
}

absl::StatusOr<int64_t> SqliteTuningLog::WriteJob(const JobRow& job) {
  RETURN_IF_ERROR(job.problem.Validate());
  {
    ASSIGN_OR_RETURN(Statement select, database_.Prepare("SELECT id FROM job WHERE client_request_id = ?1"));
    select.Bind(1, job.client_request_id);
    ASSIGN_OR_RETURN(std::optional<int64_t> id, FirstId(select));
    if (id) {
      return absl::AlreadyExistsError(
          absl::StrCat("client_request_id '", job.client_request_id, "' belongs to job ", *id));
    }
  }
  ASSIGN_OR_RETURN(int64_t workload_id, store_.InternWorkload(job.problem));
  ASSIGN_OR_RETURN(Statement insert,
                   database_.Prepare("INSERT INTO job (uuid, client_request_id, spec, spec_digest, workload_id, state, "
                                     "message, created_unix_millis) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"));
  insert.BindAll(job.uuid, job.client_request_id, "", job.spec_digest, workload_id, JobStateName(job.state),
                 job.message, job.created_unix_millis);
  insert.BindBlob(3, job.spec);
  RETURN_IF_ERROR(insert.Run());
  int64_t id = database_.LastInsertId();
  RETURN_IF_ERROR(AddEvent("job_created", id, JobStateName(job.state)));
  return id;
}

absl::Status SqliteTuningLog::SetJobState(int64_t job_id, JobState state, std::string_view message) {
  return InGroup([&]() -> absl::Status {
    ASSIGN_OR_RETURN(Statement update, database_.Prepare("UPDATE job SET state = ?2, message = ?3 WHERE id = ?1"));
    update.BindAll(job_id, JobStateName(state), message);
    RETURN_IF_ERROR(update.Run());
    if (database_.Changes() == 0) return NotFound(absl::StrCat("no job ", job_id, " in this log"));
    return AddEvent("job_state", job_id,
                    message.empty() ? std::string(JobStateName(state))
                                    : absl::StrCat(ToAbsl(JobStateName(state)), ": ", ToAbsl(message)));
  });
}

absl::StatusOr<int64_t> SqliteTuningLog::InsertCandidate(int64_t job_id, const Schedule& schedule) {
  return InGroup([&] { return WriteCandidate(job_id, schedule); });
}

absl::StatusOr<int64_t> SqliteTuningLog::WriteCandidate(int64_t job_id, const Schedule& schedule) {
  std::string json = schedule.CanonicalJson();
  std::string digest = Sha256Hex(json);
  {
    ASSIGN_OR_RETURN(Statement select,
                     database_.Prepare("SELECT id FROM candidate WHERE job_id = ?1 AND schedule_digest = ?2"));
    select.BindAll(job_id, digest);
    ASSIGN_OR_RETURN(std::optional<int64_t> id, FirstId(select));
    if (id) return *id;
  }
  absl::StatusOr<Schedule> readable = ParseSchedule(json);
  if (!readable.ok() || !(*readable == schedule)) return InvalidArgument("the schedule has a malformed name");
  {
    ASSIGN_OR_RETURN(Statement select, database_.Prepare("SELECT id FROM job WHERE id = ?1"));
    select.Bind(1, job_id);
    ASSIGN_OR_RETURN(std::optional<int64_t> id, FirstId(select));
    if (!id) return NotFound(absl::StrCat("no job ", job_id, " in this log"));
  }
  ASSIGN_OR_RETURN(Statement insert,
                   database_.Prepare("INSERT INTO candidate (job_id, schedule_digest, schedule, state) "
                                     "VALUES (?1, ?2, ?3, 'queued')"));
  insert.BindAll(job_id, digest, json);
  RETURN_IF_ERROR(insert.Run());
  return database_.LastInsertId();
}

absl::Status SqliteTuningLog::SetCandidateState(int64_t candidate_id, CandidateState state) {
  return InGroup([&]() -> absl::Status {
    ASSIGN_OR_RETURN(Statement update, database_.Prepare("UPDATE candidate SET state = ?2 WHERE id = ?1"));
    update.BindAll(candidate_id, CandidateStateName(state));
    RETURN_IF_ERROR(update.Run());
    if (database_.Changes() == 0) return NotFound(absl::StrCat("no candidate ", candidate_id, " in this log"));
    return absl::OkStatus();
  });
}

absl::Status SqliteTuningLog::InsertAttempt(const AttemptRow& attempt) {
  return InGroup([&] { return WriteAttempt(attempt); });
}

absl::Status SqliteTuningLog::WriteAttempt(const AttemptRow& attempt) {
  {
    ASSIGN_OR_RETURN(Statement select, database_.Prepare("SELECT id FROM candidate WHERE id = ?1"));
    select.Bind(1, attempt.candidate_id);
    ASSIGN_OR_RETURN(std::optional<int64_t> id, FirstId(select));
    if (!id) return NotFound(absl::StrCat("no candidate ", attempt.candidate_id, " in this log"));
  }
  if (attempt.state == AttemptState::kLive) {
    ASSIGN_OR_RETURN(Statement select,
                     database_.Prepare("SELECT id FROM attempt WHERE candidate_id = ?1 AND state = 'live'"));
    select.Bind(1, attempt.candidate_id);
    ASSIGN_OR_RETURN(std::optional<int64_t> id, FirstId(select));
    if (id) return FailedPrecondition(absl::StrCat("candidate ", attempt.candidate_id, " has a live attempt"));
  }
  ASSIGN_OR_RETURN(Statement insert,
                   database_.Prepare("INSERT INTO attempt (token, candidate_id, number, worker, device_uuid, state, "
                                     "detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"));
  insert.BindAll(attempt.token, attempt.candidate_id, attempt.number, attempt.worker, attempt.device_uuid,
                 AttemptStateName(attempt.state), attempt.detail);
  return insert.Run();
}

absl::Status SqliteTuningLog::EndAttempt(std::string_view token, AttemptState state, std::string_view detail) {
  if (state == AttemptState::kLive) return InvalidArgument("an attempt does not end as live");
  return InGroup([&]() -> absl::Status {
    ASSIGN_OR_RETURN(Statement update,
                     database_.Prepare("UPDATE attempt SET state = ?2, detail = ?3 WHERE token = ?1"));
    update.BindAll(token, AttemptStateName(state), detail);
    RETURN_IF_ERROR(update.Run());
    if (database_.Changes() == 0) return NotFound("no attempt with this token in this log");
    if (state == AttemptState::kReported) return absl::OkStatus();
    return AddEvent(absl::StrCat("attempt_", ToAbsl(AttemptStateName(state))), std::nullopt,
                    absl::StrCat(ToAbsl(token), detail.empty() ? "" : ": ", ToAbsl(detail)));
  });
}

absl::StatusOr<InsertedRecord> SqliteTuningLog::InsertRecord(std::string_view token, const TuningRecord& record) {
  return InGroup([&] { return store_.Insert(token, record, nullptr); });
}

absl::StatusOr<InsertedRecord> SqliteTuningLog::ImportRecord(const TuningRecord& record, const RecordColumns& columns) {
  return InGroup([&] { return store_.Insert("", record, &columns); });
}

}  // namespace mmtune
