// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of the `fma` family that are written down rather than searched.
#pragma once

#include <vector>

#include "kernels/families/space_family.h"

namespace mmtune {

/// An undecorated shared-memory kernel: synchronous copies, one stage.
std::vector<LadderRung> fmaLadder(const MatmulProblem& problem);

/// For each of a few tiles that are good on common shapes, the deepest pipelines first.
std::vector<ByPreference<Schedule>> fmaDefaultSchedules();

}  // namespace mmtune
