// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/value_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "proto/json/strict_parse.h"

namespace mmtune {
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

TEST(ProblemJson, APlainProblemLooksAsItAlwaysDid) {
  const MatmulProblem problem{4, 5, 6, DataType::kF32};
  EXPECT_EQ(Dump(ToJson(problem)), R"({"dtype":"f32","k":6,"m":4,"n":5,"op":"matmul"})");
  EXPECT_EQ(*ReadProblem(R"({"dtype":"f32","k":6,"m":4,"n":5,"op":"matmul"})"), problem);
}

TEST(ProblemJson, EveryVariantSurvivesAndIsTheCanonicalText) {
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

TEST(JsonTextTest, NumbersAndTextsAreWrittenAsByTheLibrary) {
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

TEST(ProblemJson, WhatIsNotOneIsRefusedByField) {
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
