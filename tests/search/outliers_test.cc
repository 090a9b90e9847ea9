// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/gaussian_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mmtune {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(Outliers, HowFarOutOneIsMakesNoDifference) {
  const std::vector<double> values = WithoutOutliers({0.3, 5, 0.1, 0.4, 0.2, 0.6, 0, 0.5, 0.7});
  EXPECT_EQ(values, WithoutOutliers({0.3, 500, 0.1, 0.4, 0.2, 0.6, 0, 0.5, 0.7}));
  // The median is 0.4, the deviation of what is below it sqrt((0.16 + 0.09 + 0.04 + 0.01) / 5), the highest of nine
  // normal values at 1.593 deviations.
  EXPECT_NEAR(values[1], 0.4 + 0.2449 * 1.593, 1e-3);
  EXPECT_EQ(std::max_element(values.begin(), values.end()) - values.begin(), 1);
}

TEST(Outliers, TheLowerHalfAndTheOrderStay) {
  const std::vector<double> values = {-90, 0, 1, 2, 3, 1e3, 1e4, 1e5, 1e6, 1e7};
  const std::vector<double> tamed = WithoutOutliers(values);
  EXPECT_TRUE(std::equal(tamed.begin(), tamed.begin() + 5, values.begin()));
  EXPECT_TRUE(std::is_sorted(tamed.begin(), tamed.end()));
  EXPECT_LT(tamed.back(), 1e3);
}

TEST(Outliers, NormalValuesStay) {
  // Quantiles of a normal distribution: none is further out than its rank says.
  const std::vector<double> values = {-1.5932, -0.9674, -0.5895, -0.2822, 0, 0.2822, 0.5895, 0.9674, 1.5932};
  const std::vector<double> tamed = WithoutOutliers(values);
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(tamed[i], values[i], 0.25) << i;
}

TEST(Outliers, EqualOnesStayEqual) {
  const std::vector<double> tamed = WithoutOutliers({0, 1, 2, 3, 4, 100, 100, 100, 100});
  EXPECT_GT(tamed[5], 4);
  EXPECT_LT(tamed[5], 100);
  EXPECT_THAT(std::vector<double>(tamed.begin() + 5, tamed.end()), Each(tamed[5]));
}

TEST(Outliers, WithoutASpreadBelowTheMedianNothingIsOne) {
  EXPECT_THAT(WithoutOutliers({1, 1, 1, 1, 1, 2, 3, 5, 9}), ElementsAre(1, 1, 1, 1, 1, 2, 3, 5, 9));
}

TEST(Outliers, FewOrEqualOnesStay) {
  EXPECT_THAT(WithoutOutliers({}), ElementsAre());
  EXPECT_THAT(WithoutOutliers({1, 2, 3, 4, 5, 6, 700}), ElementsAre(1, 2, 3, 4, 5, 6, 700));
  EXPECT_THAT(WithoutOutliers(std::vector<double>(20, 3.5)), Each(3.5));
}

}  // namespace
}  // namespace mmtune
