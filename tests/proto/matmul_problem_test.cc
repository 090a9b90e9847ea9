// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/matmul_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <utility>

#include "proto/base/digest.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

TEST(ParseMatmulShape, ReadsMxNxK) {
  EXPECT_EQ(*ParseMatmulShape("4x5x6", DataType::kF32), (MatmulProblem{4, 5, 6, DataType::kF32}));
  EXPECT_EQ(*ParseMatmulShape("4X5X6", DataType::kF32), (MatmulProblem{4, 5, 6, DataType::kF32}));
  EXPECT_EQ(*ParseMatmulShape("1x1x1", DataType::kF32), (MatmulProblem{1, 1, 1, DataType::kF32}));
  EXPECT_EQ(ParseMatmulShape("5376x2048x17", DataType::kF32)->ShapeText(), "5376x2048x17");
}

struct BadShape {
  std::string name, text, complaint;
};

class ParseMatmulShapeRefuses : public ::testing::TestWithParam<BadShape> {};

TEST_P(ParseMatmulShapeRefuses, WithOneLineSayingWhatIsWrong) {
  auto problem = ParseMatmulShape(GetParam().text, DataType::kF32);
  ASSERT_FALSE(problem.ok());
  EXPECT_EQ(problem.status().code(), absl::StatusCode::kInvalidArgument);
  const std::string message(problem.status().message());
  EXPECT_THAT(message, HasSubstr(GetParam().complaint));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    All, ParseMatmulShapeRefuses,
    ::testing::Values(BadShape{"Nothing", "", "write MxNxK"}, BadShape{"Words", "large", "write MxNxK"},
                      BadShape{"OneExtent", "1024", "write MxNxK"}, BadShape{"TwoExtents", "4x5", "write MxNxK"},
                      BadShape{"FourExtents", "4x5x6x7", "write MxNxK"}, BadShape{"EmptyExtent", "4xx6", "write MxNxK"},
                      BadShape{"EmptyLast", "4x5x", "write MxNxK"}, BadShape{"LeadingBlank", " 4x5x6", "write MxNxK"},
                      BadShape{"TrailingBlank", "4x5x6 ", "write MxNxK"}, BadShape{"Commas", "4,5,6", "write MxNxK"},
                      BadShape{"Stars", "4*5*6", "write MxNxK"}, BadShape{"Fraction", "4.5x5x6", "write MxNxK"},
                      BadShape{"Exponent", "1e3x5x6", "write MxNxK"}, BadShape{"Hex", "0x10x5x6", "write MxNxK"},
                      BadShape{"PlusSign", "+4x5x6", "write MxNxK"}, BadShape{"ZeroM", "0x5x6", "M=0 is not positive"},
                      BadShape{"ZeroN", "4x0x6", "N=0 is not positive"},
                      BadShape{"ZeroK", "4x5x0", "K=0 is not positive"},
                      BadShape{"NegativeM", "-4x5x6", "M=-4 is not positive"},
                      BadShape{"NegativeK", "4x5x-6", "K=-6 is not positive"},
                      BadShape{"Past64Bits", "9223372036854775808x1x1", "does not fit 64 bits"},
                      BadShape{"FarPast64Bits", "1x1x99999999999999999999999", "does not fit 64 bits"},
                      BadShape{"LargestInt64", "9223372036854775807x1x1", "M=9223372036854775807 is too large"},
                      BadShape{"TwoToThe40", "1x1099511627776x1", "N=1099511627776 is too large"},
                      BadShape{"TooManyElementsInA", "1048576x1x1048576", "matrix A of 1048576x1048576"},
                      BadShape{"TooManyElementsInB", "1x1048576x1048576", "matrix B of 1048576x1048576"},
                      BadShape{"TooManyElementsInC", "1048576x1048576x1", "matrix C of 1048576x1048576"}),
    [](const auto& info) { return info.param.name; });

TEST(MatmulProblem, LargestValidProblemDoesNotOverflow) {
  auto problem = ParseMatmulShape("1048575x1048576x1", DataType::kF32);
  ASSERT_TRUE(problem.ok()) << problem.status();
  EXPECT_EQ(problem->ElementsC(), int64_t{1048575} * 1048576);
  EXPECT_EQ(problem->OperandBytes(), 4 * (int64_t{1048575} + 1048576 + int64_t{1048575} * 1048576));
}

