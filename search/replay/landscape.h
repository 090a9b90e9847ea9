// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recorded landscape: what every schedule of a space took on a device, measured once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measure_options.h"
#include "proto/types/kernel_family.h"
#include "proto/types/schedule.h"

namespace mmtune {

struct LandscapePoint {
  Schedule schedule;
  Outcome outcome = Outcome::kOk;
  double time_ns = 0;  ///< Where ok.
};

/// Plain values.
struct Landscape {
  std::string name;
  MatmulProblem problem;
  DeviceInfo device;
  /// Distinct schedules; those of one family name the same parameters.
  std::vector<LandscapePoint> points;
  /// KernelFamily::Features and Predict; empty: those of any family.
  std::function<std::vector<double>(const Schedule&)> features;
  std::function<std::optional<PredictedTime>(const Schedule&)> predict;
};

/// InvalidArgument unless there are two schedules that ran, all distinct, times finite and above 0.
absl::Status ValidateLandscape(const Landscape& landscape);

/// Of those that ran.
double BestTimeNs(const Landscape& landscape);

}  // namespace mmtune
