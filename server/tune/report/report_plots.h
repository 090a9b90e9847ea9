// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the plots of `tune report`, for its HTML page and for its option --plot. A group (ReportGroup) is the records
// of one problem, class of devices and regime, whose times may be compared.
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

/// Makes the plot with this name (kPlotNames). `jobs` must be sorted by uuid. Returns InvalidArgument if there is no
/// such plot or parameter, or if a roofline has no ceilings (CeilingsOf()).
absl::StatusOr<Plot> MakePlot(std::string_view name, const ReportGroup& group, const std::vector<JobRow>& jobs);

/// Returns the histogram of one record's samples.
Plot SamplesPlot(const TuningRecord& record, const SampleHistogram& histogram);

/// Returns the names of the parameters of the group's schedules, sorted by the fraction of the variance of the speed
/// that each explains, the greatest first. Parameters that do not vary come last.
std::vector<std::string> ParametersByEffect(const ReportGroup& group);

/// A landscape ("landscape:bm,bn") shows the best speed for each pair of values of two parameters. Returns the names of
/// those that the HTML page shows, at most `most`; parameters with more effect on the speed come first. At the front is
/// the first pair whose parameters are independent. (split_k and reduction are not: split_k=1 leaves only one value of
/// reduction.) Parameters that do not vary are left out. If fewer than two vary, there is one landscape, of the first
/// two of ParametersByEffect().
std::vector<std::string> LandscapeNames(const ReportGroup& group, size_t most);

/// The limits of a roofline.
struct Ceilings {
  double peak_gflops = 0;   ///< 0: the device does not report its clock.
  double dram = 0, l2 = 0;  ///< The bandwidths, in GB/s, of a typical board of the architecture.
};
/// Returns the ceilings of the group's device; nullopt for the SIMT device, whose limits are not known.
std::optional<Ceilings> CeilingsOf(const ReportGroup& group);

}  // namespace mmtune