TEST(MatmulProblem, CountsTheBytesOfEachType) {
  MatmulProblem problem{4, 5, 6, DataType::kBf16};
  problem.epilogue = {{EpilogueOp::Kind::kBias}, {EpilogueOp::Kind::kAdd}};
  EXPECT_EQ(problem.OperandBytes(), 2 * (24 + 30 + 20 + 5 + 20));
  problem.out = OutputType::kF32;
  EXPECT_EQ(problem.TypeOfC(), DataType::kF32);
  EXPECT_EQ(problem.OperandBytes(), 2 * (24 + 30) + 4 * (20 + 5 + 20));
}

TEST(MatmulProblem, TextNamesTypesThatAreNotTheDefault) {
  MatmulProblem problem{4, 5, 6, DataType::kF16};
  problem.out = OutputType::kF32;
  problem.transpose_a = true;
  EXPECT_EQ(problem.Text(), "4x5x6 f16 out=f32 transpose_a");
  EXPECT_EQ(problem.CanonicalJson(),
            R"({"dtype":"f16","k":6,"m":4,"n":5,"op":"matmul","out":"f32","transpose_a":true})");
  MatmulProblem tf32{4, 5, 6};
  tf32.math = MathMode::kTf32;
  EXPECT_EQ(tf32.Text(), "4x5x6 tf32");
  EXPECT_EQ(tf32.CanonicalJson(), R"({"dtype":"f32","k":6,"m":4,"math":"tf32","n":5,"op":"matmul"})");
}

TEST(MatmulProblem, RefusesRedundantTypes) {
  MatmulProblem problem{4, 5, 6};
  problem.out = OutputType::kF32;
  EXPECT_THAT(std::string(problem.Validate().message()), HasSubstr("out=f32 is redundant for f32 inputs"));
  problem = {4, 5, 6, DataType::kBf16};
  problem.math = MathMode::kTf32;
  EXPECT_THAT(std::string(problem.Validate().message()), HasSubstr("math mode tf32 is for f32 elements, not bf16"));
}

TEST(MatmulProblem, SupportsS8AndF64) {
  MatmulProblem bytes{4, 5, 6, DataType::kS8}, doubles{4, 5, 6, DataType::kF64};
  EXPECT_EQ(bytes.TypeOfC(), DataType::kS32);
  EXPECT_EQ(bytes.OperandBytes(), 24 + 30 + 4 * 20);
  EXPECT_EQ(bytes.Text(), "4x5x6 s8");
  EXPECT_EQ(bytes.CanonicalJson(), R"({"dtype":"s8","k":6,"m":4,"n":5,"op":"matmul"})");
  EXPECT_EQ(doubles.TypeOfC(), DataType::kF64);
  EXPECT_EQ(doubles.OperandBytes(), 8 * (24 + 30 + 20));
  EXPECT_EQ(doubles.CanonicalJson(), R"({"dtype":"f64","k":6,"m":4,"n":5,"op":"matmul"})");
  for (const MatmulProblem& problem : {bytes, doubles}) {
    EXPECT_TRUE(problem.Validate().ok());
    EXPECT_EQ(problem.AccumulatorType(), problem.TypeOfC());
  }
}

TEST(MatmulProblem, RefusesUnsupportedFeaturesOfS8AndF64) {
  const auto why = [](DataType dtype, OutputType out, std::string_view epilogue) {
    MatmulProblem problem{4, 5, 6, dtype};
    problem.out = out;
    problem.epilogue = *ParseEpilogue(epilogue);
    return std::string(problem.Validate().message());
  };
  EXPECT_EQ(why(DataType::kS8, OutputType::kF32, ""),
            "out=f32 is not supported for s8 inputs, whose output is s32; remove it");
  EXPECT_EQ(why(DataType::kF64, OutputType::kF32, ""),
            "out=f32 is not supported for f64 inputs, whose output is f64; remove it");
  EXPECT_EQ(why(DataType::kS8, OutputType::kSame, "relu"),
            "an epilogue is not supported for s8 inputs, whose output is s32; remove it");
  EXPECT_EQ(why(DataType::kF64, OutputType::kSame, "bias,sub,relu,scale:0.5"), "");
  EXPECT_EQ(why(DataType::kF64, OutputType::kSame, "bias,gelu_tanh"),
            "epilogue step 'gelu_tanh' is not supported for f64; supported: bias, add, sub, relu, scale");
  EXPECT_EQ(why(DataType::kS32, OutputType::kSame, ""),
            "s32 inputs are not supported; use s8 inputs, whose output is s32");
}

