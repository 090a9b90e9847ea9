// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life of jobs and of their candidates. A job is submitted, bound to a device, planned, and ended; a candidate is
// proposed, answered by the log or queued for a lease, and measured or given up.
//
// Called on the log writer's thread, within a transaction of the log. If a method returns a storage failure
// (status_marks.h), the caller rolls back and calls Recover. Events are held back until the commit.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "server/coordinator/compile_queue.h"
#include "server/coordinator/event_feed.h"
#include "server/coordinator/job.h"
#include "server/coordinator/job_table.h"
#include "server/coordinator/lease_table.h"
#include "server/coordinator/log_transaction.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

/// Calls `make` on any thread, and `take` with the plan on the log writer's thread, at once or in a later command.
using PlanMaker = std::function<absl::StatusOr<JobPlan>()>;
using PlanTaker = std::function<absl::Status(absl::StatusOr<JobPlan>)>;
using PlanExecutor = std::function<absl::Status(PlanMaker make, PlanTaker take)>;

struct CoordinatorOptions {
  Duration lease_ttl = std::chrono::seconds(30);
  Duration heartbeat = std::chrono::seconds(5);
  bool resume_jobs = true;
  std::string version;
  ClientQuota quota;
  bool quarantine = true;  ///< Workers whose results are contradicted too often get no more leases.
  Duration max_wait{};     ///< The longest time that a job may wait for a device; 0: for ever.
};

/// The objects that the coordinator uses and does not own; all must outlive it.
struct Collaborators {
  LogTransaction& log;
  const Clock& clock;
  JobFeeds& feeds;
  TokenSource new_token;
  PlanExecutor plan_executor;
  std::vector<const KernelFamily*> families;
  ReaderFactory open_log = {};  ///< For searches that learn from the log; called where plans are made.
};

/// The collaborators, and the tables that the parts of the coordinator share. Not thread-safe.
struct CoordinatorState : Collaborators {
  CoordinatorState(const CoordinatorOptions& options, Collaborators outside);

  const CoordinatorOptions options;
  LeaseTable leases;
  WorkerRegistry workers;
  HeldEvents events;
  JobTable jobs;
  CompileDispatcher compiles;
};

/// Runs the candidates of jobs. Its caller, the JobScheduler, decides whether that ends a job.
class CandidateRunner {
 public:
  /// `state` must outlive the runner.
  explicit CandidateRunner(CoordinatorState& state) : state_(state) {}

  /// Proposes candidates until `want` are queued, as far as the job's strategy has them and up to the limit of one
  /// call, and has compiled what the strategy waits for. Withdraws the queued candidates of a job that is out of time.
  absl::Status FillQueue(ActiveJob& active, int want);
  /// Passes the stored canonical record of a candidate to its job.
  void Measured(ActiveJob& active, const PendingCandidate& candidate, std::shared_ptr<const TuningRecord> record);
  /// Stores a record with this outcome for a candidate that is blamed for its lost leases.
  absl::Status RecordLoss(ActiveJob& active, const LostLease& lost, Outcome outcome, std::string_view why);
  /// Tells the job that workers failed with the candidate: it gets no record.
  void GiveUp(ActiveJob& active, const PendingCandidate& candidate, std::string_view why);
  /// Stores a record for each schedule that was compiled for the job's search and never chosen, unless the log answered
  /// everything that the job proposed. Called when the job ends.
  absl::Status RecordUnchosen(ActiveJob& active);

 private:
  absl::Status Place(ActiveJob& active, const Schedule& schedule);
  absl::Status StoreOutcome(ActiveJob& active, AttemptRow own, const Schedule& schedule, Outcome outcome,
                            std::string_view why);
  /// Stores the record of an attempt of the server's own, by the worker that `own` names.
  absl::StatusOr<std::shared_ptr<const TuningRecord>> Store(ActiveJob& active, AttemptRow own, const Schedule& schedule,
                                                            Measurement measurement);
  void Observe(ActiveJob& active, std::shared_ptr<const TuningRecord> record, bool from_log);
  void Announce(ActiveJob& active, std::shared_ptr<const TuningRecord> record, bool from_log);
  absl::Status ValidateSchedule(const TuningJob& job, const Schedule& schedule) const;
  absl::StatusOr<std::optional<TuningRecord>> FindInLog(const TuningJob& job, const Schedule& schedule);

