// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recorded landscape: what every schedule of a space took on a device, measured once.
//
// The schedules of a landscape as a kernel family, so that a strategy meets them as it meets any other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/kernel_family.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measure_options.h"
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

/// Its axes are the values that occur, its one rule is that the schedule was recorded. The landscape must outlive it.
class LandscapeFamily : public KernelFamily {
 public:
  std::string_view name() const override { return name_; }
  int version() const override { return 1; }
  std::vector<ScheduleParameter> Parameters(const MatmulProblem&, const DeviceInfo&) const override { return axes_; }
  std::vector<ScheduleConstraint> Constraints(const MatmulProblem&, const DeviceInfo&) const override;
  absl::Status Validate(const MatmulProblem&, const Schedule& schedule, const DeviceInfo&) const override;
  std::vector<double> Features(const MatmulProblem& problem, const Schedule& schedule,
                               const DeviceInfo& device) const override;
  std::optional<PredictedTime> Predict(const MatmulProblem&, const Schedule& schedule,
                                       const DeviceInfo&) const override {
    return landscape_.predict ? landscape_.predict(schedule) : std::nullopt;
  }

  /// Null when it was not recorded.
  const LandscapePoint* Find(const Schedule& schedule) const;

 private:
  friend absl::StatusOr<std::vector<std::unique_ptr<LandscapeFamily>>> MakeLandscapeFamilies(const Landscape&);
  LandscapeFamily(const Landscape& landscape, std::string name) : landscape_(landscape), name_(std::move(name)) {}

  /// Finds the axes, and enters the points of its name. InvalidArgument when they name different parameters, or the
  /// grid of their values has more than 2^62 points.
  absl::Status Fill();
  /// The first `depth` values as one number, different for different values; nullopt off the grid.
  std::optional<uint64_t> NumberOf(const int64_t* values, size_t depth) const;
  std::optional<uint64_t> NumberOf(const Schedule& schedule) const;

  const Landscape& landscape_;
  const std::string name_;
  std::vector<ScheduleParameter> axes_;
  /// By depth: the beginnings of recorded schedules, each with one that begins so.
  std::vector<std::unordered_map<uint64_t, const LandscapePoint*>> recorded_;
};

/// One for each family of a valid landscape.
absl::StatusOr<std::vector<std::unique_ptr<LandscapeFamily>>> MakeLandscapeFamilies(const Landscape& landscape);

}  // namespace mmtune
