// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The progress of a job: a live panel on a terminal, elsewhere a plain line now and then.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"

namespace mmtune {

struct ProgressOptions {
  bool live = false;         ///< A terminal: rewrite the panel.
  int width = 80;            ///< Columns of the terminal.
  bool quiet = false;        ///< Write nothing.
  double seconds_limit = 0;  ///< Of the job; 0: none.
};

/// "12/64  10 ok  1 rejected  1 failed  0 wrong  best 12.3 GFLOPS  1 min 20 s left".
std::string ProgressText(const v1::JobProgress& progress, double seconds_limit);

/// The estimated seconds until the job ends, from its limits and its pace; negative when unknown. Candidates answered
/// from the log count as taking no time.
double SecondsLeft(const v1::JobProgress& progress, double seconds_limit);

/// Candidates that failed to compile, launch or run: everything but ok, rejected, wrong_result and skipped.
int64_t FailedCount(const v1::JobProgress& progress);
int64_t OutcomeCount(const v1::JobProgress& progress, std::string_view outcome);

/// The best so far after each trial, at most `width` characters from "_" (a tenth of the last, or less) to "#" (the
/// last): each is the highest of the trials that it stands for.
std::string ConvergenceText(const std::vector<double>& best_gflops, size_t width);

/// Not thread-safe. Ends the panel when destroyed.
class ProgressPrinter {
 public:
  /// `out` and `clock` must outlive the printer.
  ProgressPrinter(std::ostream& out, const Clock& clock, const ProgressOptions& options);
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  /// Something changed. The panel is rewritten at most ten times a second: counts, the best schedule so far, how it
  /// came to be, and how many are in work. A plain line is written when another tenth is done or some seconds have
  /// passed.
  void Update(const v1::JobProgress& progress);
  /// Writes what the job waits for, once while it stays the same.
  void Waiting(std::string_view why);
  /// A line of its own, above the panel.
  void Note(std::string_view text);
  /// Writes the last state if it has not been written, and takes the panel away.
  void Finish();

 private:
  void WriteLive(const std::vector<std::string>& lines);
  void ClearLive();
  std::vector<std::string> PanelLines() const;
  /// Of the trials done since the last update, too.
  void KeepBest();
  bool PlainDue() const;

  std::ostream& out_;
  const Clock& clock_;
  const ProgressOptions options_;
  v1::JobProgress latest_;
  std::string waiting_;
  TimePoint written_at_;
  int64_t written_done_ = 0;
  bool written_once_ = false;
  bool dirty_ = false;
  size_t lines_open_ = 0;
  std::vector<double> best_gflops_;  ///< After each trial.
};

}  // namespace mmtune
