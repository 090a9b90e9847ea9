// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the page of `tune report` shows, as the JSON that its script reads (page/report.js).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/tuning_log.h"
#include "nlohmann/json.hpp"
#include "server/tune/report/report_comparison.h"
#include "server/tune/report/report_groups.h"

namespace mmtune {

/// The other log of a comparison.
struct ReportComparison {
  std::string log;
  std::vector<GroupComparison> groups;
};

/// Every record of `groups` is in it, with its schedule, times, phases and prediction; of the fastest of each group
/// also the histograms of their samples. `jobs`, in the order of their uuids, may lack some, as those of imported
/// records: these are named by their uuid. `left_out` says which records are not in `groups`; empty: none.
nlohmann::ordered_json ReportData(const std::string& log, int64_t made_unix_millis,
                                  const std::vector<ReportGroup>& groups, const std::vector<JobRow>& jobs,
                                  const std::optional<ReportComparison>& comparison, const std::string& left_out = "");

}  // namespace mmtune
