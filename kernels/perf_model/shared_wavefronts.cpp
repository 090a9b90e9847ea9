// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/shared_wavefronts.h"

#include <cstddef>

#include "kernels/perf_model/warp_request.h"

namespace mmtune {

int64_t SharedWavefronts(const LaneOffsets& offsets, int64_t width, bool merges) {
  constexpr uint32_t kFloatBytes = 4;
  WarpRequest request{.lanes = ~0u, .bytes = kFloatBytes * static_cast<uint32_t>(width)};
  for (size_t lane = 0; lane < offsets.size(); ++lane)
    request.address[lane] = kFloatBytes * static_cast<uint64_t>(offsets[lane]);
  const SharedCost cost = CostInShared(request);
  return merges ? cost.merged : cost.wavefronts;
}

}  // namespace mmtune
