// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a search tries for blocks that share tiles, of families that have stream-k and ordered sums.
#pragma once

#include <cstdint>
#include <vector>

#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// SplitReductions() and kOrderedReduction.
std::vector<int64_t> ReductionAxis(const MatmulProblem& problem);

/// Numbers of blocks for stream-k, up to `most`: 1 for none, and one and two for each multiprocessor, where the
/// smallest tiles leave enough k steps to share.
std::vector<int64_t> StreamAxis(const MatmulProblem& problem, const DeviceInfo& device, int64_t most);

}  // namespace mmtune
