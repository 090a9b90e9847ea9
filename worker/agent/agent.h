// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker's life with a coordinator: register, lease, heartbeat, report, drain.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "proto/base/digest.h"
#include "proto/types/scheduling_policy.h"
#include "worker/agent/lease_loop.h"
#include "worker/agent/report_spool.h"
#include "worker/agent/reporter.h"
#include "worker/agent/server_connection.h"
#include "worker/children/evaluator.h"

namespace mmtune {

struct AgentOptions {
  std::string version;
  Labels labels;                      ///< What jobs may select this worker by.
  std::vector<WorkerDevice> devices;  ///< The evaluator's, in its order.
  /// The agent ends when every call has failed for this long.
  Duration give_up_after = std::chrono::minutes(5);
  /// For a server that does not come back: end as soon as calls fail and its UNIX socket is gone.
  bool end_without_socket = false;
  /// The longest time from Drain() to the end of Run().
  Duration drain_limit = std::chrono::seconds(30);
};

/// Drain() is thread-safe; the rest is for one thread.
class Agent {
 public:
  /// All must outlive it; the spool is the agent's alone until it is destroyed.
  Agent(AgentOptions options, ServerConnection* server, ReportSpool* spool, Evaluator* evaluator);
  ~Agent();

  /// Runs until it is drained, by Drain() or by the server, and then returns OK. Unavailable: the server was silent for
  /// too long. FailedPrecondition: it speaks another protocol, or does not take this worker. Unauthenticated: a
  /// certificate, ours or the server's, is not taken. PermissionDenied: ours is not that of a worker. IsDeviceBusy
  /// (timing_gate.h): another process held a device for too long. What was measured and not acknowledged is in the
  /// spool. No evaluation is left when it returns.
  absl::Status Run();

  /// Takes no more leases, gives back those that are not being measured, lets the others finish or gives them back, and
  /// reports.
  void Drain();

 private:
  absl::Status Register();
  absl::Status RegisterOnce();
  void StartThreads();
  void Heartbeats();
  absl::Status HeartbeatOnce(Duration limit, const StopSignal* stop);
  bool ServerIsGone() const;
  absl::Status WaitForEnd();
  void FinishWork(TimePoint deadline);
  /// Register() after the server has forgotten the worker; what fails ends the agent.
  void RegisterAgain();
  void Fail(absl::Status status);

  const AgentOptions options_;
  ServerConnection* const server_;
  ReportSpool* const spool_;
  const std::string process_id_ = RandomToken();
  Evaluator* const evaluator_;
  LeaseBook book_;
  LeaseBook tasks_;  // what is only to be compiled: heartbeats do not name it
  StopSignal stop_heartbeats_;
  StopSignal drain_;
  std::unique_ptr<Reporter> reporter_;
  std::unique_ptr<CompileReporter> compile_reporter_;
  std::vector<std::unique_ptr<LeaseLoop>> loops_;
  std::thread heartbeats_;
  mutable absl::Mutex mutex_;
  absl::Mutex register_mutex_;  // one registration at a time
  bool has_registered_ ABSL_GUARDED_BY(register_mutex_) = false;
  Duration heartbeat_interval_ ABSL_GUARDED_BY(mutex_) = std::chrono::seconds(5);
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune
