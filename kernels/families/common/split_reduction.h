// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split-k and stream-k as launches: several blocks share a tile of C, and something sums what they made.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/compiled_kernel.h"
#include "kernels/families/common/block_grid.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// How the partial products of blocks that share a tile are summed. In the order of k, in all but atomics: the same
/// bits every time.
enum SplitReduction : int64_t {
  kNoReduction = 0,
  kAtomicReduction = 1,     ///< Added to C as they come.
  kWorkspaceReduction = 2,  ///< By a second kernel.
  /// By that block of a tile's which is the last to have stored its sums, in whatever order they run: a counter for
  /// each tile tells it. No block waits for another one, so that it takes no promise of how many are resident.
  kOrderedReduction = 3,
};

/// The kernel that sums a workspace, and the threads of its blocks.
inline constexpr char kSplitReductionKernel[] = "reduce_splits";
inline constexpr int64_t kSplitReductionThreads = 256;

/// Whether blocks may add their sums to C: whole sums pass through an epilogue or a rounding.
inline bool AllowsAtomics(const MatmulProblem& problem) {
  return problem.epilogue.empty() && problem.TypeOfC() == DataType::kF32;
}
/// Those that every family with splits has for a problem: all but kOrderedReduction, which takes a kernel that counts.
std::vector<int64_t> SplitReductions(const MatmulProblem& problem);

/// Elements of C that a thread of the reduction kernel sums at once: 1, 2 or 4, of f64 1 or 2.
int64_t ReductionWidth(const MatmulProblem& problem);

/// The workspace of kOrderedReduction: counters of 32 bits, zero before the launch, then the sums of tiles, each as
/// BlockGrid::SumsOfTile() sums in an order that is the kernel's. Of stream-k a tile's counter is that of the first
/// block that has a part of it, which keeps its sums in place `blocks` + its number, and each further block in the
/// place of its number: a block has at most one part that begins a tile and one that does not. Of split-k they follow
/// each other by tile and split.
struct OrderedSums {
  explicit OrderedSums(const BlockGrid& grid);

  int64_t counters, places;
  int64_t CounterBytes() const;
};

/// Bytes of the workspace: for each split sums for all of C, or what OrderedSums says; 0 without one.
int64_t WorkspaceBytes(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// Bytes that are read and written to store C, by clearing and summing partial products too; of kOrderedReduction the
/// whole workspace twice, at most as many as that is. 64 bits could not count them for the largest problems.
double BytesOfResult(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// What that costs beside the product. `storeC` is how many neighbours in C a thread stores, or adds atomically, at
/// once.
ReductionCost CostOfReduction(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction, int64_t storeC);

/// kOrderedReduction: how long the last block of a tile to come reads the sums of all its parts, alone, counted in
/// tiles as LoopCost::tiles is; 0 of the others.
double TilesOfOrderedSums(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// A product by `threads` threads of each block of the grid, with as much shared memory, and the steps around it: with
/// atomics a C that is cleared before, with a workspace a kernel that sums it afterwards and applies the epilogue, with
/// ordered sums counters that are cleared before.
LaunchPlan PlanProduct(const MatmulProblem& problem, std::string kernel, const BlockGrid& grid, int64_t threads,
                       int64_t sharedBytes, int64_t reduction);

}  // namespace mmtune
