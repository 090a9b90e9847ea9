// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/sharing_axes.h"

#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/block_rules.h"
#include "kernels/families/common/split_reduction.h"

namespace mmtune {

std::vector<int64_t> ReductionAxis(const MatmulProblem& problem) {
  std::vector<int64_t> reductions = SplitReductions(problem);
  reductions.push_back(kOrderedReduction);
  return reductions;
}

std::vector<int64_t> StreamAxis(const MatmulProblem& problem, const DeviceInfo& device, int64_t most) {
  constexpr int64_t kSmall = 32, kOnSimt = 8;
  BlockGrid grid(problem, kSmall, kSmall, kSmall, 1, 1);
  if (grid.StreamSteps() < 2 * BlockGrid::kLeastShare) return {1};
  if (device.kind != DeviceKind::kCuda) return {1, kOnSimt};
  std::vector<int64_t> axis = {1};
  for (int64_t blocks : {MultiprocessorsOf(device), 2 * MultiprocessorsOf(device)})
    if (blocks > 1 && blocks <= most) axis.push_back(blocks);
  return axis;
}

}  // namespace mmtune
