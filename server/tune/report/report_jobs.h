// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The jobs that records of a group came from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/tuning_log.h"
#include "server/tune/report/report_groups.h"

namespace mmtune {

struct ReportJob {
  std::string label;              ///< "model, seed 1 (0a1b2c3d)".
  int64_t start_unix_millis = 0;  ///< As far as the log or the phases of its records say.
};

/// By uuid. `rows` are in the order of their uuids. A job that they do not have has its uuid as its name, and begins
/// with its first record.
std::map<std::string, ReportJob> JobsOf(const ReportGroup& group, const std::vector<JobRow>& rows);

}  // namespace mmtune
