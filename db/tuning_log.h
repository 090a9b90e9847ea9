// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of the tuning log, a SQLite file or a PostgreSQL database with everything that was measured: jobs
// (searches), their candidates (schedules to measure), attempts (leases of a candidate to a worker) and records
// (results). A file has one writer and any number of readers. A PostgreSQL database may have several writers
// (coordinators), each with its own jobs.
//
// At most one record of a candidate is canonical: its result counts for the job, for rankings and for later jobs. The
// others are kept for inspection only: late reports of expired leases, and disputed results, after which another worker
// measured the candidate again. An imported record has its own flag that says if it is canonical.
//
// TuningLogReader reads a log, TuningLog writes it. Only the folder db/ contains SQL. tests/db/tuning_log_conformance
// tests the rules that all implementations follow.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/clock.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/measurement.h"
#include "proto/types/ranked_record.h"

namespace mmtune {

/// The state of a job. kInterrupted: its server ended before it did, and it is not resumed. States and kinds are stored
/// by name ("waiting", "running"); parsing an unknown name returns InvalidArgument.
enum class JobState { kWaiting, kRunning, kDone, kCancelled, kFailed, kInterrupted };
std::string_view JobStateName(JobState state);
absl::StatusOr<JobState> ParseJobState(std::string_view name);
/// True for kDone, kCancelled, kFailed and kInterrupted.
bool IsFinal(JobState state);

/// The state of a candidate.
enum class CandidateState { kQueued, kLeased, kDone };
std::string_view CandidateStateName(CandidateState state);
absl::StatusOr<CandidateState> ParseCandidateState(std::string_view name);

/// The state of an attempt: live, or how it ended.
enum class AttemptState {
  kLive,      ///< It has not ended.
  kReported,  ///< The worker reported a result.
  kExpired,   ///< The worker was silent for too long, or took too long.
  kReleased,  ///< The worker handed the candidate back, or the server took it back, as when its job ends.
  kFailed,    ///< The worker failed, for the reason in AttemptRow::detail.
};
std::string_view AttemptStateName(AttemptState state);
absl::StatusOr<AttemptState> ParseAttemptState(std::string_view name);

/// The kind of a note about a worker: another worker's result contradicted it, it was quarantined (it gets no more
/// work), its faults were cleared, or a result of it was disputed. server/coordinator/result_validator.h has the rules.
enum class WorkerNoteKind { kContradicted, kQuarantined, kCleared, kDisputed };
std::string_view WorkerNoteKindName(WorkerNoteKind kind);
absl::StatusOr<WorkerNoteKind> ParseWorkerNoteKind(std::string_view name);

/// A job as the log stores it.
struct JobRow {
  int64_t id = 0;  ///< Set by InsertJob.
  std::string uuid;
  std::string client_request_id;  ///< Unique; makes the submission of a job idempotent.
  std::string spec;               ///< Serialized v1.JobSpec, opaque to the log.
  std::string spec_digest;        ///< SHA-256 of the spec.
  MatmulProblem problem;
  JobState state = JobState::kWaiting;
  /// For the client: why the job failed, what it waits for, or why its search stopped. May be empty.
  std::string message;
  int64_t created_unix_millis = 0;
};

/// A candidate as the log stores it.
struct CandidateRow {
  int64_t id = 0;
  int64_t job_id = 0;
  Schedule schedule;
  CandidateState state = CandidateState::kQueued;
};

/// An attempt, the history of one lease, as the log stores it.
struct AttemptRow {
  std::string token;
  int64_t candidate_id = 0;
  int64_t number = 1;  ///< Counts the attempts of a candidate from 1.
  std::string worker;
  std::string device_uuid;
  AttemptState state = AttemptState::kLive;
  std::string detail;  ///< Why it ended in this way; may be empty.
};

/// A fact about the trustworthiness of a worker, which the coordinator reads again after a restart.
struct WorkerNote {
  WorkerNoteKind kind = WorkerNoteKind::kContradicted;
  std::string worker;
  std::string about;  ///< Depends on the kind: the worker that contradicted it, the reason, or the disputed result.
  int64_t unix_millis = 0;
};

/// Selects records. A record must pass every field that is set; an absent field allows any value.
struct RecordFilter {
  std::optional<MatmulProblem> problem;
  std::string device;  ///< Part of the device's name, or a kind; case is ignored. Empty: any.
  std::optional<Outcome> outcome;
  int64_t since_unix_millis = 0;       ///< Only records that were stored at this time or later; 0: any.
  std::string job_uuid;                ///< Only records of this job; empty: any.
  bool include_non_canonical = false;  ///< Also select records that are not canonical.
  std::optional<Regime> regime;        ///< Only records timed in this regime: with warm or with cold caches.
  bool verified_only = false;          ///< Only records that were verified before they were timed.
  std::string schedule_digest;         ///< For Query, Newest and ForEachBrief: only this schedule; empty: any.

