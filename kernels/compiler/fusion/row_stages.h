// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of a row group as loops over the columns.
#pragma once

#include "kernels/compiler/fusion/row_group.h"

namespace mmtune {

/// One loop over the elements of a row, or of its first columns, and what is computed for the row before it.
struct RowStage {
  llvm::SmallVector<RowOperation*> before;  ///< Of kind kRow.
  llvm::SmallVector<RowOperation*> inLoop;  ///< Of the other kinds.
};

/// As few as there can be in the order of the operations: a reduction's value is known behind its loop only.
llvm::SmallVector<RowStage> stagesOf(RowGroup& group);

/// Whether an operation of a later stage than its own reads what an operation of kind kElement wrote.
bool isReadLater(llvm::ArrayRef<RowStage> stages, size_t stage, const ElementAccess& element, unsigned dims);

}  // namespace mmtune
