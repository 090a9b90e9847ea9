// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coordinator: a state machine over jobs (searches), candidates (the schedules that a job proposes), workers and
// the tuning log. It leases candidates to workers: a lease is the right of one worker to measure one candidate for a
// limited time. It has no threads, and uses neither gRPC nor the real clock.
//
// The log writer's thread calls it in batches, each within one transaction of the log (log_writer.h): any number of
// requests, then Tick, then FinishBatch with the status of the commit. A storage failure undoes the whole batch. Any
// other error refuses one request, which then has changed nothing. Answers to Lease calls, and events for clients that
// follow a job, leave only in FinishBatch.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mmtune/v1/fleet.pb.h"
#include "mmtune/v1/tuning.pb.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "server/coordinator/job_scheduler.h"
#include "server/coordinator/report_handler.h"

namespace mmtune {

/// A Lease call, which may have to wait for work.
class LeaseCall {
 public:
  virtual ~LeaseCall() = default;
  /// Returns false if the caller is gone, so that no work may be leased to it. Thread-safe.
  virtual bool Wanted() const = 0;
  /// Answers the call. Called once, outside of any transaction.
  virtual void Answer(const absl::Status& status, v1::LeaseResponse response) = 0;
};

/// The state machine. Not thread-safe.
class Coordinator {
 public:
  Coordinator(const CoordinatorOptions& options, Collaborators outside);

  /// Loads the state from the log, before the first batch. The caller then commits and calls FinishBatch.
  absl::Status Start();
  /// Rebuilds the state from the log after a failed batch. The caller then commits and calls FinishBatch.
  absl::Status Reload();

  // Requests of clients. Their meaning is documented in proto/mmtune/v1/tuning.proto.
  absl::StatusOr<v1::SubmitJobResponse> SubmitJob(const v1::SubmitJobRequest& request);
  absl::StatusOr<v1::Job> GetJob(const v1::GetJobRequest& request) const;
  absl::StatusOr<v1::Job> CancelJob(const v1::CancelJobRequest& request);
  absl::StatusOr<v1::ListJobsResponse> ListJobs(const v1::ListJobsRequest& request) const;
  v1::ServerInfo GetServerInfo() const;
  /// Returns the number of unfinished jobs by state.
  std::map<JobState, int64_t> UnfinishedJobs() const { return scheduler_.Unfinished(); }
  /// Returns the number of candidates that wait for a worker.
  int64_t QueuedCandidates() const { return state_.leases.QueuedInAll(); }

  /// Holds a worker, so that it gets no new leases, or ends its hold, for an admin (proto/mmtune/v1/fleet.proto).
  absl::StatusOr<v1::WorkerStatus> HoldWorker(const v1::HoldWorkerRequest& request);

  // Requests of workers. Their meaning is documented in proto/mmtune/v1/work_queue.proto.
  /// Registers a worker that calls from the address `peer`.
  absl::StatusOr<v1::RegisterResponse> Register(const v1::RegisterRequest& request, std::string_view peer = "");
  /// Leases candidates. FinishBatch of this batch or of a later one answers the call.
  absl::Status Lease(const v1::LeaseRequest& request, std::shared_ptr<LeaseCall> call);
  absl::StatusOr<v1::HeartbeatResponse> Heartbeat(const v1::HeartbeatRequest& request);
  absl::StatusOr<v1::ReportCompiledResponse> ReportCompiled(const v1::ReportCompiledRequest& request);
  absl::StatusOr<v1::FindMeasuredResponse> FindMeasured(const v1::FindMeasuredRequest& request);
  /// Applies reports of results. If the request also asks for leases, FinishBatch of this batch passes them to `next`.
  /// If the leases are refused, the reports still count.
  absl::StatusOr<v1::ReportResponse> Report(const v1::ReportRequest& request,
                                            std::shared_ptr<LeaseCall> next = nullptr);

  /// Prepares the shutdown: no more leases are granted, and Lease calls are answered at once. If the next coordinator
  /// resumes jobs, Lease calls are refused as unavailable, so that workers wait for it. Otherwise workers are told to
  /// end.
  void Drain() { draining_ = true; }
  /// True if no other coordinator goes on with the jobs after Drain(): workers are told to end.
  bool EndsWorkers() const { return draining_ && !state_.options.resume_jobs; }

  /// Does what is due by now, such as ending expired leases, and then serves the waiting Lease calls. Called after the
  /// requests of a batch. All its errors are storage failures.
  absl::Status Tick();
  /// Returns when Tick will next have something to do; nullopt if no time is known.
  std::optional<TimePoint> NextDeadline() const;
  /// Sends answers and events after a commit. If the commit failed, answers all waiting calls with its error.
  void FinishBatch(const absl::Status& commit);

 private:
  /// A Lease call that waits for work.
  struct WaitingLeaseCall {
    v1::LeaseRequest request;
    std::shared_ptr<LeaseCall> call;
    TimePoint until;  ///< The time at which it is answered even without work.
  };
  struct Answer {
    std::shared_ptr<LeaseCall> call;
    absl::Status status;
    v1::LeaseResponse response;
  };

  /// Reads from the log which workers have faults (results that other workers contradicted) or are quarantined, so that
  /// they get no work. May be repeated.
  absl::Status RestoreFaults();
  v1::WorkerStatus StatusOf(const RegisteredWorker& worker) const;
  /// Answers a Lease call with what is available now, which may be nothing.
  absl::StatusOr<v1::LeaseResponse> TryLease(const v1::LeaseRequest& request);
  /// Calls GrantFrom() if the job is not part of a model. Otherwise grants one lease, to the job of the model that
  /// should get the next one (ModelJobs::Order()).
  absl::StatusOr<int> GrantNext(const TuningJob& job, int most, const RegisteredWorker& worker,
                                const RegisteredDevice& device, const v1::LeaseRequest& request,
                                v1::LeaseResponse& response);
  /// Grants at most `most` leases of the job, adds them to the response, and returns their number.
  absl::StatusOr<int> GrantFrom(int64_t job_id, int most, const v1::LeaseRequest& request, v1::LeaseResponse& response);
  v1::Lease LeaseMessage(const LiveLease& lease) const;
  /// Returns the number of live leases of each client. Empty if there is no limit on them.
  std::map<std::string, int64_t> LeasesByClient() const;
  /// Answers the waiting Lease calls that have work, or whose time is over.
  absl::Status AnswerWaitingCalls();
  absl::Status ExpireLeases();
  /// Takes over, at intervals, the jobs of other coordinators of the log that are gone.
  absl::Status TakeOverJobs();

  CoordinatorState state_;
  JobScheduler scheduler_;
  ReportHandler reports_;
  const TimePoint started_;
  const int64_t started_unix_millis_;
  std::list<WaitingLeaseCall> waiting_calls_;
  std::vector<Answer> answers_;
  bool draining_ = false;
  TimePoint next_take_over_;
};

}  // namespace mmtune
