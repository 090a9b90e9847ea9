// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record of what a worker reports.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "proto/types/measurement.h"
#include "server/candidate_ledger.h"
#include "server/worker_registry.h"

namespace mmtune {

/// Where a candidate belongs.
struct CandidatePlace {
  std::string job_uuid;
  MatmulProblem problem;
  Schedule schedule;
  std::string arch;  ///< Asked for; empty: the device's own.
};

/// Not thread-safe.
class RecordMaker {
 public:
  /// Both must outlive the maker. `new_token` makes the uuids.
  RecordMaker(const WorkerRegistry& workers, const Clock& clock, TokenSource new_token)
      : workers_(workers), clock_(clock), new_token_(std::move(new_token)) {}

  /// Canonical; InvalidArgument when the report makes no sense.
  absl::StatusOr<TuningRecord> Make(const v1::CandidateReport& report, const CandidatePlace& place,
                                    const std::string& worker_id, const std::string& device_uuid,
                                    int64_t attempt) const;

 private:
  const WorkerRegistry& workers_;
  const Clock& clock_;
  const TokenSource new_token_;
};

}  // namespace mmtune
