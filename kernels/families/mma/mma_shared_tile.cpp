// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma/mma_shared_tile.h"

using mlir::Value;

namespace mmtune {
namespace {

/// What a permutation moves bytes about in.
constexpr int64_t kSpan = 128;

}  // namespace

Value MmaSharedTile::address(Value stage, Value row, int64_t moreRows, Value column, int64_t moreColumns) const {
  int64_t apart = first + moreColumns / kSpan * kSpan;
  Value byte = builder.add(column, moreColumns % kSpan);
  if (moreRows % tile.period() == 0)
    apart += moreRows * tile.rowBytes;
  else
    row = builder.add(row, moreRows);
  if (tile.turns > 1) {
    Value turn = builder.rem(builder.div(row, tile.rowsPerTurn), tile.turns);
    byte = builder.exclusiveOr(byte, builder.mul(turn, tile.unit));
  }
  Value within = builder.add(builder.mul(row, tile.rowBytes), byte);
  return builder.offsetBytes(builder.offsetBytes(stage, within), apart);
}

}  // namespace mmtune
