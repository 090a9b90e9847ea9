// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one k step of an `fma` kernel costs, counted from its tiling.
#pragma once

#include "kernels/families/fma/fma_schedule.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/shared_wavefronts.h"

namespace mmtune {

/// For time_model.h. Instructions are those that ptxas makes of the loop, to about 2%.
LoopCost FmaLoopCost(const FmaTiling& tiling);

/// The same cost as if shared memory took no time, and what it adds. To find the wavefronts costs most of all, and a
/// schedule that is too slow without them need not be asked for them.
LoopCost FmaLoopCostBarShared(const FmaTiling& tiling);
void AddSharedMemory(const FmaTiling& tiling, LoopCost& cost);

/// Returns the geometry with the whole FmaLoopCost(), and with words.
ScheduleGeometry FmaGeometry(const FmaTiling& tiling);

/// Where the lanes of a block's first warp write the first float of their first piece of an operand's tile.
LaneOffsets FmaCopyOffsets(const FmaOperandTile& tile, int64_t threads);

}  // namespace mmtune
