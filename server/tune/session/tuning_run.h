// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a tuning job from submission to its end, then compares its fastest schedules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/types/measurement.h"
#include "server/tune/report/best_records.h"
#include "server/tune/report/noise.h"
#include "server/tune/report/schedule_table.h"
#include "server/tune/session/console.h"
#include "server/tune/session/session.h"

namespace mmtune {

/// A job to run, and how its progress is shown.
struct JobRunOptions {
  v1::JobSpec spec;
  bool quiet = false;
  std::string title;               ///< First line of the progress; empty: the problem, the device and the space.
  std::optional<TimePoint> began;  ///< The begin of the time that the progress shows; absent: that of the job.
  int64_t comparisons_after = 0;   ///< Comparisons that follow the job, for the time left in the progress.
  /// Called once for each finished candidate, be it measured or answered by the log.
  std::function<void(const TuningRecord& record)> on_record;
};

/// The end of a job, as far as it was followed.
struct JobRunResult {
  v1::Job job;                    ///< Its last known state.
  bool interrupted = false;       ///< Ctrl-C ended it.
  bool coordinator_gone = false;  ///< The coordinator ended, or marked the job interrupted, before its end.
  bool missed_events = false;     ///< Some records are only in the log.
  absl::Status status;            ///< Not OK: why the job ended early, with an exit code.
};

/// Submits the job and follows it until it ends, Ctrl-C cancels it, or the local worker ends. Returns an error if the
/// submission fails.
absl::StatusOr<JobRunResult> RunJob(Session& session, const JobRunOptions& options, const Console& console);

/// Waits until a worker has the device of a job, and returns it with the job's architecture. Errors have exit codes.
absl::StatusOr<DeviceInfo> AwaitDevice(Session& session, const v1::JobSpec& spec);

/// Returns "1024x1024x1024 f32".
std::string ProblemText(const v1::MatmulProblem& problem);

/// The result of a tuning job.
struct TuningResult {
  JobRunResult run;
  BestRecords best;
  size_t finalists = 0;       ///< Number of schedules compared at the end; 0: none.
  double finals_seconds = 0;  ///< The time of their comparison.
  TimePoint began = Clock::Real().Now();
  std::string log_text;
  std::optional<HostLoad> load;  ///< The load of this host before; absent if a server measured.
  SkippedBounds skipped;         ///< Counts of the schedules that `run` is known to have skipped.
};

/// Opens a session for `spec` and runs it. If a joined coordinator ends, continues with the next one: results are in
/// the log. Unverified schedules count if `allow_unverified` or if the job verifies none. Then compares the `finalists`
/// fastest (fewer than two: none).
absl::StatusOr<TuningResult> RunTuning(const SessionOptions& session, const v1::JobSpec& spec, int64_t finalists,
                                       bool quiet, const Console& console, bool allow_unverified = false);

/// Runs a job that compares the `count` fastest of `result` with a reference: the first of them, or the one that the
/// log has them compared with. Does not repeat comparisons of the log. If it is interrupted or fails, `result.run` says
/// so, and the comparisons made so far count.
void RunFinals(Session& session, const v1::JobSpec& spec, size_t count, bool quiet, const Console& console,
               TuningResult& result);

/// Completes `best` from the log if the run missed events or `best` lacks the job's best schedule: adds the records of
/// the job's problem, families and class of devices. Leaves out records faster than the job's best, which are of other
/// jobs. Changes nothing if the coordinator does not answer.
void AddMissedRecords(TuningClient& client, const JobRunResult& run, BestRecords& best);

}  // namespace mmtune
