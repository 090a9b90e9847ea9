// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix operations of a warp: ldmatrix, stmatrix and mma.sync.
//
// ldmatrix and stmatrix move 8x8 tiles of 16-bit elements between shared memory and the fragments of a warp. Row j of
// tile i is at the address that lane 8i + j gives; lane l holds of each tile the elements 2 (l % 4) and 2 (l % 4) + 1
// of row l / 4, or of column l / 4 with .trans.
//
// mma.sync, floating point: products and sums in fma, k ascending, each rounded to nearest even in f32, from the
// accumulator on; f16 accumulators are rounded once at the end. A GPU adds several products at a time and truncates, so
// results agree bit for bit only where all partial sums are exact, as with small integers. Integers are exact.
#pragma once

#include "kernels/simulator/ops/warp_ops.h"

namespace mmtune::simt {

void ExecuteLoadMatrix(const WarpOp& op, const WarpCall& call);
void ExecuteStoreMatrix(const WarpOp& op, const WarpCall& call);
void ExecuteMma(const WarpOp& op, const WarpCall& call);

}  // namespace mmtune::simt
