// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of records as the coordinator writes them, and what must be true of the log afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "db/tuning_log.h"

namespace mmtune::testing {

/// Inserts job-1 unless it is there; its id.
absl::StatusOr<int64_t> EnsureJob(TuningLog& log);

/// Without Begin and Commit: candidates, attempts and records of the numbers first … last, whose worker names the
/// group. On an error the caller rolls back.
absl::Status WriteGroup(TuningLog& log, int64_t job_id, int64_t first, int64_t last);

/// Begin, WriteGroup, Commit; rolled back on an error.
absl::Status CommitGroup(TuningLog& log, int64_t job_id, int64_t first, int64_t last);

struct Group {
  int64_t first = 0;
  int64_t last = 0;
};

/// Fails the test unless the database is sound (integrity, foreign keys) and every group is whole or absent. Returns
/// how many records of the groups in `acked` are missing.
int64_t CheckLog(const std::string& path, const std::vector<Group>& acked);

}  // namespace mmtune::testing