  // The following fields are for BestOfEach() and Best(); see RankingRule.
  bool any_toolchain = false;  ///< Rank the records of all toolchains together.
  /// The digest of the only toolchain whose records are ranked; empty: that of the newest record.
  std::string toolchain;
  std::vector<Schedule> schedules;  ///< Return only these schedules of the ranking; empty: all.
};

/// The columns of a record that are enough to decide whether to read all of it.
struct RecordBrief {
  int64_t id = 0;
  int64_t workload_id = 0;  ///< Equal for records of the same problem.
  int64_t class_id = 0;     ///< Equal for devices of the same class.
  std::string job_uuid;
  std::string regime;           ///< RegimeName; empty: not timed.
  std::string schedule_digest;  ///< Schedule::Digest().
  bool canonical = false;
  Outcome outcome = Outcome::kOk;
  double median_ns = 0;  ///< 0: not timed.
};

/// Selects the times from which a search may learn: those of canonical ok records on one kind of devices, timed in one
/// regime.
struct TimesFilter {
  DeviceKind kind = DeviceKind::kSimt;
  Regime regime = Regime::kWarm;
  bool verified_only = true;
  int64_t before_unix_millis = INT64_MAX;  ///< Only older records.
  int at_least = 1;  ///< For TimedSources(): problems and classes with fewer such records are left out.
  /// For TimesOf(): records of the toolchain with this digest are left out; empty: none.
  std::string without_toolchain;
};

/// A problem and a class of devices for which the log has times that pass a TimesFilter.
struct TimedSource {
  MatmulProblem problem;
  DeviceInfo device;  ///< One device of the class.
};

/// A measured time.
struct MeasuredTime {
  Schedule schedule;
  double median_ns = 0;
  Toolchain toolchain;
  int64_t unix_millis = 0;  ///< When its record was stored.
};

/// The fastest schedule of one problem, class of devices and regime.
struct BestSchedule {
  /// The entry of a tuning spec, from which the compiler chooses schedules. Its digest is not set, and its `median_ns`
  /// is the time by which the schedule is ranked.
  TuningSpecEntry entry;
  std::string regime;
  /// The time of the fastest schedule if records of all toolchains count.
  double any_toolchain_ns = 0;
};

/// A row of the log that cannot be read, because of a flipped bit or an edit by hand.
struct DamagedRecord {
  int64_t id = 0;
  std::string uuid;
  std::string why;
};
/// A function that is called with each damaged record.
using DamageHandler = std::function<void(const DamagedRecord&)>;

/// Reads a tuning log. Each call sees one state of the log. Not thread-safe; open one for each thread. The methods also
/// return the errors of the database (class Database in database.h), such as Unavailable if its server is gone.
///
/// Damaged records are left out of all results, except that Get() returns an error for one. An ok record that breaks a
/// rule of Validate(), because it was edited by hand, is returned with the outcome kSuspect, which is never ranked.
class TuningLogReader {
 public:
  virtual ~TuningLogReader() = default;

  /// Sets the handler that is called each time a damaged record is left out. By default, a line of the program's log
  /// names each damaged record once.
  virtual void OnDamaged(DamageHandler) {}

