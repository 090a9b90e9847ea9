// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the jobs of one model, which share their trials (v1::ModelShare), from submission to their end.
#pragma once

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "server/tune/session/session.h"

namespace mmtune {

/// The end of the jobs of a model, as far as they were followed.
struct ModelRunResult {
  std::vector<v1::Job> jobs;       ///< The last known states, in the order of the requests.
  std::vector<double> present_ns;  ///< The times of ModelShare::present; 0 for one that was not measured.
  bool interrupted = false;        ///< Ctrl-C ended them.
  absl::Status status;             ///< Not OK: why they ended early, with an exit code.
};

/// Submits the jobs and follows them until all have ended, Ctrl-C cancels them, or the worker or the coordinator is
/// lost. Calls `show` when their progress changed, at most every half second, and `note` with lines about the worker.
/// Returns an error if a submission fails; the jobs before it are cancelled then.
absl::StatusOr<ModelRunResult> RunModelJobs(Session& session, const std::vector<v1::JobSpec>& specs,
                                            const std::function<void(const ModelRunResult&)>& show,
                                            const std::function<void(std::string_view)>& note);

}  // namespace mmtune
