// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detects a run of kernels that does not end. A kernel cannot be interrupted, so the process has to be ended instead.
#pragma once

#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "absl/synchronization/notification.h"
#include "absl/time/time.h"

namespace mmtune {

/// Calls `expired`, on its own thread, unless the object is destroyed within `limit`.
class RunWatchdog {
 public:
  RunWatchdog(std::chrono::seconds limit, std::function<void()> expired)
      : thread_([this, limit, expired = std::move(expired)] {
          if (!ended_.WaitForNotificationWithTimeout(absl::FromChrono(limit))) expired();
        }) {}
  ~RunWatchdog() {
    ended_.Notify();
    thread_.join();
  }

 private:
  absl::Notification ended_;
  std::thread thread_;
};

}  // namespace mmtune
