// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/default_search.h"

#include "kernels/families/common/block_rules.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/whole_numbers.h"

namespace mmtune {

std::vector<TileSharing> TileSharings(const std::vector<int64_t>& splits, const std::vector<int64_t>& streams,
                                      const std::vector<int64_t>& reductions) {
  std::vector<TileSharing> all = {{}};
  for (int64_t split : splits)
    for (int64_t reduction : reductions)
      if (split > 1 && reduction != kNoReduction) all.push_back({split, 1, reduction});
  for (int64_t blocks : streams)
    if (blocks > 1) all.push_back({1, blocks, kOrderedReduction});
  return all;
}

std::vector<TileSharing> OfWay(const std::vector<TileSharing>& sharings, size_t way) {
  std::vector<TileSharing> same;
  std::ranges::copy_if(sharings, std::back_inserter(same),
                       [way](const TileSharing& sharing) { return sharing.way() == way; });
  return same;
}

int64_t GroupFor(const MatmulProblem& problem, int64_t bm, int64_t bn) {
  // Operands above this many elements are larger than the part of an L2 that keeps them, of some device.
  constexpr int64_t kFitsCache = int64_t{1} << 19;
  if (problem.k * (problem.m + problem.n) <= kFitsCache || problem.n <= bn) return 1;
  for (int64_t group : {8, 4})
    if (CeilDiv(problem.m, bm) >= group) return group;
  return 1;
}

int64_t BlocksToKeep(const ScheduleGeometry& geometry, const DeviceInfo& device, const std::vector<int64_t>& axis) {
  // Beyond two, what the estimate of registers is wrong by counts the more.
  const int64_t most =
      std::min({ResidentBlocks(geometry, device), CeilDiv(geometry.blocks, MultiprocessorsOf(device)), int64_t{2}});
  int64_t keep = 1;
  for (int64_t blocks : axis)
    if (blocks <= most) keep = std::max(keep, blocks);
  return keep;
}

}  // namespace mmtune
