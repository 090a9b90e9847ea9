// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of a row group.
#pragma once

#include "kernels/compiler/fusion/row_group.h"

namespace mmtune {

/// Replaces the operations of the group by one gpu.launch. A row gets a part of a warp, a warp or a block, by the
/// number of its elements; thread t of n takes the elements t, t + n, …, and reductions end with a tree in fixed order.
/// What reductions give stays in registers; private buffers that are read again lie in shared memory where they fit,
/// and those that nobody needs any more are erased.
void launchRowGroup(RowGroup& group);

}  // namespace mmtune
