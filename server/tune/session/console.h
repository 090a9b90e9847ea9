// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The terminal or program that started a command: the streams that the command writes, the exit code that it ends with,
// and the interrupts that it gets.
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
  bool live = false;  ///< `err` is a terminal.
  int width = 80;     ///< Columns of that terminal.
  /// The style of tables on `out`. Its width is $COLUMNS, or the columns of the terminal; 0: no limit.
  TableStyle tables;
  bool out_live = false;  ///< `out` is a terminal that understands cursor movements.
  bool color = false;     ///< The progress on `err` has colours.
  /// Progress and notes on `err` are JSON objects, one on a line, for a program that started this one.
  bool json_progress = false;

  /// Returns standard output and error of the process. Terminals have colours unless $NO_COLOR is set and not empty.
  static Console Standard();
  /// Returns the console with colours on both streams ("always"), on none ("never"), or as it is ("auto").
  Console WithColor(std::string_view when) const;
  /// Returns the console with `json_progress`. When the thread that started this process ends, the process gets SIGTERM
  /// from now on, so that no command goes on for a program that has crashed.
  Console WithJsonProgress() const;
};

/// Returns an error that ends the program with `code`.
absl::Status ExitWith(ExitCode code, std::string_view message);

/// Returns the same error, which ends the program with `code`; OK stays OK.
absl::Status ExitWith(ExitCode code, const absl::Status& status);

/// Returns the code of ExitWith(); otherwise kOk for OK, kUsage for InvalidArgument, kServer for Unavailable,
/// kCertificate for Unauthenticated, kNoResult for the rest.
ExitCode ExitCodeOf(const absl::Status& status);

/// Catches SIGINT and SIGTERM while it exists; at most one exists. The first signal asks the command to stop, and ends
/// the program after 20 s; the second ends it at once. Child processes die with the program (PDEATHSIG).
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
