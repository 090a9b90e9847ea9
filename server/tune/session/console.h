// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of a command to the terminal or program that started it: the streams that it writes, its exit code, and
// interrupts such as Ctrl-C.
#pragma once

#include <csignal>
#include <ostream>
#include <string_view>

#include "absl/status/status.h"
#include "proto/base/exit_code.h"
#include "server/tune/report/table.h"

namespace mmtune {

/// The streams of a command: results go to one, progress and errors to the other.
struct Console {
  std::ostream& out;  ///< Results.
  std::ostream& err;  ///< Progress and errors.
  bool live = false;  ///< True if `err` is a terminal.
  int width = 80;     ///< The number of columns of that terminal.
  /// The style of tables on `out`. Its width is $COLUMNS, or the columns of the terminal; 0: no limit.
  TableStyle tables = {};
  bool out_live = false;  ///< True if `out` is a terminal that understands cursor movements.
  bool color = false;     ///< True if the progress on `err` has colours.
  /// True if progress and notes on `err` are JSON objects, one on each line, for a program that started this one.
  bool json_progress = false;

  /// Returns standard output and error of the process. Terminals have colours unless $NO_COLOR is set and not empty.
  static Console Standard();
  /// Returns the console with colours on both streams if `when` is "always", without colours if it is "never", and
  /// unchanged if it is "auto".
  Console WithColor(std::string_view when) const;
  /// Returns the console with `json_progress` set. Also makes the kernel send SIGTERM to this process when the thread
  /// that started it ends, so that a command does not continue if the program that started it has crashed.
  Console WithJsonProgress() const;
};

/// Returns an error that ends the program with `code`.
absl::Status ExitWith(ExitCode code, std::string_view message);

/// Returns the error `status`, changed so that it ends the program with `code`. Returns OK for OK.
absl::Status ExitWith(ExitCode code, const absl::Status& status);

/// Returns the exit code for a status. It is the code that ExitWith() has set. Without one, it is kOk for OK, kUsage
/// for InvalidArgument, kServer for Unavailable, kCertificate for Unauthenticated, and kNoResult for all other errors.
ExitCode ExitCodeOf(const absl::Status& status);

/// Catches SIGINT and SIGTERM while it exists. At most one object may exist. After the first signal, Requested() tells
/// the command to stop; if it is still running after 20 s, the program ends. The second signal ends the program at
/// once. Child processes end with the program (PR_SET_PDEATHSIG).
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// True if a signal came since the guard was made. Thread-safe.
  static bool Requested();

 private:
  struct sigaction old_int_;
  struct sigaction old_term_;
};

}  // namespace mmtune
