// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a tile on its way to shared memory is divided among the threads of a block.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/families/common/space_family.h"

namespace mmtune {

/// The order in which rows are counted: `together` runs of `run` neighbours each, which begin `apart` runs from one
/// another, then those beside them, until `period()` rows have their turn, and so on. Powers of two; by default rows
/// are counted as they lie.
struct RowOrder {
  int64_t run = 1, together = 1, apart = 1;

  int64_t period() const { return run * together * apart; }
  bool IsPlain() const { return together == 1 || apart == 1; }
  int64_t RowOf(int64_t number) const {
    int64_t turn = number / run % (together * apart);
    return number / period() * period() + (turn / together + turn % together * apart) * run + number % run;
  }
};

/// Pieces are counted panel by panel, in a panel row by row in the order of rows; of thread t they are t, t + threads,
/// t + 2 * threads and so on.
struct TilePieces {
  int64_t rows, perRow;  ///< Of the tile.
  int64_t width;         ///< Of a piece, in the caller's unit.
  int64_t threads;
  int64_t panel = perRow;  ///< Pieces of a row that a panel has; it divides perRow.
  RowOrder order = {};

  int64_t count() const { return rows * perRow; }
  int64_t PerThread() const { return CeilDiv(count(), threads); }
  /// How many threads have a piece of this number.
  int64_t ThreadsWith(int64_t number) const { return std::min(threads, count() - number * threads); }
  // Where a piece is.
  int64_t RowOf(int64_t piece) const { return order.RowOf(piece / panel % rows); }
  int64_t ColumnOf(int64_t piece) const { return (piece / panel / rows * panel + piece % panel) * width; }
  // From a thread's first piece to the one of this number.
  int64_t RowsTo(int64_t number) const { return RowOf(number * threads); }
  int64_t ColumnsTo(int64_t number) const { return ColumnOf(number * threads); }
  /// Whether RowsTo() and ColumnsTo() are right, for every thread: each time all go on by whole rows or panels, or a
  /// row is for all of them several times over. In an order that is not plain they take whole periods, or a part of
  /// one.
  bool AreAConstantApart() const {
    if (threads % panel != 0) return order.IsPlain() && panel == perRow && perRow % threads == 0;
    int64_t rowsAtOnce = threads / panel, period = order.period();
    if (!order.IsPlain() && (rows % period != 0 || (rowsAtOnce % period != 0 && period % rowsAtOnce != 0)))
      return false;
    return panel == perRow || rows % rowsAtOnce == 0 || rowsAtOnce % rows == 0;
  }
};

}  // namespace mmtune
