// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gRPC services of mmtune.v1. A call that changes something, or needs the state of running jobs, is a command of
// the log writer (the one thread that changes the log, log_writer.h). A query of records and old jobs reads the log on
// a thread of its own. Events come from the feeds of the jobs (event_feed.h).
#pragma once

#include <grpcpp/grpcpp.h>
#include <deque>
#include <functional>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "proto/base/mutex.h"
#include "server/coordinator/event_feed.h"
#include "server/coordinator/log_queries.h"
#include "server/coordinator/log_writer.h"

namespace mmtune {

class PeerGate;

/// A thread with a bounded queue of tasks, which it runs in order. It does work that would delay the log writer.
class Background {
 public:
  /// Starts the thread. At most `max_queue` tasks may wait.
  explicit Background(size_t max_queue);
  ~Background();

  /// Queues a task. Returns Overloaded() if the queue is full, and Unavailable after Stop; then the task is dropped.
  /// Thread-safe.
  absl::Status Run(std::function<void()> task);
  /// Runs all queued tasks, and ends the thread. May be called more than once.
  void Stop();

 private:
  void Loop();

  const size_t max_queue_;
  Mutex mutex_;
  std::deque<std::function<void()>> queue_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

/// Makes the service mmtune.v1.Tuning. All arguments must outlive it. It uses `queries` only on the thread of `reader`.
/// `gate` (peer_gate.h) tells when certificates expire, for GetServerInfo; it is null for a server without TLS.
std::unique_ptr<grpc::Service> CreateTuningService(LogWriter& writer, JobFeeds& feeds, Background& reader,
                                                   LogQueries& queries, const PeerGate* gate);
/// Makes the service mmtune.v1.WorkQueue, which workers call. `writer` must outlive it.
std::unique_ptr<grpc::Service> CreateWorkQueueService(LogWriter& writer);
/// Makes the service mmtune.v1.Fleet, by which admins manage workers. `writer` must outlive it.
std::unique_ptr<grpc::Service> CreateFleetService(LogWriter& writer);

}  // namespace mmtune
