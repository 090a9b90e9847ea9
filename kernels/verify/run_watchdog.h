// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Notices a run that does not end.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "absl/synchronization/notification.h"

namespace mmtune {

/// Calls `expired`, on a thread of its own, unless destroyed within `limit`.
class RunWatchdog {
 public:
  RunWatchdog(std::chrono::seconds limit, std::function<void()> expired);
  ~RunWatchdog();
  RunWatchdog(const RunWatchdog&) = delete;
  RunWatchdog& operator=(const RunWatchdog&) = delete;

 private:
  absl::Notification ended_;
  std::thread thread_;
};

}  // namespace mmtune
