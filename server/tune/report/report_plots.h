// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plots of the page (report.js), one by one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "server/tune/report/plot.h"
#include "server/tune/report/report_records.h"

namespace mmtune {

/// What `--plot` takes, for the help.
inline constexpr char kPlotNames[] =
    "convergence (or convergence:seconds), landscape (or landscape:bm,bn), roofline, samples, phases";

/// InvalidArgument: no such plot, or no such parameter. `jobs` are in the order of their uuids.
absl::StatusOr<Plot> MakePlot(std::string_view name, const ReportGroup& group, const std::vector<JobRow>& jobs);

}  // namespace mmtune
