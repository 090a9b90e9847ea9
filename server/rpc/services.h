// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gRPC services. Changes and the state of running jobs go through the log writer, records and old jobs through a
// reader of the log on a thread of its own, and events through the feeds.
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

/// One thread that runs tasks in order, for work that would delay the log writer.
class Background {
 public:
  explicit Background(size_t max_queue);
  ~Background();

  /// Queues a task. ResourceExhausted if the queue is full, Unavailable after Stop; the task is then dropped.
  /// Thread-safe.
  absl::Status Run(std::function<void()> task);
  /// Finishes all tasks that were queued, then ends the thread. Idempotent.
  void Stop();

 private:
  void Loop();

  const size_t max_queue_;
  Mutex mutex_;
  std::deque<std::function<void()>> queue_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

/// Makes mmtune.v1.Tuning. Everything must outlive the service. `queries` is only used on the thread of `reader`;
/// `gate` is null if the server has no TLS.
std::unique_ptr<grpc::Service> CreateTuningService(LogWriter& writer, JobFeeds& feeds, Background& reader,
                                                   LogQueries& queries, const PeerGate* gate);
/// Makes mmtune.v1.WorkQueue. `writer` must outlive the service.
std::unique_ptr<grpc::Service> CreateWorkQueueService(LogWriter& writer);
/// Makes mmtune.v1.Fleet, by which admins manage workers. `writer` must outlive the service.
std::unique_ptr<grpc::Service> CreateFleetService(LogWriter& writer);

}  // namespace mmtune
