// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sqlite_tuning_log.h"

#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "db/log_file.h"
#include "db/tuning_log.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Returns true if an error is not the caller's, so that the group must not be committed.
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

/// Returns true for a row that breaks a constraint, which SQLite does not name well.
bool RefusedByTables(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsAlreadyExists(status);
}

absl::Status StatusOf(absl::Status status) { return status; }
template <typename T>
absl::Status StatusOf(const absl::StatusOr<T>& value) {
  return value.status();
}

}  // namespace

SqliteTuningLog::SqliteTuningLog(std::string path, LogLock lock, LogFiles files, Database database, bool bulk,
                                 bool discard)
    : SqliteLogReader(std::move(database)),
      path_(std::move(path)),
      lock_(std::move(lock)),
      files_(std::move(files)),
      discard_(discard),
      store_(&database_) {
  if (bulk) bulk_.emplace(&database_);
}

SqliteTuningLog::~SqliteTuningLog() {
  group_.reset();
  // Last, too: closing removes the -wal and -shm by their names.
  const bool told = !lost_.ok();
  const bool unused = CheckFiles().ok() && discard_ && IsUnused();
  if (!lost_.ok()) {
    if (!told) LogError("log_lost", {{"why", lost_.message()}});
  } else {
    const absl::Status status = database_.Checkpoint();
    if (!status.ok()) LogWarning("checkpoint_failed", {{"path", path_}, {"error", status.message()}});
  }
  const std::string resolved = database_.path();
  {
    const Database closed = std::move(database_);
  }  // before the lock is released
  if (!unused) return;
  files_.RemoveWal();  // which is still there where a reader has it open
  if (unlink(resolved.c_str()) == 0) lock_.Remove(resolved);
}

bool SqliteTuningLog::IsUnused() {
  const absl::StatusOr<std::optional<int64_t>> record = database_.FirstId("SELECT id FROM measurement LIMIT 1");
  return record.ok() && !*record;
}

absl::Status SqliteTuningLog::CheckFiles() {
  if (!lost_.ok()) return lost_;
  const absl::Status status = files_.Check();
  if (absl::IsDataLoss(status)) lost_ = Save(status);
  return lost_.ok() ? status : lost_;
}

absl::Status SqliteTuningLog::Save(const absl::Status& why) {
  group_.reset();  // a copy is not made inside a transaction
  absl::Status saved = database_.CheckpointAll();
  const std::string& path = database_.path();
  std::string place = path;
  if (!saved.ok() || files_.DatabaseIsDeleted()) {
    place = absl::StrCat(path, ".", Clock::Real().UnixMillis(), ".backup");
    saved = CopyLog(database_, place);
  } else if (!files_.DatabaseIsNamed()) {
    place = "the file that was moved away";
  }
  if (saved.ok()) saved = database_.KeepWalAtClose();
  if (saved.ok()) files_.RemoveWal();
  return absl::DataLossError(
      absl::StrCat(why.message(), ": nothing more is stored; ",
                   saved.ok() ? "what was stored is in " : "what was stored cannot be copied to ", place,
                   saved.ok() ? "" : ": ", saved.message()));
}

absl::Status SqliteTuningLog::Begin() {
  if (group_) return FailedPrecondition(absl::StrCat(path_, ": Begin inside a group; Commit or Rollback first"));
  RETURN_IF_ERROR(lost_);
  ASSIGN_OR_RETURN(Transaction group, Transaction::Begin(database_));
  if (bulk_) RETURN_IF_ERROR(bulk_->Start());
  group_.emplace(std::move(group));
  group_error_ = absl::OkStatus();
  return absl::OkStatus();
}

absl::Status SqliteTuningLog::Commit() {
  if (!group_) return FailedPrecondition(absl::StrCat(path_, ": Commit without Begin"));
  absl::Status status = group_error_;
  if (status.ok()) status = StoreBest();
  if (status.ok()) status = CheckFiles();
  if (status.ok()) status = group_->Commit();
  // What went into a file that has lost its name meanwhile must not be acknowledged.
  if (status.ok()) status = CheckFiles();
  if (!status.ok()) {
    Rollback();
    return absl::IsDataLoss(status) ? status : WithContext(status, "nothing of this group was stored");
  }
  group_.reset();
  if (bulk_) bulk_->Stop();
  return status;
}

absl::Status SqliteTuningLog::StoreBest() {
  ASSIGN_OR_RETURN(std::vector<RankingKey> keys, store_.TakeRanked());
  if (bulk_) {
    ASSIGN_OR_RETURN(keys, bulk_->Finish());
  }
  for (const RankingKey& key : keys) {
    RETURN_IF_ERROR(best_.Store(key, [&](int64_t id) { return GetOkById(id); }));
  }
  return absl::OkStatus();
}

void SqliteTuningLog::Rollback() {
  group_.reset();
  if (bulk_) bulk_->Stop();
  group_error_ = absl::OkStatus();
  fresh_candidate_.reset();
  rows_.Forget();
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
  return database_.Run("INSERT INTO event (unix_millis, kind, job_id, detail) VALUES (?1, ?2, ?3, ?4)",
                       Clock::Real().UnixMillis(), kind, job_id, detail);
}

absl::Status SqliteTuningLog::AddWorkerNote(const WorkerNote& note) {
  return InGroup([&] {
    return database_.Run("INSERT INTO event (unix_millis, kind, detail) VALUES (?1, ?2, json_array(?3, ?4))",
                         note.unix_millis, WorkerNoteKindName(note.kind), note.worker, note.about);
  });
}