  CoordinatorState& state_;
};

/// Returns a generous cap on one lease: the time that a slow but healthy worker may take for the candidate.
Duration StartToClose(const JobSpec& spec, DeviceKind kind);

/// Not thread-safe.
class JobScheduler {
 public:
  /// `state` must outlive the scheduler.
  explicit JobScheduler(CoordinatorState& state) : state_(state), candidates_(state) {}

  /// Rebuilds everything from the log and from the leases that are live in it. Unfinished jobs are resumed, or marked
  /// interrupted if `resume` is false.
  absl::Status Recover(bool resume);

  absl::StatusOr<std::string> Submit(const v1::SubmitJobRequest& request);
  /// NotFound if the job is not in memory: it ended long ago, or never was.
  absl::StatusOr<v1::Job> Get(std::string_view uuid) const;
  absl::StatusOr<v1::Job> Cancel(std::string_view uuid);
  /// Returns at most `limit` jobs, newest first.
  std::vector<v1::Job> List(size_t limit) const;
  /// Returns the unfinished jobs, newest first; null: of every owner.
  std::vector<v1::Job> ListUnfinished(const std::string* owner) const;
  /// Returns the number of unfinished jobs by state.
  std::map<JobState, int64_t> Unfinished() const;

  /// Starts jobs that waited for a device after a worker has come, or come back.
  absl::Status OnWorkersChanged();
  /// Applies time limits, continues filling queues, and looks after jobs that lost or regained their last worker.
  absl::Status Tick();
  std::optional<TimePoint> NextDeadline() const;

  /// Queues candidates of the job until `want` are queued, as far as its strategy has them.
  absl::Status FillQueue(int64_t job_id, int want);
  /// Applies the result of a compile task. If not `believed`, the task is for another worker.
  absl::Status OnCompiled(std::string_view worker, const v1::CompileReport& report, bool believed);
  /// Continues a job after the canonical record of its candidate was stored.
  absl::Status OnMeasured(const PendingCandidate& candidate, std::shared_ptr<const TuningRecord> record);
  /// Continues a job after a lease ran out: a candidate that was given up gets a record that blames it.
  absl::Status OnLost(const LostLease& lost);
  /// Continues a job after its candidate was given up because workers failed: there is no record.
  absl::Status OnGivenUp(const PendingCandidate& candidate, std::string_view why);

 private:
  /// ResourceExhausted names the limit and the server's flag.
  absl::Status CheckQuota(const v1::JobSpec& message, const JobSpec& spec) const;
  absl::Status ResumeJob(const JobRow& row);
  absl::Status LoadOwnRecords(ActiveJob& active);
  absl::Status TryBind(ActiveJob& active);
  /// Returns when a job that waits for a device ends; nullopt: it does not wait, or may wait for ever.
  std::optional<TimePoint> WaitEnds(const ActiveJob& active) const;
  /// Tells searches about compile tasks that nobody did in time.
  absl::Status EndCompileWaits();
  /// Ends the jobs that have waited for a device for too long.
  absl::Status EndWaits();
  absl::Status TakePlan(int64_t job_id, int64_t plan_number, absl::StatusOr<JobPlan> plan);
  absl::Status FillQueue(ActiveJob& active, int want);
  absl::Status LeaveSilentClass(ActiveJob& active);
  absl::Status ChangeState(ActiveJob& active, JobState state, std::string message);
  absl::Status EndJob(ActiveJob& active, JobState state, std::string message);
  void Watch(ActiveJob& active);

  CoordinatorState& state_;
  CandidateRunner candidates_;
  int64_t arrivals_seen_ = 0;  ///< WorkerRegistry::arrivals() when it was last looked at.
  int64_t last_plan_ = 0;      ///< Numbers are not used again, not even after Recover.
};

}  // namespace mmtune
