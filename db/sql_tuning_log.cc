// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sql_tuning_log.h"

#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "db/aborted_retry.h"
#include "db/tuning_log.h"
#include "nlohmann/json.hpp"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
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

/// The mark of an error for MayBeStored().
constexpr char kMayBeStored[] = "mmtune/may-be-stored";

absl::Status StatusOf(absl::Status status) { return status; }
template <typename T>
absl::Status StatusOf(const absl::StatusOr<T>& value) {
  return value.status();
}

}  // namespace

SqlTuningLog::SqlTuningLog(std::string path, Database database, bool bulk)
    : SqlLogReader(std::move(database)),
      path_(std::move(path)),
      store_(&database_),
      pending_(&database_),
      session_(database_.Session()) {
  if (bulk) bulk_.emplace(&database_);
}

bool MayBeStored(const absl::Status& status) { return status.GetPayload(kMayBeStored).has_value(); }

absl::Status SqlTuningLog::Begin() {
  RETURN_IF_ERROR(BeginGroup());
  const int64_t former = std::exchange(session_, database_.Session());
  if (former == session_) return absl::OkStatus();
  // The caller may know ids of rows that a failover has lost, and that stand for others now.
  Rollback();
  return Unavailable(absl::StrCat(path_,
                                  ": the connection was lost and opened again; read the rows from the log again, and "
                                  "repeat this group of changes"));
}

absl::Status SqlTuningLog::BeginGroup() {
  if (group_) return FailedPrecondition(absl::StrCat(path_, ": Begin inside a group; Commit or Rollback first"));
  RETURN_IF_ERROR(BeforeBegin());
  ASSIGN_OR_RETURN(Transaction group, Transaction::Begin(database_));
  absl::Status begun = AfterBegin();
  if (begun.ok() && bulk_) begun = bulk_->Start();
  if (!begun.ok()) {
    Rollback();
    return begun;
  }
  if (session_ != database_.Session()) store_.Forget();
  group_.emplace(std::move(group));
  group_error_ = absl::OkStatus();
  unmeasured_.reset();
  return absl::OkStatus();
}

absl::Status SqlTuningLog::Commit() {
  if (!group_) return FailedPrecondition(absl::StrCat(path_, ": Commit without Begin"));
  absl::Status status = group_error_;
  if (status.ok()) status = CheckGroup();
  // Their statements, and the first ones of StoreBest(), are one round trip to a server.
  if (status.ok()) status = pending_.Write();
  if (status.ok()) status = StoreBest();
  if (status.ok()) status = pending_.CheckWritten();
  if (status.ok()) status = CheckCommit();
  const bool asked = status.ok();
  if (asked) status = group_->Commit();
  const bool may_be_stored = asked && absl::IsUnavailable(status);
  // A group that went into a file which has lost its name meanwhile must not be acknowledged.
  if (status.ok()) status = CheckCommit();
  if (!status.ok()) {
    Rollback();
    if (may_be_stored) {
      status = WithContext(status, "it is not known whether this group of changes was stored: repeat it");
      status.SetPayload(kMayBeStored, absl::Cord());
      return status;
    }
    return absl::IsDataLoss(status) ? status : WithContext(status, "nothing of this group of changes was stored");
  }
  group_.reset();
  if (bulk_) bulk_->Stop();
  return status;
}

absl::Status SqlTuningLog::StoreBest() {
  std::vector<RankingKey> keys;
  if (bulk_) {
    const std::vector<int64_t> added = store_.TakeAdded();
    ASSIGN_OR_RETURN(keys, bulk_->Finish(added));
    RETURN_IF_ERROR(AfterRanking(static_cast<int64_t>(added.size())));
  } else {
    ASSIGN_OR_RETURN(keys, store_.TakeRanked());
  }
  for (const RankingKey& key : keys) {
    RETURN_IF_ERROR(best_.Store(key, [&](int64_t id) { return GetOkById(id); }));
  }
  return absl::OkStatus();
}

void SqlTuningLog::Rollback() {
  group_.reset();
  if (bulk_) bulk_->Stop();
  group_error_ = absl::OkStatus();
  unmeasured_.reset();
  pending_.Forget();
  rows_.Forget();
  store_.Forget();
}

absl::Status SqlTuningLog::TryWriting() {
  return InGroup([&] { return AddEvent("log_written_again", std::nullopt, ""); });
}

absl::Status SqlTuningLog::CheckGroup() {
  RETURN_IF_ERROR(group_error_);
  if (group_->alive()) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat(path_, ": the group was rolled back after an earlier error"));
}

void SqlTuningLog::NoteError(const absl::Status& status) {
  if (group_error_.ok() && SpoilsGroup(status)) group_error_ = status;
}

