// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends results to the server. The two classes here have a thread each. Reporter sends measurements, which must not be
// lost: each is kept on disk until the server acknowledges it. CompileReporter sends the results of compile tasks,
// which may be lost.
#pragma once

#include <cstddef>
#include <deque>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "mmtune/v1/work_queue.pb.h"
#include "worker/agent/report_spool.h"
#include "worker/agent/server_connection.h"

namespace mmtune {

/// Reports candidates. Writes every report to the spool (a file, report_spool.h) before sending it, sends in batches,
/// and retries transient failures with the same tokens. Drops reports that the server refuses, with an error in the
/// log. Thread-safe.
class Reporter {
 public:
  /// Sends the reports that are left in `spool` first. Reports that `server` does not accept are sent to `others`,
  /// which may have taken over its jobs. All arguments must outlive it, and nobody else may use the spool.
  Reporter(ServerConnection* server, const std::vector<ServerConnection*>& others, ReportSpool* spool);
  /// Stops. Reports that are not acknowledged stay in the spool.
  ~Reporter();

  /// Adds a report to be sent.
  void Add(v1::CandidateReport report);
  /// Asks for leases in the same RPC as the next reports, if some are about to be sent. Waits for the answer to the
  /// first attempt of that RPC, or until another thread calls ServerConnection::CancelCalls(stop). Returns false if
  /// there was no such RPC or no answer. The caller must then call the RPC Lease with the same request_id, because the
  /// server may have granted leases.
  bool Ask(const v1::LeaseRequest& request, const StopSignal& stop, v1::LeaseResponse* response);
  /// Returns the tokens of unacknowledged reports. Their leases are still held.
  std::vector<std::string> PendingTokens() const;
  /// Waits until nothing is pending. Returns false after `limit`.
  bool Flush(Duration limit) const;
  /// Returns the number of measurements that the server has acknowledged.
  int64_t acknowledged() const;

 private:
  /// A thread that waits in Ask().
  struct LeaseWaiter {
    const v1::LeaseRequest& request;
    const StopSignal& stop;
    v1::LeaseResponse* response;
    bool done = false;
    bool answered = false;
  };

  void Run();
  std::vector<v1::CandidateReport> NextBatch();
  void Spool(std::vector<v1::CandidateReport>& batch);
  /// Returns the waiter whose request goes with the next call, or null, and lets no other one join that call.
  LeaseWaiter* TakeWaiter();
  /// Passes the server's answer to a waiter; null means that there was none.
  void Answer(LeaseWaiter* waiter, const v1::LeaseResponse* response);
  void Send(std::vector<v1::CandidateReport> batch, LeaseWaiter* waiter);
  void Settle(const std::vector<v1::CandidateReport>& batch);

  const std::vector<ServerConnection*> servers_;  ///< The worker's own server is the first.
  ReportSpool* const spool_;
  StopSignal stop_;
  mutable absl::Mutex mutex_;
  std::deque<v1::CandidateReport> queue_ ABSL_GUARDED_BY(mutex_);  // not yet in a batch
  std::multiset<std::string> pending_ ABSL_GUARDED_BY(mutex_);     // tokens of unacknowledged reports
  int64_t acknowledged_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  LeaseWaiter* waiter_ ABSL_GUARDED_BY(mutex_) = nullptr;  // the waiter whose request goes with the next call
  bool sending_ ABSL_GUARDED_BY(mutex_) = false;
  size_t unspooled_ ABSL_GUARDED_BY(mutex_) = 0;  // reports at the back of the queue that are not in the spool yet
  std::thread thread_;
};

/// Reports the results of compile tasks in batches, on its own thread. A report that is refused, or cannot be sent for
/// a short while, is dropped with a line in the log. Thread-safe.
class CompileReporter {
 public:
  /// Retries calls for `retry_limit`. `server` must outlive it.
  CompileReporter(ServerConnection* server, std::string worker_id, Duration retry_limit = std::chrono::seconds(10));
  /// Stops. Drops reports that were not sent.
  ~CompileReporter();

  /// Adds a report to be sent.
  void Add(v1::CompileReport report);
  /// Waits until everything is sent or dropped. Returns false after `limit`.
  bool Flush(Duration limit) const;

 private:
  void Run();
  std::vector<v1::CompileReport> NextBatch();
  void Send(std::vector<v1::CompileReport> batch);

  ServerConnection* const server_;
  const std::string worker_id_;
  const Duration retry_limit_;
  StopSignal stop_;
  mutable absl::Mutex mutex_;
  std::deque<v1::CompileReport> queue_ ABSL_GUARDED_BY(mutex_);  // not yet in a batch
  bool sending_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace mmtune
