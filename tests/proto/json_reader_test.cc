// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A field that is missing, or of another type, is the first error, by its full name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <string>

#include "proto/base/json_tree.h"
#include "proto/json/json_reader.h"

namespace mmtune {
namespace {

template <typename T>
std::string ErrorOf(const char* text) {
  const JsonTree json = *ParseStrictJson(text, 4);
  absl::Status status;
  T value{};
  ObjectReader reader(json, "outer", &status);
  reader.Read("x", &value);
  reader.Finish();
  return std::string(status.message());
}

TEST(ObjectReaderTest, ErrorNamesAMissingField) {
  for (const char* text : {"{}", R"({"y": 1})"}) {
    EXPECT_EQ(ErrorOf<int64_t>(text), "outer.x is missing");
    EXPECT_EQ(ErrorOf<double>(text), "outer.x is missing");
    EXPECT_EQ(ErrorOf<bool>(text), "outer.x is missing");
    EXPECT_EQ(ErrorOf<std::string>(text), "outer.x is missing");
    EXPECT_EQ(ErrorOf<std::vector<double>>(text), "outer.x is missing");
    EXPECT_EQ(ErrorOf<std::vector<std::string>>(text), "outer.x is missing");
  }
}

TEST(ObjectReaderTest, ErrorNamesAFieldOfAnotherType) {
  EXPECT_EQ(ErrorOf<int64_t>(R"({"x": 9223372036854775808})"), "outer.x is not a 64-bit integer");
  EXPECT_EQ(ErrorOf<int64_t>(R"({"x": 1.5})"), "outer.x is not a 64-bit integer");
  EXPECT_EQ(ErrorOf<double>(R"({"x": "1.5"})"), "outer.x is not a number");
  EXPECT_EQ(ErrorOf<bool>(R"({"x": 1})"), "outer.x is neither true nor false");
  EXPECT_EQ(ErrorOf<std::string>(R"({"x": 1})"), "outer.x is not a string");
  EXPECT_EQ(ErrorOf<std::vector<double>>(R"({"x": [1, true]})"), "outer.x is not an array of numbers");
  EXPECT_EQ(ErrorOf<std::vector<std::string>>(R"({"x": "a"})"), "outer.x is not an array of strings");
  EXPECT_EQ(ErrorOf<std::vector<std::string>>(R"({"x": ["a", 1]})"), "outer.x is not an array of strings");
}

TEST(ObjectReaderTest, NonFiniteNumbersAreWords) {
  auto read = [](const char* text) {
    const JsonTree json = *ParseStrictJson(text, 4);
    absl::Status status;
    double value = 0;
    ObjectReader(json, "", &status).Read("x", &value);
    EXPECT_TRUE(status.ok()) << status;
    return value;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(read(R"({"x": "inf"})"), kInfinity);
  EXPECT_EQ(read(R"({"x": "-inf"})"), -kInfinity);
  EXPECT_TRUE(std::isnan(read(R"({"x": "nan"})")));
  // Before, between and after the three in the alphabet.
  for (const char* other : {"", "+inf", "-", "-infinity", "INF", "infinity", "nano", "x"}) {
    EXPECT_EQ(ErrorOf<double>(("{\"x\": \"" + std::string(other) + "\"}").c_str()), "outer.x is not a number") << other;
  }
}

TEST(ObjectReaderTest, MissingChildrenAreErrors) {
  const JsonTree json = *ParseStrictJson("{}", 4);
  absl::Status status;
  ObjectReader reader(json, "", &status);
  EXPECT_TRUE(reader.Children("rows").empty());
  EXPECT_EQ(status.message(), "rows is missing");
}

}  // namespace

namespace {

using ::testing::HasSubstr;

absl::StatusOr<MatmulProblem> ReadProblem(const std::string& text) {
  const JsonTree json = *ParseStrictJson(text, 8);
  absl::Status status;
  MatmulProblem problem;
  FromJson(ObjectReader(json, "problem", &status), &problem);
  if (!status.ok()) return status;
  return problem;
}

TEST(ProblemJson, PlainProblemHasOnlyItsBasicFields) {
  const MatmulProblem problem{4, 5, 6, DataType::kF32};
  EXPECT_EQ(Dump(ToJson(problem)), R"({"dtype":"f32","k":6,"m":4,"n":5,"op":"matmul"})");
  EXPECT_EQ(*ReadProblem(R"({"dtype":"f32","k":6,"m":4,"n":5,"op":"matmul"})"), problem);
}

TEST(ProblemJson, EveryVariantRoundTripsAsCanonicalJson) {
  for (int64_t batch : {1, 8}) {
    for (bool transpose_b : {false, true}) {
      for (const char* epilogue : {"", "bias,relu", "gelu,clamp:-0.1:6,silu,gelu_tanh", "scale:0.1,add",
                                   "scale:1e-40,bias,scale:-3.4028235e+38"}) {
        MatmulProblem problem{4, 5, 6, DataType::kF32};
        problem.batch = batch;
        problem.transpose_b = transpose_b;
        problem.epilogue = ParseEpilogue(epilogue).value();
        const std::string text = Dump(ToJson(problem));
        EXPECT_EQ(text, problem.CanonicalJson());
        EXPECT_EQ(*ReadProblem(text), problem) << text;
        EXPECT_EQ(*ParseColumn<MatmulProblem>(problem.CanonicalJson()), problem);
      }
    }
  }
}

TEST(JsonTextTest, WritesNumbersAndTextsLikeTheLibrary) {
  const double limit = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (double value : {0.0,
                       -0.0,
                       1.0,
                       -1.0,
                       0.1,
                       -0.5,
                       1e7,
                       123456789.0,
                       999999999999999.0,
                       -999999999999999.0,
                       1e15,
                       1e16,
                       9007199254740993.0,
                       1e22,
                       1.5e300,
                       limit,
                       -limit,
                       least,
                       1e-7,
                       1.0 / 3,
                       2.2250738585072014e-308,
                       infinity,
                       -infinity,
                       nan}) {
    std::string text;
    AppendJson(text, value);
    EXPECT_EQ(text, Dump(DoubleToJson(value))) << value;
  }
  for (int64_t value : {int64_t{0}, int64_t{-1}, int64_t{42}, std::numeric_limits<int64_t>::max(),
                        std::numeric_limits<int64_t>::min()}) {
    std::string text;
    AppendJson(text, value);
    EXPECT_EQ(text, Dump(nlohmann::json(value)));
  }
  for (const std::string& value :
       {std::string(), std::string("plain"), std::string("\"\\/\b\f\n\r\t"), std::string("\0\x1f\x7f", 3),
        std::string("\xc3\xa9\xe2\x82\xac"), std::string("\xff\xc3"), std::string("{,}:[]")}) {
    std::string text;
    AppendJson(text, std::string_view(value));
    EXPECT_EQ(text, Dump(nlohmann::json(value)));
  }
}

TEST(ProblemJson, RefusesInvalidProblemsByField) {
  auto error = [](const std::string& more) {
    const auto problem = ReadProblem(R"({"dtype":"f32","k":6,"m":4,"n":5,"op":"matmul")" + more + "}");
    EXPECT_EQ(problem.status().code(), absl::StatusCode::kInvalidArgument) << more;
    return std::string(problem.status().message());
  };
  EXPECT_THAT(error(R"(,"batch":"8")"), HasSubstr("problem.batch is not a 64-bit integer"));
  EXPECT_THAT(error(R"(,"batch":1.5)"), HasSubstr("problem.batch"));
  EXPECT_THAT(error(R"(,"transpose_b":1)"), HasSubstr("problem.transpose_b is neither true nor false"));
  EXPECT_THAT(error(R"(,"epilogue":["relu"])"), HasSubstr("problem.epilogue is not a string"));
  EXPECT_THAT(error(R"(,"epilogue":"elu")"), HasSubstr("problem.epilogue unknown epilogue step 'elu'"));
  EXPECT_THAT(error(R"(,"math":"tf64")"), HasSubstr("problem.math unknown math mode 'tf64'"));
  EXPECT_THAT(error(R"(,"transpose_c":true)"), HasSubstr("problem.transpose_c is not a field of this version"));
}

}  // namespace
}  // namespace mmtune
