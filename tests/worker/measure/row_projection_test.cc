// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/split_mix64.h"
#include "worker/measure/exact_operands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace mmtune {
namespace {

constexpr float kBound = 16777216.0f;

struct Row {
  explicit Row(size_t count) : values(count) {
    SplitMix64 random(count);
    for (float& value : values) value = static_cast<float>(static_cast<int64_t>(random.Next() >> 39) - (1 << 24));
    for (auto& x : vectors) {
      x.resize(count);
      for (uint32_t& entry : x) entry = static_cast<uint32_t>(random.Next());
    }
  }
  bool Project(uint64_t sums[2]) const {
    const uint32_t* const x[2] = {vectors[0].data(), vectors[1].data()};
    return ProjectRow(values.data(), static_cast<int64_t>(values.size()), kBound, x, sums);
  }

  std::vector<float> values;
  std::vector<uint32_t> vectors[2];
};

TEST(RowProjectionTest, IsTheSumOfProductsModulo64Bits) {
  for (size_t count : {0, 1, 3, 4, 5, 7, 8, 1003}) {
    Row row(count);
    if (count > 1) row.values[0] = kBound;
    if (count > 1) row.values[1] = -kBound;
    for (auto& x : row.vectors) {
      if (count > 0) x[count - 1] = 0xffffffff;
    }
    uint64_t sums[2], expected[2] = {};
    ASSERT_TRUE(row.Project(sums)) << count;
    for (size_t v = 0; v < 2; ++v) {
      for (size_t j = 0; j < count; ++j) {
        expected[v] += static_cast<uint64_t>(static_cast<int64_t>(row.values[j]) + (1 << 25)) * row.vectors[v][j];
      }
      EXPECT_EQ(sums[v], expected[v]) << count;
    }
  }
}

TEST(RowProjectionTest, RefusesWhatIsNoIntegerWithinTheBound) {
  using Limits = std::numeric_limits<float>;
  const float wrong[] = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), Limits::max(), 0.5f, -1.5f,
                         kBound + 2,          -kBound - 2,        2147483648.0f};
  for (size_t place = 0; place < 7; ++place) {  // four at a time, and three one by one
    for (float value : wrong) {
      Row row(7);
      row.values[place] = value;
      uint64_t sums[2];
      EXPECT_FALSE(row.Project(sums)) << value << " at " << place;
    }
  }
}

}  // namespace
}  // namespace mmtune
