// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the coordinator what came of compile tasks.
#pragma once

#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "mmtune/v1/work_queue.pb.h"
#include "worker/agent/server_connection.h"

namespace mmtune {

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
