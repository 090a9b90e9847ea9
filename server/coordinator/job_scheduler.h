// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves jobs and their candidates through their states. A job is submitted, bound to a device, planned (its search is
// prepared, JobPlan), run and ended. Each schedule that its search proposes becomes a candidate. Either the log has its
// result already, or it is leased to a worker (given to it for a limited time) and measured, or it is given up.
//
// Everything here runs on the log writer's thread, within a transaction of the log. If a method returns a storage
// failure (log_writer.h), memory and log differ: the caller rolls back the transaction and calls Recover. Events for
// clients that follow a job are held back until the commit.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "server/coordinator/compile_queue.h"
#include "server/coordinator/event_feed.h"
#include "server/coordinator/job.h"
#include "server/coordinator/lease_table.h"
#include "server/coordinator/log_writer.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

/// The result of compiling a schedule for a search that has not chosen to measure it yet.
struct CompiledAhead {
  Schedule schedule;
  std::string worker;  ///< The worker that compiled it.
  CodeFacts code;
  PhaseTimes phases;
  std::string code_digest;
  std::string failure;  ///< The compiler's error; empty if the schedule compiles.
};

/// A job in memory, with the class of devices that serves it, and the other state that is kept between calls.
struct ActiveJob {
  ActiveJob(JobRow row, v1::JobSpec message, JobSpec spec, const WorkerRegistry& workers, const Clock& clock)
      : job(std::move(row), std::move(message), std::move(spec), clock),
        binding(job, workers, clock),
        waits_since(clock.Now()) {}

  TuningJob job;
  DeviceBinding binding;
  /// The schedules that the job proposed before a restart, or before it left a class of devices. Its next plan proposes
  /// them first.
  std::vector<Schedule> proposed_before;
  /// The job's records from before a restart, by digest of the schedule, until their schedules are proposed again.
  std::unordered_map<std::string, TuningRecord> own_records;
  std::map<std::string, CompiledAhead> compiled_ahead;  ///< By digest of the schedule.
  TimePoint waits_since;                                ///< The time at which it began to wait for a device.
  std::optional<int64_t> position;  ///< Its position among the jobs that share leases (fair_scheduler.h).
  bool queue_incomplete = false;    ///< FillQueue stopped at the limit of one call, and has more to propose.
  bool parts_known = false;         ///< No further job of its model is awaited (model_jobs.h).
  int64_t ended_trials = 0;         ///< Trials of jobs of its model that had ended before a restart.
};

/// The jobs in memory: all unfinished jobs, and those that have ended last, whose events can still be read. Not
/// thread-safe. Pointers to a job are valid until it is dropped, which only Retire and Reset do.
class JobTable {
 public:
  using Jobs = std::map<int64_t, ActiveJob>;  ///< By id.
  /// The jobs that have ended and are still kept.
  struct Finished {
    Jobs jobs;
    std::deque<std::pair<int64_t, std::string>> order;  ///< Id and uuid, the first that ended first.
  };

  /// The feeds, the registry and the clock must outlive the table.
  JobTable(JobFeeds& feeds, const WorkerRegistry& workers, const Clock& clock)
      : feeds_(feeds), workers_(workers), clock_(clock) {}

  /// Adds a job and opens its event feed.
  ActiveJob& Add(JobRow row, v1::JobSpec message, JobSpec spec);
  /// True if the table has room for no further job: it keeps at most kMaxUnfinished jobs besides those that have ended
  /// last.
  bool full() const;
  static constexpr size_t kMaxUnfinished = 1024;

  // These return null if the job is not in memory.
  ActiveJob* Find(int64_t id);
  const ActiveJob* Find(int64_t id) const { return const_cast<JobTable*>(this)->Find(id); }
  ActiveJob* Find(std::string_view uuid);
  const ActiveJob* Find(std::string_view uuid) const { return const_cast<JobTable*>(this)->Find(uuid); }
  const TuningJob* FindJob(int64_t id) const;
  /// Returns all jobs by id.
  Jobs& all() { return jobs_; }
  const Jobs& all() const { return jobs_; }

  /// True if another serving worker could measure for the job: one that is not `worker` and is in none of these trust
  /// domains. A trust domain is a group of workers that do not check one another: those with one certificate and host.
  bool OthersServe(int64_t job_id, const std::vector<std::string>& trust_domains, std::string_view worker = "") const;

  /// Notes that a job has ended. It is kept until a number of further jobs have ended; then it is dropped.
  void Retire(int64_t id);

  /// Drops all jobs, and returns those that had ended.
  Finished Reset();
  /// Takes back the jobs that Reset returned and whose uuid is in `ended`. The end of the others was in the transaction
  /// that failed, so for the log they still run.
  void KeepFinished(Finished before, const std::set<std::string>& ended);

 private:
  JobFeeds& feeds_;
  const WorkerRegistry& workers_;
  const Clock& clock_;
  Jobs jobs_;
  std::map<std::string, int64_t, std::less<>> ids_;  ///< By uuid.
  std::deque<std::pair<int64_t, std::string>> finished_;
};

