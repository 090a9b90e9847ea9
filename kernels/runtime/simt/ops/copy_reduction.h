// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The read-modify-write of cp.reduce.async.bulk.
#pragma once

#include <cstddef>

#include "kernels/runtime/simt/abi/abi.h"
#include "kernels/runtime/simt/ops/tensor_map.h"

namespace mmtune::simt {

/// Whether PTX has the reduction for elements of this type.
bool IsCopyReduction(CopyReduction reduction, TensorElement element);

/// Combines `count` elements of `values` into those at `global`, each atomically. Of a type that IsCopyReduction().
void ReduceInto(CopyReduction reduction, TensorElement element, char* global, const char* values, size_t count);

}  // namespace mmtune::simt
