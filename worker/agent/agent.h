// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a worker that talks to the server. It registers, takes leases (the right to measure one schedule for a
// limited time), sends heartbeats, reports results, and drains (finishes its work and ends). The work itself is done by
// an Evaluator.
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

/// The settings of an agent.
struct AgentOptions {
  std::string version;                ///< The version of the program.
  Labels labels;                      ///< Labels by which jobs select this worker.
  std::vector<WorkerDevice> devices;  ///< The devices of the evaluator, in its order.
  /// The agent ends if every call to the server and to `others` has failed for this long.
  Duration give_up_after = std::chrono::minutes(5);
  /// If true, ends as soon as calls fail and the server's UNIX socket does not exist, because this server will not come
  /// back.
  bool end_without_socket = false;
  /// Connections to the other servers of the same tuning log, which may take over the jobs of the agent's own server.
  /// They must outlive the agent.
  std::vector<ServerConnection*> others;
  /// The longest time from Drain() to the end of Run().
  Duration drain_limit = std::chrono::seconds(30);
};

/// Runs one worker. Drain() is thread-safe; everything else must be called from one thread.
class Agent {
 public:
  /// All arguments must outlive the agent, and while it lives only the agent may use the spool (report_spool.h), which
  /// keeps results on disk.
  Agent(AgentOptions options, ServerConnection* server, ReportSpool* spool, Evaluator* evaluator);
  ~Agent();

  /// Runs until the worker is drained, by Drain() or by the server; then returns OK. No evaluation is running when it
  /// returns. Results that the server has not acknowledged are in the spool. Returns these errors:
  ///
  ///   Unavailable         the server did not answer for give_up_after, or another process held a device for too long
  ///   FailedPrecondition  the server speaks another version of the protocol, or refuses this worker
  ///   Unauthenticated     the server's certificate or ours was refused
  ///   PermissionDenied    our certificate is not a worker's
  absl::Status Run();

  /// Starts to drain: takes no more leases, hands back those that are not being measured, lets the others finish within
  /// drain_limit, and reports.
  void Drain();

 private:
  absl::Status Register();
  absl::Status RegisterOnce();
  void StartThreads();
  void Heartbeats();
  absl::Status HeartbeatOnce(Duration limit, const StopSignal* stop);
  /// Extends the leases at the other servers, which may have taken over the jobs of the leases.
  void HeartbeatOthers(const v1::HeartbeatRequest& request, const StopSignal* stop);
  /// True if the agent should end because no server has answered for AgentOptions::give_up_after, or because of
  /// AgentOptions::end_without_socket.
  bool ServerIsGone() const;
  absl::Status WaitForEnd();
  void FinishWork(TimePoint deadline);
  /// Registers again if the server no longer knows the worker. A failure ends the agent.
  void RegisterAgain();
  void Fail(absl::Status status);

  const AgentOptions options_;
  ServerConnection* const server_;
  ReportSpool* const spool_;
  const std::string process_id_ = RandomToken();
  Evaluator* const evaluator_;
  LeaseBook book_;
  LeaseBook tasks_;  // the compile tasks, which are not in heartbeats
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
