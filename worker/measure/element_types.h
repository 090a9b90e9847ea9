// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of which types the operands of a problem are, and which values those types have. The host computes in f32 and double;
// elements of other types exist only in buffers.
#pragma once

#include <cstdint>

#include "kernels/compiled_kernel.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The type of an operand's elements. The workspace, which a kernel lays out as it likes, counts as f32.
DataType TypeOf(const MatmulProblem& problem, PlanBuffer buffer);

/// Bits of significand, with the one that is not stored, of A and B as they are multiplied: 24 (f32, as it is or in
/// planes), 11 (f16, tf32) or 8 (bf16).
int FactorBits(const MatmulProblem& problem);

/// Whether sums of products leave the range of the type, as those of f16 do: they have to be scaled.
bool HasSmallRange(DataType type);

/// Rounds values to the nearest ones of the type, ties to even.
void RoundToType(DataType type, int64_t count, float* values);

/// Rounds values to the nearest ones that A and B can have and that are multiplied as they are: of the element type,
/// and for tf32 math of 11 bits.
void RoundToFactors(const MatmulProblem& problem, int64_t count, float* values);

}  // namespace mmtune
