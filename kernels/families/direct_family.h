// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `direct` family: every thread reads A and B straight from global memory, no tile is shared.
// The first rungs of the teaching ladder: one element per thread is the naive kernel, a tile of
// elements per thread the register-blocked one.
#pragma once

#include "kernels/families/space_family.h"

namespace mmtune {

class DirectFamily final : public SpaceFamily {
 public:
  static constexpr char kName[] = "direct";
  static constexpr char kKernel[] = "gemm_direct";

  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
  /// It exists for comparison.
  bool SearchedByDefault() const override { return false; }
  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override;
  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override;
  LaunchPlan makeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const override;
  std::vector<LadderRung> ladder(const MatmulProblem& problem) const override;
  std::vector<ByPreference<Schedule>> defaultSchedules() const override;

 protected:
  const std::vector<ParameterDomain>& domains() const override;
  ScheduleGeometry describe(const MatmulProblem& problem, const Schedule& schedule) const override;
};

}  // namespace mmtune
