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
#include "server/tune/session/job_watch.h"
#include "server/tune/session/session.h"

namespace mmtune {

/// A job to run, and how its progress is shown.
struct JobRunOptions {
  v1::JobSpec spec;
  bool quiet = false;  ///< True to show no progress.
  /// The first line of the progress; empty: the problem, the device and the size of the search space.
  std::string title;
  /// The start of the elapsed time that the progress shows; absent: the start of the job.
  std::optional<TimePoint> began;
  int64_t comparisons_after = 0;  ///< The number of comparisons after the job. The time left includes them.
  /// Called once for each finished candidate, whether it was measured or its result came from the log. May be empty.
  std::function<void(const TuningRecord& record)> on_record;
};

/// The result of a job.
struct JobRunResult : JobsEnd {
  v1::Job job;                 ///< The job with its last known state.
  bool missed_events = false;  ///< True if some events were missed. Their records are in the log only.
};

/// Submits the job and follows it until it ends, Ctrl-C cancels it, or the local worker ends. Returns an error if the
/// submission fails.
absl::StatusOr<JobRunResult> RunJob(Session& session, const JobRunOptions& options, const Console& console);

/// Waits until a worker with a device for the job has registered. Returns the device, with the architecture for which
/// the job generates code. Errors have exit codes (console.h).
absl::StatusOr<DeviceInfo> AwaitDevice(Session& session, const v1::JobSpec& spec);

/// Returns "1024x1024x1024 f32".
std::string ProblemText(const v1::MatmulProblem& problem);

/// The result of a tuning job.
struct TuningResult {
  JobRunResult run;
  BestRecords best;
  size_t finalists = 0;       ///< The number of schedules that were compared at the end; 0: none.
  double finals_seconds = 0;  ///< The time that the comparison took.
  TimePoint began = Clock::Real().Now();
  std::string log_text;          ///< The log as text: Session::log_text(), such as its path.
  std::optional<HostLoad> load;  ///< The load of this host before the run; absent if a server measured.
  /// The number of schedules that the job did not measure, for each reason: the lower bound of their time that was too
  /// high, or kNotChosen (compiled, then not chosen). Counts only events that were received.
  SkippedBounds skipped;
};

/// Opens a session, and runs the job `spec`. If the coordinator is in another process (Session::joined()) and ends,
/// opens another session and continues; all results are in the log. Unverified schedules are ranked if
/// `allow_unverified` is set or the job does not verify. Then compares the `finalists` fastest schedules; nothing is
/// compared if that is less than 2. Returns the errors of RunInSession() and of RunJob().
absl::StatusOr<TuningResult> RunTuning(const SessionOptions& session, const v1::JobSpec& spec, int64_t finalists,
                                       bool quiet, const Console& console, bool allow_unverified = false);

/// Runs a job that compares the `count` fastest schedules of `result` with one of them, the reference. That is
/// KnownReference(): the schedule with which the log has compared most of the others already or, if there are no
/// comparisons, the fastest. Comparisons that the log has are not repeated. If the job is interrupted or fails,
/// `result.run` says so, and the comparisons made before are kept.
void RunFinals(Session& session, const v1::JobSpec& spec, size_t count, bool quiet, const Console& console,
               TuningResult& result);

/// Adds records of the log to `best` if the run missed events, or if `best` does not contain the job's best schedule.
/// These are the records of the job's problem, families and class of devices. Records that are faster than the job's
/// best are left out, because they must be of other jobs. Changes nothing if the coordinator does not answer.
void AddMissedRecords(TuningClient& client, const JobRunResult& run, BestRecords& best);

}  // namespace mmtune
