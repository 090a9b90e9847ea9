// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of the `mma` family that are written down rather than searched.
#pragma once

#include <vector>

#include "kernels/families/space_family.h"

namespace mmtune {

/// "mma.sync": one tile in shared memory, copied, then multiplied. "pipelined": copies and fragments run ahead.
std::vector<LadderRung> mmaLadder(const MatmulProblem& problem);

/// For each of a few tiles that are good on common shapes, the deepest pipelines first. Thin tiles come with splits of
/// k, too: a product of few rows has few tiles.
std::vector<ByPreference<Schedule>> mmaDefaultSchedules();

}  // namespace mmtune
