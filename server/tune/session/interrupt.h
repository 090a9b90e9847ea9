// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C: the first asks the command to stop cleanly, and ends the program after 20 s whatever hangs; the second ends
// it at once.
#pragma once

#include <csignal>

namespace mmtune {

/// Catches SIGINT and SIGTERM while alive; one at a time. Child processes die with the program (PDEATHSIG).
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Whether a signal came since the guard was made. Thread-safe.
  static bool Requested();

 private:
  struct sigaction old_int_;
  struct sigaction old_term_;
};

}  // namespace mmtune