/// A PlanExecutor calls `make`, which makes a plan, on some thread, and later passes the plan to `take` on the log
/// writer's thread.
using PlanMaker = std::function<absl::StatusOr<JobPlan>()>;
using PlanTaker = std::function<absl::Status(absl::StatusOr<JobPlan>)>;
using PlanExecutor = std::function<absl::Status(PlanMaker make, PlanTaker take)>;

struct CoordinatorOptions {
  /// The time after the last heartbeat of its worker at which a lease expires.
  Duration lease_ttl = std::chrono::seconds(30);
  Duration heartbeat = std::chrono::seconds(5);  ///< The interval at which workers are told to send heartbeats.
  bool resume_jobs = true;                       ///< True to resume unfinished jobs of the log at the start.
  std::string version;                           ///< The version of this program.
  ClientQuota quota;
  bool quarantine = true;  ///< True to give no leases to workers whose results are contradicted too often.
  Duration max_wait{};     ///< The longest time that a job may wait for a device; 0 means no limit.
};

/// The objects that the coordinator uses and does not own. All must outlive it.
struct Collaborators {
  LogTransaction& log;
  const Clock& clock;
  JobFeeds& feeds;
  TokenSource new_token;
  PlanExecutor plan_executor;
  std::vector<const KernelFamily*> families;
  /// Opens the log on the thread that makes plans, to read prior observations (prior_observations.h).
  ReaderFactory open_log = {};
};

/// The collaborators, and the tables that the classes of the coordinator share. Not thread-safe.
struct CoordinatorState : Collaborators {
  CoordinatorState(const CoordinatorOptions& options, Collaborators outside);

  const CoordinatorOptions options;
  LeaseTable leases;
  WorkerRegistry workers;
  HeldEvents events;
  JobTable jobs;
  CompileDispatcher compiles;
};

/// Proposes the candidates of jobs, and stores or passes on their results. Its caller, the JobScheduler, decides
/// whether that ends a job. Not thread-safe.
class CandidateRunner {
 public:
  /// `state` must outlive the runner.
  explicit CandidateRunner(CoordinatorState& state) : state_(state) {}

  /// Proposes candidates until `want` of them wait for a worker, the search has no more, or the limit of one call is
  /// reached. Requests compilation of the schedules that the search waits for. If the job wants no more proposals, the
  /// waiting candidates are withdrawn.
  absl::Status FillQueue(ActiveJob& active, int want);
  /// Passes a candidate's record to its job. The record is the canonical one (the one that counts, tuning_log.h), and
  /// is stored already.
  void Measured(ActiveJob& active, const PendingCandidate& candidate, std::shared_ptr<const TuningRecord> record);
  /// Stores a record with this outcome for a candidate whose workers were lost, and passes it to the job.
  absl::Status RecordLoss(ActiveJob& active, const LostLease& lost, Outcome outcome, std::string_view why);
  /// Tells the job that the candidate is not measured, because workers failed with it. No record is stored.
  void GiveUp(ActiveJob& active, const PendingCandidate& candidate, std::string_view why);
  /// Stores a record for each schedule that was compiled for the search and never chosen. Called when the job ends.
  /// Does nothing for a job that repeats an earlier one (TuningJob::IsRepetition), which has stored these records
  /// already.
  absl::Status RecordUnchosen(ActiveJob& active);

 private:
  /// Makes a candidate of a proposal: it is answered by an earlier record, rejected as invalid, or queued.
  absl::Status Place(ActiveJob& active, const Schedule& schedule);
  /// Stores a record that the server itself made, with this outcome, and passes it to the job.
  absl::Status StoreOutcome(ActiveJob& active, AttemptRow own, const Schedule& schedule, Outcome outcome,
                            std::string_view why);
  /// Stores a record that belongs to no lease. `own` is a new attempt in the server's name, to which the record
  /// belongs; it may name a worker.
  absl::StatusOr<std::shared_ptr<const TuningRecord>> Store(ActiveJob& active, AttemptRow own, const Schedule& schedule,
                                                            Measurement measurement);
  /// Passes the record to the job, and announces it.
  void Observe(ActiveJob& active, std::shared_ptr<const TuningRecord> record, bool from_log);
  /// Holds an event with the record, for the clients that follow the job.
  void Announce(ActiveJob& active, std::shared_ptr<const TuningRecord> record, bool from_log);
  absl::Status ValidateSchedule(const TuningJob& job, const Schedule& schedule) const;
  /// Returns a record of the log that answers a proposal; nullopt if there is none.
  absl::StatusOr<std::optional<TuningRecord>> FindInLog(const TuningJob& job, const Schedule& schedule);

  CoordinatorState& state_;
};

/// Returns the longest time from the start of a lease of the job to its end, on a device of this kind; heartbeats do
/// not extend it. It is generous, so that a slow but healthy worker can finish.
Duration StartToClose(const JobSpec& spec, DeviceKind kind);

/// Moves jobs through their states, in response to clients, workers and time. Not thread-safe.
class JobScheduler {
 public:
  /// `state` must outlive the scheduler.
  explicit JobScheduler(CoordinatorState& state) : state_(state), candidates_(state) {}

