// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/console.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <iostream>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "proto/base/process_guard.h"
#include "proto/base/status.h"
#include "proto/command_line/help.h"

namespace mmtune {
namespace {

constexpr char kPayload[] = "mmtune/exit-code";

// Includes cancelling the job (5 s), stopping worker and coordinator (2 s each), and printing the table.
constexpr unsigned kStopSeconds = 20;

std::atomic<bool> g_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void OnSignal(int) {
  if (g_requested.exchange(true)) _exit(static_cast<int>(ExitCode::kInterrupted));
  EndWithin(kStopSeconds, static_cast<int>(ExitCode::kInterrupted));
}

}  // namespace

Console Console::Standard() {
  const char* term = getenv("TERM");
  const bool dumb = term != nullptr && strcmp(term, "dumb") == 0;
  Console console{std::cout, std::cerr, isatty(STDERR_FILENO) == 1 && !dumb};
  if (const size_t columns = TerminalColumns(STDERR_FILENO); columns > 0) console.width = static_cast<int>(columns);
  console.tables.width = OutputColumns();
  console.out_live = isatty(STDOUT_FILENO) == 1 && !dumb;
  const char* no_color = getenv("NO_COLOR");
  const bool may_color = no_color == nullptr || *no_color == '\0';
  console.color = console.live && may_color;
  console.tables.color = console.out_live && may_color;
  return console;
}

Console Console::WithColor(std::string_view when) const {
  Console console = *this;
  if (when != "auto") console.color = console.tables.color = when == "always";
  return console;
}

Console Console::WithJsonProgress() const {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  Console console = *this;
  console.json_progress = true;
  console.live = false;
  return console;
}

absl::Status ExitWith(ExitCode code, std::string_view message) {
  return ExitWith(code, absl::UnknownError(ToAbsl(message)));
}

absl::Status ExitWith(ExitCode code, const absl::Status& status) {
  absl::Status marked = status;
  marked.SetPayload(kPayload, absl::Cord(absl::AlphaNum(static_cast<int>(code)).Piece()));
  return marked;
}

ExitCode ExitCodeOf(const absl::Status& status) {
  if (status.ok()) return ExitCode::kOk;
  if (auto payload = status.GetPayload(kPayload)) {
    std::string text(*payload);
    int code = 0;
    std::from_chars(text.data(), text.data() + text.size(), code);
    return static_cast<ExitCode>(code);
  }
  if (absl::IsInvalidArgument(status)) return ExitCode::kUsage;
  if (absl::IsUnavailable(status)) return ExitCode::kServer;
  if (absl::IsUnauthenticated(status)) return ExitCode::kCertificate;
  return ExitCode::kNoResult;
}

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
