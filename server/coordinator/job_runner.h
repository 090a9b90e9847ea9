// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The jobs: submitted, given a device, fed by their strategies, answered by the log or queued for leases, finished.
//
// Called on the record writer's thread, between Begin and Commit of the log. A status for which IsStorageFailure holds
// means the log failed: the caller rolls back and calls Recover. Events are held back until PublishEvents.
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
#include "db/tuning_log.h"
#include "mmtune/v1/tuning.pb.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "server/coordinator/candidate_ledger.h"
#include "server/coordinator/candidate_runner.h"
#include "server/coordinator/client_quota.h"
#include "server/coordinator/compile_runner.h"
#include "server/coordinator/job_feed.h"
#include "server/coordinator/job_leases.h"
#include "server/coordinator/job_plan.h"
#include "server/coordinator/job_table.h"
#include "server/coordinator/lease_turns.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

/// Calls `make` on any thread, and `take` with the plan on the record writer's thread, at once or in a later command.
using PlanMaker = std::function<absl::StatusOr<JobPlan>()>;
using PlanTaker = std::function<absl::Status(absl::StatusOr<JobPlan>)>;
using PlanExecutor = std::function<absl::Status(PlanMaker make, PlanTaker take)>;

/// Everything is used, not owned, and must outlive the runner.
struct JobRunnerDeps {
  TuningLog& log;
  const Clock& clock;
  CandidateLedger& ledger;
  WorkerRegistry& workers;
  JobFeeds& feeds;
  TokenSource new_token;
  PlanExecutor plan_executor;
  std::vector<const KernelFamily*> families;
  ClientQuota quota;
  Duration max_wait{};     ///< How long a job may wait for a device; 0: for ever.
  ReaderFactory open_log;  ///< For searches that learn from the log; called where plans are made.
};

class JobRunner {
 public:
  explicit JobRunner(JobRunnerDeps deps);

  /// Rebuilds everything from the log and from the leases that are live in it. Unfinished jobs are resumed, or marked
  /// interrupted when `resume` is false.
  absl::Status Recover(bool resume);

  absl::StatusOr<std::string> Submit(const v1::SubmitJobRequest& request);
  /// NotFound when the job is not in memory: it ended long ago, or never was.
  absl::StatusOr<v1::Job> Get(std::string_view uuid) const;
  absl::StatusOr<v1::Job> Cancel(std::string_view uuid);
  /// Newest first.
  std::vector<v1::Job> List(size_t limit) const;
  /// Newest first; null: of every owner.
  std::vector<v1::Job> ListUnfinished(const std::string* owner) const;
  /// How many unfinished jobs there are, by state.
  std::map<JobState, int64_t> Unfinished() const;

  /// A worker has come, or come back: jobs that wait for a device may start.
  absl::Status OnWorkersChanged();
  /// Time limits, unfinished pumping, jobs that lost or regained their last worker.
  absl::Status Tick();
  std::optional<TimePoint> NextDeadline() const;

  // As JobLeases.
  std::vector<Contender> ContendersFor(const RegisteredWorker& worker, const RegisteredDevice& device) const {
    return leases_.ContendersFor(worker, device);
  }
  void KeepPositions(const std::vector<Contender>& contenders) { leases_.KeepPositions(contenders); }
  std::map<std::string, int64_t> LeasesByClient() const { return leases_.ByClient(); }
  bool OthersServe(int64_t job_id, const std::vector<std::string>& parties, std::string_view worker = "") const {
    return leases_.OthersServe(job_id, parties, worker);
  }
  v1::Lease LeaseMessage(const LiveLease& lease, Duration ttl) const { return leases_.Message(lease, ttl); }
  /// Queues candidates of the job until `want` are queued, as far as its strategy has them.
  absl::Status Refill(int64_t job_id, int want);
  /// Null when the job is not in memory.
  const TuningJob* Find(int64_t job_id) const;

  // As CompileRunner.
  std::vector<v1::CompileTask> CompileTasksFor(const RegisteredWorker& worker, const RegisteredDevice& device,
                                               std::string_view request_id, int most) {
    return compiles_.Give(worker, device, request_id, most);
  }
  std::vector<v1::CompileTask> RepeatCompileTasks(std::string_view worker, std::string_view request_id) const {
    return compiles_.Repeat(worker, request_id);
  }
  void ForgetTasksOf(std::string_view worker) { compiles_.ForgetWorker(worker); }
  /// What became of a task. `believed`: else it is for another worker.
  absl::Status OnCompiled(std::string_view worker, const v1::CompileReport& report, bool believed);

  /// The canonical record of a candidate has been stored.
  absl::Status OnMeasured(const HeldCandidate& candidate, std::shared_ptr<const TuningRecord> record);
  /// A lease ran out: its candidate is queued again or, when it is given up, gets a record that blames it.
  absl::Status OnLost(const LostLease& lost);
  /// The ledger gave the candidate up because workers failed: there is no record.
  absl::Status OnGivenUp(const HeldCandidate& candidate, std::string_view why);

  /// After a commit: sends the held events to the watchers. After a failed one, Recover drops them.
  void PublishEvents() { events_.Publish(); }

 private:
  /// ResourceExhausted names the limit and the server's flag.
  absl::Status CheckQuota(const v1::JobSpec& message, const JobSpec& spec) const;
  absl::Status ResumeJob(const JobRow& row);
  absl::Status LoadOwnRecords(ActiveJob& active);
  absl::Status TryBind(ActiveJob& active);
  /// When a job that waits for a device ends; nullopt: it does not wait, or may wait for ever.
  std::optional<TimePoint> WaitEnds(const ActiveJob& active) const;
  /// No search waits for ever for what is to be compiled.
  absl::Status EndCompileWaits();
  /// Ends the jobs that have waited for too long.
  absl::Status EndWaits();
  absl::Status TakePlan(int64_t job_id, int64_t plan_number, absl::StatusOr<JobPlan> plan);
  absl::Status Pump(ActiveJob& active, int want);
  absl::Status LeaveSilentClass(ActiveJob& active);
  absl::Status ChangeState(ActiveJob& active, JobState state, std::string message);
  absl::Status EndJob(ActiveJob& active, JobState state, std::string message);
  void Watch(ActiveJob& active);

  const JobRunnerDeps deps_;
  HeldEvents events_;
  JobTable jobs_;
  JobLeases leases_;
  CompileRunner compiles_;
  CandidateRunner candidates_;
  int64_t arrivals_seen_ = 0;  ///< Of WorkerRegistry::arrivals.
  int64_t last_plan_ = 0;      ///< Numbers are not used again, not even after Recover.
};

}  // namespace mmtune
