// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/kernel_description.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

/// A tile of A, 128 floats wide and 32 deep, of 128 threads, `across` of which lie side by side along it.
BlockOperand Tile(int64_t across, int64_t vector, bool shared, int64_t copy_threads = 0) {
  BlockOperand operand{128, 128 / across, {}, vector, shared, copy_threads};
  for (size_t lane = 0; lane < operand.parts.size(); ++lane) {
    operand.parts[lane] = static_cast<int64_t>(lane) % across;
  }
  return operand;
}

LoopCost CostOf(const BlockOperand& operand) {
  ScheduleGeometry geometry;
  geometry.tile = {128, 128, 32};
  geometry.threads = 128;
  LoopCost cost;
  AddOperand(operand, geometry, cost);
  return cost;
}

/// For one k, of one warp; without copies.
double Reading(const BlockOperand& operand) {
  const double copies = operand.shared ? 32 * 128 / 32.0 : 0;
  return (CostOf(operand).wavefronts - copies) / (32 * 4);
}

/// Sums over all copies.
double Copying(int64_t copy_threads, int64_t vector) {
  return CostOf(Tile(32, vector, true, copy_threads)).wavefronts - 32 * 4 * Reading(Tile(32, vector, true));
}

TEST(OperandCost, PartsSideBySideMeetInBanksUnlessVectorsAreAsWide) {
  // 32 lanes, 4 floats of each: four quarters without a conflict, or a float at a time, 8 lanes to each bank.
  EXPECT_EQ(Reading(Tile(32, 4, true)), 4);
  EXPECT_EQ(Reading(Tile(32, 1, true)), 4 * 4);
  // 16 lanes, 8 floats of each: lanes i and i + 4 of a quarter meet; a float at a time, 4 lanes of 16.
  EXPECT_EQ(Reading(Tile(16, 4, true)), 2 * 4 * 2);
  EXPECT_EQ(Reading(Tile(16, 1, true)), 8 * 4);
}

TEST(OperandCost, WhatIsNotStagedIsAskedForLineByLine) {
  // A quarter's 8 lanes touch one line of 128 bytes, or two where each has 32 of them.
  EXPECT_EQ(Reading(Tile(32, 4, false)), 4);
  EXPECT_EQ(Reading(Tile(16, 4, false)), 2 * 4 * 2);
  // All 32 lanes at once, over all four lines.
  EXPECT_EQ(Reading(Tile(32, 1, false)), 4 * 4);
  // One address: one line for each quarter.
  EXPECT_EQ(Reading(Tile(1, 4, false)), 32 * 4);
}

TEST(OperandCost, CopiesMeetInBanksWhereAThreadsPieceIsLongerThanAVector) {
  EXPECT_EQ(Copying(32, 4), 128);  // 4,096 floats by 32
  EXPECT_EQ(Copying(0, 4), 128);
  // 8 threads with 16 floats each: a quarter's lanes have two places of banks between them.
  EXPECT_EQ(Copying(8, 4), 4 * 128);
  EXPECT_EQ(CostOf(Tile(32, 4, true, 8)).instructions, CostOf(Tile(32, 4, true)).instructions);
}

TEST(OperandCost, OddNumbersAreNoHarm) {
  for (int64_t vector : {1, 2, 4}) {
    for (int64_t copy_threads : {0, 1, 3, 128}) {
      BlockOperand operand{7, 3, {}, vector, true, copy_threads};
      EXPECT_GT(CostOf(operand).wavefronts, 0);
    }
  }
}

}  // namespace
}  // namespace mmtune
