// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which tiles of C are numbered. Of a tile whose number is a constant, the emitter's row and column are
// constants, too.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "kernels/families/common/block_work_emitter.h"
#include "mlir/IR/Matchers.h"
#include "tests/kernels/builder/built_module.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using mlir::Value;
using Tile = std::pair<int64_t, int64_t>;  // Row and column.

int64_t ConstantLookup(Value value) {
  llvm::APInt constant;
  EXPECT_TRUE(mlir::matchPattern(value, mlir::m_ConstantInt(&constant)));
  return constant.getSExtValue();
}

/// Returns the tiles of a matrix with `rows` x `columns` tiles, in order. Each is of C once.
std::vector<Tile> TilesInOrder(int64_t rows, int64_t columns, int64_t raster, int64_t group) {
  constexpr int64_t kTile = 16;
  MatmulProblem problem = TestProblem("1x1x16");
  problem.m = rows * kTile, problem.n = columns * kTile;
  BlockGrid grid(problem, kTile, kTile, kTile, /*splitK=*/1, group);
  grid.raster = raster;
  std::vector<Tile> tiles;
  const auto code = CompileBuiltModule(DeviceCodeFor("sm_90"), [&](KernelBuilder& builder) {
    beginMainKernel(builder, problem, "order", 32, 1, kNoReduction);
    for (int64_t number = 0; number < rows * columns; ++number) {
      const BlockWork work =
          assignWork(builder, grid, problem.k, builder.constant(problem.m), builder.constant(number), Value());
      tiles.emplace_back(ConstantLookup(work.row) / kTile, ConstantLookup(work.column) / kTile);
    }
    builder.finishKernel();
  });
  EXPECT_TRUE(code.ok()) << code.status();
  std::set<Tile> all(tiles.begin(), tiles.end());
  EXPECT_EQ(static_cast<int64_t>(all.size()), rows * columns);
  EXPECT_EQ(*all.rbegin(), Tile(rows - 1, columns - 1));
  return tiles;
}

TEST(TileOrderTest, GroupsOfRowsAndOfColumnsMirrorEachOther) {
  for (int64_t group : {1, 2, 4}) {
    const std::vector<Tile> along_n = TilesInOrder(9, 5, kAlongN, group), along_m = TilesInOrder(5, 9, kAlongM, group);
    for (size_t i = 0; i < along_n.size(); ++i)
      EXPECT_EQ(along_m[i], Tile(along_n[i].second, along_n[i].first)) << group << ", tile " << i;
  }
  EXPECT_EQ(TilesInOrder(4, 4, kAlongN, 2)[3], Tile(1, 1));
  EXPECT_EQ(TilesInOrder(4, 4, kAlongM, 2)[2], Tile(1, 0));
}

// Each tile of whole squares is a neighbour of the one before. Some do not fill the grid.
TEST(TileOrderTest, ACurveGoesFromNeighbourToNeighbour) {
  for (int64_t side : {4, 8, 16}) {
    const std::vector<Tile> tiles = TilesInOrder(side, 2 * side, kHilbert, side);
    for (size_t i = 1; i < tiles.size(); ++i)
      EXPECT_EQ(std::abs(tiles[i].first - tiles[i - 1].first) + std::abs(tiles[i].second - tiles[i - 1].second), 1)
          << side << ", tile " << i;
  }
  const std::vector<Tile> ragged = TilesInOrder(9, 13, kHilbert, 4);
  EXPECT_EQ(ragged[16], Tile(0, 4)) << "the second square";
  EXPECT_EQ(ragged[4 * 12], Tile(0, 12)) << "the column beside three squares";
  EXPECT_EQ(ragged[8 * 13 + 1], Tile(8, 1)) << "the last group, of one row";
}

}  // namespace
}  // namespace mmtune
