// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both tiers of problems whose sums are of s32 or f64: right kernels pass in every layout, and those that lose a bit do
// not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/test_seed.h"
#include "worker/measure/checker.h"
#include "worker/measure/element_types.h"
#include "worker/measure/operand_sets.h"
#include "worker/measure/rounding_checker.h"

namespace mmtune {
namespace {

const uint64_t kSeed = TestSeed(5);

MatmulProblem Problem(std::string_view shape, DataType dtype, int layout = 0, const char* epilogue = "") {
  MatmulProblem problem = ParseMatmulShape(shape, dtype).value();
  problem.transpose_a = (layout & 1) != 0;
  problem.transpose_b = (layout & 2) != 0;
  problem.epilogue = ParseEpilogue(epilogue).value();
  return problem;
}

/// The rounding that a kernel applies to operands, and to a sum at each addition.
struct Way {
  const char* name = "right";
  std::function<double(double)> factor = [](double x) { return x; };
  std::function<double(double)> sum = [](double x) { return x; };
};

double ToFloat(double x) { return double{static_cast<float>(x)}; }
/// Without the bits below 2^(exponent - bits).
double Truncated(double x, int bits) {
  int exponent = 0;
  const double part = std::frexp(x, &exponent);
  return std::ldexp(std::trunc(std::ldexp(part, bits)), exponent - bits);
}

struct Values {
  std::vector<double> a, b, bias, addend;
};

std::vector<double> Run(const MatmulProblem& p, const Values& in, const Way& way) {
  std::vector<double> c;
  for (int64_t row = 0; row < p.batch * p.m; ++row) {
    const int64_t matrix = row / p.m, i = row % p.m;
    for (int64_t j = 0; j < p.n; ++j) {
      double sum = 0;
      for (int64_t k = p.k - 1; k >= 0; --k) {
        const int64_t at_a = p.transpose_a ? k * p.m + i : i * p.k + k,
                      at_b = p.transpose_b ? j * p.k + k : k * p.n + j;
        sum = way.sum(std::fma(way.factor(in.a[static_cast<size_t>(matrix * p.m * p.k + at_a)]),
                               way.factor(in.b[static_cast<size_t>(matrix * p.k * p.n + at_b)]), sum));
      }
      for (const EpilogueOp& op : p.epilogue) {
        if (op.kind == EpilogueOp::Kind::kBias) sum += in.bias[static_cast<size_t>(j)];
        if (op.kind == EpilogueOp::Kind::kAdd) sum += in.addend[static_cast<size_t>(row * p.n + j)];
        if (op.kind == EpilogueOp::Kind::kSub) sum -= in.addend[static_cast<size_t>(row * p.n + j)];
        if (op.kind == EpilogueOp::Kind::kRelu) sum = std::max(sum, 0.0);
        if (op.kind == EpilogueOp::Kind::kScale) sum *= double{op.factor};
      }
      c.push_back(sum);
    }
  }
  return c;
}

/// The exact tier, every pass of it; the first report that is not passed, else the last.
CheckReport Exact(const MatmulProblem& problem, const Way& way) {
  TypedExactChecker<double> checker(problem, kSeed);
  CheckReport report;
  for (int pass = 0; pass < checker.passes(); ++pass) {
    checker.SetPass(pass);
    const auto& operands = checker.operands();
    const std::vector<double> c = Run(problem, {operands.a, operands.b, operands.bias, operands.addend}, way);
    // As a kernel leaves it: elements of C's type.
    std::vector<char> elements(c.size() * static_cast<size_t>(DataTypeBytes(problem.TypeOfC())));
    EncodeElements(problem.TypeOfC(), c.data(), problem.ElementsC(), elements.data());
    report = checker.CheckElements(elements.data());
    if (!report.passed) break;
  }
  return report;
}

Values RandomValues(const MatmulProblem& problem) {
  const RandomOperandStream stream(problem, kSeed);
  auto all = [&](PlanBuffer input, int64_t count) {
    std::vector<char> elements(static_cast<size_t>(count * DataTypeBytes(TypeOf(problem, input))));
    stream(input, 0, count, elements.data());
    std::vector<double> values(static_cast<size_t>(count));
    DecodeElements(TypeOf(problem, input), elements.data(), count, values.data());
    return values;
  };
  return {all(PlanBuffer::kA, problem.ElementsA()), all(PlanBuffer::kB, problem.ElementsB()),
          all(PlanBuffer::kBias, problem.ElementsBias()), all(PlanBuffer::kAddend, problem.ElementsAddend())};
}

CheckReport Rounding(const MatmulProblem& problem, const Way& way) {
  const RoundingChecker checker(problem, kSeed);
  const std::vector<double> c = Run(problem, RandomValues(problem), way);
  RoundingChecker::ResultComparison comparison(checker);
  comparison.AddRows(c.data(), problem.batch * problem.m);
  return comparison.Report();
}

TEST(WideTypes, RightKernelsPassInEveryLayout) {
  for (DataType dtype : {DataType::kS8, DataType::kF64}) {
    for (int layout = 0; layout < 4; ++layout) {
      for (const char* epilogue : {"", "bias,relu", "scale:0.3,add,scale:-7"}) {
        if (dtype == DataType::kS8 && *epilogue != '\0') continue;
        MatmulProblem problem = Problem("13x19x150", dtype, layout, epilogue);
        problem.batch = layout == 0 ? 3 : 1;
        const CheckReport exact = Exact(problem, {}), rounding = Rounding(problem, {});
        EXPECT_TRUE(exact.passed) << problem.Text() << ": " << exact.detail;
        EXPECT_TRUE(rounding.passed) << problem.Text() << ": " << rounding.detail;
        EXPECT_LT(rounding.relative_error, 1e-14) << problem.Text();
      }
    }
  }
}

// Whatever K is: one product, a few, more than all of which one factor can be wide.
TEST(WideTypes, NoBitOfF64MayBeLost) {
  const Way ways[] = {{"factors of f32", ToFloat},
                      {"sums of f32", [](double x) { return x; }, ToFloat},
                      {"factors of 39 bits", [](double x) { return Truncated(x, 39); }}};
  for (const char* shape : {"3x4x1", "5x6x64", "2x3x9000"}) {
    EXPECT_TRUE(Exact(Problem(shape, DataType::kF64), {}).passed) << shape;
    for (const Way& way : ways) {
      EXPECT_FALSE(Exact(Problem(shape, DataType::kF64), way).passed) << way.name << ", " << shape;
      if (shape[4] != '9') EXPECT_FALSE(Rounding(Problem(shape, DataType::kF64), way).passed) << way.name << shape;
    }
  }
  // Two f32 instead of one f64 have 48 bits.
  const Way pair = {"sums of 48 bits", [](double x) { return x; }, [](double x) { return Truncated(x, 48); }};
  EXPECT_FALSE(Exact(Problem("5x6x64", DataType::kF64), pair).passed);
}

TEST(WideTypes, SumsOfF64AreExactInAnyOrder) {
  for (int64_t k : {1, 2, 63, 4096, 8193, 100000}) {
    const TypedExactChecker<double> checker(MatmulProblem{1, 1, k, DataType::kF64}, kSeed);
    double magnitudes = 0;
    for (size_t i = 0; i < static_cast<size_t>(k); ++i) {
      const double a = checker.operands().a[i], b = checker.operands().b[i];
      EXPECT_EQ(a, std::trunc(a));
      magnitudes += std::fabs(a * b);
    }
    EXPECT_LE(magnitudes, 0x1p53) << k;
    EXPECT_GT(magnitudes, 0x1p40) << k;
  }
}

TEST(WideTypes, SumsOfBytesAreComparedAsTheyAre) {
  const MatmulProblem problem = Problem("9x11x640", DataType::kS8);
  const Way ways[] = {
      {"sums of 16 bits", [](double x) { return x; }, [](double x) { return std::clamp(x, -32768.0, 32767.0); }},
      {"without a sign", [](double x) { return x < 0 ? x + 256 : x; }},
      {"7 bits", [](double x) { return Truncated(x, 6); }},
      {"-128 is -127", [](double x) { return std::max(x, -127.0); }},
      {"sums of f16", [](double x) { return x; }, [](double x) { return Truncated(x, 11); }}};
  for (const Way& way : ways) {
    EXPECT_FALSE(Exact(problem, way).passed) << way.name;
    if (std::string(way.name) != "-128 is -127") EXPECT_FALSE(Rounding(problem, way).passed) << way.name;
  }
  // Off by one in one place.
  int64_t calls = 0;
  const Way last = {"one", [](double x) { return x; }, [&](double x) { return ++calls == 640 * 50 ? x + 1 : x; }};
  const CheckReport report = Exact(problem, last);
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.wrong_row * problem.n + report.wrong_col, 49);
  EXPECT_EQ(report.got, report.expected + 1);
  calls = 0;
  EXPECT_FALSE(Rounding(problem, last).passed);
  EXPECT_EQ(Rounding(problem, {}).bound_fraction, 0);
}

TEST(WideTypes, OperandsAreWhatTheirTypeHas) {
  const TypedExactChecker<double> bytes(Problem("64x64x64", DataType::kS8), kSeed);
  EXPECT_EQ(*std::ranges::min_element(bytes.operands().a), -128);
  EXPECT_EQ(*std::ranges::max_element(bytes.operands().a), 127);
  EXPECT_EQ(*std::ranges::min_element(bytes.operands().b), -127);
  const Values random = RandomValues(Problem("64x64x64", DataType::kS8));
  for (double value : random.a) ASSERT_EQ(value, std::trunc(value));
  EXPECT_GT(*std::ranges::max_element(random.a), 90);
  const Values wide = RandomValues(Problem("64x64x64", DataType::kF64, 0, "bias"));
  for (const std::vector<double>* values : {&wide.a, &wide.b, &wide.bias}) {
    const auto narrow = std::ranges::count_if(*values, [](double x) { return Truncated(x, 46) == x; });
    EXPECT_LT(narrow, static_cast<int64_t>(values->size()) / 8) << "values of 46 bits or fewer";
  }
}

// Not a bound of f32.
TEST(WideTypes, TheBoundOfF64IsThatOfItsRoundoff) {
  EXPECT_TRUE(RoundingChecker::Applies(MatmulProblem{1, 1, int64_t{1} << 30, DataType::kF64}));
  const RoundingChecker checker(Problem("4x4x100", DataType::kF64), kSeed);
  for (int64_t column = 0; column < 4; ++column) {
    EXPECT_LT(checker.reference(0, column).bound, 400 * 0x1p-53 * 103);
    EXPECT_GT(checker.reference(0, column).bound, 10 * 0x1p-53 * 100);
  }
}

}  // namespace
}  // namespace mmtune
