// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads a row gets.
#pragma once

#include "kernels/compiler/fusion/row_operation.h"

namespace mmtune {

/// The threads of a row and of a block. A row has all threads of a block, or a power of two up to a warp, or one thread
/// where it has one element or its elements are no neighbours in memory.
struct RowThreads {
  /// Each row counts as many times as it has `parts`.
  explicit RowThreads(const RowSpace& space, int64_t parts = 1);

  int64_t rowsPerBlock() const { return perRow == perBlock ? 1 : perBlock / perRow; }
  bool isBlockWide() const;

  int64_t perRow, perBlock;
};

/// Returns the number of parts into which each row of a reduction should be split, so that few long rows keep a whole
/// device busy: a first kernel reduces the parts, a second one their results. 1 where one kernel does as well, or where
/// the number of rows is known at run time only. Of rows whose length is known only then, some parts may be empty.
int64_t splitFactor(const RowSpace& space);

/// Returns true if threads that share a row reduce it faster than one thread does for each row.
bool isLongRow(const RowSpace& space);

/// Returns the product of the extents; ShapedType::kDynamic if one is not known.
int64_t elementCount(llvm::ArrayRef<LoopExtent> extents);

}  // namespace mmtune
