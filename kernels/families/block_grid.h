// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a product is divided among the blocks of a kernel: tiles of C, splits of k, and the order in which blocks take
// them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/families/space_family.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// In elements. Block x counts the tiles of one matrix after another, block z the splits of k.
struct BlockGrid {
  BlockGrid(const MatmulProblem& problem, int64_t bm, int64_t bn, int64_t bk, int64_t splitK, int64_t groupM)
      : bm(bm),
        bn(bn),
        bk(bk),
        splitK(splitK),
        groupM(groupM),
        gridM(CeilDiv(problem.m, bm)),
        gridN(CeilDiv(problem.n, bn)),
        kTiles(CeilDiv(problem.k, bk)),
        tilesPerSplit(CeilDiv(kTiles, splitK)),
        batch(problem.batch) {}

  int64_t bm, bn, bk;     ///< Tile of a block, and k values of a step.
  int64_t splitK;         ///< Blocks that share a tile of C.
  int64_t groupM;         ///< Rows of tiles walked together, for L2; 1 is row by row.
  int64_t gridM, gridN;   ///< Tiles of a matrix of C.
  int64_t kTiles;         ///< k steps of the problem.
  int64_t tilesPerSplit;  ///< k steps of one split, the last one's perhaps fewer.
  int64_t batch;

  int64_t BlocksPerMatrix() const { return gridM * gridN; }
  int64_t blocks() const { return BlocksPerMatrix() * batch * splitK; }
  /// Whether no split is left without a k step.
  bool EverySplitHasWork() const { return (splitK - 1) * tilesPerSplit < kTiles; }
};

}  // namespace mmtune