absl::StatusOr<std::vector<WorkerNote>> SqliteTuningLog::WorkerNotes() {
  ASSIGN_OR_RETURN(Statement select,
                   database_.Prepare("SELECT unix_millis, kind, detail ->> 0, detail ->> 1 FROM event "
                                     "INDEXED BY event_worker_note WHERE (kind = 'worker_contradicted' OR "
                                     "kind = 'worker_quarantined' OR kind = 'worker_cleared' OR "
                                     "kind = 'worker_disputed') AND json_valid(detail) ORDER BY id"));
  std::vector<WorkerNote> notes;
  while (true) {
    ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return notes;
    ASSIGN_OR_RETURN(const WorkerNoteKind kind, ParseWorkerNoteKind(select.View(1)));
    notes.push_back({kind, select.Text(2), select.Text(3), select.Int(0)});
  }
}

absl::StatusOr<int64_t> SqliteTuningLog::InsertJob(const JobRow& job) {
  return InGroup([&] { return WriteJob(job); });
}

absl::StatusOr<int64_t> SqliteTuningLog::WriteJob(const JobRow& job) {
  RETURN_IF_ERROR(job.problem.Validate());
  ASSIGN_OR_RETURN(const std::optional<int64_t> taken,
                   database_.FirstId("SELECT id FROM job WHERE client_request_id = ?1", job.client_request_id));
  if (taken) {
    return absl::AlreadyExistsError(
        absl::StrCat("client_request_id '", job.client_request_id, "' belongs to job ", *taken));
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
    RETURN_IF_ERROR(
        database_.Run("UPDATE job SET state = ?2, message = ?3 WHERE id = ?1", job_id, JobStateName(state), message));
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
  const std::string json = schedule.CanonicalJson();
  const std::string digest = Sha256Hex(json);
  if (schedule.Validate().ok()) {
    const absl::Status inserted = database_.Run(
        "INSERT INTO candidate (job_id, schedule_digest, schedule, state) VALUES (?1, ?2, ?3, 'queued') "
        "ON CONFLICT (job_id, schedule_digest) DO NOTHING",
        job_id, digest, json);
    if (inserted.ok() && database_.Changes() > 0) {
      fresh_candidate_ = database_.LastInsertId();
      return *fresh_candidate_;
    }
    if (!inserted.ok() && !RefusedByTables(inserted)) return inserted;
    if (!inserted.ok()) {
      ASSIGN_OR_RETURN(const std::optional<int64_t> job, database_.FirstId("SELECT id FROM job WHERE id = ?1", job_id));
      if (!job) return NotFound(absl::StrCat("no job ", job_id, " in this log"));
      return inserted;
    }
  }
  ASSIGN_OR_RETURN(
      const std::optional<int64_t> present,
      database_.FirstId("SELECT id FROM candidate WHERE job_id = ?1 AND schedule_digest = ?2", job_id, digest));
  if (present) return *present;
  return InvalidArgument("the schedule has a malformed name");
}

absl::Status SqliteTuningLog::SetCandidateState(int64_t candidate_id, CandidateState state) {
  return InGroup([&]() -> absl::Status {
    if (std::exchange(fresh_candidate_, std::nullopt) == candidate_id && state == CandidateState::kQueued)
      return absl::OkStatus();
    RETURN_IF_ERROR(
        database_.Run("UPDATE candidate SET state = ?2 WHERE id = ?1", candidate_id, CandidateStateName(state)));
    if (database_.Changes() == 0) return NotFound(absl::StrCat("no candidate ", candidate_id, " in this log"));
    return absl::OkStatus();
  });
}

absl::Status SqliteTuningLog::InsertAttempt(const AttemptRow& attempt) {
  return InGroup([&] { return WriteAttempt(attempt); });
}

absl::Status SqliteTuningLog::WriteAttempt(const AttemptRow& attempt) {
  absl::Status inserted = database_.Run(
      "INSERT INTO attempt (token, candidate_id, number, worker, device_uuid, state, detail) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
      attempt.token, attempt.candidate_id, attempt.number, attempt.worker, attempt.device_uuid,
      AttemptStateName(attempt.state), attempt.detail);
  if (!RefusedByTables(inserted)) return inserted;
  ASSIGN_OR_RETURN(const std::optional<int64_t> candidate,
                   database_.FirstId("SELECT id FROM candidate WHERE id = ?1", attempt.candidate_id));
  if (!candidate) return NotFound(absl::StrCat("no candidate ", attempt.candidate_id, " in this log"));
  ASSIGN_OR_RETURN(
      const std::optional<int64_t> live,
      database_.FirstId("SELECT id FROM attempt WHERE candidate_id = ?1 AND state = 'live'", attempt.candidate_id));
  if (attempt.state == AttemptState::kLive && live) {
    return FailedPrecondition(absl::StrCat("candidate ", attempt.candidate_id, " already has a live attempt"));
  }
  return inserted;
}

absl::Status SqliteTuningLog::EndAttempt(std::string_view token, AttemptState state, std::string_view detail) {
  if (state == AttemptState::kLive) return InvalidArgument("EndAttempt: state must be final, not 'live'");
  return InGroup([&]() -> absl::Status {
    RETURN_IF_ERROR(database_.Run("UPDATE attempt SET state = ?2, detail = ?3 WHERE token = ?1", token,
                                  AttemptStateName(state), detail));
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
