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

constexpr DataType kAll[] = {DataType::kF32, DataType::kF16, DataType::kBf16,
                             DataType::kS8,  DataType::kF64, DataType::kS32};
/// Types whose values f32 can represent.
constexpr DataType kFloats[] = {DataType::kF32, DataType::kF16, DataType::kBf16};

float Rounded(DataType type, float value) {
  std::vector<char> element(8);
  TraitsOf(type).encode(&value, 1, element.data());
  TraitsOf(type).decode(element.data(), 1, &value);
  return value;
}

TEST(DataType, RoundTripsByName) {
  for (DataType type : kAll) {
    EXPECT_EQ(TraitsOf(type).type, type);
    EXPECT_EQ(*ParseDataType(DataTypeName(type)), type);
  }
  EXPECT_EQ(ParseDataType("f8").status().message(), "unknown data type 'f8'; known: f32, f16, bf16, s8, f64, s32");
  EXPECT_EQ(ParseMathMode("tf16").status().message(), "unknown math mode 'tf16'; known: ieee, tf32, tf32x3, bf16x6");
  EXPECT_EQ(ParseOutputType("f16").status().message(), "unknown output type 'f16'; known: same, f32");
  for (MathMode mode : {MathMode::kIeee, MathMode::kTf32, MathMode::kTf32x3, MathMode::kBf16x6})
    EXPECT_EQ(*ParseMathMode(MathModeName(mode)), mode);
  for (OutputType out : {OutputType::kSame, OutputType::kF32}) EXPECT_EQ(*ParseOutputType(OutputTypeName(out)), out);
}

TEST(DataType, RepresentsEveryIntegerOfItsSignificand) {
  for (DataType type : kFloats) {
    const float end = std::ldexp(1.0f, TraitsOf(type).significand_bits);
    for (float value : {1.0f, 3.0f, end - 1, end, -end}) EXPECT_EQ(Rounded(type, value), value) << DataTypeName(type);
    if (type != DataType::kF32) {
      EXPECT_EQ(Rounded(type, end + 1), end) << "a tie, to even, of " << DataTypeName(type);
    }
  }
}

TEST(DataType, LargestValueIsFiniteAndLargerOnesAreInfinite) {
  for (DataType type : kFloats) {
    const auto largest = static_cast<float>(TraitsOf(type).largest);
    EXPECT_EQ(Rounded(type, largest), largest) << DataTypeName(type);
    EXPECT_EQ(Rounded(type, -std::numeric_limits<float>::infinity()), -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(Rounded(type, std::nanf(""))));
  }
  EXPECT_EQ(Rounded(DataType::kF16, 65520), std::numeric_limits<float>::infinity());
  EXPECT_EQ(Rounded(DataType::kBf16, std::numeric_limits<float>::max()), std::numeric_limits<float>::infinity());
}

TEST(DataType, SmallestValueIsRepresentedAndHalfOfItIsNot) {
  for (DataType type : kFloats) {
    const auto smallest = static_cast<float>(TraitsOf(type).smallest);
    EXPECT_EQ(Rounded(type, smallest), smallest) << DataTypeName(type);
    EXPECT_EQ(Rounded(type, smallest / 2), 0) << "a tie, to even, of " << DataTypeName(type);
  }
}

TEST(DataType, AccumulatorsHaveTheirOwnType) {
  for (DataType type : kFloats) EXPECT_EQ(TraitsOf(type).accumulator, DataType::kF32);
  EXPECT_EQ(TraitsOf(DataType::kS8).accumulator, DataType::kS32);
  EXPECT_EQ(TraitsOf(DataType::kF64).accumulator, DataType::kF64);
  for (DataType type : kAll) {
    EXPECT_EQ(TraitsOf(type).is_integer, type == DataType::kS8 || type == DataType::kS32);
    EXPECT_EQ(TraitsOf(TraitsOf(type).accumulator).accumulator, TraitsOf(type).accumulator);
  }
}

TEST(DataType, IntegersRoundAndSaturate) {
  const std::vector<float> values = {0, -1, 2.5f, 3.5f, 127.4f, 200, -128, -1e9f, std::nanf("")};
  std::vector<int8_t> bytes(values.size());
  TraitsOf(DataType::kS8).encode(values.data(), 9, bytes.data());
  EXPECT_THAT(bytes, ::testing::ElementsAre(0, -1, 2, 4, 127, 127, -128, -128, 0));
  const std::vector<double> large = {2147483647, -2147483648.0, 16777217, 1e12};
  std::vector<int32_t> words(large.size());
  TraitsOf(DataType::kS32).encode_double(large.data(), 4, words.data());
  EXPECT_THAT(words, ::testing::ElementsAre(2147483647, -2147483647 - 1, 16777217, 2147483647));
  std::vector<double> back(large.size());
  TraitsOf(DataType::kS32).decode_double(words.data(), 4, back.data());
  EXPECT_THAT(back, ::testing::ElementsAre(2147483647, -2147483648.0, 16777217, 2147483647));
}

TEST(DataType, DoublesKeepEveryBit) {
  const double value = 0x1.fffffffffffffp+1000;
  double element = 0, back = 0;
  TraitsOf(DataType::kF64).encode_double(&value, 1, &element);
  TraitsOf(DataType::kF64).decode_double(&element, 1, &back);
  EXPECT_EQ(back, value);
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
