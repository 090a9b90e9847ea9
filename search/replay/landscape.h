// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recorded landscape, the time of every schedule of a space on a device, and the kernel family made of it, through
// which a strategy searches the recording as it would search a real space.
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
  /// Replace KernelFamily::Features and Predict of the landscape's families; empty: the defaults of KernelFamily.
  std::function<std::vector<double>(const Schedule&)> features;
  std::function<std::optional<PredictedTime>(const Schedule&)> predict;
};

/// Returns InvalidArgument unless at least two schedules ran, all are distinct, and times are finite and above 0.
absl::Status ValidateLandscape(const Landscape& landscape);

/// Returns the shortest time among the schedules that ran.
double BestTimeNs(const Landscape& landscape);

/// A family whose parameters have the recorded values, and whose one rule is that the schedule was recorded. The
/// landscape must outlive it. Immutable; thread-safe.
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

  /// Returns the recorded point, or null.
  const LandscapePoint* Find(const Schedule& schedule) const;

 private:
  friend absl::StatusOr<std::vector<std::unique_ptr<LandscapeFamily>>> MakeLandscapeFamilies(const Landscape&);
  LandscapeFamily(const Landscape& landscape, std::string name) : landscape_(landscape), name_(std::move(name)) {}

  /// Collects the parameters and the points of this family. Returns InvalidArgument if points name different
  /// parameters, or the grid of their values has more than 2^62 points.
  absl::Status Fill();
  /// Returns a number that identifies the first `depth` values; nullopt off the grid.
  std::optional<uint64_t> NumberOf(const int64_t* values, size_t depth) const;
  std::optional<uint64_t> NumberOf(const Schedule& schedule) const;

  const Landscape& landscape_;
  const std::string name_;
  std::vector<ScheduleParameter> axes_;
  /// Maps, for each depth, every recorded prefix to one point that begins with it.
  std::vector<std::unordered_map<uint64_t, const LandscapePoint*>> recorded_;
};

/// Returns a family for each family name of a valid landscape.
absl::StatusOr<std::vector<std::unique_ptr<LandscapeFamily>>> MakeLandscapeFamilies(const Landscape& landscape);

}  // namespace mmtune
