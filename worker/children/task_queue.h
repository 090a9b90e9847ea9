// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue between threads of the worker.
#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "absl/synchronization/mutex.h"

namespace mmtune {

/// Thread-safe, unbounded (the number of leases held bounds what is in it), first in first out.
template <typename T>
class TaskQueue {
 public:
  /// False, and the task is dropped, after Close().
  bool Push(T task) {
    absl::MutexLock lock(&mutex_);
    if (closed_) return false;
    tasks_.push_back(std::move(task));
    return true;
  }

  /// Blocks. nullopt when closed and empty.
  std::optional<T> Pop() {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(
        +[](TaskQueue* q) ABSL_NO_THREAD_SAFETY_ANALYSIS { return q->closed_ || !q->tasks_.empty(); }, this));
    if (tasks_.empty()) return std::nullopt;
    T task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
  }

  void Close() {
    absl::MutexLock lock(&mutex_);
    closed_ = true;
  }

 private:
  absl::Mutex mutex_;
  std::deque<T> tasks_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace mmtune
