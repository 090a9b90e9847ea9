// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/data_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace mmtune {
namespace {

constexpr DataType kAll[] = {DataType::kF32, DataType::kF16, DataType::kBf16};

float Rounded(DataType type, float value) {
  std::vector<char> element(8);
  TraitsOf(type).encode(&value, 1, element.data());
  TraitsOf(type).decode(element.data(), 1, &value);
  return value;
}

TEST(DataType, EachIsKnownByItsName) {
  for (DataType type : kAll) {
    EXPECT_EQ(TraitsOf(type).type, type);
    EXPECT_EQ(*ParseDataType(DataTypeName(type)), type);
  }
  EXPECT_EQ(ParseDataType("f8").status().message(), "unknown data type 'f8'; known: f32, f16, bf16");
  EXPECT_EQ(ParseMathMode("tf16").status().message(), "unknown math mode 'tf16'; known: ieee, tf32, tf32x3, bf16x6");
  EXPECT_EQ(ParseOutputType("f16").status().message(), "unknown output type 'f16'; known: same, f32");
  for (MathMode mode : {MathMode::kIeee, MathMode::kTf32, MathMode::kTf32x3, MathMode::kBf16x6})
    EXPECT_EQ(*ParseMathMode(MathModeName(mode)), mode);
  for (OutputType out : {OutputType::kSame, OutputType::kF32}) EXPECT_EQ(*ParseOutputType(OutputTypeName(out)), out);
}

TEST(DataType, TakesEveryIntegerThatItsSignificandHolds) {
  for (DataType type : kAll) {
    const float end = std::ldexp(1.0f, TraitsOf(type).significand_bits);
    for (float value : {1.0f, 3.0f, end - 1, end, -end}) EXPECT_EQ(Rounded(type, value), value) << DataTypeName(type);
    if (type != DataType::kF32) EXPECT_EQ(Rounded(type, end + 1), end) << "a tie, to even, of " << DataTypeName(type);
  }
}

TEST(DataType, TakesItsLargestValueAndIsInfiniteBeyond) {
  for (DataType type : kAll) {
    const auto largest = static_cast<float>(TraitsOf(type).largest);
    EXPECT_EQ(Rounded(type, largest), largest) << DataTypeName(type);
    EXPECT_EQ(Rounded(type, -std::numeric_limits<float>::infinity()), -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(Rounded(type, std::nanf(""))));
  }
  EXPECT_EQ(Rounded(DataType::kF16, 65520), std::numeric_limits<float>::infinity());
  EXPECT_EQ(Rounded(DataType::kBf16, std::numeric_limits<float>::max()), std::numeric_limits<float>::infinity());
}

TEST(DataType, TakesItsSmallestValueAndNoHalfOfIt) {
  for (DataType type : kAll) {
    const auto smallest = static_cast<float>(TraitsOf(type).smallest);
    EXPECT_EQ(Rounded(type, smallest), smallest) << DataTypeName(type);
    EXPECT_EQ(Rounded(type, smallest / 2), 0) << "a tie, to even, of " << DataTypeName(type);
  }
}

TEST(DataType, ConvertsWholeArrays) {
  const std::vector<float> values = {0, -0.0f, 1, -2.5f, 1.0f / 3};
  std::vector<uint16_t> elements(values.size());
  TraitsOf(DataType::kBf16).encode(values.data(), 5, elements.data());
  EXPECT_THAT(elements, ::testing::ElementsAre(0, 0x8000, 0x3f80, 0xc020, 0x3eab));
  std::vector<float> back(values.size());
  TraitsOf(DataType::kBf16).decode(elements.data(), 5, back.data());
  EXPECT_THAT(back, ::testing::ElementsAre(0, -0.0f, 1, -2.5f, 0.333984375f));
}

}  // namespace
}  // namespace mmtune
