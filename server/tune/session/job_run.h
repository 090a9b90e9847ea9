// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One job from submission to its end, with progress.
#pragma once

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/types/measurement.h"
#include "server/tune/session/console.h"
#include "server/tune/session/session.h"

namespace mmtune {

struct JobRunOptions {
  v1::JobSpec spec;
  bool quiet = false;
  std::string title;  ///< What the first line of the progress says; empty: the problem, the device and the space.
  /// Called once for each finished candidate, measured or answered by the log.
  std::function<void(const TuningRecord& record)> on_record;
};

struct JobRunResult {
  v1::Job job;                    ///< As last seen.
  bool interrupted = false;       ///< By Ctrl-C.
  bool coordinator_gone = false;  ///< It went away, or marked the job interrupted, before the job was done.
  bool missed_events = false;     ///< Events of some candidates were missed: their records are in the log only.
  absl::Status status;            ///< Not OK: the job ended early, and why, with an exit code.
};

/// Submits the job and watches it until it ends, until Ctrl-C (which cancels it), or until the local worker ends. An
/// error is that of the submission.
absl::StatusOr<JobRunResult> RunJob(Session& session, const JobRunOptions& options, const Console& console);

/// "1024x1024x1024 f32".
std::string ProblemText(const v1::MatmulProblem& problem);

}  // namespace mmtune
