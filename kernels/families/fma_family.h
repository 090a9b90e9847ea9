// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `fma` family: f32 products by fused multiply-adds, through tiles in shared memory.
//
// A block computes bm x bn elements of C, a thread tm x tn of them, interleaved so that the lanes
// of a warp (lm along M, 32/lm along N) read neighbouring addresses. Tiles of A and B of bk steps
// are staged in shared memory, by cp.async or through registers, while earlier ones are consumed.
#pragma once

#include "kernels/families/space_family.h"

namespace mmtune {

class FmaFamily final : public SpaceFamily {
 public:
  static constexpr char kName[] = "fma";
  /// The product's kernel. The family was once called `simt`: its kernel is so still, and
  /// the code is that of the records of then, digest and all.
  static constexpr char kKernel[] = "gemm_simt";

  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
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
