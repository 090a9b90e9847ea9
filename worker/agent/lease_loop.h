// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One device's share of the agent: leases candidates, starts them, reports what became of them.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "mmtune/v1/work_queue.pb.h"
#include "worker/agent/lease_book.h"
#include "worker/agent/reporter.h"
#include "worker/agent/server_connection.h"
#include "worker/common/evaluator.h"

namespace mmtune {

struct LeaseLoopParts {
  std::string worker_id;
  size_t device_index = 0;
  WorkerDevice device;
  ServerConnection* server;
  Evaluator* evaluator;
  LeaseBook* book;
  Reporter* reporter;
  std::function<void()> on_drain;                ///< The server wants the worker to end.
  std::function<void(absl::Status)> on_refused;  ///< The server does not know the worker, or refuses the request.
  std::function<void(absl::Status)> on_busy;     ///< The device was held by another process for too long.
};

/// Everything it points at must outlive it. Runs until the book is closed; the leases it started must have ended before
/// it is destroyed.
class LeaseLoop {
 public:
  explicit LeaseLoop(LeaseLoopParts parts);
  ~LeaseLoop();
  /// Wakes it from a wait between tries. Close the book, too.
  void Stop() { stop_.Raise(); }

 private:
  void Run();
  absl::Status Poll(v1::LeaseRequest& request, Duration wait, v1::LeaseResponse* response);
  void StartLease(const v1::Lease& lease);
  absl::StatusOr<Candidate> ToCandidate(const v1::Lease& lease) const;
  absl::StatusOr<std::optional<Measurement>> FindMeasured(const std::string& timing_key) const;
  void Ended(const std::string& token, const DeviceInfo& target, absl::StatusOr<Measurement> result);
  void Release(const v1::Lease& lease);
  v1::CandidateReport NewReport(const std::string& token, const DeviceInfo& target) const;

  const LeaseLoopParts parts_;
  StopSignal stop_;
  std::atomic<int> own_failures_{0};  // in a row
  std::thread thread_;
};

}  // namespace mmtune
