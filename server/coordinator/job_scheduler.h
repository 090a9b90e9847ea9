// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves jobs and their candidates through their states. A job is submitted, bound to a device, planned (its search is
// prepared, JobPlan), run and ended. Each schedule that its search proposes becomes a candidate. Either the log has its
// result already, or it is leased to a worker (given to it for a limited time) and measured, or it is given up.
//
// Everything here runs on the log writer's thread, within a transaction of the log. If a method returns a storage
// failure (log_writer.h), memory and log differ: the caller rolls back the transaction and calls Recover. Events for
// clients that follow a job are held back until the commit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "server/coordinator/candidate_runner.h"
#include "server/coordinator/coordinator_state.h"

namespace mmtune {

/// Moves jobs through their states, in response to clients, workers and time. Its methods also return storage failures
/// (log_writer.h), after which the whole batch is undone. Not thread-safe.
class JobScheduler {
 public:
  /// `state` must outlive the scheduler.
  explicit JobScheduler(CoordinatorState& state) : state_(state), candidates_(state) {}

  /// Rebuilds the state in memory from the log, including the leases that are live there. Unfinished jobs are resumed,
  /// or marked as interrupted if `resume` is false.
  absl::Status Recover(bool resume);
  /// Resumes jobs that another coordinator of the log had, with their live leases.
  absl::Status Adopt(const std::vector<JobRow>& rows);
  /// Returns Unavailable if another coordinator of the log has the job. The message has the other one's address, or
  /// says that the other one is gone and its job was not taken over yet.
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
  /// Continues a job after the canonical record of its candidate (the one that counts, tuning_log.h) was stored.
  absl::Status OnMeasured(const PendingCandidate& candidate, std::shared_ptr<const TuningRecord> record);
  /// Continues a job after a lease expired. A candidate that lost several workers gets the record of a crash or
  /// timeout.
  absl::Status OnLost(const LostLease& lost);
  /// Continues a job after its candidate was given up because workers failed with it. It gets no record.
  absl::Status OnGivenUp(const PendingCandidate& candidate, std::string_view why);

 private:
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
