// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tuning log: everything measured, durable. One writer per log, any number of readers.
//
// SQL lives in db/ only. Conformance suite: tests/db/tuning_log_conformance.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/measurement.h"
#include "proto/types/ranked_record.h"

namespace mmtune {

/// The log stores states and kinds by name: "waiting", "running", and so on. Parsing an unknown name is
/// InvalidArgument.
enum class JobState { kWaiting, kRunning, kDone, kCancelled, kFailed, kInterrupted };
std::string_view JobStateName(JobState state);
absl::StatusOr<JobState> ParseJobState(std::string_view name);
/// Returns true for kDone, kCancelled, kFailed, kInterrupted.
bool IsFinal(JobState state);

enum class CandidateState { kQueued, kLeased, kDone };
std::string_view CandidateStateName(CandidateState state);
absl::StatusOr<CandidateState> ParseCandidateState(std::string_view name);

enum class AttemptState { kLive, kReported, kExpired, kReleased, kFailed };
std::string_view AttemptStateName(AttemptState state);
absl::StatusOr<AttemptState> ParseAttemptState(std::string_view name);

enum class WorkerNoteKind { kAccused, kQuarantined, kLetGo, kDoubted };
std::string_view WorkerNoteKindName(WorkerNoteKind kind);
absl::StatusOr<WorkerNoteKind> ParseWorkerNoteKind(std::string_view name);

struct JobRow {
  int64_t id = 0;  ///< Set by InsertJob.
  std::string uuid;
  std::string client_request_id;  ///< Unique.
  std::string spec;               ///< Serialized v1.JobSpec, opaque to the log.
  std::string spec_digest;
  MatmulProblem problem;
  JobState state = JobState::kWaiting;
  std::string message;
  int64_t created_unix_millis = 0;
};

struct CandidateRow {
  int64_t id = 0;
  int64_t job_id = 0;
  Schedule schedule;
  CandidateState state = CandidateState::kQueued;
};

/// A lease, as the log keeps it.
struct AttemptRow {
  std::string token;
  int64_t candidate_id = 0;
  int64_t number = 1;  ///< 1, 2, 3 …
  std::string worker;
  std::string device_uuid;
  AttemptState state = AttemptState::kLive;
  std::string detail;  ///< Why it failed.
};

/// A coordinator's opinion of a worker, kept for the next coordinator.
struct WorkerNote {
  WorkerNoteKind kind = WorkerNoteKind::kAccused;
  std::string worker;
  std::string about;  ///< The accuser, the reason, or the object of the doubt.
  int64_t unix_millis = 0;
};

struct RecordFilter {
  std::optional<MatmulProblem> problem;
  std::string device;  ///< Substring of the device's name, or a kind, in any case; empty: any.
  std::optional<Outcome> outcome;
  int64_t since_unix_millis = 0;
  std::string job_uuid;
  bool include_non_canonical = false;
  std::optional<Regime> regime;  ///< Only records timed in this regime.
  bool verified_only = false;    ///< Only records that were verified before they were timed.
  std::string schedule_digest;   ///< For Query, Newest and ForEachBrief: only this schedule; empty: any.

  // For BestOfEach and Best: as in RankingRule.
  bool any_toolchain = false;
  std::string toolchain;
  std::vector<Schedule> schedules;  ///< The schedules of the ranking that are wanted; empty: all.
};

/// The columns of a record that suffice to decide whether to read it whole.
struct RecordBrief {
  int64_t id = 0;
  int64_t workload_id = 0;  ///< Equal for equal problems.
  int64_t class_id = 0;     ///< Equal for devices of one class.
  std::string job_uuid;
  std::string regime;           ///< RegimeName; empty: not timed.
  std::string schedule_digest;  ///< Schedule::Digest().
  bool canonical = false;
  Outcome outcome = Outcome::kOk;
  double median_ns = 0;
};

/// Selects the times that a search may learn from: canonical ok records of one kind of devices, timed in one regime.
struct TimesFilter {
  DeviceKind kind = DeviceKind::kSimt;
  Regime regime = Regime::kWarm;
  bool verified_only = true;
  int64_t before_unix_millis = INT64_MAX;  ///< Only older ones.
  int at_least = 1;                        ///< For TimedSources: sources with fewer such records are left out.
  std::string without_toolchain;           ///< For TimesOf: none of the toolchain with this digest; empty: all.
};

/// A problem and a class of devices of which the log has such times.
struct TimedSource {
  MatmulProblem problem;
  DeviceInfo device;  ///< One of its class.
};

struct PastTime {
  Schedule schedule;
  double median_ns = 0;
  Toolchain toolchain;
  int64_t unix_millis = 0;
};

/// The first schedule of the ranking of one problem, class of devices and regime.
struct BestSchedule {
  TuningSpecEntry entry;  ///< Without its digest; `median_ns` is the time by which the schedule is ranked.
  std::string regime;
  double any_toolchain_ns = 0;  ///< The same time of the first schedule where the records of every toolchain count.
};

/// A row of the log that cannot be read: a flipped bit, or an edit by hand.
struct DamagedRecord {
  int64_t id = 0;
  std::string uuid;
  std::string why;
};
using DamageHandler = std::function<void(const DamagedRecord&)>;

/// Reads a tuning log. Each call is its own snapshot. Not thread-safe; open one per thread. Damaged records are left
/// out of every answer but Get's, which names the damage. Every ok record that is read is valid: one that was edited by
/// hand and breaks a rule of Validate() is read as suspect.
class TuningLogReader {
 public:
  virtual ~TuningLogReader() = default;

