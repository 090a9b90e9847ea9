// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split-k as launches: several blocks share a tile of C, and something sums what they made.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/compiled_kernel.h"
#include "kernels/families/block_grid.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// How the partial products of split-k are summed.
enum SplitReduction : int64_t { kNoReduction = 0, kAtomicReduction = 1, kWorkspaceReduction = 2 };

/// The kernel that sums a workspace, and the threads of its blocks.
inline constexpr char kSplitReductionKernel[] = "reduce_splits";
inline constexpr int64_t kSplitReductionThreads = 256;

/// Whether blocks may add their sums to C: whole sums pass through an epilogue or a rounding.
inline bool AllowsAtomics(const MatmulProblem& problem) {
  return problem.epilogue.empty() && problem.TypeOfC() == DataType::kF32;
}
/// The reductions that a problem has.
std::vector<int64_t> SplitReductions(const MatmulProblem& problem);

/// Elements of C that a thread of the reduction kernel sums at once: 1, 2 or 4.
int64_t ReductionWidth(const MatmulProblem& problem);

/// Bytes of the workspace: for each split f32 for all of C; 0 without one.
int64_t WorkspaceBytes(const MatmulProblem& problem, int64_t reduction, int64_t splitK);

/// Bytes that are read and written to store C, by clearing and summing partial products too. 64 bits could not count
/// them for the largest problems.
double BytesOfResult(const MatmulProblem& problem, int64_t reduction, int64_t splitK);

/// What that costs beside the product. `atomicWidth` is how many floats an atomic access adds.
ReductionCost CostOfReduction(const MatmulProblem& problem, int64_t reduction, int64_t splitK, int64_t atomicWidth);

/// A product by `threads` threads of each block of the grid, with as much shared memory, and the steps around it: with
/// atomics a C that is cleared before, with a workspace a kernel that sums it afterwards and applies the epilogue.
LaunchPlan PlanProduct(const MatmulProblem& problem, std::string kernel, const BlockGrid& grid, int64_t threads,
                       int64_t sharedBytes, int64_t reduction);

}  // namespace mmtune
