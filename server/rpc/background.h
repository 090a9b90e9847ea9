// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread that runs tasks in order, for work that would hold up the record writer.
#pragma once

#include <deque>
#include <functional>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "proto/base/mutex.h"

namespace mmtune {

class Background {
 public:
  explicit Background(size_t max_queue);
  ~Background();

  /// ResourceExhausted when the queue is full, Unavailable after Stop; the task is then dropped. Thread-safe.
  absl::Status Run(std::function<void()> task);
  /// Finishes the task in hand and every one queued, then ends the thread. Idempotent.
  void Stop();

 private:
  void Loop();

  const size_t max_queue_;
  Mutex mutex_;
  std::deque<std::function<void()>> queue_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace mmtune
