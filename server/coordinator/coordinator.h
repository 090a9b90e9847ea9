// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coordinator as a state machine over jobs, leases, workers and the tuning log. No gRPC, no threads, no real time.
//
// All calls come from one thread, within a transaction of the log (log_writer.h): calls, then Tick, then FinishBatch
// with the status of the commit. A storage failure undoes the batch; any other error refuses one request and changes
// nothing. Neither answers to Lease calls nor events leave before FinishBatch.
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

/// A Lease call that may have to wait.
class LeaseCall {
 public:
  virtual ~LeaseCall() = default;
  /// Returns false once the caller is gone: no work may be leased to it.
  virtual bool Wanted() const = 0;
  /// Answers the call. Called once, outside of any transaction.
  virtual void Answer(const absl::Status& status, v1::LeaseResponse response) = 0;
};

class Coordinator {
 public:
  Coordinator(const CoordinatorOptions& options, Collaborators outside);

  /// Loads the state from the log, before the first call. FinishBatch follows.
  absl::Status Start();
  /// Rebuilds the state from the log after a failed batch. FinishBatch follows.
  absl::Status Reload();

  // For clients.
  absl::StatusOr<v1::SubmitJobResponse> SubmitJob(const v1::SubmitJobRequest& request);
  absl::StatusOr<v1::Job> GetJob(const v1::GetJobRequest& request) const;
  absl::StatusOr<v1::Job> CancelJob(const v1::CancelJobRequest& request);
  absl::StatusOr<v1::ListJobsResponse> ListJobs(const v1::ListJobsRequest& request) const;
  v1::ServerInfo GetServerInfo() const;
  // For metrics: the number of unfinished jobs by state, and of candidates that wait for a worker.
  std::map<JobState, int64_t> UnfinishedJobs() const { return scheduler_.Unfinished(); }
  int64_t QueuedCandidates() const { return state_.leases.QueuedInAll(); }

  // For admins.
  absl::StatusOr<v1::WorkerStatus> HoldWorker(const v1::HoldWorkerRequest& request);

  // For workers.
  /// Registers a worker; `peer` is the host that it calls from.
  absl::StatusOr<v1::RegisterResponse> Register(const v1::RegisterRequest& request, std::string_view peer = "");
  /// Leases candidates; the call is answered in FinishBatch of this batch or of a later one.
  absl::Status Lease(const v1::LeaseRequest& request, std::shared_ptr<LeaseCall> call);
  absl::StatusOr<v1::HeartbeatResponse> Heartbeat(const v1::HeartbeatRequest& request);
  absl::StatusOr<v1::ReportCompiledResponse> ReportCompiled(const v1::ReportCompiledRequest& request);
  absl::StatusOr<v1::FindMeasuredResponse> FindMeasured(const v1::FindMeasuredRequest& request);
  /// Applies reports. `next` gets the leases that the request asks for in FinishBatch of this batch, and none if they
  /// are refused, which refuses no report.
  absl::StatusOr<v1::ReportResponse> Report(const v1::ReportRequest& request,
                                            std::shared_ptr<LeaseCall> next = nullptr);

  /// Prepares the shutdown: no more leases, and Lease calls are answered at once. If jobs are resumed, Lease calls are
  /// refused as if nobody were here, so that workers wait for the next coordinator; else workers are told to end.
  void Drain() { draining_ = true; }

  /// Ends a batch: lets time pass and serves the waiting Lease calls. Returns storage failures only.
  absl::Status Tick();
  /// Returns when Tick will next have something to do.
  std::optional<TimePoint> NextDeadline() const;
  /// Sends answers and events; if the commit failed, answers the waiting calls with its error.
  void FinishBatch(const absl::Status& commit);

 private:
  struct Parked {
    v1::LeaseRequest request;
    std::shared_ptr<LeaseCall> call;
    TimePoint until;
  };
  struct Answer {
    std::shared_ptr<LeaseCall> call;
    absl::Status status;
    v1::LeaseResponse response;
  };

  /// Restores what earlier coordinators on this log held against workers.
  absl::Status RestoreFaults();
  v1::WorkerStatus StatusOf(const RegisteredWorker& worker) const;
  bool EndsWorkers() const { return draining_ && !state_.options.resume_jobs; }
  absl::StatusOr<v1::LeaseResponse> TryLease(const v1::LeaseRequest& request);
  /// Grants at most `most` leases of the job. Returns how many it got.
  absl::StatusOr<int> GrantFrom(int64_t job_id, int most, const v1::LeaseRequest& request, v1::LeaseResponse& response);
  v1::Lease LeaseMessage(const LiveLease& lease) const;
  /// Returns the number of live leases of each client, if there is a limit on them.
  std::map<std::string, int64_t> LeasesByClient() const;
  absl::Status ServeParked();
  absl::Status ExpireLeases();

  CoordinatorState state_;
  JobScheduler scheduler_;
  ReportHandler reports_;
  const TimePoint started_;
  const int64_t started_unix_millis_;
  std::list<Parked> parked_;
  std::vector<Answer> answers_;
  bool draining_ = false;
};

}  // namespace mmtune
