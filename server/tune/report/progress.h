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
  bool live = false;         ///< Rewrites a panel on a terminal.
  int width = 80;            ///< Columns of the terminal.
  bool quiet = false;        ///< Writes nothing.
  double seconds_limit = 0;  ///< The job's time limit; 0: none.
};

/// Returns "12/64  10 ok  1 rejected  1 failed  0 wrong  best 12.3 GFLOPS  1 min 20 s left".
std::string ProgressText(const v1::JobProgress& progress, double seconds_limit);

/// Estimates the seconds until the job ends from its limits and its pace; negative if unknown. Candidates answered from
/// the log take no time.
double SecondsLeft(const v1::JobProgress& progress, double seconds_limit);

/// Returns how many candidates failed to compile, launch or run: all but ok, rejected, wrong_result and skipped.
int64_t FailedCount(const v1::JobProgress& progress);
int64_t OutcomeCount(const v1::JobProgress& progress, std::string_view outcome);

/// Returns the best so far after each trial as at most `width` characters from "_" (at most a tenth of the last) to "#"
/// (the last). Each is the highest of its trials.
std::string ConvergenceText(const std::vector<double>& best_gflops, size_t width);

/// Writes the progress of a job. Not thread-safe. Removes the panel when destroyed.
class ProgressPrinter {
 public:
  /// `out` and `clock` must outlive the printer.
  ProgressPrinter(std::ostream& out, const Clock& clock, const ProgressOptions& options);
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  /// Takes the new state. Rewrites the panel at most ten times a second: counts, the best schedule so far, its history,
  /// and candidates in work. Writes a plain line when another tenth is done or some seconds have passed.
  void Update(const v1::JobProgress& progress);
  /// Writes what the job waits for, once while it stays the same.
  void Waiting(std::string_view why);
  /// Writes a line of its own above the panel.
  void Note(std::string_view text);
  /// Writes the last state if it has not been written, and removes the panel.
  void Finish();

 private:
  void WriteLive(const std::vector<std::string>& lines);
  void ClearLive();
  std::vector<std::string> PanelLines() const;
  /// Keeps the best so far of the trials done since the last update.
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
  std::vector<double> best_gflops_;  ///< The best so far after each trial.
};

}  // namespace mmtune
