// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/kernel_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mmtune {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(HalfOctaves, EndWithTheLastSize) {
  EXPECT_THAT(HalfOctaves(1, 24), ElementsAre(1, 2, 3, 4, 6, 8, 12, 16, 24));
  EXPECT_THAT(HalfOctaves(1, 13), ElementsAre(1, 2, 3, 4, 6, 8, 12, 13));
  EXPECT_THAT(HalfOctaves(5, 20), ElementsAre(6, 8, 12, 16, 20));
  EXPECT_THAT(HalfOctaves(7, 7), ElementsAre(7));
  EXPECT_THAT(HalfOctaves(1, 1), ElementsAre(1));
  EXPECT_EQ(HalfOctaves(1, 8192).size(), 26u);
}

TEST(SelectKernels, TakesOneWhereOneIsGoodEnough) {
  const KernelSelection selection = *SelectKernels({{100, 230, 400}, {102, 205, 404}, {200, 200, 800}});
  EXPECT_THAT(selection.kernel_of, ElementsAre(1, 1, 1));
  EXPECT_EQ(selection.kernels, 1u);
  EXPECT_THAT(selection.regret, ElementsAre(DoubleNear(0.02, 1e-9), DoubleNear(0.025, 1e-9), DoubleNear(0.01, 1e-9)));
  EXPECT_NEAR(selection.mean_regret, 0.0183, 1e-4);
  EXPECT_NEAR(selection.p90_regret, 0.025, 1e-9);
}

TEST(SelectKernels, AddsKernelsUntilNineTenthsOfTheBucketsAreNearTheirBest) {
  // The first kernel is 10 % slower in one bucket of five, which the mean regret of 1.9 % does not show.
  const KernelSelection selection = *SelectKernels({{100, 100, 100, 100, 110}, {300, 300, 300, 300, 100}});
  EXPECT_THAT(selection.kernel_of, ElementsAre(0, 0, 0, 0, 1));
  EXPECT_EQ(selection.kernels, 2u);
  EXPECT_EQ(selection.mean_regret, 0);
}

TEST(SelectKernels, UsesNoKernelWhereItIsNotValid) {
  const KernelSelection selection = *SelectKernels({{0, 100, 100}, {100, 104, 0}});
  EXPECT_THAT(selection.kernel_of, ElementsAre(1, 0, 0));
  EXPECT_THAT(std::string(SelectKernels({{0, 100}, {0, 104}}).status().message()), HasSubstr("in bucket 0"));
}

TEST(SelectKernels, LeavesOutWhatLaterKernelsReplace) {
  // The middle kernel is the best single one, and best nowhere.
  const KernelSelection selection = *SelectKernels({{100, 400}, {150, 150}, {400, 100}});
  EXPECT_THAT(selection.kernel_of, ElementsAre(0, 2));
  EXPECT_EQ(selection.kernels, 2u);
}

TEST(SelectKernels, TakesTheFirstOfEqualKernels) {
  EXPECT_THAT(SelectKernels({{100, 100}, {100, 100}})->kernel_of, ElementsAre(0, 0));
}

}  // namespace
}  // namespace mmtune