  /// Returns at most `limit` records with id > after_id, in ascending order of ids.
  virtual absl::StatusOr<std::vector<TuningRecord>> Query(const RecordFilter& filter, int64_t after_id, int limit) = 0;
  /// Returns at most `limit` records with id < before_id, newest first.
  virtual absl::StatusOr<std::vector<TuningRecord>> Newest(const RecordFilter& filter, int64_t before_id,
                                                           int limit) = 0;
  /// Calls `visit` for every record that passes the filter, in ascending order of ids, without reading it whole. Uses
  /// constant memory, however long the log is.
  virtual absl::Status ForEachBrief(const RecordFilter& filter,
                                    const std::function<void(const RecordBrief& brief)>& visit) = 0;
  /// Returns the records with these ids in this order. Ids without a record are left out.
  virtual absl::StatusOr<std::vector<TuningRecord>> GetAll(const std::vector<int64_t>& ids) = 0;
  /// Returns the fastest schedules of every problem, class of devices and regime, at most `each` of each, by the rule
  /// of RankRecords(). The schedules of one ranking are together, fastest first.
  virtual absl::StatusOr<std::vector<RankedRecord>> BestOfEach(const RecordFilter& filter, int each) = 0;
  /// Returns the best schedules of all rankings together, by GFLOPS. Kinds of devices and regimes are not mixed: CUDA
  /// devices come before SIMT devices, and for each kind warm before cold.
  virtual absl::StatusOr<std::vector<RankedRecord>> Best(const RecordFilter& filter, int limit) = 0;
  /// Returns what BestOfEach(filter, 1) finds, but reads whole records only where needed. The default implementation
  /// uses BestOfEach().
  virtual absl::StatusOr<std::vector<BestSchedule>> BestSchedules(const RecordFilter& filter);
  /// Returns a record by its id, its uuid, or a prefix of its uuid with 4 or more characters. Returns NotFound, or
  /// InvalidArgument if several records match.
  virtual absl::StatusOr<TuningRecord> Get(std::string_view id_or_uuid) = 0;
  /// Returns the canonical record of a schedule on a class of devices, by a toolchain, from whichever job measured it;
  /// nullopt if there is none. If there are several, ChooseReusableRecord() chooses. A timed record must be of this
  /// regime. Records of skipped schedules are not returned, because the decision to skip a schedule is valid for one
  /// job only.
  virtual absl::StatusOr<std::optional<TuningRecord>> Find(const MatmulProblem& problem, const Schedule& schedule,
                                                           const DeviceInfo& device, const Toolchain& toolchain,
                                                           Regime regime) = 0;
  /// Returns the newest canonical ok record with this timing key, whatever its schedule and toolchain; nullopt if there
  /// is none. A timing key is a digest of all that determines a time: device code, launches, problem, device and
  /// regime. Two schedules, or two toolchains, may give the same code. Then the time of this record is used instead of
  /// a new timing.
  virtual absl::StatusOr<std::optional<TuningRecord>> FindMeasured(std::string_view timing_key) = 0;
  /// Returns each problem and class of devices with records that pass the filter, in no particular order.
  virtual absl::StatusOr<std::vector<TimedSource>> TimedSources(const TimesFilter& filter) = 0;
  /// Returns the times of a problem on the class of a device: the newest of each schedule, fastest first. If there are
  /// more than `most`, returns `most` of them, evenly spaced in this order.
  virtual absl::StatusOr<std::vector<MeasuredTime>> TimesOf(const MatmulProblem& problem, const DeviceInfo& device,
                                                            const TimesFilter& filter, int most) = 0;
  /// Returns the jobs whose state is not final, in ascending order of ids. The cost depends on their number.
  virtual absl::StatusOr<std::vector<JobRow>> UnfinishedJobs() = 0;
  /// Returns the job with this uuid; nullopt if there is none.
  virtual absl::StatusOr<std::optional<JobRow>> FindJob(std::string_view uuid) = 0;
  /// Returns the job with this id; nullopt if there is none.
  virtual absl::StatusOr<std::optional<JobRow>> FindJobById(int64_t id) = 0;
  /// Returns the job that was submitted with this client_request_id; nullopt if there is none.
  virtual absl::StatusOr<std::optional<JobRow>> FindJobByRequest(std::string_view client_request_id) = 0;
  /// Returns all candidates of a job.
  virtual absl::StatusOr<std::vector<CandidateRow>> Candidates(int64_t job_id) = 0;
  /// Returns the candidate with this id; nullopt if there is none.
  virtual absl::StatusOr<std::optional<CandidateRow>> FindCandidate(int64_t candidate_id) = 0;
  /// Returns all attempts in the state kLive.
  virtual absl::StatusOr<std::vector<AttemptRow>> LiveAttempts() = 0;
  /// Returns the attempt with this token, whatever its state; nullopt if there is none.
  virtual absl::StatusOr<std::optional<AttemptRow>> FindAttempt(std::string_view token) = 0;
};

/// Opens another reader of the same log, for another thread.
using ReaderFactory = std::function<absl::StatusOr<std::unique_ptr<TuningLogReader>>()>;

/// Chooses the record that is used as the result of a schedule, out of its canonical records, newest first. If the
/// newest record is a failure, it is used. Otherwise the newest ok record that is verified and was made on a healthy
/// device is used or, if there is none, the newest record.
///
/// Records of comparisons count as the oldest. A comparison times the fastest schedules alternately after a search, so
/// the search did not see these times. If they were used as results, a repeated job would propose other schedules.
std::optional<TuningRecord> ChooseReusableRecord(std::vector<TuningRecord> newest_first);
/// Returns the tuning spec entry for the first schedule of a ranking. Sets any_toolchain_ns to the time of this
/// schedule.
BestSchedule ToBestSchedule(RankedRecord first);
/// Sorts canonical records by GFLOPS, in the order of TuningLogReader::Best(). Records of the same ranking keep their
/// order.
void SortRankings(std::vector<RankedRecord>* ranked);
/// The columns of a record's row that are stored as text. Making them is the slow part of storing a record, and needs
/// no log.
struct RecordColumns {
  std::string schedule_digest;
  std::vector<std::string> json;  ///< In the order of MeasurementColumns.
};
RecordColumns MakeColumns(const TuningRecord& record);

/// The result of storing a record.
struct InsertedRecord {
  int64_t id = 0;
  bool canonical = false;
  bool duplicate = false;  ///< The attempt had reported before; nothing was written.
};

/// Writes a tuning log, and reads it. Not thread-safe: owned by the server's log writer thread.
class TuningLog : public virtual TuningLogReader {
 public:
  /// Begin() and Commit() make a group: all calls between them are durable when Commit() returns OK, and undone if it
  /// returns an error, or by Rollback(). A call outside of a group is a group of its own.
  ///
  /// If the connection to a server is lost during Commit(), a group whose Commit() failed may be stored all the same.
  /// The caller repeats its calls with the same tokens and uuids. Those of a stored group change nothing:
  /// InsertCandidate() returns the same id, InsertRecord() and ImportRecord() return a duplicate. InsertJob() and
  /// InsertAttempt() return AlreadyExists; FindJobByRequest() and FindAttempt() have the stored row. An AlreadyExists
  /// of InsertAttempt() may come from Commit(), and undoes the group: a caller that cannot know whether its attempt is
  /// stored asks FindAttempt() first, or gives the candidate an attempt with a new token.
  ///
  /// DataLoss from any of these means that the log's files were deleted or replaced, or that another process took the
  /// log over: nothing can be stored any more, and the message says where the stored data are.
  virtual absl::Status Begin() = 0;
  virtual absl::Status Commit() = 0;
  virtual void Rollback() = 0;
  /// Tests whether the log can be written, with a row that has no meaning. Must be called outside of a group.
  virtual absl::Status TryWriting() = 0;

