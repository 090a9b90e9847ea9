// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One WatchJob call: a stream of a job's events, which are read from the job's feed (event_feed.h) as fast as the
// client takes them.
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

/// The stream of one call. The call, the feed and the service share it; it may outlive the call. Thread-safe.
class WatchStream : public std::enable_shared_from_this<WatchStream> {
 public:
  /// Returns the reactor that the service's method returns, and its stream.
  static std::pair<grpc::ServerWriteReactor<v1::JobEvent>*, std::shared_ptr<WatchStream>> Create();
  ~WatchStream();

  /// Sends the feed's events after the one with the number `after_seq`, until the feed ends. May be called once.
  void Follow(std::shared_ptr<JobFeed> feed, int64_t after_seq);
  /// Ends the stream with this status. Only the first call counts.
  void Finish(const absl::Status& status);

 private:
  class Reactor;

  /// Writes the next event, unless a write is in progress or there is none yet.
  void Advance();
  void OnWriteDone(bool ok);
  void OnDone();

  mutable Mutex mutex_;
  /// Null once the stream has ended.
  Reactor* reactor_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::shared_ptr<JobFeed> feed_ ABSL_GUARDED_BY(mutex_);
  int64_t watcher_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t after_seq_ ABSL_GUARDED_BY(mutex_) = 0;
  /// The event that is being written, which must live until the write is done.
  JobFeed::Event writing_ ABSL_GUARDED_BY(mutex_);
  /// The status of a call of Finish during a write; the stream ends with it after the write.
  std::optional<absl::Status> finish_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune
