// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/rounding_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/epilogue_steps.h"
#include "tests/worker/measure/random_values.h"

namespace mmtune {
namespace {

constexpr uint64_t kSeed = 7;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

MatmulProblem Variant(int64_t m, int64_t n, int64_t k, int64_t batch, bool transpose_b, const char* epilogue) {
  return {m, n, k, DataType::kF32, batch, transpose_b, ParseEpilogue(epilogue).value()};
}

// In f32, step by step as a kernel does it, from the last k to the first; `narrow` rounds A to fewer bits.
std::vector<float> Compute(const MatmulProblem& p, bool narrow = false) {
  const RandomOperands operands = MakeRandomOperands(p, kSeed);
  std::vector<float> c(static_cast<size_t>(p.ElementsC()));
  for (int64_t row = 0; row < p.batch * p.m; ++row) {
    const float* b = &operands.b[static_cast<size_t>(row / p.m * p.k * p.n)];
    for (int64_t j = 0; j < p.n; ++j) {
      float x = 0;
      for (int64_t i = p.k - 1; i >= 0; --i) {
        float a = operands.a[static_cast<size_t>(row * p.k + i)];
        if (narrow) a = std::round(a * 1024) / 1024;
        x += a * (p.transpose_b ? b[j * p.k + i] : b[i * p.n + j]);
      }
      for (const EpilogueOp& op : p.epilogue) {
        const bool bias = op.kind == EpilogueOp::Kind::kBias, add = op.ReadsAddend();
        x = StepInF32(op, x,
                      bias  ? operands.bias[static_cast<size_t>(j)]
                      : add ? operands.addend[static_cast<size_t>(row * p.n + j)]
                            : 0);
      }
      c[static_cast<size_t>(row * p.n + j)] = x;
    }
  }
  return c;
}

CheckReport Check(const RoundingChecker& checker, const std::vector<float>& c) {
  RoundingChecker::ResultComparison comparison(checker);
  comparison.AddRows(c.data(), checker.problem().batch * checker.problem().m);
  return comparison.Report();
}

class RoundingCheckerTest : public testing::TestWithParam<MatmulProblem> {};

TEST_P(RoundingCheckerTest, PassesAKernelAndRecordsItsError) {
  RoundingChecker checker(GetParam(), kSeed);
  const CheckReport report = Check(checker, Compute(GetParam()));
  EXPECT_TRUE(report.performed);
  EXPECT_TRUE(report.passed) << report.detail;
  EXPECT_EQ(report.tier, "rounding");
  EXPECT_GT(report.bound_fraction.value(), 0);
  EXPECT_LE(report.bound_fraction.value(), 1);
  EXPECT_GT(report.relative_error.value(), 0);
  EXPECT_LT(report.relative_error.value(), 1e-5);
  EXPECT_FALSE(report.deterministic.has_value());
}

TEST_P(RoundingCheckerTest, FindsOperandsOfFewerBits) {
  RoundingChecker checker(GetParam(), kSeed);
  EXPECT_FALSE(Check(checker, Compute(GetParam(), /*narrow=*/true)).passed);
}

// What the bound allows passes, and the next number beyond it does not.
TEST_P(RoundingCheckerTest, TheBoundIsTightToOneUlp) {
  const MatmulProblem& p = GetParam();
  RoundingChecker checker(p, kSeed);
  std::vector<float> c = Compute(p);
  for (size_t sampled : {size_t{0}, checker.rows().size() / 2, checker.rows().size() - 1}) {
    const int64_t row = checker.rows()[sampled], column = p.n / 3;
    float& element = c[static_cast<size_t>(row * p.n + column)];
    const float right = element;
    const auto& reference = checker.reference(sampled, column);
    for (float side : {-1.0f, 1.0f}) {
      auto edge = static_cast<float>(reference.value + side * reference.bound);
      while (std::fabs(double{edge} - reference.value) > reference.bound)
        edge = std::nextafter(edge, -side * kInfinity);
      element = edge;
      EXPECT_TRUE(Check(checker, c).passed);
      element = std::nextafter(edge, side * kInfinity);
      const CheckReport report = Check(checker, c);
      EXPECT_FALSE(report.passed);
      EXPECT_EQ(report.wrong_row, row);
      EXPECT_EQ(report.wrong_col, column);
      EXPECT_EQ(report.got, double{element});
      EXPECT_EQ(report.expected, reference.value);
      EXPECT_FALSE(report.bound_fraction.has_value());
    }
    element = right;
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, RoundingCheckerTest,
                         testing::Values(Variant(61, 47, 33, 1, false, ""), Variant(17, 20, 64, 3, false, ""),
                                         Variant(9, 65, 40, 2, true, ""),
                                         Variant(33, 30, 50, 1, false, "bias,add,scale:0.1"),
                                         Variant(33, 30, 50, 2, true, "scale:-3,bias"),
                                         Variant(33, 30, 50, 1, false, "bias,gelu"),
                                         Variant(33, 30, 50, 2, true, "scale:0.2,silu,add,gelu_tanh"),
                                         Variant(33, 30, 50, 1, false, "bias,clamp:-20:20,scale:3")),
                         [](const auto& info) { return "Number" + std::to_string(info.index); });

TEST_P(RoundingCheckerTest, RowsMayComeSomeAtATime) {
  const MatmulProblem& p = GetParam();
  RoundingChecker checker(p, kSeed);
  std::vector<float> c = Compute(p);
  for (float last : {c.back(), c.back() + 100}) {
    c.back() = last;
    const CheckReport whole = Check(checker, c);
    for (int64_t panel : {1, 4}) {
      RoundingChecker::ResultComparison comparison(checker);
      for (int64_t row = 0; row < p.batch * p.m; row += panel) {
        comparison.AddRows(&c[static_cast<size_t>(row * p.n)], std::min(panel, p.batch * p.m - row));
      }
      const CheckReport report = comparison.Report();
      EXPECT_EQ(report.passed, whole.passed);
      EXPECT_EQ(report.detail, whole.detail);
      EXPECT_EQ(report.bound_fraction, whole.bound_fraction);
      EXPECT_EQ(report.wrong_row, whole.wrong_row);
    }
  }
}

/// The largest part of its bound that a right kernel uses on many elements.
double LargestFraction(const MatmulProblem& p) {
  const CheckReport report = Check(RoundingChecker(p, kSeed), Compute(p));
  EXPECT_TRUE(report.passed) << p.Text() << ": " << report.detail;
  return report.bound_fraction.value_or(0);
}

// From below: right kernels of a few roundings come as close to the bound as roundings can. From above: they pass.
TEST(RoundingCheckerBound, RightKernelsComeCloseToIt) {
  EXPECT_GT(LargestFraction(MatmulProblem{200, 200, 1}), 0.99);
  EXPECT_GT(LargestFraction(MatmulProblem{200, 200, 2}), 0.6);
  for (const char* epilogue : {"scale:0.3", "bias", "add"}) {
    EXPECT_GT(LargestFraction(Variant(200, 200, 1, 1, false, epilogue)), 0.75) << epilogue;
  }
}

// K roundings of 2^-24 each, of the sum of magnitudes: for every K.
TEST(RoundingCheckerBound, IsThatOfTheLiterature) {
  for (int64_t k : {1, 2, 3, 64, 1000}) {
    const MatmulProblem p{5, 7, k};
    const RandomOperands operands = MakeRandomOperands(p, kSeed);
    const RoundingChecker checker(p, kSeed);
    for (int64_t i = 0; i < p.m; ++i) {
      for (int64_t j = 0; j < p.n; ++j) {
        const double magnitudes = SumOfMagnitudes(p, operands, i, j);
        const double ku = static_cast<double>(k) / 16777216;
        EXPECT_NEAR(checker.reference(static_cast<size_t>(i), j).bound / (magnitudes * ku / (1 - ku)), 1, 1e-6) << k;
      }
    }
  }
}

// Of a step that is as steep as it gets: its slope times the bound before it, and its own error.
TEST(RoundingCheckerBound, CurvedStepsCarryAndAdd) {
  for (const char* epilogue : {"gelu", "gelu_tanh", "silu", "tanh"}) {
    const MatmulProblem plain = Variant(40, 40, 3, 1, false, ""), curved = Variant(40, 40, 3, 1, false, epilogue);
    const RoundingChecker before(plain, kSeed), after(curved, kSeed);
    double steepest = 0;
    for (size_t row = 0; row < before.rows().size(); ++row) {
      for (int64_t j = 0; j < plain.n; ++j) {
        const BoundedValue x = before.reference(row, j), y = after.reference(row, j);
        const double exact = CurveValue(curved.epilogue[0].kind, x.value);
        EXPECT_NEAR(y.value, exact, 1e-14 * std::fabs(x.value));
        // That of tanh is relative everywhere.
        const double own = 0x1p-21 * std::fabs(exact) + (epilogue == std::string("tanh") ? 0 : 0x1p-28);
        EXPECT_GT(y.bound, own);
        EXPECT_LT(y.bound, own + 1.131 * x.bound);
        // No argument within the bound of the right one has a value beyond it.
        for (double side : {-1.0, 1.0}) {
          const double moved = CurveValue(curved.epilogue[0].kind, x.value + side * x.bound);
          EXPECT_LE(std::fabs(moved - exact), y.bound - own);
          steepest = std::max(steepest, std::fabs(moved - exact) / (y.bound - own));
        }
      }
    }
    EXPECT_GT(steepest, 0.99) << epilogue;
  }
}

TEST(RoundingCheckerRelu, TheReferenceIsClippedToo) {
  const MatmulProblem p = Variant(30, 31, 32, 1, false, "bias,relu");
  RoundingChecker checker(p, kSeed);
  EXPECT_TRUE(Check(checker, Compute(p)).passed);
  const MatmulProblem unclipped = Variant(30, 31, 32, 1, false, "bias");
  EXPECT_FALSE(Check(checker, Compute(unclipped)).passed);
}

TEST(RoundingCheckerRows, AreAllOfASmallProblemAndASampleOfALargeOne) {
  EXPECT_EQ(RoundingChecker(MatmulProblem{100, 100, 100}, kSeed).rows().size(), 100u);
  const MatmulProblem large{4096, 256, 256};
  const RoundingChecker checker(large, kSeed);
  EXPECT_EQ(checker.rows().size(), 256u);  // 2^24 products
  EXPECT_EQ(checker.rows().front(), 0);
  EXPECT_EQ(checker.rows().back(), 4095);
  EXPECT_TRUE(std::is_sorted(checker.rows().begin(), checker.rows().end()));
  // 2^18 elements, whatever K.
  EXPECT_EQ(RoundingChecker(MatmulProblem{4096, 4096, 1}, kSeed).rows().size(), 64u);
  // The first and the last row at least.
  EXPECT_THAT(RoundingChecker(MatmulProblem{5, 1 << 19, 64}, kSeed).rows(), testing::ElementsAre(0, 4));
}

TEST(RoundingCheckerRows, AnElementOfAnyRowHasToBeANumber) {
  const MatmulProblem p{4096, 128, 64};
  RoundingChecker checker(p, kSeed);
  std::vector<float> c = Compute(p);
  int64_t row = 1;
  while (std::binary_search(checker.rows().begin(), checker.rows().end(), row)) ++row;
  c[static_cast<size_t>(row * p.n + 5)] = std::nanf("");
  const CheckReport report = Check(checker, c);
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.wrong_row, row);
  EXPECT_EQ(report.wrong_col, 5);
  EXPECT_THAT(report.detail, testing::HasSubstr("never written"));
}

TEST(RoundingCheckerOverflow, ElementsBeyondF32AreNotJudged) {
  const MatmulProblem p = Variant(8, 8, 8, 1, false, "scale:3e38,scale:3e38");
  RoundingChecker checker(p, kSeed);
  EXPECT_TRUE(Check(checker, Compute(p)).passed);
}

// Rows that are not sampled may leave f32 where those that are come close to its end, and nowhere else.
TEST(RoundingCheckerOverflow, IsBorneWhereAReferenceIsWithinAFactorOf1024) {
  MatmulProblem p = Variant(4096, 128, 64, 1, false, "scale:1");
  double largest = 0;
  const RoundingChecker plain(p, kSeed);
  for (size_t row = 0; row < plain.rows().size(); ++row) {
    for (int64_t j = 0; j < p.n; ++j) largest = std::max(largest, std::fabs(plain.reference(row, j).value));
  }
  int64_t unsampled = 1;
  while (std::binary_search(plain.rows().begin(), plain.rows().end(), unsampled)) ++unsampled;
  for (const auto& [below_the_end, borne] : {std::pair{1024.5, false}, {1023.5, true}}) {
    p.epilogue[0].factor = static_cast<float>(std::numeric_limits<float>::max() / below_the_end / largest);
    std::vector<float> c = Compute(p);
    c[static_cast<size_t>(unsampled * p.n)] = kInfinity;
    EXPECT_EQ(Check(RoundingChecker(p, kSeed), c).passed, borne) << below_the_end;
  }
}

TEST(RoundingCheckerLimits, TheBoundSaysNothingForHugeK) {
  EXPECT_TRUE(RoundingChecker::Applies(MatmulProblem{1, 1, (1 << 23) - 1}));
  EXPECT_FALSE(RoundingChecker::Applies(MatmulProblem{1, 1, 1 << 23}));
}

}  // namespace
}  // namespace mmtune
