// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What workers report: results, failures, leases handed back, and what comes too late. Called as the coordinator is.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "mmtune/v1/work_queue.pb.h"
#include "server/candidate_ledger.h"
#include "server/job_runner.h"
#include "server/record_maker.h"
#include "server/worker_registry.h"

namespace mmtune {

/// Not thread-safe.
class ReportTaker {
 public:
  /// All but `maker` are used, not owned, and must outlive the taker.
  ReportTaker(TuningLog& log, CandidateLedger& ledger, WorkerRegistry& workers, JobRunner& jobs, RecordMaker maker)
      : log_(log), ledger_(ledger), workers_(workers), jobs_(jobs), maker_(std::move(maker)) {}

  /// A token counts only from the worker that leased it. Returns storage failures only.
  absl::StatusOr<v1::ReportStatus> Take(const std::string& worker_id, const v1::CandidateReport& report);

 private:
  absl::Status TakeResult(const LiveLease& lease, const v1::CandidateReport& report, v1::ReportStatus& status);
  absl::Status TakeFailure(const LiveLease& lease, std::string_view why);
  absl::Status TakeLate(const std::string& worker_id, const v1::CandidateReport& report, v1::ReportStatus& status);
  /// Of a candidate that is no longer leased. NotFound for one that the log has never seen or cannot read.
  absl::StatusOr<CandidatePlace> Locate(int64_t candidate_id);

  TuningLog& log_;
  CandidateLedger& ledger_;
  WorkerRegistry& workers_;
  JobRunner& jobs_;
  const RecordMaker maker_;
};

}  // namespace mmtune
