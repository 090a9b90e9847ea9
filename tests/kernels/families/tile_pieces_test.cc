// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each piece of a tile is copied once, and every thread finds its pieces from its first one by constants.
#include "kernels/families/tile_pieces.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "kernels/families/fma_cost.h"
#include "kernels/families/fma_schedule.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using Place = std::pair<int64_t, int64_t>;

void ExpectEachPieceOnce(const TilePieces& pieces) {
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

TEST(TilePieces, AreEachCopiedOnce) {
  int panels = 0, whole = 0;
  for (int64_t rows : {1, 3, 4, 16, 24, 96, 128})
    for (int64_t per_row : {1, 2, 3, 4, 8, 16, 32, 64})
      for (int64_t width : {1, 4})
        for (int64_t threads : {32, 48, 64, 128, 256, 1024})
          for (int64_t panel : {per_row, int64_t{2}, int64_t{4}, int64_t{8}}) {
            if (per_row % panel != 0) continue;
            const TilePieces pieces{rows, per_row, width, threads, panel};
            if (!pieces.AreAConstantApart()) continue;
            SCOPED_TRACE(testing::Message() << rows << " rows of " << per_row << " in panels of " << panel << " for "
                                            << threads << " threads");
            ExpectEachPieceOnce(pieces);
            (panel == per_row ? whole : panels) += 1;
          }
  EXPECT_GT(panels, 100);
  EXPECT_GT(whole, 100);
}

// Rows of 4 floats more than a multiple of 32: whatever the k step, none of the lanes of a warp that transposes waits
// for another one.
TEST(TilePieces, WhatIsTransposedMeetsNoBankTwice) {
  for (std::string_view shape : {"1024x1024x1024", "1001x1001x1001", "1002x1002x1002"})
    for (int64_t bk : {8, 16, 32})
      for (int64_t async : {0, 1}) {
        FmaSchedule s = FmaSchedule::FromSchedule(ReferenceSchedule("kmajor_a=1 pad_a=4 pad_b=4"));
        s.bk = s.unrollK = bk;
        s.async = async;
        SCOPED_TRACE(s.ToSchedule().Text() + " " + std::string(shape));
        const FmaTiling tiling(TestProblem(shape, 1, /*transpose_b=*/true), s);
        for (const FmaOperandTile* tile : {&tiling.a, &tiling.b}) {
          EXPECT_TRUE(tile->transposes());
          EXPECT_EQ(SharedWavefronts(FmaCopyOffsets(*tile, tiling.threads), /*width=*/1, /*merges=*/false), 1);
        }
      }
}

}  // namespace
}  // namespace mmtune
