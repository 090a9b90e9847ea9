// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coordinator as a state machine over jobs, leases, workers and the tuning log. No gRPC, no threads, no real time.
//
// All calls come from one thread, between Begin and Commit of the log (see record_writer.h):
//   calls …, Tick, then FinishBatch with how the commit went.
// A status for which IsStorageFailure holds undoes the batch. Nothing leaves before FinishBatch: neither answers to
// Lease calls nor events. A refused request (any other status) changes nothing.
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
#include "db/tuning_log.h"
#include "mmtune/v1/fleet.pb.h"
#include "mmtune/v1/tuning.pb.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "server/coordinator/candidate_ledger.h"
#include "server/coordinator/job_runner.h"
#include "server/coordinator/report_taker.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

struct CoordinatorOptions {
  Duration lease_ttl = std::chrono::seconds(30);
  Duration heartbeat = std::chrono::seconds(5);
  bool resume_jobs = true;
  std::string version;
  ClientQuota quota;
  bool quarantine = true;  ///< Workers whose results are not believed get no more leases.
  Duration max_wait{};     ///< How long a job may wait for a device; 0: for ever.
};

/// What the coordinator uses and does not own; all must outlive it.
struct CoordinatorDeps {
  TuningLog& log;
  const Clock& clock;
  JobFeeds& feeds;
  TokenSource new_token;
  PlanExecutor plan_executor;
  std::vector<const KernelFamily*> families;
  ReaderFactory open_log = {};  ///< As in JobRunnerDeps.
};

/// A Lease call that may have to wait.
class LeaseCall {
 public:
  virtual ~LeaseCall() = default;
  /// False once the caller is gone: work must not be leased to it.
  virtual bool Wanted() const = 0;
  /// Called once, outside of any transaction.
  virtual void Answer(const absl::Status& status, v1::LeaseResponse response) = 0;
};

class Coordinator {
 public:
  Coordinator(const CoordinatorOptions& options, CoordinatorDeps deps);

  /// Before the first call. FinishBatch follows.
  absl::Status Start();
  /// After a failed batch: rebuilds the state from the log. FinishBatch follows.
  absl::Status Reload();

  // For clients.
  absl::StatusOr<v1::SubmitJobResponse> SubmitJob(const v1::SubmitJobRequest& request);
  absl::StatusOr<v1::Job> GetJob(const v1::GetJobRequest& request) const;
  absl::StatusOr<v1::Job> CancelJob(const v1::CancelJobRequest& request);
  absl::StatusOr<v1::ListJobsResponse> ListJobs(const v1::ListJobsRequest& request) const;
  v1::ServerInfo GetServerInfo() const;
  /// For metrics, of all jobs: unfinished ones by state, and the candidates that wait for a worker.
  std::map<JobState, int64_t> UnfinishedJobs() const { return jobs_.Unfinished(); }
  int64_t QueuedCandidates() const { return ledger_.QueuedInAll(); }

  // For admins.
  absl::StatusOr<v1::WorkerStatus> HoldWorker(const v1::HoldWorkerRequest& request);

  // For workers.
  /// `peer` is the host it came from.
  absl::StatusOr<v1::RegisterResponse> Register(const v1::RegisterRequest& request, std::string_view peer = "");
  /// Answered in FinishBatch of this batch or of a later one.
  absl::Status Lease(const v1::LeaseRequest& request, std::shared_ptr<LeaseCall> call);
  absl::StatusOr<v1::HeartbeatResponse> Heartbeat(const v1::HeartbeatRequest& request);
  absl::StatusOr<v1::ReportCompiledResponse> ReportCompiled(const v1::ReportCompiledRequest& request);
  absl::StatusOr<v1::FindMeasuredResponse> FindMeasured(const v1::FindMeasuredRequest& request);
  /// `next` gets the leases that the request asks for, as by Lease, in FinishBatch of this batch; none where they are
  /// refused, which refuses no report.
  absl::StatusOr<v1::ReportResponse> Report(const v1::ReportRequest& request,
                                            std::shared_ptr<LeaseCall> next = nullptr);

  /// The end is near: nothing is leased out any more, and Lease calls are answered at once. Where jobs are resumed,
  /// they are refused as if nobody were here, so that workers wait for the next coordinator; else workers are told to
  /// leave.
  void Drain() { draining_ = true; }

  /// The end of a batch: lets time pass and serves the waiting Lease calls. Returns storage failures only.
  absl::Status Tick();
  /// When Tick will next have something to do.
  std::optional<TimePoint> NextDeadline() const;
  /// Sends answers and events; when the commit failed, tells those who wait that it did.
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

  /// What earlier coordinators on this log thought of workers.
  absl::Status RestoreCharges();
  v1::WorkerStatus StatusOf(const RegisteredWorker& worker) const;
  bool EndsWorkers() const { return draining_ && !options_.resume_jobs; }
  absl::StatusOr<v1::LeaseResponse> TryLease(const v1::LeaseRequest& request);
  /// At most `most` leases of the job; how many it got.
  absl::StatusOr<int> GrantFrom(int64_t job_id, int most, const v1::LeaseRequest& request, v1::LeaseResponse& response);
  absl::Status ServeParked();
  absl::Status ExpireLeases();

  const CoordinatorOptions options_;
  TuningLog& log_;
  const Clock& clock_;
  CandidateLedger ledger_;
  WorkerRegistry workers_;
  JobRunner jobs_;
  ReportTaker reports_;
  const TimePoint started_;
  const int64_t started_unix_millis_;
  std::list<Parked> parked_;
  std::vector<Answer> answers_;
  bool draining_ = false;
};

}  // namespace mmtune
