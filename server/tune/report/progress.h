// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows the progress of a job. On a terminal, it is a panel that is rewritten in place; elsewhere, a line at intervals.
// The panel:
//
//   ████████████▌░░░░░░░░░░░░░░░░░  10/24  26 s elapsed, about 1 min 12 s left
//   trials    9 ok, 1 rejected, 2 in work
//   best      13.1 GFLOP/s: fma, block tile 64x256x64, thread tile 8x8, 2 stages
//   history   ▁▆▇▇█████  best so far after each trial: ▁ 0, █ 13.1 GFLOP/s
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The options of a ProgressPrinter.
struct ProgressOptions {
  bool live = false;         ///< True to rewrite a panel on a terminal.
  bool json = false;         ///< True to write JSON objects for a program (ProgressJson()). Not together with `live`.
  int width = 80;            ///< Columns of the terminal.
  bool color = false;        ///< True if the panel has colours.
  bool quiet = false;        ///< True to write nothing.
  double seconds_limit = 0;  ///< The job's time limit; 0: none.
  std::optional<TimePoint> began;  ///< The start of the elapsed time; absent: the time at which the printer is made.
  std::optional<MatmulProblem> problem;  ///< If set, the panel also shows the best schedule, and the history.
};

/// Returns "12/64  10 ok  1 rejected  1 failed  0 wrong  best 12.3 GFLOP/s  1 min 20 s left". `seconds_left` is
/// negative if it is not known.
std::string ProgressText(const v1::JobProgress& progress, double seconds_left);

/// The progress of a search, for programs that follow it.
struct ProgressCounts {
  int64_t done = 0;     ///< The number of schedules with a result, including results from the log.
  int64_t planned = 0;  ///< The number of schedules that there will be; 0: no limit.
  int64_t failed = 0;   ///< The number of those in `done` that gave no valid time. Skipped ones do not count.
  double best_ns = 0;   ///< The best time so far of the problem, or of all matmuls of a model; 0: none.
};

/// Returns {"done":12,"planned":64,"failed":1,"best_ns":1290000.0}, without a line end.
std::string ProgressJson(const ProgressCounts& counts);
/// Returns {"note":"..."}, without a line end.
std::string NoteJson(std::string_view text);

/// Estimates the seconds until the job ends, from its limits and the mean time of a candidate so far. `seconds_limit`
/// is 0 if there is no limit of time. Returns a negative number if the time is unknown. Candidates with a result from
/// the log count as taking no time.
double SecondsLeft(const v1::JobProgress& progress, double seconds_limit);

/// True for every outcome except ok, rejected, wrong_result and skipped: the candidate failed to compile, launch or
/// run, or its time does not count (unstable, suspect).
bool IsFailure(std::string_view outcome);
/// Returns how many candidates failed.
int64_t FailedCount(const v1::JobProgress& progress);
/// Returns how many candidates had the outcome.
int64_t OutcomeCount(const v1::JobProgress& progress, std::string_view outcome);

/// Returns a bar of `width` characters, of which the fraction `share` (0 to 1) is filled, with a resolution of an
/// eighth of a character.
std::string BarText(double share, size_t width);

/// Returns a curve of at most `width` block characters, whose height is the best speed so far after each trial, from 0
/// to the final best. If there are more trials than characters, a character stands for several trials, and shows the
/// best after the last of them.
std::string ConvergenceText(const std::vector<double>& best_gflops, size_t width);

/// Writes the progress of a job. Not thread-safe. Removes the panel when destroyed.
class ProgressPrinter {
 public:
  /// `out` and `clock` must outlive the printer.
  ProgressPrinter(std::ostream& out, const Clock& clock, const ProgressOptions& options);
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  /// Sets the seconds that work after the job will take. They are added to the time left.
  void ExpectAfter(double seconds) { seconds_after_ = seconds; }
  /// Sets an estimate of how long the job takes from now on. It is used for the time left until the first candidates
  /// are done.
  void Expect(double seconds) { expected_end_ = clock_.Now() + FromSeconds(seconds); }
  /// Takes the new progress. A panel is rewritten at most ten times a second. A plain line is written when another
  /// tenth of the schedules is done, or some seconds have passed.
  void Update(const v1::JobProgress& progress);
  /// Updates the times that the panel shows. Must be called often.
  void Tick();
  /// Writes a line that says what the job waits for, in place of the panel. Does nothing if the same line was written
  /// last.
  void Waiting(std::string_view line);
  /// Writes a line of its own above the panel.
  void Note(std::string_view text);
  /// Writes the last progress if it has not been written, and removes the panel.
  void Finish();

 private:
  void WriteLive(const std::vector<std::string>& lines);
  void WritePanel();
  void ClearLive();
  std::vector<std::string> PanelLines() const;
  /// Returns the first line of the panel: how much is done, and the times.
  std::string TimesLine() const;
  std::string PlainLine() const;
  std::string JsonLine() const;
  /// True if all schedules are done, and only the work of ExpectAfter() is left.
  bool OnlyAfter() const;
  /// Returns the estimated seconds until the job and the work after it end; negative if unknown.
  double Left() const;
  /// Stores the best speed so far for the trials that were done since the last update.
  void KeepBest();
  bool PlainDue() const;

  std::ostream& out_;
  const Clock& clock_;
  const ProgressOptions options_;
  const TimePoint began_;
  v1::JobProgress latest_;
  double seconds_after_ = 0;
  std::optional<TimePoint> expected_end_;
  std::string waiting_;
  TimePoint updated_at_;  ///< The time of `latest_`.
  TimePoint written_at_;
  int64_t written_done_ = 0;
  bool written_once_ = false;
  bool dirty_ = false;
  size_t lines_open_ = 0;
  std::vector<double> best_gflops_;  ///< The best so far after each trial.
};

}  // namespace mmtune
