// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long to wait before trying again.
#pragma once

#include <random>

#include "absl/synchronization/mutex.h"
#include "proto/base/clock.h"

namespace mmtune {

/// Exponential with full jitter: uniform in [0, min(10 s, 0.2 s * 2^n)] after the n-th failure in a row, and at least
/// 20 ms. Not thread-safe.
class Backoff {
 public:
  Backoff() : random_(std::random_device{}()) {}
  Duration Next();
  void Reset() { failures_ = 0; }

 private:
  std::mt19937_64 random_;
  int failures_ = 0;
};

/// A sleep that a shutdown ends. Thread-safe.
class StopSignal {
 public:
  void Raise() {
    absl::MutexLock lock(&mutex_);
    raised_ = true;
  }
  bool raised() const {
    absl::MutexLock lock(&mutex_);
    return raised_;
  }
  /// True when raised.
  bool Sleep(Duration duration) const;

 private:
  mutable absl::Mutex mutex_;
  bool raised_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace mmtune
