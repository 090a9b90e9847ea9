// The jobs: submitted, given a device, fed by their strategies, answered by the log or queued for leases, finished.
//
// Called on the record writer's thread, between Begin and Commit of the log. A status for which IsStorageFailure holds
// means the log failed: the caller rolls back and calls Recover. Events are held back until PublishEvents.
// Three sources: job_runner.cc (life of a job), job_runner_candidates.cc (life of a candidate), job_runner_devices.cc
// (a job and the devices that serve it).
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

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "mmtune/v1/tuning.pb.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "server/job_feed.h"
#include "server/job_plan.h"
#include "server/lease_table.h"
#include "server/tuning_job.h"
#include "server/worker_registry.h"

namespace mmtune {

/// Makes a plan wherever it likes and hands it over on the record writer's thread, at once or in a later command.
using PlanMaker = std::function<absl::StatusOr<JobPlan>()>;
using PlanTaker = std::function<absl::Status(absl::StatusOr<JobPlan>)>;
using PlanExecutor = std::function<absl::Status(PlanMaker make, PlanTaker take)>;

/// Everything is used, not owned, and must outlive the runner.
struct JobRunnerDeps {
  TuningLog& log;
  const Clock& clock;
  LeaseTable& leases;
  WorkerRegistry& workers;
  JobFeeds& feeds;
  TokenSource new_token;
  PlanExecutor plan_executor;
  std::vector<const KernelFamily*> families;
};

/// Where a candidate belongs.
struct CandidatePlace {
  std::string job_uuid;
  MatmulProblem problem;
  Schedule schedule;
  std::string arch;  ///< Asked for; empty: the device's own.
};

class JobRunner {
 public:
  explicit JobRunner(JobRunnerDeps deps);

  /// Rebuilds everything from the log and from the leases live in it. Jobs found unfinished are taken up again, or
  /// marked interrupted when `resume` is false.
  absl::Status Recover(bool resume);

  absl::StatusOr<std::string> Submit(const v1::SubmitJobRequest& request);
  /// NotFound when the job is not in memory: it ended long ago, or never was.
  absl::StatusOr<v1::Job> Get(std::string_view uuid) const;
  absl::StatusOr<v1::Job> Cancel(std::string_view uuid);
  /// Newest first.
  std::vector<v1::Job> List(size_t limit) const;

  /// A worker has come, or come back: jobs that wait for a device may start.
  absl::Status OnWorkersChanged();
  /// Time limits, unfinished pumping, jobs that lost or regained their last worker.
  absl::Status Tick();
  std::optional<TimePoint> NextDeadline() const;

  /// The running jobs a device may measure for, those with the fewest leases first.
  std::vector<int64_t> JobsServedBy(const RegisteredDevice& device) const;
  /// Queues candidates of the job until `want` are queued, as far as its strategy has them.
  absl::Status Refill(int64_t job_id, int want);
  /// True when a serving worker other than `worker` could measure for the job.
  bool OthersServe(int64_t job_id, std::string_view worker) const;
  /// What the worker needs to know of a lease.
  v1::Lease LeaseMessage(const LiveLease& lease, Duration ttl) const;

  /// NotFound for a candidate that the log has never seen or cannot read.
  absl::StatusOr<CandidatePlace> Locate(int64_t candidate_id);
  /// The class of devices the job measures on; null before it has got one.
  const JobTarget* Target(int64_t job_id) const;
  /// The canonical record of a candidate has been stored.
  absl::Status OnMeasured(const LiveLease& lease, const TuningRecord& record);
  /// The lease was lost with its worker, and its candidate queued again.
  void OnWorkerSilent(const LiveLease& lease);
  /// The table gave the candidate up after `attempt`: it is to blame and gets a record of its own.
  absl::Status Convict(const LiveLease& lease, Outcome outcome, std::string_view why);
  /// The table gave the candidate up; the workers are to blame: no record.
  absl::Status GiveUp(const LiveLease& lease, std::string_view why);

  /// After COMMIT: tells the watchers what happened. After a failed one: Recover drops what was held back.
  void PublishEvents();

