// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the jobs of one model, which share their trials (v1::ModelShare), from submission to their end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "server/tune/session/job_watch.h"
#include "server/tune/session/session.h"

namespace mmtune {

/// The result of the jobs of a model.
struct ModelRunResult : JobsEnd {
  std::vector<v1::Job> jobs;       ///< The jobs with their last known states, in the order of the requests.
  std::vector<double> present_ns;  ///< The measured times of the schedules that the model uses now
                                   ///< (ModelShare::present); 0 if not measured.
  std::string toolchain;           ///< The digest of the toolchain of the newest result; empty without results.
};

/// Submits the jobs and follows them until all have ended, Ctrl-C cancels them, or the worker or the coordinator is
/// lost. Calls `show` when their progress has changed, at most every half second, and `note` with lines for the user,
/// such as that the worker waits. Returns an error if a submission fails; the jobs that were submitted before are then
/// cancelled.
absl::StatusOr<ModelRunResult> RunModelJobs(Session& session, const std::vector<v1::JobSpec>& specs,
                                            const std::function<void(const ModelRunResult&)>& show,
                                            const std::function<void(std::string_view)>& note);

}  // namespace mmtune
