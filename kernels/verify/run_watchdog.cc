// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/verify/run_watchdog.h"

#include <utility>

#include "absl/time/time.h"

namespace mmtune {

RunWatchdog::RunWatchdog(std::chrono::seconds limit, std::function<void()> expired)
    : thread_([this, limit, expired = std::move(expired)] {
        if (!ended_.WaitForNotificationWithTimeout(absl::FromChrono(limit))) expired();
      }) {}

RunWatchdog::~RunWatchdog() {
  ended_.Notify();
  thread_.join();
}

}  // namespace mmtune
