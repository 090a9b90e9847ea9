// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The progress of a job: on a terminal a panel that is rewritten in place, elsewhere a plain line now and then.
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

/// Says how progress is written, and what it counts from.
struct ProgressOptions {
  bool live = false;                     ///< Rewrites a panel on a terminal.
  bool json = false;                     ///< Writes JSON objects for a program (ProgressJson()); not with `live`.
  int width = 80;                        ///< Columns of the terminal.
  bool color = false;                    ///< The panel has colours.
  bool quiet = false;                    ///< Writes nothing.
  double seconds_limit = 0;              ///< The job's time limit; 0: none.
  std::optional<TimePoint> began;        ///< The begin of the time elapsed; absent: when the printer is made.
  std::optional<MatmulProblem> problem;  ///< The panel shows the best schedule for it, and the history.
};

/// Returns "12/64  10 ok  1 rejected  1 failed  0 wrong  best 12.3 GFLOP/s  1 min 20 s left". Negative `seconds_left`
/// are unknown.
std::string ProgressText(const v1::JobProgress& progress, double seconds_left);

/// How far a search has come, for programs that follow it.
struct ProgressCounts {
  int64_t done = 0;     ///< Schedules with a result, those of the log included.
  int64_t planned = 0;  ///< How many there will be; 0: no limit.
  int64_t failed = 0;   ///< How many of `done` gave no valid time; skipped ones are not among them.
  double best_ns = 0;   ///< The best time so far of the problem, or of all matmuls of a model; 0: none.
};

/// Returns {"done":12,"planned":64,"failed":1,"best_ns":1290000.0}, without a line end.
std::string ProgressJson(const ProgressCounts& counts);
/// Returns {"note":"..."}, without a line end.
std::string NoteJson(std::string_view text);

/// Estimates the seconds until the job ends from its limits and its pace; negative if unknown. Candidates answered from
/// the log take no time.
double SecondsLeft(const v1::JobProgress& progress, double seconds_limit);

/// True if a candidate with this outcome failed to compile, launch or run: for all but ok, rejected, wrong_result and
/// skipped.
bool IsFailure(std::string_view outcome);
/// Returns how many candidates failed.
int64_t FailedCount(const v1::JobProgress& progress);
/// Returns how many candidates had the outcome.
int64_t OutcomeCount(const v1::JobProgress& progress, std::string_view outcome);

/// Returns a bar of `width` characters, of which `share` (0 to 1) is full, to an eighth of a character.
std::string BarText(double share, size_t width);

/// Returns the best so far after each trial as at most `width` block characters, from the lowest (0) to the highest
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

  /// Adds what follows the job to the time left.
  void ExpectAfter(double seconds) { seconds_after_ = seconds; }
  /// Sets how long the job takes from now on, for the time left until its pace is known.
  void Expect(double seconds) { expected_end_ = clock_.Now() + FromSeconds(seconds); }
  /// Takes the new state. Rewrites the panel at most ten times a second. Writes a plain line when another tenth is done
  /// or some seconds have passed.
  void Update(const v1::JobProgress& progress);
  /// Lets the times of the panel go on. Call it often.
  void Tick();
  /// Writes a line that says what the job waits for, in place of the panel, once while it stays the same.
  void Waiting(std::string_view line);
  /// Writes a line of its own above the panel.
  void Note(std::string_view text);
  /// Writes the last state if it has not been written, and removes the panel.
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
  /// True if the job is done, and only the comparison that follows it is left.
  bool OnlyAfter() const;
  /// Returns the seconds until everything ends, of what is known now; negative if unknown.
  double Left() const;
  /// Keeps the best so far of the trials done since the last update.
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
