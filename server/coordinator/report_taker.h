// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What workers report: results, failures, leases handed back, and what comes too late. The rules for calling are the
// coordinator's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "server/coordinator/candidate_ledger.h"
#include "server/coordinator/job_runner.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

/// Where a candidate belongs.
struct CandidatePlace {
  std::string job_uuid;
  MatmulProblem problem;
  Schedule schedule;
  std::string arch;  ///< Asked for; empty: the device's own.
};

/// Everything is used, not owned, and must outlive the taker.
struct ReportTakerDeps {
  TuningLog& log;
  const Clock& clock;
  CandidateLedger& ledger;
  WorkerRegistry& workers;
  JobRunner& jobs;
  TokenSource new_token;   ///< Makes the uuids of records.
  bool quarantine = true;  ///< Workers whose results are not believed get no more leases.
};

/// Not thread-safe.
class ReportTaker {
 public:
  explicit ReportTaker(ReportTakerDeps deps) : deps_(std::move(deps)) {}

  /// A token counts only from the worker that leased it. Returns storage failures only.
  absl::StatusOr<v1::ReportStatus> Take(const std::string& worker_id, const v1::CandidateReport& report);

 private:
  absl::Status TakeResult(const LiveLease& lease, const v1::CandidateReport& report, v1::ReportStatus& status);
  /// Why the record is too good to be true; empty: it is not.
  std::string DoubtOf(const TuningRecord& record, const Claim& claim, const TuningJob& job) const;
  /// Kept in the log, non-canonical; the candidate waits for another worker.
  absl::Status TakeUnbelieved(const LiveLease& lease, TuningRecord record, Claim claim, std::string_view why);
  /// After the last word on a candidate, that of `record`: whoever enough others contradict goes into quarantine.
  absl::Status Judge(const std::vector<Claim>& all, const TuningRecord& record);
  /// Of a worker in quarantine: kept as suspect, and counts for nothing.
  absl::Status TakeDiscounted(const LiveLease& lease, TuningRecord record);
  /// Stores the record as one that is not canonical, and closes the lease by `close`.
  absl::Status KeepAside(const LiveLease& lease, TuningRecord record, absl::FunctionRef<absl::Status()> close);
  absl::Status Quarantine(const std::string& worker, const std::string& why);
  absl::Status Note(const WorkerNote& note);
  absl::Status TakeFailure(const LiveLease& lease, std::string_view why);
  absl::Status TakeLate(const std::string& worker_id, const v1::CandidateReport& report, v1::ReportStatus& status);
  /// Whether a late record decides about its candidate: the worker was silent, not lost, and has measured what nobody
  /// else has yet. Who did so does not lose it to the verdict that it ends workers.
  bool IsStillAwaited(const AttemptRow& attempt, const TuningRecord& record) const;
  /// For a candidate that is no longer leased. NotFound for one that the log has never seen or cannot read.
  absl::StatusOr<CandidatePlace> Locate(int64_t candidate_id);

  /// The record of a result, canonical. InvalidArgument when the report makes no sense.
  absl::StatusOr<TuningRecord> MakeRecord(const v1::CandidateReport& report, const CandidatePlace& place,
                                          const std::string& worker_id, const std::string& device_uuid,
                                          int64_t attempt) const;

  const ReportTakerDeps deps_;
};

}  // namespace mmtune