  /// Rebuilds the state in memory from the log, including the leases that are live there. Unfinished jobs are resumed,
  /// or marked as interrupted if `resume` is false.
  absl::Status Recover(bool resume);
  /// Resumes jobs that another coordinator of the log had, with their live leases.
  absl::Status Adopt(const std::vector<JobRow>& rows);
  /// Returns Unavailable if another coordinator of the log has the job. The message has its address, or says that this
  /// coordinator is gone and its job was not taken over yet.
  absl::Status CheckJobOwner(int64_t job_id) const;

  /// Adds a job and returns its uuid. A repeated request with the same client_request_id and content gets the uuid of
  /// the first. Returns AlreadyExists if the content differs, InvalidArgument for a wrong field, and ResourceExhausted,
  /// with the limit and the server's flag for it, if the client may have no such job.
  absl::StatusOr<std::string> Submit(const v1::SubmitJobRequest& request);
  /// Returns NotFound if the job is not in memory.
  absl::StatusOr<v1::Job> Get(std::string_view uuid) const;
  /// Cancels a job unless it has ended, and returns it. Returns NotFound if it is not in memory, or the error of
  /// CheckJobOwner().
  absl::StatusOr<v1::Job> Cancel(std::string_view uuid);
  /// Returns the newest jobs that satisfy the predicate, at most `limit`, newest first, without their lists of
  /// schedules.
  std::vector<v1::Job> List(size_t limit, absl::FunctionRef<bool(const TuningJob&)> matches) const;
  /// Returns the number of unfinished jobs by state.
  std::map<JobState, int64_t> Unfinished() const;

  /// Looks for devices for the jobs that wait, after a worker has registered or has returned.
  absl::Status OnWorkersChanged();
  /// Applies time limits, continues to fill queues, and handles jobs that lost or regained their last worker.
  absl::Status Tick();
  /// Returns when Tick will next have something to do; nullopt if no time is known.
  std::optional<TimePoint> NextDeadline() const;

  /// Proposes candidates of a running job until `want` of them wait for a worker, as far as its search has them. Ends
  /// the job if its search is over and nothing is left to measure.
  absl::Status FillQueue(int64_t job_id, int want);
  /// Applies the result of a compile task. `believed` is false for a quarantined worker, whose results are not trusted;
  /// the task is then left to another worker.
  absl::Status OnCompiled(std::string_view worker, const v1::CompileReport& report, bool believed);
  /// Continues a job after the canonical record of its candidate was stored.
  absl::Status OnMeasured(const PendingCandidate& candidate, std::shared_ptr<const TuningRecord> record);
  /// Continues a job after a lease expired. A candidate that lost several workers gets the record of a crash or
  /// timeout.
  absl::Status OnLost(const LostLease& lost);
  /// Continues a job after its candidate was given up because workers failed with it. It gets no record.
  absl::Status OnGivenUp(const PendingCandidate& candidate, std::string_view why);

 private:
  /// Returns ResourceExhausted if the client may have no such job.
  absl::Status CheckQuota(const v1::JobSpec& message, const JobSpec& spec) const;
  /// Adds a job of the log that had not ended. Marks it as failed if its specification cannot be read.
  absl::Status ResumeJob(const JobRow& row);
  /// Loads the leases of these jobs that are live in the log. If `only` is empty, loads those of all jobs.
  absl::Status RestoreLeases(const std::set<int64_t>& only);
  /// Sets ActiveJob::ended_trials of resumed jobs.
  absl::Status CountEndedParts();
  /// Loads the records that a resumed job has already.
  absl::Status LoadOwnRecords(ActiveJob& active);
  /// Looks for a device for a waiting job. Once there is one, its plan is made.
  absl::Status TryBind(ActiveJob& active);
  /// Returns when a job that waits for a device is given up; nullopt if it does not wait, or may wait for ever.
  std::optional<TimePoint> WaitEnds(const ActiveJob& active) const;
  /// Ends the jobs that have waited for a device for too long.
  absl::Status EndWaits();
  /// Tells searches which compile tasks were not done in time.
  absl::Status EndCompileWaits();
  /// Starts a job with its plan, unless the plan is outdated.
  absl::Status TakePlan(int64_t job_id, int64_t plan_number, absl::StatusOr<JobPlan> plan);
  absl::Status FillQueue(ActiveJob& active, int want);
  /// Ends the jobs of each model whose trials are used up, or are expected to gain too little.
  absl::Status EndModels();
  /// Makes the job start over on another class of devices if nothing comes from its own.
  absl::Status LeaveDeviceClassIfSilent(ActiveJob& active);
  absl::Status ChangeState(ActiveJob& active, JobState state, std::string message);
  absl::Status EndJob(ActiveJob& active, JobState state, std::string message);
  /// Announces when a job has lost or regained its last worker.
  void Watch(ActiveJob& active);

  CoordinatorState& state_;
  CandidateRunner candidates_;
  int64_t arrivals_seen_ = 0;  ///< The value of WorkerRegistry::arrivals() at the last OnWorkersChanged.
  int64_t last_plan_ = 0;      ///< The number of the last plan. Numbers are never used again, not even after Recover.
};

}  // namespace mmtune
