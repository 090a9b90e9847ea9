// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of one job, in order, across lost connections.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "grpcpp/grpcpp.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {

/// Reads on a thread of its own; resumes after the last event when the connection breaks or the deadline of a read
/// passes. Its methods are called from one thread.
class EventStream {
 public:
  /// A coordinator out of reach for `patience` ends the stream. Each read ends after `read_deadline` and is begun
  /// again, so that a half-open connection is noticed by then. `client` must outlive it.
  EventStream(TuningClient& client, std::string job_uuid, Duration patience,
              Duration read_deadline = std::chrono::seconds(60));
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  /// The next event, or nullopt when none came within `timeout` or none will.
  std::optional<v1::JobEvent> Next(Duration timeout);
  /// Every event has been handed out and no more will come.
  bool ended();
  /// Why it ended: OK when the job did.
  absl::Status status();

 private:
  void Run();
  grpc::Status ReadOnce(const TuningClient::Line& line, int64_t& after_seq);
  bool SleepUnlessStopped(Duration pause);
  void End(absl::Status status);

  TuningClient& client_;
  const std::string job_uuid_;
  const Duration patience_;
  const Duration read_deadline_;
  absl::Mutex mutex_;
  std::deque<v1::JobEvent> events_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  grpc::ClientContext* context_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::thread thread_;
};

}  // namespace mmtune