 private:
  struct Entry {
    std::unique_ptr<TuningJob> job;
    /// Of the candidates that are queued or leased, by id; before the job has a plan, of every one the log has.
    std::unordered_map<int64_t, Schedule> schedules;
    /// Measured by this job before a restart and not yet proposed again, by digest of the schedule.
    std::unordered_map<std::string, TuningRecord> own_records;
    std::string required_class;  ///< Of own_records; empty: none.
    bool resumed = false;
    bool served = true;  ///< As last told to the watchers.
    bool heard = false;  ///< A device of its class, or the log, has given it a result.
    // Of its class; looked at while nothing was heard.
    TimePoint served_at;            ///< When last a worker that has lost no lease of it served it.
    bool lost_lease = false;        ///< Since then.
    std::set<std::string> lost_by;  ///< Workers.
    std::string left_class;         ///< Nothing came from it: taken again only when there is no other.
    bool pump_again = false;
  };
  struct Submitted {
    std::string uuid;
    std::string spec_digest;
  };
  struct HeldEvent {
    std::string job_uuid;
    v1::JobEvent event;
    bool last = false;
  };

  Entry* FindEntry(int64_t job_id);
  const Entry* FindEntry(int64_t job_id) const;
  Entry* FindEntry(std::string_view uuid);

  absl::Status ResumeJob(const JobRow& row);
  absl::Status RestoreLeases();
  /// Of `before`, those that have ended in the log, too, stay in memory with their feeds.
  void KeepFinished(const std::vector<JobRow>& jobs, const std::deque<std::pair<int64_t, std::string>>& finished,
                    std::map<int64_t, Entry>& before);
  absl::Status LoadOwnRecords(Entry& entry);
  absl::Status TryBind(Entry& entry);
  absl::Status TakePlan(int64_t job_id, int64_t plan_number, absl::StatusOr<JobPlan> plan);
  absl::Status ChangeState(Entry& entry, JobState state, std::string message);
  absl::Status EndJob(Entry& entry, JobState state, std::string message);
  void Retire(int64_t job_id);
  void HoldEvent(const Entry& entry, v1::JobEvent event);
  void CheckServed(Entry& entry);
  /// The last worker with the job's toolchain is gone: goes on with another one's on the same class of devices.
  bool AdoptToolchain(Entry& entry);
  /// A worker of the job's class serves that has asked for work and has lost no lease of the job. Where none with its
  /// toolchain does, the job goes on with another one's.
  bool ServedInEarnest(Entry& entry);
  /// Nothing ever came from the job's class of devices, and no worker but such as lost its leases has served it for the
  /// time of a lease: starts over on another class, where there is one.
  absl::Status LeaveSilentClass(Entry& entry);

  absl::Status Pump(Entry& entry, int want);
  absl::Status Place(Entry& entry, const Schedule& schedule);
  absl::Status Reject(Entry& entry, int64_t candidate_id, const Schedule& schedule, std::string_view why);
  absl::Status StoreVerdict(Entry& entry, const AttemptRow& attempt, const Schedule& schedule, Outcome outcome,
                            std::string_view why);
  void Observe(Entry& entry, const TuningRecord& record, bool from_log);
  absl::Status WithdrawIfOutOfTime(Entry& entry);
  absl::Status EndIfDone(Entry& entry);
  absl::Status ValidateSchedule(const Entry& entry, const Schedule& schedule) const;
  absl::StatusOr<std::optional<TuningRecord>> FindInLog(const Entry& entry, const Schedule& schedule);

  const JobRunnerDeps deps_;
  std::map<int64_t, Entry> entries_;                 ///< By job id: unfinished ones, and the newest finished ones.
  std::map<std::string, int64_t, std::less<>> ids_;  ///< By uuid, of entries_.
  std::unordered_map<std::string, Submitted> submissions_;  ///< By client_request_id, of every job in the log.
  std::deque<std::pair<int64_t, std::string>> finished_;    ///< Id and uuid, oldest first.
  std::vector<HeldEvent> held_;
  int64_t arrivals_seen_ = 0;  ///< Of WorkerRegistry::arrivals.
  int64_t last_plan_ = 0;      ///< Numbers are not used again, not even after Recover.
};

/// A generous cap on one lease: the time a slow but healthy worker may take for the candidate.
Duration StartToClose(const JobSpec& spec, DeviceKind kind);

}  // namespace mmtune
