#include "server/cli/interrupt.h"

#include <unistd.h>

#include <atomic>

#include "server/cli/exit_code.h"

namespace mmtune {
namespace {

std::atomic<bool> g_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void OnSignal(int) {
  if (g_requested.exchange(true)) _exit(static_cast<int>(ExitCode::kInterrupted));
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
}

bool InterruptGuard::Requested() { return g_requested; }

}  // namespace mmtune