  /// The handler is called for a damaged record each time it is left out. By default a line in the program's log names
  /// it, once.
  virtual void OnDamaged(DamageHandler) {}

  /// Returns at most `limit` records with id > after_id, by id.
  virtual absl::StatusOr<std::vector<TuningRecord>> Query(const RecordFilter& filter, int64_t after_id, int limit) = 0;
  /// Returns at most `limit` records with id < before_id, the newest first.
  virtual absl::StatusOr<std::vector<TuningRecord>> Newest(const RecordFilter& filter, int64_t before_id,
                                                           int limit) = 0;
  /// Calls `visit` with every record that passes, by id, without reading it whole: in constant memory, whatever the
  /// length of the log.
  virtual absl::Status ForEachBrief(const RecordFilter& filter,
                                    const std::function<void(const RecordBrief& brief)>& visit) = 0;
  /// Returns the records with these ids, in the order of `ids`; ids without a record are left out.
  virtual absl::StatusOr<std::vector<TuningRecord>> GetAll(const std::vector<int64_t>& ids) = 0;
  /// Returns the `each` best schedules of every problem, class of devices and regime, by the rule of RankRecords();
  /// those of one ranking together and best first.
  virtual absl::StatusOr<std::vector<RankedRecord>> BestOfEach(const RecordFilter& filter, int each) = 0;
  /// Returns the best of all rankings together, by GFLOPS. Kinds of devices and regimes are not mixed: all of CUDA
  /// devices come before those of SIMT devices, and of each kind the warm ones before the cold.
  virtual absl::StatusOr<std::vector<RankedRecord>> Best(const RecordFilter& filter, int limit) = 0;
  /// Returns what BestOfEach(filter, 1) finds, without reading whole records where the log need not. By default
  /// computed from BestOfEach().
  virtual absl::StatusOr<std::vector<BestSchedule>> BestSchedules(const RecordFilter& filter);
  /// Returns a record by id or by uuid (a unique prefix of >= 4 characters will do). NotFound, or InvalidArgument when
  /// ambiguous.
  virtual absl::StatusOr<TuningRecord> Get(std::string_view id_or_uuid) = 0;
  /// Returns the canonical record of a schedule on a class of devices by a toolchain, whichever job measured it; the
  /// newest where several did (see Answering()). If it was timed, then in this regime. Skipped schedules are not found:
  /// they answer for no job.
  virtual absl::StatusOr<std::optional<TuningRecord>> Find(const MatmulProblem& problem, const Schedule& schedule,
                                                           const DeviceInfo& device, const Toolchain& toolchain,
                                                           Regime regime) = 0;
  /// Returns the newest canonical ok record with this timing key, whatever its schedule and toolchain.
  virtual absl::StatusOr<std::optional<TuningRecord>> FindMeasured(std::string_view timing_key) = 0;
  /// Returns each problem and class of devices of which records pass the filter, in no order.
  virtual absl::StatusOr<std::vector<TimedSource>> TimedSources(const TimesFilter& filter) = 0;
  /// Returns the times of a problem on the class of a device: the newest of each schedule, fastest first; of more than
  /// `most`, so many, evenly apart in this order.
  virtual absl::StatusOr<std::vector<PastTime>> TimesOf(const MatmulProblem& problem, const DeviceInfo& device,
                                                        const TimesFilter& filter, int most) = 0;
  /// Returns the jobs whose state is not final, by id. The cost depends on how many these are.
  virtual absl::StatusOr<std::vector<JobRow>> UnfinishedJobs() = 0;
  virtual absl::StatusOr<std::optional<JobRow>> FindJob(std::string_view uuid) = 0;
  virtual absl::StatusOr<std::optional<JobRow>> FindJobById(int64_t id) = 0;
  virtual absl::StatusOr<std::optional<JobRow>> FindJobByRequest(std::string_view client_request_id) = 0;
  virtual absl::StatusOr<std::vector<CandidateRow>> Candidates(int64_t job_id) = 0;
  virtual absl::StatusOr<std::optional<CandidateRow>> FindCandidate(int64_t candidate_id) = 0;
  virtual absl::StatusOr<std::vector<AttemptRow>> LiveAttempts() = 0;
  /// Returns the attempt of a token, whatever its state.
  virtual absl::StatusOr<std::optional<AttemptRow>> FindAttempt(std::string_view token) = 0;
};

/// Opens a reader of one log, for another thread.
using ReaderFactory = std::function<absl::StatusOr<std::unique_ptr<TuningLogReader>>()>;

/// Returns the record that answers for a schedule, of canonical ones with the newest first: the newest, unless it is
/// suspect, not verified, or of a device in doubt, and an older one is none of these. Records of comparisons come last:
/// no search has seen their times, and with them a job that is repeated would go another way.
std::optional<TuningRecord> Answering(std::vector<TuningRecord> newest_first);
/// Returns what a tuning spec says of the first schedule of a ranking, as if it were also that of any toolchain.
BestSchedule ToBestSchedule(RankedRecord first);
/// Sorts canonical records by GFLOPS as TuningLogReader::Best() gives them; those of one ranking keep their order.
void SortRankings(std::vector<RankedRecord>* ranked);
/// Columns of a record's row as text: the slow part of storing it, which needs no log.
struct RecordColumns {
  std::string schedule_digest;
  std::vector<std::string> json;  ///< In the order of MeasurementColumns.
};
RecordColumns MakeColumns(const TuningRecord& record);

struct InsertedRecord {
  int64_t id = 0;
  bool canonical = false;
  bool duplicate = false;  ///< The attempt had reported before: nothing was written.
};

/// Writes a tuning log, and reads it. Not thread-safe: the log writer's thread owns it.
class TuningLog : public virtual TuningLogReader {
 public:
  /// Group commit: everything between Begin and Commit is durable together when Commit returns OK, and undone when it
  /// does not or on Rollback. A call outside a group is a group of its own. DataLoss from any of them: the log's files
  /// were deleted or replaced; nothing can be stored any more, and the message says where what was stored is.
  virtual absl::Status Begin() = 0;
  virtual absl::Status Commit() = 0;
  virtual void Rollback() = 0;
  /// Tests, outside a group, whether the log can be written, with a row of no consequence.
  virtual absl::Status TryWriting() = 0;

