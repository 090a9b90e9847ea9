// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "kernels/tools/values.h"

namespace mmtune {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

ModelType Memref(const std::string& element, std::vector<int64_t> shape) {
  ModelType type;
  type.kind = ModelType::Kind::kMemref;
  type.element = element;
  type.shape = std::move(shape);
  type.text = "memref<...x" + element + ">";
  return type;
}

std::vector<double> NumbersOf(const ModelValue& value) {
  return ElementsToNumbers(value.type.element, value.data).value();
}

std::vector<double> Parsed(const std::string& text, const ModelType& type, size_t position = 0) {
  absl::StatusOr<ModelValue> value = ParseArgument(text, type, position);
  EXPECT_TRUE(value.ok()) << value.status();
  return value.ok() ? NumbersOf(*value) : std::vector<double>();
}

std::string Error(const std::string& text, const ModelType& type) {
  return std::string(ParseArgument(text, type, 0).status().message());
}

absl::StatusOr<std::vector<char>> Elements(std::string_view element, const std::vector<double>& numbers) {
  return MakeElements(element, static_cast<int64_t>(numbers.size()),
                      [&](int64_t i) { return numbers[static_cast<size_t>(i)]; });
}

ModelValue F32(const std::vector<double>& numbers) {
  return {Memref("f32", {static_cast<int64_t>(numbers.size())}),
          {static_cast<int64_t>(numbers.size())},
          Elements("f32", numbers).value()};
}

TEST(ElementValuesTest, EveryTypeGoesThereAndBack) {
  for (const char* element : {"f32", "f64", "f16", "bf16", "i8", "i16", "i32", "i64", "index"}) {
    const std::vector<double> numbers = {-3, 0, 1, 100};
    const auto data = Elements(element, numbers);
    ASSERT_TRUE(data.ok()) << element;
    EXPECT_EQ(static_cast<int64_t>(data->size()), 4 * ModelElementBytes(element).value()) << element;
    EXPECT_EQ(ElementsToNumbers(element, *data).value(), numbers) << element;
  }
  EXPECT_THAT(ElementsToNumbers("i1", Elements("i1", {0, 5}).value()).value(), ElementsAre(0, 1));
  EXPECT_THAT(ElementsToNumbers("i8", Elements("i8", {1e9, -1e9, kNan}).value()).value(), ElementsAre(127, -128, 0));
  EXPECT_FALSE(Elements("complex<f32>", {1}).ok());
}

TEST(ElementValuesTest, Bfloat16RoundsToNearestEven) {
  const auto back = [](double number) {
    return ElementsToNumbers("bf16", Elements("bf16", {number}).value()).value()[0];
  };
  EXPECT_EQ(back(1 + 1.0 / 256), 1);
  EXPECT_EQ(back(1 + 3.0 / 256), 1 + 4.0 / 256);
  EXPECT_EQ(back(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(back(kNan)));
}

TEST(ArgumentValuesTest, ParsesEveryForm) {
  const ModelType type = Memref("f32", {2, 2});
  EXPECT_THAT(Parsed("ones", type), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(Parsed("zeros", type), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(Parsed("iota", type), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Parsed("value:3.5", type), Each(3.5));
  const std::string path = testing::TempDir() + "values_test.bin";
  const float numbers[] = {4, 3, 2, 1};
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(numbers), sizeof numbers);
  EXPECT_THAT(Parsed("file:" + path, type), ElementsAre(4, 3, 2, 1));
}

TEST(ArgumentValuesTest, RandomIsTheSameForASeedAndDiffersByPosition) {
  const ModelType type = Memref("f32", {100});
  EXPECT_EQ(Parsed("random:1", type), Parsed("random:1", type));
  EXPECT_NE(Parsed("random:1", type), Parsed("random:2", type));
  EXPECT_NE(Parsed("random:1", type, 0), Parsed("random:1", type, 1));
  for (double number : Parsed("random:1", type)) EXPECT_LT(std::fabs(number), 1.0001);
  for (double number : Parsed("random:1", Memref("i32", {100}))) EXPECT_LE(std::fabs(number), 8);
}

TEST(ArgumentValuesTest, DynamicSizesAreGiven) {
  const ModelType type = Memref("i32", {-1, 3});
  EXPECT_EQ(ParseArgument("ones@2x3", type, 0)->sizes, (std::vector<int64_t>{2, 3}));
  EXPECT_THAT(Parsed("random:1@0x3", type), ElementsAre());
  EXPECT_THAT(Error("ones", type), HasSubstr("dynamic sizes"));
  EXPECT_THAT(Error("ones@2x4", type), HasSubstr("do not match"));
  EXPECT_THAT(Error("ones@2", type), HasSubstr("do not match"));
  EXPECT_THAT(Error("ones@2xy", type), HasSubstr("for example, 4x5"));
  EXPECT_THAT(Error("ones@9999999999x9999999999", Memref("i32", {-1, -1})), HasSubstr("too many"));
}

TEST(ArgumentValuesTest, RefusesValuesLargerThanMemory) {
  const std::string error = Error("random:1@9999999999999x3", Memref("f64", {-1, 3}));
  EXPECT_THAT(error, HasSubstr("--arg random:1@9999999999999x3 for argument 0, memref<...xf64>: too many elements"));
  EXPECT_THAT(error, HasSubstr("29999999999997 of 8 bytes"));
  EXPECT_THAT(Error("file:/dev/null@9999999999999", Memref("f64", {-1})), HasSubstr("too many elements"));
}

TEST(ArgumentValuesTest, ReportsInvalidArguments) {
  const ModelType type = Memref("f32", {2});
  for (const char* text : {"", "one", "ones:1", "iota:3"}) {
    EXPECT_THAT(Error(text, type), HasSubstr("random:SEED")) << text;
  }
  EXPECT_THAT(Error("random", type), HasSubstr("needs a seed"));
  EXPECT_THAT(Error("value:x", type), HasSubstr("not a number"));
  EXPECT_THAT(Error("file:/proc/no/such", type), HasSubstr("No such file"));
  EXPECT_THAT(Error("file:/dev/null", type), HasSubstr("0 bytes"));
  EXPECT_THAT(Error("file:/dev/zero", type), HasSubstr("it is a device"));
  EXPECT_THAT(Error("file:", type), HasSubstr("needs a path"));
}

TEST(ArgumentValuesTest, OneTextServesAllArguments) {
  const ModelFunction function{"f", {Memref("f32", {2}), Memref("f32", {3})}, {}};
  EXPECT_EQ(ParseArguments({"ones"}, function)->size(), 2u);
  EXPECT_EQ(ParseArguments({"ones", "zeros"}, function)->size(), 2u);
  EXPECT_THAT(std::string(ParseArguments({"ones", "ones", "ones"}, function).status().message()),
              HasSubstr("f takes 2 arguments"));
  EXPECT_FALSE(ParseArguments({}, function).ok());
  EXPECT_TRUE(ParseArguments({}, {"g", {}, {}}).ok());
}

TEST(ResultCheckTest, ErrorsAreRelativeToTheLargestMagnitude) {
  const Difference difference = Compare(F32({1, 100, 3}), F32({1, 100, 4})).value();
  EXPECT_EQ(difference.max_abs, 1);
  EXPECT_EQ(difference.relative, 0.01);
  EXPECT_EQ(difference.worst, 2);
  EXPECT_TRUE(Accepts(difference, Memref("f32", {3}), 0.01));
  EXPECT_FALSE(Accepts(difference, Memref("f32", {3}), 0.009));
  EXPECT_FALSE(Accepts(difference, Memref("i32", {3}), 1));
}

// Between neighbours of the largest magnitude: 1024 and 1025 of f16, 128 and 129 of bf16.
TEST(ResultCheckTest, ResultsOf16BitsMayRoundToANeighbour) {
  EXPECT_EQ(DefaultTolerance(Memref("f32", {1})), 1e-4);
  EXPECT_EQ(DefaultTolerance(Memref("f32", {1}), MathMode::kTf32x3), 1e-4);
  EXPECT_EQ(DefaultTolerance(Memref("f32", {1}), MathMode::kTf32), 1e-4 + 1.0 / 1024);
  for (auto [element, one_unit] : {std::pair{"f16", 1 / 1024.0}, {"bf16", 1 / 128.0}}) {
    const ModelType type = Memref(element, {1});
    Difference difference;
    difference.relative = one_unit;
    EXPECT_TRUE(Accepts(difference, type, DefaultTolerance(type))) << element;
    difference.relative = 2 * one_unit;
    EXPECT_FALSE(Accepts(difference, type, DefaultTolerance(type))) << element;
  }
}

TEST(ResultCheckTest, NansAndInfinitiesHaveToAgree) {
  EXPECT_EQ(Compare(F32({kNan, kInfinity, -kInfinity}), F32({kNan, kInfinity, -kInfinity}))->max_abs, 0);
  for (auto [value, expected] : {std::pair{kNan, 1.0}, {1.0, kNan}, {kInfinity, 1.0}, {kInfinity, -kInfinity}}) {
    const Difference difference = Compare(F32({value, 2}), F32({expected, 2})).value();
    EXPECT_FALSE(Accepts(difference, Memref("f32", {2}), 1e30)) << value << " for " << expected;
  }
  EXPECT_FALSE(Accepts(Compare(F32({1e-30}), F32({0})).value(), Memref("f32", {1}), 1e-4));
  EXPECT_FALSE(Accepts(Compare(F32({0}), F32({kNan})).value(), Memref("f32", {1}), 1e-4));
  EXPECT_FALSE(Compare(F32({1}), F32({1, 2})).ok());
}

ModelValue I64(const std::vector<int64_t>& numbers) {
  ModelValue value{Memref("i64", {static_cast<int64_t>(numbers.size())}), {static_cast<int64_t>(numbers.size())}, {}};
  value.data.resize(numbers.size() * sizeof(int64_t));
  std::memcpy(value.data.data(), numbers.data(), value.data.size());
  return value;
}

// A double has 53 bits.
TEST(ResultCheckTest, IntegersAreComparedExactly) {
  constexpr int64_t kLarge = (int64_t{1} << 53) + 1;
  EXPECT_TRUE(Accepts(Compare(I64({kLarge}), I64({kLarge})).value(), Memref("i64", {1}), 0));
  const Difference difference = Compare(I64({7, kLarge}), I64({7, kLarge - 1})).value();
  EXPECT_FALSE(Accepts(difference, Memref("i64", {2}), 1));
  EXPECT_EQ(difference.max_abs, 1);
  EXPECT_EQ(difference.worst, 1);
  EXPECT_EQ(difference.value, "9007199254740993");
  EXPECT_EQ(difference.expected, "9007199254740992");
  EXPECT_THAT(ValueText(I64({kLarge}), false).value(), HasSubstr("[9007199254740993]"));
}

TEST(ResultCheckTest, ValuesAsText) {
  EXPECT_THAT(ValueText(F32({1, 2, 3.5, kNan}), false).value(),
              testing::AllOf(HasSubstr("sum 6.5  min 1  max 3.5  1 NaN"), HasSubstr("[1, 2, 3.5, nan]")));
  const ModelValue many = F32(std::vector<double>(20, 1));
  EXPECT_THAT(ValueText(many, false).value(), HasSubstr("1, 1, ...]"));
  EXPECT_THAT(ValueText(many, true).value(), testing::Not(HasSubstr("...]")));
}

}  // namespace
}  // namespace mmtune
