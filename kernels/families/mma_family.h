// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `mma` family: products of f16, bf16 and tf32 on tensor cores, by mma.sync, summed in f32.
//
// A block computes bm x bn elements of C, a warp wm x wn of them, by instructions of 16 x 8. Tiles of A and B of bk
// steps come to shared memory by cp.async, several stages ahead, and from there to the warps' registers by ldmatrix.
#pragma once

#include "kernels/families/space_family.h"

namespace mmtune {

class MmaFamily final : public SpaceFamily {
 public:
  static constexpr char kName[] = "mma";
  static constexpr char kKernel[] = "gemm_mma";

  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override;
  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override;
  LaunchPlan makeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const override;
  std::vector<LadderRung> ladder(const MatmulProblem& problem) const override;
  std::vector<ByPreference<Schedule>> defaultSchedules() const override;
  std::vector<ByPreference<MatmulProblem>> proofShapes(const MatmulProblem& problem,
                                                       const ScheduleGeometry& geometry) const override;

 protected:
  const std::vector<ParameterDomain>& domains() const override;
  ScheduleGeometry describe(const MatmulProblem& problem, const Schedule& schedule) const override;
};

}  // namespace mmtune
