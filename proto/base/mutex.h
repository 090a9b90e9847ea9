// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex with conditional waits: a thread waits for a condition, which it passes as a function, and every Unlock()
// makes the waiting threads evaluate theirs again. There are no condition variables to notify, so no notification can
// be forgotten.
//
//   MutexLock lock(&mutex_);
//   mutex_.Await([&] { return !queue_.empty(); });
//
// It is like absl::Mutex with conditions, but built on std::mutex, which ThreadSanitizer understands (Debian's
// absl::Mutex is not instrumented). Clang's thread-safety annotations work with it.
#pragma once

#include <condition_variable>
#include <mutex>

#include "absl/base/thread_annotations.h"
#include "proto/base/clock.h"

namespace mmtune {

/// A mutex with conditional waits (see above). Thread-safe.
class ABSL_LOCKABLE Mutex {
 public:
  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() {
    if (waiters_ > 0) changed_.notify_all();  // the thread that unlocks may have made a condition true
    mutex_.unlock();
  }

  /// Releases the held mutex until `condition()` is true or `timeout` has passed, then takes it again. Returns the last
  /// result of `condition()`, which is evaluated with the mutex held.
  template <typename Condition>
  bool AwaitFor(Duration timeout, const Condition& condition) ABSL_EXCLUSIVE_LOCKS_REQUIRED(this) {
    return Waiting([&](std::unique_lock<std::mutex>& lock) { return changed_.wait_for(lock, timeout, condition); });
  }
  /// Releases the held mutex until `condition()` is true, then takes it again, as AwaitFor() does without a timeout.
  template <typename Condition>
  void Await(const Condition& condition) ABSL_EXCLUSIVE_LOCKS_REQUIRED(this) {
    Waiting([&](std::unique_lock<std::mutex>& lock) {
      changed_.wait(lock, condition);
      return true;
    });
  }

 private:
  template <typename Wait>
  bool Waiting(const Wait& wait) {
    std::unique_lock<std::mutex> lock(mutex_, std::adopt_lock);
    if (waiters_++ > 0) changed_.notify_all();  // this thread may have made the condition of another one true
    const bool holds = wait(lock);
    --waiters_;
    lock.release();
    return holds;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int waiters_ = 0;
};

/// Holds a mutex from construction to destruction.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) { mutex_->Lock(); }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mutex_;
};

}  // namespace mmtune
