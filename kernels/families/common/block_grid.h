// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a product is divided among the blocks of a kernel: tiles of C, splits of k or shares of all k steps, and the
// order in which blocks take them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/families/common/space_family.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Stream-k (Osama et al., PPoPP 2023): the k steps of all tiles, one tile's after another's, are divided evenly among
/// the blocks, however many they are: block b has `each` of them, and one more where b < `longer`.
struct StreamShares {
  int64_t blocks;
  int64_t each, longer;
};

/// In elements. Block x counts the tiles of one matrix after another, block z the splits of k; with stream-k block x
/// counts the shares.
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

  /// Fewer k steps than this for a block cost more in partial sums than they bring.
  static constexpr int64_t kLeastShare = 4;

  int64_t bm, bn, bk;     ///< Tile of a block, and k values of a step.
  int64_t splitK;         ///< Blocks that share a tile of C.
  int64_t groupM;         ///< Rows of tiles walked together, for L2; 1 is row by row.
  int64_t gridM, gridN;   ///< Tiles of a matrix of C.
  int64_t kTiles;         ///< k steps of the problem.
  int64_t tilesPerSplit;  ///< k steps of one split, the last one's perhaps fewer.
  int64_t batch;
  int64_t streamK = 1;               ///< Most blocks among which stream-k divides the product; 1: it does not.
  int64_t leastShare = kLeastShare;  ///< Of the k steps of all tiles, for each of them.
  int64_t slices = 1;                ///< Parts of a block's k, each with sums of its own.

  int64_t BlocksPerMatrix() const { return gridM * gridN; }
  int64_t Tiles() const { return BlocksPerMatrix() * batch; }
  bool IsStream() const { return streamK > 1; }
  int64_t StreamSteps() const { return Tiles() * kTiles; }
  StreamShares Shares() const {
    int64_t blocks = std::clamp<int64_t>(StreamSteps() / leastShare, 1, streamK);
    return {blocks, StreamSteps() / blocks, StreamSteps() % blocks};
  }
  int64_t blocks() const { return IsStream() ? Shares().blocks : Tiles() * splitK; }
  /// k steps of a block; of stream-k on average.
  double StepsPerBlock() const {
    return IsStream() ? static_cast<double>(StreamSteps()) / static_cast<double>(blocks())
                      : static_cast<double>(tilesPerSplit);
  }
  /// Tiles that a block has a part of, and blocks that have a part of a tile; of stream-k on average.
  double TilesPerBlock() const { return IsStream() ? StepsPerBlock() / static_cast<double>(kTiles) + 1 : 1; }
  double BlocksPerTile() const {
    return IsStream() ? static_cast<double>(kTiles) / StepsPerBlock() + 1 : static_cast<double>(splitK);
  }
  /// k values that a block multiplies for sums that others have parts of; 0 where blocks share no tile.
  int64_t SharedK() const {
    if (IsStream()) return Shares().each * bk;
    return splitK > 1 ? tilesPerSplit * bk : 0;
  }
  /// The sums that a block makes of a tile, and what aligns the next block's, in elements of sums.
  int64_t SumsOfTile() const { return RoundUp(bm * bn * slices, kWidestAccess / 4); }
  /// Whether no split is left without a k step.
  bool EverySplitHasWork() const { return (splitK - 1) * tilesPerSplit < kTiles; }
};

}  // namespace mmtune
