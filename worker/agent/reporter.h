// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads of the daemon that report to the coordinator: of candidates, acknowledged one by one, and of compile
// tasks.
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

/// Reports candidates: spools every report before it is sent, sends in batches, retries transient failures with the
/// same tokens, and drops refused reports with an error in the log. Thread-safe.
class Reporter {
 public:
  /// Both must outlive it, and only the reporter may use `spool`, whose leftovers it sends first.
  Reporter(ServerConnection* server, ReportSpool* spool);
  /// Stops. Reports that are not acknowledged stay in the spool.
  ~Reporter();

  void Add(v1::CandidateReport report);
  /// Asks for leases in the same call as the next reports, if some are about to be sent, and waits for the first try,
  /// which CancelCalls(stop) ends. Returns false if nothing was asked or answered; then a Lease call with the same
  /// request_id has to follow, because leases may have been granted.
  bool Ask(const v1::LeaseRequest& request, const StopSignal& stop, v1::LeaseResponse* response);
  /// Returns the tokens of unacknowledged reports, whose leases are still held.
  std::vector<std::string> PendingTokens() const;
  /// Waits until nothing is pending. Returns false after `limit`.
  bool Flush(Duration limit) const;
  /// Returns the number of acknowledged measurements.
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
  /// Returns the asker of the next call, or null, and lets no other one join that call.
  Asker* TakeAsker();
  /// Passes the server's answer to an asker; null: there was none.
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

/// Reports compile tasks in batches, from a thread of its own. Nothing depends on these reports: one that cannot be
/// sent for a short while, or is refused, is dropped with a line in the log. Thread-safe.
class CompileReporter {
 public:
  /// `server` must outlive it. Calls are retried for `retry_limit`.
  CompileReporter(ServerConnection* server, std::string worker_id, Duration retry_limit = std::chrono::seconds(10));
  /// Drops reports that are not sent yet.
  ~CompileReporter();

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