TEST(MatmulProblem, CountsElementsBytesAndFlops) {
  MatmulProblem problem{4, 5, 6, DataType::kF32};
  EXPECT_EQ(problem.ElementsA(), 24);
  EXPECT_EQ(problem.ElementsB(), 30);
  EXPECT_EQ(problem.ElementsC(), 20);
  EXPECT_EQ(problem.OperandBytes(), 296);
  EXPECT_EQ(problem.Flops(), 240);
  EXPECT_EQ((MatmulProblem{1 << 20, 1 << 19, 1 << 18, DataType::kF32}).Flops(), 0x1p58);
}

TEST(MatmulProblem, DigestIsOfTheCanonicalJson) {
  MatmulProblem problem{4, 5, 6, DataType::kF32};
  EXPECT_EQ(problem.CanonicalJson(), R"({"dtype":"f32","k":6,"m":4,"n":5,"op":"matmul"})");
  EXPECT_EQ(problem.Digest(), Sha256Hex(R"({"dtype":"f32","k":6,"m":4,"n":5,"op":"matmul"})"));
  EXPECT_NE(problem.Digest(), (MatmulProblem{5, 4, 6, DataType::kF32}).Digest());
}

MatmulProblem Variant(int64_t batch, bool transpose_b, const char* epilogue) {
  return {4, 5, 6, DataType::kF32, batch, transpose_b, ParseEpilogue(epilogue).value()};
}

TEST(MatmulProblem, CountsTheWholeBatchAndAllOperands) {
  const MatmulProblem problem = Variant(7, true, "bias,relu,add");
  EXPECT_EQ(problem.ElementsA(), 7 * 24);
  EXPECT_EQ(problem.ElementsB(), 7 * 30);
  EXPECT_EQ(problem.ElementsC(), 7 * 20);
  EXPECT_EQ(problem.ElementsBias(), 5);
  EXPECT_EQ(problem.ElementsAddend(), 7 * 20);
  EXPECT_EQ(problem.OperandBytes(), 4 * (7 * (24 + 30 + 20 + 20) + 5));
  EXPECT_EQ(problem.Flops(), 7 * 240);
  EXPECT_EQ(Variant(7, false, "relu").ElementsBias(), 0);
  EXPECT_EQ(Variant(7, false, "relu").ElementsAddend(), 0);
}

TEST(MatmulProblem, EveryVariantHasItsOwnTextAndDigest) {
  EXPECT_EQ(Variant(1, false, "").Text(), "4x5x6");
  EXPECT_EQ(Variant(8, true, "bias,relu").Text(), "4x5x6 batch=8 transpose_b epilogue=bias,relu");
  EXPECT_EQ(
      Variant(8, true, "bias,scale:0.50").CanonicalJson(),
      R"({"batch":8,"dtype":"f32","epilogue":"bias,scale:0.5","k":6,"m":4,"n":5,"op":"matmul","transpose_b":true})");
  std::set<std::string> digests, texts;
  for (int64_t batch : {1, 2}) {
    for (bool transpose_b : {false, true}) {
      for (const char* epilogue : {"", "bias", "bias,relu", "relu,bias", "scale:0.1", "scale:0.2"}) {
        digests.insert(Variant(batch, transpose_b, epilogue).Digest());
        texts.insert(Variant(batch, transpose_b, epilogue).Text());
      }
    }
  }
  EXPECT_EQ(digests.size(), 24u);
  EXPECT_EQ(texts.size(), 24u);
}