  /// Inserts a job and returns its id. Returns AlreadyExists if the client_request_id exists.
  virtual absl::StatusOr<int64_t> InsertJob(const JobRow& job) = 0;
  /// Sets the state of a job, and the message for its client. Returns NotFound for an unknown job.
  virtual absl::Status SetJobState(int64_t job_id, JobState state, std::string_view message) = 0;
  /// Returns the id of the job's candidate with this schedule. Inserts it as queued if it is new.
  virtual absl::StatusOr<int64_t> InsertCandidate(int64_t job_id, const Schedule& schedule) = 0;
  /// Inside a group, the next three functions may write later: their errors may come from a later call or from
  /// Commit(), and make the group fail.
  /// Sets the state of a candidate. Returns NotFound for an unknown candidate.
  virtual absl::Status SetCandidateState(int64_t candidate_id, CandidateState state) = 0;
  /// Inserts an attempt. Returns NotFound for an unknown candidate, FailedPrecondition if the candidate has a live
  /// attempt, and AlreadyExists if the token was used before.
  virtual absl::Status InsertAttempt(const AttemptRow& attempt) = 0;
  /// Ends an attempt: `state` says how, and is not kLive; `detail` is the reason, which may be empty. Returns NotFound
  /// for an unknown token.
  virtual absl::Status EndAttempt(std::string_view token, AttemptState state, std::string_view detail) = 0;
  /// Stores a record for the attempt with this token. Repeating it with the same token changes nothing.
  /// - The record is stored as canonical if `record.canonical` is set and its candidate has no canonical record yet.
  /// - `record.id` is ignored. The states of attempt and candidate do not change.
  /// - With an empty token the record belongs to no candidate (an import), and its uuid takes the place of the token.
  ///
  /// Returns NotFound for an unknown token. Returns InvalidArgument for a malformed record, or one of another job,
  /// problem or schedule than the attempt's.
  virtual absl::StatusOr<InsertedRecord> InsertRecord(std::string_view token, const TuningRecord& record) = 0;
  /// Stores a record without a token. `columns` must be MakeColumns(record); another thread may have made them.
  virtual absl::StatusOr<InsertedRecord> ImportRecord(const TuningRecord& record, const RecordColumns& columns) = 0;
  /// Stores records as ImportRecord() does with each. `columns` has the columns of each record.
  virtual absl::StatusOr<std::vector<InsertedRecord>> ImportRecords(const std::vector<TuningRecord>& records,
                                                                    const std::vector<RecordColumns>& columns) = 0;

