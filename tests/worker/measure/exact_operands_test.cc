// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/exact_operands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string_view>

#include "tests/test_seed.h"

namespace mmtune {
namespace {

ExactOperands OperandsOf(DataType type, std::string_view epilogue) {
  MatmulProblem problem = *ParseMatmulShape("24x40x16", type);
  problem.epilogue = *ParseEpilogue(epilogue);
  return MakeExactOperands<float>(problem, TestSeed(11));
}

float LargestOf(const std::vector<float>& values) {
  float largest = 0;
  for (float value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

TEST(ExactOperandsTest, WhatAnEpilogueAddsIsNeverZeroAndDiffers) {
  for (DataType type : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
    for (std::string_view epilogue : {"bias,add", "scale:0.25,bias,relu,add", "scale:1e-5,bias,add"}) {
      SCOPED_TRACE(std::string(epilogue) + ", type " + std::to_string(static_cast<int>(type)));
      const ExactOperands operands = OperandsOf(type, epilogue);
      ASSERT_EQ(operands.bias.size(), 40u);
      ASSERT_EQ(operands.addend.size(), 24u * 40u);
      for (const std::vector<float>* values : {&operands.bias, &operands.addend}) {
        for (float value : *values) EXPECT_TRUE(value != 0 && std::isfinite(value)) << value;
        EXPECT_GT(std::set<float>(values->begin(), values->end()).size(), 10u);
      }
    }
  }
}

// Beyond it, a sum with the addend would be infinite, and show nothing.
TEST(ExactOperandsTest, WhatAnEpilogueAddsIsFiniteAfterAnyScale) {
  const ExactOperands operands = OperandsOf(DataType::kF32, "scale:1e35,scale:1e35,bias,add");
  EXPECT_EQ(LargestOf(operands.bias), 1e38f);
  EXPECT_EQ(LargestOf(operands.addend), 1e38f);
}

// A kernel may be wrong in one place of an instruction's k, or of a tile's, alone.
TEST(ExactOperandsTest, FactorsOfManyBitsAreInEveryPlaceOfAnInstruction) {
  struct Case {
    std::string_view shape;
    DataType type;
    MathMode math;
    float wide;
  };
  for (const Case& c : {Case{"1x1x252", DataType::kF32, MathMode::kBf16x6, 0x1p17f},
                        Case{"1x1x1008", DataType::kF32, MathMode::kBf16x6, 0x1p17f},
                        Case{"1x1x4032", DataType::kF32, MathMode::kBf16x6, 0x1p17f},
                        Case{"1x1x16384", DataType::kF16, MathMode::kIeee, 0x1p10f},
                        Case{"1x1x131072", DataType::kBf16, MathMode::kIeee, 0x1p7f}}) {
    MatmulProblem problem = *ParseMatmulShape(c.shape, c.type);
    problem.math = c.math;
    SCOPED_TRACE(problem.Text());
    const ExactOperands operands = MakeExactOperands<float>(problem, TestSeed(12));
    std::set<int64_t> places;
    for (int64_t k = 0; k < problem.k; ++k) {
      const auto at = static_cast<size_t>(k);
      if (std::max(std::fabs(operands.a[at]), std::fabs(operands.b[at])) >= c.wide) places.insert(k % 16);
    }
    EXPECT_EQ(places.size(), 16u);
  }
}

}  // namespace
}  // namespace mmtune
