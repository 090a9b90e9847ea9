// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma/mma_warp.h"

namespace mmtune {

MmaWarp::MmaWarp(KernelBuilder& builder, const MmaTiling& tiling, Value thread)
    : lane(builder.rem(thread, 32)), number(builder.div(thread, 32)), tile(number) {
  if (tiling.schedule.sliceK > 1) {
    slice = builder.div(number, tiling.WarpTiles());
    tile = builder.rem(number, tiling.WarpTiles());
  }
  row = builder.mul(builder.div(tile, tiling.warpsN), tiling.schedule.wm);
  column = builder.mul(builder.rem(tile, tiling.warpsN), tiling.schedule.wn);
}

}  // namespace mmtune
