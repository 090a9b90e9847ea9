// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A landscape: the recorded time of every schedule (a kernel family with its parameters, such as tile sizes) of a
// search space on a device. Strategies are compared by searching recordings instead of a GPU, which is fast and
// repeatable (`tune replay`, tests/data/landscapes).
//
// LandscapeFamily presents a recording as a kernel family whose valid schedules are the recorded ones, so that a
// strategy searches it like a real space.
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

/// The recorded result of one schedule.
struct LandscapePoint {
  Schedule schedule;
  Outcome outcome = Outcome::kOk;
  double time_ns = 0;  ///< The time, if the outcome is ok.
};

/// A recording. A plain value.
struct Landscape {
  std::string name;
  MatmulProblem problem;
  DeviceInfo device;
  /// The results. Schedules are distinct, and those of one family name the same parameters.
  std::vector<LandscapePoint> points;
  /// If set, these two functions are used for Features() and Predict() of the landscape's families; otherwise, the
  /// defaults of KernelFamily.
  std::function<std::vector<double>(const Schedule&)> features;
  std::function<std::optional<PredictedTime>(const Schedule&)> predict;
};

/// Returns InvalidArgument unless at least two schedules have outcome ok, all schedules are distinct, and times are
/// finite and above 0.
absl::Status ValidateLandscape(const Landscape& landscape);

/// Returns the shortest time of a valid landscape (ValidateLandscape()).
double BestTimeNs(const Landscape& landscape);

/// The schedules of one family name in a landscape, as a kernel family. Its parameters have the recorded values, and
/// its only rule is that the schedule was recorded. The landscape must outlive it. Immutable and thread-safe.
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

  /// Returns the recorded result of a schedule, or null if there is none.
  const LandscapePoint* Find(const Schedule& schedule) const;

 private:
  friend absl::StatusOr<std::vector<std::unique_ptr<LandscapeFamily>>> MakeLandscapeFamilies(const Landscape&);
  LandscapeFamily(const Landscape& landscape, std::string name) : landscape_(landscape), name_(std::move(name)) {}

  /// Collects parameters and points. Returns InvalidArgument if points name different parameters, or the grid of their
  /// values has more than 2^62 points.
  absl::Status Fill();
  /// Returns a number that identifies the first `depth` values, or nullopt if one of them was not recorded.
  std::optional<uint64_t> NumberOf(const int64_t* values, size_t depth) const;
  std::optional<uint64_t> NumberOf(const Schedule& schedule) const;

  const Landscape& landscape_;
  const std::string name_;
  std::vector<ScheduleParameter> axes_;
  /// For each depth, maps every recorded prefix (as a number) to one point that starts with it.
  std::vector<std::unordered_map<uint64_t, const LandscapePoint*>> recorded_;
};

/// Returns one family for each family name in a valid landscape. Returns InvalidArgument if schedules of one family
/// name different parameters, or if the grid of their values has more than 2^62 points.
absl::StatusOr<std::vector<std::unique_ptr<LandscapeFamily>>> MakeLandscapeFamilies(const Landscape& landscape);

}  // namespace mmtune
