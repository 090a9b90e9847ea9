// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each chunk of a tile is copied once, and every thread finds its chunks from its first one by constants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "kernels/families/common/block_grid.h"
#include "kernels/families/fma/fma_schedule.h"
#include "kernels/perf_model/warp_request.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using Place = std::pair<int64_t, int64_t>;

void ExpectEachPieceOnce(const TileChunks& pieces) {
  std::set<Place> places;
  for (int64_t piece = 0; piece < pieces.count(); ++piece) {
    const int64_t thread = piece % pieces.threads, number = piece / pieces.threads;
    const Place place = {pieces.RowOf(thread) + pieces.RowsTo(number),
                         pieces.ColumnOf(thread) + pieces.ColumnsTo(number)};
    EXPECT_EQ(place, Place(pieces.RowOf(piece), pieces.ColumnOf(piece))) << piece;
    EXPECT_LT(place.first, pieces.rows);
    EXPECT_LE(place.second, (pieces.perRow - 1) * pieces.width);
    EXPECT_EQ(place.second % pieces.width, 0);
    EXPECT_TRUE(places.insert(place).second) << piece;
  }
}

TEST(TileChunks, AreEachCopiedOnce) {
  int panels = 0, whole = 0, ordered = 0;
  for (int64_t rows : {1, 3, 4, 16, 24, 96, 128})
    for (int64_t per_row : {1, 2, 3, 4, 8, 16, 32, 64})
      for (int64_t width : {1, 4})
        for (int64_t threads : {32, 48, 64, 128, 256, 1024})
          for (int64_t panel : {per_row, int64_t{2}, int64_t{4}, int64_t{8}}) {
            if (per_row % panel != 0) continue;
            for (const RowOrder& order : {RowOrder{}, RowOrder{1, 2, 4}, RowOrder{1, 4, 2}, RowOrder{4, 2, 4}}) {
              const TileChunks pieces{rows, per_row, width, threads, panel, order};
              if (!pieces.HaveConstantDistance()) continue;
              SCOPED_TRACE(testing::Message()
                           << rows << " rows of " << per_row << " in panels of " << panel << " for " << threads
                           << " threads, " << order.together << " rows " << order.apart << " apart");
              ExpectEachPieceOnce(pieces);
              (panel == per_row ? whole : panels) += 1;
              ordered += !order.IsPlain();
            }
          }
  EXPECT_GT(panels, 100);
  EXPECT_GT(whole, 100);
  EXPECT_GT(ordered, 100);
}

TEST(TileChunks, RowsCanComeInAnotherOrder) {
  const auto rows = [](const RowOrder& order) {
    std::vector<int64_t> of;
    for (int64_t number = 0; number < 16; ++number) of.push_back(order.RowOf(number));
    return of;
  };
  EXPECT_THAT(rows({}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  EXPECT_THAT(rows({1, 2, 4}), ElementsAre(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15));
  EXPECT_THAT(rows({2, 4, 2}), ElementsAre(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
}

/// Returns the most wavefronts of a part of a warp's first chunks of a tile; 1: bank-conflict-free.
uint32_t WaysOf(const FmaOperandTile& tile, int64_t threads) {
  const TileChunks pieces = tile.ChunksFor(threads);
  WarpRequest request;
  // Stores that transpose write the floats of a chunk one by one.
  request.bytes = tile.transposes() ? 4 : 4 * static_cast<uint32_t>(tile.copyWidth);
  uint32_t most = 0;
  for (int64_t first = 0; first < std::min(threads, pieces.count()); first += 32) {
    request.lanes = 0;
    for (int64_t lane = 0; lane < 32 && first + lane < pieces.count(); ++lane) {
      const int64_t row = pieces.RowOf(first + lane), column = pieces.ColumnOf(first + lane);
      request.address[lane] =
          4 * static_cast<uint64_t>(tile.transposes() ? column * tile.stride + row : row * tile.stride + column);
      request.lanes |= 1u << lane;
    }
    most = std::max(most, CostInShared(request).ways);
  }
  return most;
}

/// True if a bank-conflict-free copy is promised: see kernels/families/README.md, "Bank-conflict-free copies".
bool IsPromised(const FmaOperandTile& tile) {
  // Rows that follow one another without a gap, in the order of the copy.
  if (!tile.transposes() && tile.stride == tile.columns) return true;
  if (tile.stride % 8 != 4) return false;
  if (!tile.transposes()) return tile.columns >= 32 || tile.rows >= 8;
  return tile.columns % kPanelFloats == 0 ? tile.rows >= 4 : tile.rows >= 32;
}

// Copies of every k step, tile, row, pad, chunk width and number of threads are bank-conflict-free where possible.
TEST(TileChunks, MeetNoBankTwiceOnTheirWayIntoSharedMemory) {
  int promised = 0;
  for (bool rows_are_k : {false, true})
    for (bool k_major : {false, true})
      for (int64_t outer : {1, 2, 4, 8, 16, 32, 64, 128, 256})
        for (int64_t bk : {4, 8, 16, 32, 64})
          for (int64_t pad : {0, 4, 12})
            for (int64_t alignment : {1, 2, 4})
              for (int64_t async : {0, 1}) {
                FmaSchedule s;
                s.bk = bk;
                s.async = async;
                const FmaOperandTile tile(rows_are_k, k_major, outer, pad, 1024 + alignment, 1024 + alignment, s,
                                          OperandLayout());
                if (!IsPromised(tile)) continue;
                for (int64_t threads : {32, 64, 128, 256, 512, 1024}) {
                  if (!tile.ChunksFor(threads).HaveConstantDistance()) continue;
                  ++promised;
                  EXPECT_EQ(WaysOf(tile, threads), 1u)
                      << tile.rows << "x" << tile.columns << " in rows of " << tile.stride << ", " << tile.copyWidth
                      << " at once by " << threads << " threads" << (tile.transposes() ? ", transposed" : "");
                }
              }
  EXPECT_GT(promised, 1000);
}

// Cases without the promise: a warp that reads whole sectors has no 32 rows, without a pad all of them lie
// in the same banks; and rows of 4 floats with a pad of 4 begin in every other half of the banks' quarters only.
TEST(TileChunks, MeetBanksTwiceWhereNoOrderHelps) {
  const auto ways = [](bool k_major, int64_t outer, int64_t pad, int64_t bk) {
    FmaSchedule s;
    s.bk = bk;
    return WaysOf(FmaOperandTile(/*rowsAreK=*/false, k_major, outer, pad, 1024, 1024, s, OperandLayout()), 256);
  };
  EXPECT_EQ(ways(/*k_major=*/true, 128, 0, 16), 2u);
  EXPECT_EQ(ways(/*k_major=*/true, 128, 4, 16), 1u);
  EXPECT_EQ(ways(/*k_major=*/false, 128, 4, 4), 2u);
  EXPECT_EQ(ways(/*k_major=*/false, 128, 0, 4), 1u);
}

}  // namespace
}  // namespace mmtune
