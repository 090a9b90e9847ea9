// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a tile on its way to shared memory is divided among the threads of a block.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/families/space_family.h"

namespace mmtune {

/// Pieces are counted row by row; of thread t they are t, t + threads, t + 2 * threads and so on.
struct TilePieces {
  int64_t rows, perRow;  ///< Of the tile.
  int64_t width;         ///< Of a piece, in the caller's unit.
  int64_t threads;

  int64_t count() const { return rows * perRow; }
  int64_t PerThread() const { return CeilDiv(count(), threads); }
  /// How many threads have a piece of this number.
  int64_t ThreadsWith(int64_t number) const { return std::min(threads, count() - number * threads); }
  // From a thread's first piece to the one of this number.
  int64_t RowsTo(int64_t number) const { return number * threads / perRow; }
  int64_t ColumnsTo(int64_t number) const { return number * threads % perRow * width; }
  /// Whether every thread copies the same part of a row each time, or a row is for all of them several times over: only
  /// then the last two are right.
  bool AreAConstantApart() const { return threads % perRow == 0 || perRow % threads == 0; }
};

}  // namespace mmtune
