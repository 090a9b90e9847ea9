// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accumulator fragments of a warp as a matrix of 16 x n floats, row-major, and back.
#pragma once

#include <cstdint>

#include "kernels/runtime/simt/abi/abi.h"
#include "kernels/runtime/simt/ops/warp_call.h"

namespace mmtune::simt {

/// Reads the words from `offset` on of each lane, of type kF32 or kF16.
void LoadAccumulators(const WarpCall& call, uint32_t offset, ElementType type, uint32_t n, float* c);
/// Rounds to the nearest even for kF16.
void StoreAccumulators(const WarpCall& call, ElementType type, uint32_t n, const float* d);

}  // namespace mmtune::simt