template <typename Write>
auto SqlTuningLog::InGroup(Write write) -> decltype(write()) {
  if (group_) {
    RETURN_IF_ERROR(CheckGroup());
    auto result = write();
    NoteError(StatusOf(result));
    return result;
  }
  AbortedRetry retry;
  while (true) {
    RETURN_IF_ERROR(BeginGroup());
    auto result = write();
    absl::Status status = StatusOf(result);
    NoteError(status);
    if (status.ok()) {
      status = Commit();
    } else {
      Rollback();
    }
    if (status.ok()) return result;
    if (!retry.RetryAfter(status)) return status;
  }
}

absl::Status SqlTuningLog::Write(absl::FunctionRef<absl::Status()> write) { return InGroup(write); }

absl::Status SqlTuningLog::AddEvent(std::string_view kind, std::optional<int64_t> job_id, std::string_view detail) {
  return database_.Run("INSERT INTO event (unix_millis, kind, job_id, detail) VALUES (?1, ?2, ?3, ?4)",
                       Clock::Real().UnixMillis(), kind, job_id, detail);
}

absl::Status SqlTuningLog::AddWorkerNote(const WorkerNote& note) {
  return InGroup([&] {
    return database_.Run(
        "INSERT INTO event (unix_millis, kind, detail) VALUES (?1, ?2, ?3)", note.unix_millis,
        WorkerNoteKindName(note.kind),
        nlohmann::json({note.worker, note.about}).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  });
}

absl::StatusOr<std::vector<WorkerNote>> SqlTuningLog::WorkerNotes() {
  ASSIGN_OR_RETURN(Statement select,
                   database_.Prepare("SELECT unix_millis, kind, detail FROM event INDEXED BY event_worker_note WHERE "
                                     "(kind = 'worker_contradicted' OR kind = 'worker_quarantined' OR "
                                     "kind = 'worker_cleared' OR kind = 'worker_disputed') ORDER BY id"));
  std::vector<WorkerNote> notes;
  while (true) {
    ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return notes;
    ASSIGN_OR_RETURN(const WorkerNoteKind kind, ParseWorkerNoteKind(select.View(1)));
    const nlohmann::json detail = nlohmann::json::parse(select.View(2), nullptr, /*allow_exceptions=*/false);
    if (!detail.is_array() || detail.size() != 2 || !detail[0].is_string() || !detail[1].is_string()) continue;
    notes.push_back({kind, detail[0].get<std::string>(), detail[1].get<std::string>(), select.Int(0)});
  }
}

absl::StatusOr<int64_t> SqlTuningLog::InsertJob(const JobRow& job) {
  return InGroup([&] { return WriteJob(job); });
}

absl::StatusOr<int64_t> SqlTuningLog::WriteJob(const JobRow& job) {
  RETURN_IF_ERROR(job.problem.Validate());
  ASSIGN_OR_RETURN(const std::optional<int64_t> taken,
                   database_.FirstId("SELECT id FROM job WHERE client_request_id = ?1", job.client_request_id));
  if (taken) {
    return absl::AlreadyExistsError(
        absl::StrCat("client_request_id '", job.client_request_id, "' belongs to job ", *taken));
  }
  ASSIGN_OR_RETURN(int64_t workload_id, store_.InternWorkload(job.problem));
  ASSIGN_OR_RETURN(
      Statement insert,
      database_.PrepareInsert("INSERT INTO job (uuid, client_request_id, spec, spec_digest, workload_id, state, "
                              "message, created_unix_millis) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) "
                              "ON CONFLICT DO NOTHING"));
  insert.BindAll(job.uuid, job.client_request_id, "", job.spec_digest, workload_id, JobStateName(job.state),
                 job.message, job.created_unix_millis);
  insert.BindBlob(3, job.spec);
  ASSIGN_OR_RETURN(const std::optional<int64_t> id, insert.Insert());
  if (!id) return absl::AlreadyExistsError(absl::StrCat("job ", job.uuid, " is already in this log"));
  RETURN_IF_ERROR(AfterInsertJob(*id));
  RETURN_IF_ERROR(AddEvent("job_created", *id, JobStateName(job.state)));
  return *id;
}

absl::Status SqlTuningLog::SetJobState(int64_t job_id, JobState state, std::string_view message) {
  return InGroup([&]() -> absl::Status {
    RETURN_IF_ERROR(
        database_.Run("UPDATE job SET state = ?2, message = ?3 WHERE id = ?1", job_id, JobStateName(state), message));
    if (database_.Changes() == 0) return NotFound(absl::StrCat("no job ", job_id, " in this log"));
    return AddEvent("job_state", job_id,
                    message.empty() ? std::string(JobStateName(state))
                                    : absl::StrCat(ToAbsl(JobStateName(state)), ": ", ToAbsl(message)));
  });
}

absl::StatusOr<int64_t> SqlTuningLog::InsertCandidate(int64_t job_id, const Schedule& schedule) {
  return InGroup([&] { return WriteCandidate(job_id, schedule); });
}

absl::StatusOr<int64_t> SqlTuningLog::WriteCandidate(int64_t job_id, const Schedule& schedule) {
  const std::string json = schedule.CanonicalJson();
  const std::string digest = Sha256Hex(json);
  if (schedule.Validate().ok()) {
    // It also answers Find(), which is called next: that would be a statement of its own for each candidate. The state
    // is that of most candidates at the end of the group.
    ASSIGN_OR_RETURN(
        Statement insert,
        database_.Prepare(
            "INSERT INTO candidate (job_id, schedule_digest, schedule, state) "
            "SELECT id, ?2, ?3, 'leased' FROM job WHERE id = ?1 ON CONFLICT (job_id, schedule_digest) DO NOTHING "
            "RETURNING id, EXISTS (SELECT 1 FROM measurement AS m WHERE m.workload_id = "
            "(SELECT workload_id FROM job WHERE job.id = ?1) AND m.schedule_digest = ?2), (SELECT digest FROM workload "
            "WHERE workload.id = (SELECT workload_id FROM job WHERE job.id = ?1))"));
    ASSIGN_OR_RETURN(const bool inserted, insert.BindAll(job_id, digest, json).Step());
    if (inserted) {
      const int64_t id = insert.Int(0);
      if (insert.Int(1) == 0) unmeasured_ = {insert.Text(2), digest};
      pending_.NoteInserted(id, CandidateState::kLeased);
      pending_.SetState(id, CandidateState::kQueued);
      return id;
    }
  }
  ASSIGN_OR_RETURN(
      const std::optional<int64_t> present,
      database_.FirstId("SELECT id FROM candidate WHERE job_id = ?1 AND schedule_digest = ?2", job_id, digest));
  if (present) return *present;
  RETURN_IF_ERROR(schedule.Validate());
  return NotFound(absl::StrCat("no job ", job_id, " in this log"));
}

absl::StatusOr<std::optional<TuningRecord>> SqlTuningLog::Find(const MatmulProblem& problem, const Schedule& schedule,
                                                               const DeviceInfo& device, const Toolchain& toolchain,
                                                               Regime regime) {
  const auto unmeasured = std::exchange(unmeasured_, std::nullopt);
  if (group_ && unmeasured && unmeasured->second == schedule.Digest() && unmeasured->first == DigestOf(problem)) {
    return std::optional<TuningRecord>();
  }
  return SqlLogReader::Find(problem, schedule, device, toolchain, regime);
}

absl::Status SqlTuningLog::SetCandidateState(int64_t candidate_id, CandidateState state) {
  return InGroup([&]() -> absl::Status {
    pending_.SetState(candidate_id, state);
    return absl::OkStatus();
  });
}

absl::Status SqlTuningLog::InsertAttempt(const AttemptRow& attempt) {
  return InGroup([&] { return pending_.Insert(attempt); });
}

absl::Status SqlTuningLog::EndAttempt(std::string_view token, AttemptState state, std::string_view detail) {
  if (state == AttemptState::kLive) return InvalidArgument("EndAttempt: state must be final, not 'live'");
  return InGroup([&]() -> absl::Status {
    RETURN_IF_ERROR(pending_.End(token, state, detail));
    if (state == AttemptState::kReported) return absl::OkStatus();
    return AddEvent(absl::StrCat("attempt_", ToAbsl(AttemptStateName(state))), std::nullopt,
                    absl::StrCat(ToAbsl(token), detail.empty() ? "" : ": ", ToAbsl(detail)));
  });
}

absl::Status SqlTuningLog::WritePending() {
  if (!group_) return absl::OkStatus();
  RETURN_IF_ERROR(CheckGroup());
  group_error_ = pending_.Write();
  if (group_error_.ok()) group_error_ = pending_.CheckWritten();
  return group_error_;
}

absl::StatusOr<InsertedRecord> SqlTuningLog::InsertRecord(std::string_view token, const TuningRecord& record) {
  return InGroup([&]() -> absl::StatusOr<InsertedRecord> {
    unmeasured_.reset();
    if (pending_.HasAttempt(token)) RETURN_IF_ERROR(WritePending());
    return store_.Insert(token, record, nullptr);
  });
}

absl::StatusOr<InsertedRecord> SqlTuningLog::ImportRecord(const TuningRecord& record, const RecordColumns& columns) {
  unmeasured_.reset();
  return InGroup([&] { return store_.Insert("", record, &columns); });
}

absl::StatusOr<std::vector<InsertedRecord>> SqlTuningLog::ImportRecords(const std::vector<TuningRecord>& records,
                                                                        const std::vector<RecordColumns>& columns) {
  unmeasured_.reset();
  return InGroup([&] { return store_.Import(records, columns); });
}

}  // namespace mmtune
