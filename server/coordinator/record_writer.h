// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one thread that changes anything: takes commands from a bounded queue, applies up to kMaxBatch of them in one
// transaction of the tuning log, commits, and only then sends their answers. When the log cannot be written, it tries
// again after a pause; when its files were deleted or replaced, it ends.
#pragma once

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "db/tuning_log.h"
#include "proto/base/clock.h"
#include "proto/base/mutex.h"
#include "server/coordinator/batch_runner.h"
#include "server/coordinator/coordinator.h"
#include "server/coordinator/log_outage.h"

namespace mmtune {

class RecordWriter {
 public:
  static constexpr size_t kMaxBatch = 256;
  static constexpr size_t kMaxQueue = 4096;

  /// Everything must outlive the writer.
  /// `on_log_lost`, if any, is called once, on the writer's thread, when the log's files were deleted or replaced:
  /// every call is refused from then on.
  RecordWriter(TuningLog& log, Coordinator& coordinator, const Clock& clock,
               std::function<void(const absl::Status& why)> on_log_lost = nullptr);
  ~RecordWriter();

  /// The coordinator's first transaction, on the caller's thread; then starts the thread.
  absl::Status Start();

  /// ResourceExhausted when the queue is full, Unavailable after Stop; the command is then dropped, `finish` not
  /// called. Thread-safe.
  absl::Status Submit(WriteCommand command);
  /// The server's own commands: not bounded.
  absl::Status SubmitInternal(WriteCommand command);

  /// Finishes what is queued, and ends the thread. Idempotent.
  void Stop();

  const LogOutage& outage() const { return outage_; }
  /// How many commands wait for a batch. Thread-safe.
  size_t queued() const;

 private:
  absl::Status Enqueue(WriteCommand command, size_t limit);
  void Run();
  void EndWithLog(const absl::Status& why);
  std::vector<WriteCommand> NextBatch();

  Coordinator& coordinator_;
  const Clock& clock_;
  const std::function<void(const absl::Status& why)> on_log_lost_;
  LogOutage outage_;
  BatchRunner runner_;  ///< Used by the writer's thread once that runs.

  mutable Mutex mutex_;
  std::deque<WriteCommand> queue_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace mmtune
