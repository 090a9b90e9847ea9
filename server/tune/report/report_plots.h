// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plots of `tune report`: each made once, for the page and as a single plot.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "server/tune/report/plot.h"
#include "server/tune/report/report_records.h"

namespace mmtune {

/// The values of `--plot`, for its help.
inline constexpr char kPlotNames[] =
    "convergence (or convergence:seconds), landscape (or landscape:bm,bn), roofline, samples, phases";

/// Returns InvalidArgument if there is no such plot, no such parameter, or no ceilings for a roofline. `jobs` are in
/// the order of their uuids.
absl::StatusOr<Plot> MakePlot(std::string_view name, const ReportGroup& group, const std::vector<JobRow>& jobs);

/// Returns the histogram of one record's samples.
Plot SamplesPlot(const TuningRecord& record, const SampleHistogram& histogram);

/// Returns the parameters of the group's schedules: those that vary first, by the part of the variance of the speed
/// that each explains.
std::vector<std::string> ParametersByEffect(const ReportGroup& group);

/// Returns the names of the landscapes that a page shows, `most` at most: pairs of parameters, "landscape:bm,bn",
/// beginning with the two that have the most effect on the speed. Parameters that do not vary are in none, or in the
/// one that is there because fewer than two vary.
std::vector<std::string> LandscapeNames(const ReportGroup& group, size_t most);

/// The limits of a roofline.
struct Ceilings {
  double peak_gflops = 0;   ///< 0: the device does not report its clock.
  double dram = 0, l2 = 0;  ///< GB/s of a typical board of the architecture.
};
/// Returns nothing for the SIMT device, whose limits are not known.
std::optional<Ceilings> CeilingsOf(const ReportGroup& group);

}  // namespace mmtune
