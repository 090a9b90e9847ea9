// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/interrupt.h"

#include <unistd.h>

#include <atomic>

#include "proto/base/process_guard.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {
namespace {

// The job is cancelled (5 s), the worker and the coordinator stop (2 s each), the table is printed.
constexpr unsigned kStopSeconds = 20;

std::atomic<bool> g_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void OnSignal(int) {
  if (g_requested.exchange(true)) _exit(static_cast<int>(ExitCode::kInterrupted));
  EndWithin(kStopSeconds, static_cast<int>(ExitCode::kInterrupted));
}

}  // namespace

InterruptGuard::InterruptGuard() {
  g_requested = false;
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &old_int_);
  sigaction(SIGTERM, &action, &old_term_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
  if (g_requested) CancelEnd();
}

bool InterruptGuard::Requested() { return g_requested; }

}  // namespace mmtune
