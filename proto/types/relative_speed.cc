// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/relative_speed.h"

#include "proto/types/peak_gflops.h"

namespace mmtune {

std::optional<double> PercentOfBaseline(const TuningRecord& record) {
  const Baseline& baseline = record.measurement.conditions.baseline;
  if (baseline.name.empty() || baseline.median_ns <= 0 || record.Gflops() <= 0) return std::nullopt;
  return 100 * baseline.median_ns / record.measurement.timing.median_ns;
}

std::optional<double> PercentOfPeak(const TuningRecord& record) {
  const double peak = PeakGflops(record.device, record.problem.dtype, record.problem.math);
  if (peak <= 0 || record.Gflops() <= 0) return std::nullopt;
  return 100 * record.Gflops() / peak;
}

}  // namespace mmtune
