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
  return MakeExactOperands(problem, TestSeed(11));
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

}  // namespace
}  // namespace mmtune