TEST(MatmulProblem, LimitsIncludeTheBatch) {
  MatmulProblem problem{1 << 14, 1 << 14, 1, DataType::kF32};
  problem.batch = 1 << 11;
  EXPECT_TRUE(problem.Validate().ok());
  problem.batch = 1 << 12;
  EXPECT_THAT(std::string(problem.Validate().message()), HasSubstr("matrix C of 4096x16384x16384"));
  for (int64_t batch : {int64_t{0}, int64_t{-5}, int64_t{1} << 40, std::numeric_limits<int64_t>::max()}) {
    problem.batch = batch;
    EXPECT_THAT(std::string(problem.Validate().message()), HasSubstr("batch=")) << batch;
  }
}

TEST(Epilogues, ReadBackExactly) {
  EXPECT_EQ(EpilogueText({}), "");
  EXPECT_TRUE(ParseEpilogue("")->empty());
  for (const char* text : {"bias", "add", "relu", "scale:0.125", "bias,relu,scale:0.1,add", "sub,tanh", "relu,relu",
                           "gelu", "gelu_tanh", "silu", "clamp:0:6", "clamp:-0.1:-0.1",
                           "bias,gelu,clamp:-1e+20:1e-45,silu", "scale:-3.4028235e+38,scale:1e-45"}) {
    auto epilogue = ParseEpilogue(text);
    ASSERT_TRUE(epilogue.ok()) << epilogue.status();
    EXPECT_EQ(EpilogueText(*epilogue), text);
  }
  for (float factor : {0.1f, 1.0f / 3, 16777217.0f, 1e-40f}) {
    const Epilogue epilogue = {{EpilogueOp::Kind::kScale, factor}};
    EXPECT_EQ(*ParseEpilogue(EpilogueText(epilogue)), epilogue);
  }
}

TEST(Epilogues, RefuseMalformedText) {
  for (auto [text, complaint] :
       {std::pair("elu", "'elu'; known: bias, add, sub, relu, gelu, gelu_tanh, silu, tanh, scale:<factor>, "),
        {"gelu:2", "'gelu:2'"},
        {"gelu_erf", "'gelu_erf'"},
        {"clamp", "'clamp'"},
        {"clamp:1", "'clamp:1'"},
        {"clamp:1:2:3", "'clamp:1:2:3'"},
        {"clamp:0:x", "'clamp:0:x'"},
        {"clamp:6:0", "must be finite and in ascending order, got 6 and 0"},
        {"clamp:nan:1", "must be finite and in ascending order"},
        {"clamp:0:inf", "must be finite and in ascending order"},
        {"bias,", "ends with a comma"},
        {",bias", "''"},
        {"bias, relu", "' relu'"},
        {"RELU", "'RELU'"},
        {"scale", "'scale'"},
        {"scale:", "'scale:'"},
        {"scale:1x", "'scale:1x'"},
        {"scale:1e39", "'scale:1e39' needs f32 numbers, as in scale:0.125 or clamp:0:6"},
        {"scale:0", "must be finite and not 0"},
        {"scale:-0", "must be finite and not 0"},
        {"scale:nan", "must be finite and not 0"},
        {"scale:inf", "must be finite and not 0"},
        {"bias,relu,bias", "'bias' twice"},
        {"add,add", "'add' twice"},
        {"sub,relu,sub", "'sub' twice"},
        {"sub,add", "a kernel reads at most one operand of C's size"},
        {"relu,relu,relu,relu,relu,relu,relu,relu,relu", "at most 8"}}) {
    auto epilogue = ParseEpilogue(text);
    EXPECT_EQ(epilogue.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(epilogue.status().message()), HasSubstr(complaint));
  }
}

TEST(DataTypes, RoundTripByName) {
  EXPECT_EQ(*ParseDataType(DataTypeName(DataType::kF32)), DataType::kF32);
  EXPECT_EQ(DataTypeBytes(DataType::kF32), 4);
  for (const char* name : {"", "f128", "F32", "float"}) {
    EXPECT_THAT(std::string(ParseDataType(name).status().message()), HasSubstr("known: f32")) << name;
  }
}

}  // namespace
}  // namespace mmtune
