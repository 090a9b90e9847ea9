// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads of the daemon that report to the coordinator: of candidates, acknowledged one by one, and of compile tasks.
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

/// Spools every report before it is sent, sends in batches, retries what is transient with the same tokens, and drops
/// (with an error in the log) what the server refuses. Thread-safe.
class Reporter {
 public:
  /// All must outlive it; `spool` is used by the reporter alone from now on. Leftovers are sent first.
  Reporter(ServerConnection* server, ReportSpool* spool);
  /// Stops; what is not acknowledged stays in the spool.
  ~Reporter();

  void Add(v1::CandidateReport report);
  /// Asks for leases in the call that brings the next reports, where some are about to be sent, and waits for what
  /// becomes of its first try; CancelCalls(stop) ends that try. False: nothing was asked, or nothing answered; a Lease
  /// call with the same request_id, which may have been granted leases, has to follow.
  bool Ask(const v1::LeaseRequest& request, const StopSignal& stop, v1::LeaseResponse* response);
  /// Tokens of the reports that are not acknowledged: their leases are still held.
  std::vector<std::string> PendingTokens() const;
  /// True when nothing is pending any more, false after `limit`.
  bool Flush(Duration limit) const;
  /// How many measurements were acknowledged.
  int64_t acknowledged() const;

 private:
  /// A caller of Ask, while it waits.
  struct Asker {
    const v1::LeaseRequest& request;
    const StopSignal& stop;
    v1::LeaseResponse* response;
    bool done = false;
    bool answered = false;
  };

  void Run();
  std::vector<v1::CandidateReport> NextBatch();
  void Spool(std::vector<v1::CandidateReport>& batch);
  /// Closes the next call for askers, and returns the one that it has, or null.
  Asker* TakeAsker();
  /// What the server answered; null: nothing.
  void Answer(Asker* asker, const v1::LeaseResponse* response);
  void Send(std::vector<v1::CandidateReport> batch, Asker* asker);
  void Settle(const std::vector<v1::CandidateReport>& batch);

  ServerConnection* const server_;
  ReportSpool* const spool_;
  StopSignal stop_;
  mutable absl::Mutex mutex_;
  std::deque<v1::CandidateReport> queue_ ABSL_GUARDED_BY(mutex_);  // not yet in a batch
  std::multiset<std::string> pending_ ABSL_GUARDED_BY(mutex_);     // tokens, those of the batch included
  int64_t acknowledged_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  Asker* asker_ ABSL_GUARDED_BY(mutex_) = nullptr;  // of the next call
  bool sending_ ABSL_GUARDED_BY(mutex_) = false;
  size_t unspooled_ ABSL_GUARDED_BY(mutex_) = 0;  // reports at the back of the queue that the spool lacks
  std::thread thread_;
};

/// Sends in batches, from a thread of its own. Nothing depends on these reports: what cannot be sent within a short
/// while, or is refused, is dropped with a line in the log. Thread-safe.
class CompileReporter {
 public:
  /// `server` must outlive it. A server that is silent is tried again for `patience`.
  CompileReporter(ServerConnection* server, std::string worker_id, Duration patience = std::chrono::seconds(10));
  /// Drops what is not sent.
  ~CompileReporter();

  void Add(v1::CompileReport report);
  /// True when everything is sent or dropped, false after `limit`.
  bool Flush(Duration limit) const;

 private:
  void Run();
  std::vector<v1::CompileReport> NextBatch();
  void Send(std::vector<v1::CompileReport> batch);

  ServerConnection* const server_;
  const std::string worker_id_;
  const Duration patience_;
  StopSignal stop_;
  mutable absl::Mutex mutex_;
  std::deque<v1::CompileReport> queue_ ABSL_GUARDED_BY(mutex_);  // not yet in a batch
  bool sending_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace mmtune
