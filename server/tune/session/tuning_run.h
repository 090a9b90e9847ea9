// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tuning job run to its end, then the comparison of its fastest schedules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "server/tune/report/best_records.h"
#include "server/tune/report/skipped_bounds.h"
#include "server/tune/session/console.h"
#include "server/tune/session/job_run.h"
#include "server/tune/session/session.h"

namespace mmtune {

/// A tuning job run to its end, and what it found.
struct TuningResult {
  JobRunResult run;
  BestRecords best;
  size_t finalists = 0;       ///< Compared, or to be; 0: none.
  double finals_seconds = 0;  ///< What comparing them took.
  std::string log_text;
  SkippedBounds skipped;  ///< Of the schedules that `run` skipped, as far as it was told.
};

/// Opens a session for `spec` and runs it. When a coordinator that was joined goes away, goes on with the next one:
/// what was measured is in the log. Schedules that were not proven count where `allow_unproven` or the job wants no
/// proof. The `finalists` fastest (fewer than two: none) are then compared.
absl::StatusOr<TuningResult> RunTuning(const SessionOptions& session, const v1::JobSpec& spec, int64_t finalists,
                                       bool quiet, const Console& console, bool allow_unproven = false);

/// A job of its own: the `count` fastest of `result` against the first of them, or against the one that the log has
/// them compared with: the rival of `result.best`. Comparisons that the log holds are not made again. When it is
/// interrupted, or cannot be run to its end, `result.run` says so, and the comparisons made so far count.
void RunFinals(Session& session, const v1::JobSpec& spec, size_t count, bool quiet, const Console& console,
               TuningResult& result);

/// Looks up in the log what the event stream has skipped. Completes `best` when the run saw fewer events than there
/// were, or does not hold the job's best schedule: adds the log's records of the job's problem, families and class of
/// device. One faster than the job's best is not the job's and is left out. Without an answer from the coordinator
/// `best` stays as it is.
void AddMissedRecords(TuningClient& client, const JobRunResult& run, BestRecords& best);

}  // namespace mmtune
