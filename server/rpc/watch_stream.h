// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One WatchJob stream, which reads a job's feed at the client's pace.
#pragma once

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "proto/base/mutex.h"
#include "server/coordinator/event_feed.h"

namespace mmtune {

/// Shared between the call, the feed and whoever starts it, and may outlive the call. Thread-safe.
class WatchStream : public std::enable_shared_from_this<WatchStream> {
 public:
  /// Returns the reactor for the service's method to return, and its stream.
  static std::pair<grpc::ServerWriteReactor<v1::JobEvent>*, std::shared_ptr<WatchStream>> Create();
  ~WatchStream();

  /// Sends the events of the feed after `after_seq`, until the feed ends. Called at most once.
  void Follow(std::shared_ptr<JobFeed> feed, int64_t after_seq);
  /// Ends the stream; only the first call counts.
  void Finish(const absl::Status& status);

 private:
  class Reactor;

  void Advance();
  void OnWriteDone(bool ok);
  void OnDone();

  mutable Mutex mutex_;
  /// Null once finished.
  Reactor* reactor_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::shared_ptr<JobFeed> feed_ ABSL_GUARDED_BY(mutex_);
  int64_t watcher_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t after_seq_ ABSL_GUARDED_BY(mutex_) = 0;
  /// The event being written, kept until the write is done.
  JobFeed::Event writing_ ABSL_GUARDED_BY(mutex_);
  /// Set by Finish while a write is in progress; the stream ends after it.
  std::optional<absl::Status> finish_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune
