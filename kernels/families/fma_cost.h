// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one k step of an `fma` kernel costs, counted from its tiling.
#pragma once

#include "kernels/families/fma_schedule.h"
#include "kernels/families/schedule_geometry.h"
#include "kernels/families/shared_wavefronts.h"

namespace mmtune {

/// For time_model.h. Instructions are those that ptxas makes of the loop, to about 2%.
LoopCost FmaLoopCost(const FmaTiling& tiling);

ScheduleGeometry FmaGeometry(const FmaTiling& tiling);

/// Where the lanes of a block's first warp write the first float of their first piece of an operand's tile.
LaneOffsets FmaCopyOffsets(const FmaOperandTile& tile, int64_t threads);

}  // namespace mmtune
