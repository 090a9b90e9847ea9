// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the event stream skipped, looked up in the log.
#pragma once

#include "server/cli/best_records.h"
#include "server/cli/job_run.h"
#include "server/cli/tuning_client.h"

namespace mmtune {

/// Completes `best` when the run saw fewer events than there were, or does not hold the job's best schedule: adds the
/// log's records of the job's problem, families and class of device. One faster than the job's best is not the job's
/// and is left out. Without an answer from the coordinator `best` stays as it is.
void AddMissedRecords(TuningClient& client, const JobRunResult& run, BestRecords& best);

}  // namespace mmtune