  /// Inserts a job. AlreadyExists when the client_request_id is taken.
  virtual absl::StatusOr<int64_t> InsertJob(const JobRow& job) = 0;
  virtual absl::Status SetJobState(int64_t job_id, JobState state, std::string_view message) = 0;
  /// Returns the id of the job's candidate with this schedule, inserted as queued when new.
  virtual absl::StatusOr<int64_t> InsertCandidate(int64_t job_id, const Schedule& schedule) = 0;
  virtual absl::Status SetCandidateState(int64_t candidate_id, CandidateState state) = 0;
  /// Inserts an attempt. FailedPrecondition where the candidate has a live one already.
  virtual absl::Status InsertAttempt(const AttemptRow& attempt) = 0;
  virtual absl::Status EndAttempt(std::string_view token, AttemptState state, std::string_view detail) = 0;
  /// Stores a record; idempotent on `token`. `record.canonical` says what to store it as; the log refuses a second
  /// canonical record of a candidate by storing it as non-canonical. `record.id` is not read. The states of attempt and
  /// candidate stay. An empty token: a record of no candidate (an import), idempotent on its uuid. NotFound: no such
  /// token. InvalidArgument: a malformed record, or not of the attempt's job, problem and schedule.
  virtual absl::StatusOr<InsertedRecord> InsertRecord(std::string_view token, const TuningRecord& record) = 0;
  /// Stores a record without a token; `columns` are MakeColumns(record), perhaps made on another thread.
  virtual absl::StatusOr<InsertedRecord> ImportRecord(const TuningRecord& record, const RecordColumns& columns) = 0;

  virtual absl::Status AddWorkerNote(const WorkerNote& note) = 0;
  /// Returns the notes, oldest first.
  virtual absl::StatusOr<std::vector<WorkerNote>> WorkerNotes() = 0;

  virtual const std::string& path() const = 0;
};

struct TuningLogOptions {
  /// Written into the lock file for others to find: the owner's socket or address.
  std::string endpoint;
  /// True for many records at once, as from an import: uses up to 96 MiB of memory, and ranks the records of a group
  /// only when it is committed.
  bool bulk = false;
  /// True to remove a log that this opening creates and that has no record when it is closed.
  bool discard_unused = false;
};

/// Opens a log for writing, creating the file when absent. Takes the lock file (`<path>.lock`) for the life of the log.
/// Unavailable: another process holds the lock; the message names it and `*owner_endpoint` gets its endpoint.
/// FailedPrecondition: not a tuning log, another schema version, or corrupt. PermissionDenied: cannot be written.
/// NotFound: no such directory.
absl::StatusOr<std::unique_ptr<TuningLog>> OpenTuningLog(const std::string& path, const TuningLogOptions& options,
                                                         std::string* owner_endpoint = nullptr);

/// Opens a log for reading, also while a writer has it open. NotFound when there is no such file.
absl::StatusOr<std::unique_ptr<TuningLogReader>> OpenTuningLogReadOnly(const std::string& path);

}  // namespace mmtune