  /// Stores a note about a worker.
  virtual absl::Status AddWorkerNote(const WorkerNote& note) = 0;
  /// Returns all notes, oldest first.
  virtual absl::StatusOr<std::vector<WorkerNote>> WorkerNotes() = 0;

  /// Takes over the unfinished jobs of other coordinators of the log that are gone, and returns these jobs. From then
  /// on UnfinishedJobs() and LiveAttempts(), which return only this writer's own jobs, contain them, too. A log in a
  /// file has one writer, which has all jobs.
  virtual absl::StatusOr<std::vector<JobRow>> TakeOverJobs() { return std::vector<JobRow>(); }
  /// Returns nullopt if this writer has the unfinished job. Otherwise returns the address and the host of the
  /// coordinator that has it. The text is empty if that coordinator is gone and no other one has taken over the job
  /// yet.
  virtual absl::StatusOr<std::optional<std::string>> OtherOwner(int64_t /*job_id*/) { return std::nullopt; }

  virtual const std::string& path() const = 0;
};

/// The options with which a log is opened for writing.
struct TuningLogOptions {
  /// The address of this process, stored in the lock file or in the database for others to find; empty: it serves no
  /// clients.
  std::string endpoint;
  /// Set to store many records at once, as in an import. Uses up to 96 MiB of memory, and ranks records only at
  /// Commit().
  bool bulk = false;
  /// Set by a coordinator that resumes the jobs of coordinators that are gone. Its own jobs are taken over only by
  /// another coordinator that has this set.
  bool resumes_jobs = false;
  /// The time after the start of a database session before this coordinator takes over jobs. If all coordinators lost
  /// their sessions in an outage, it gives the others time to connect again.
  Duration patience = std::chrono::seconds(10);
  /// Set to remove the log when it is closed, if it was created by this call and has no records.
  bool discard_unused = false;
};

/// True if a log is named by the URL of a PostgreSQL database ("postgres://…" or "postgresql://…"), not by a path.
bool IsLogUrl(std::string_view log);

/// Opens a log for writing. `path` may be a URL (IsLogUrl()). Then other processes may write the same log, and the
/// errors of class Database (database.h) are returned, FailedPrecondition if the database has a schema `mmtune` that is
/// not a log, or is not in UTF-8, and OutOfRange for another schema version. Any other path is a file, which is created
/// if it does not exist. The log holds the lock file (`<path>.lock`) as long as it is open. For a file, returns
/// Unavailable if another process holds the lock: the message names that process, and `*owner_endpoint` gets its
/// address. Returns FailedPrecondition for a file that is not a tuning log or is corrupt; OutOfRange for another schema
/// version; PermissionDenied if it cannot be written; NotFound if there is no such directory.
absl::StatusOr<std::unique_ptr<TuningLog>> OpenTuningLog(const std::string& path, const TuningLogOptions& options,
                                                         std::string* owner_endpoint = nullptr);

/// Opens a log for reading, also while a writer has it open. Returns NotFound if there is no such file, or no log in
/// the database.
absl::StatusOr<std::unique_ptr<TuningLogReader>> OpenTuningLogReadOnly(const std::string& path);

/// Returns the address (TuningLogOptions::endpoint) of a process that has the log of a database open for writing. Empty
/// if there is none, or if it has no address that this host can reach.
absl::StatusOr<std::string> FindLogOwner(const std::string& url);

}  // namespace mmtune
