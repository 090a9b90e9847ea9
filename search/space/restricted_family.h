// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Restricts a search to some values of some parameters, as `tune matmul --only "fma bm=32,64 stages=1"` asks for, or to
// schedules that obey a further rule, as `--numerics` does for the order of additions. The restriction is a wrapper
// around the kernel family.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/kernel_family.h"

namespace mmtune {

/// A restriction: a family, and the values that remain for some of its parameters.
struct FamilyPart {
  std::string family;
  /// The values to try of each parameter, ascending. Parameters that are not named keep all values.
  std::map<std::string, std::vector<int64_t>> values;
};

/// Parses "fma" or "fma bm=32,64 stages=1". Returns InvalidArgument saying what is wrong with the text.
absl::StatusOr<FamilyPart> ParseFamilyPart(std::string_view text);

/// A kernel family that offers fewer schedules to searches and otherwise forwards to `whole`, which must outlive it.
/// Schedules outside of the restriction stay valid: Validate() still accepts them. Immutable; as thread-safe as
/// `whole`.
class RestrictedFamily : public KernelFamily {
 public:
  /// Restricts `whole` to `part`, which must be of that family, and to schedules that obey `rule`. Returns
  /// InvalidArgument if the part names a parameter or a value that `whole` does not search for this problem and device.
  static absl::StatusOr<std::unique_ptr<RestrictedFamily>> Create(const KernelFamily& whole, FamilyPart part,
                                                                  const MatmulProblem& problem,
                                                                  const DeviceInfo& device,
                                                                  std::optional<ScheduleConstraint> rule = {});

  std::string_view name() const override { return whole_.name(); }
  int version() const override { return whole_.version(); }
  bool SearchedByDefault(const MatmulProblem& problem) const override { return whole_.SearchedByDefault(problem); }
  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override;
  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override;
  absl::Status Validate(const MatmulProblem& problem, const Schedule& schedule,
                        const DeviceInfo& device) const override {
    return whole_.Validate(problem, schedule, device);
  }
  std::optional<PredictedTime> Predict(const MatmulProblem& problem, const Schedule& schedule,
                                       const DeviceInfo& device) const override {
    return whole_.Predict(problem, schedule, device);
  }
  std::optional<PredictedTime> PredictCompiled(const MatmulProblem& problem, const Schedule& schedule,
                                               const DeviceInfo& device, const CodeFacts& facts) const override {
    return whole_.PredictCompiled(problem, schedule, device, facts);
  }
  std::vector<double> Features(const MatmulProblem& problem, const Schedule& schedule,
                               const DeviceInfo& device) const override {
    return whole_.Features(problem, schedule, device);
  }

 private:
  RestrictedFamily(const KernelFamily& whole, FamilyPart part, std::optional<ScheduleConstraint> rule)
      : whole_(whole), part_(std::move(part)), rule_(std::move(rule)) {}

  const KernelFamily& whole_;
  const FamilyPart part_;
  const std::optional<ScheduleConstraint> rule_;
};

}  // namespace mmtune
