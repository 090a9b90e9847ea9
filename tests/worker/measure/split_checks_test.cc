// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 multiplied as terms of tf32 or bf16: right products pass both tiers, those of a kernel that leaves out a term
// or a product do not, and the bound of errors is near that of f32.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/families/mma/mma_schedule.h"
#include "tests/worker/measure/random_values.h"
#include "tests/worker/measure/tensor_core_sums.h"
#include "worker/measure/checker.h"
#include "worker/measure/rounding_checker.h"

namespace mmtune {
namespace {

constexpr uint64_t kSeed = 11;
constexpr int64_t kMaxTerms = 3;

/// To so many bits of significand, to the nearest.
float RoundToBits(float value, int bits) {
  if (value == 0) return value;
  const float unit = std::ldexp(1.0f, std::ilogb(value) - bits + 1);
  return std::nearbyint(value / unit) * unit;
}

/// A kernel on tensor cores of V100, which add blocks of four products.
class SplitKernel {
 public:
  SplitKernel(const MatmulProblem& problem, std::vector<TermPair> products, int64_t sum_of)
      : p_(problem), products_(std::move(products)), sum_of_(sum_of) {}

  std::vector<float> Run(const std::vector<float>& a, const std::vector<float>& b) const {
    std::vector<float> c;
    for (int64_t i = 0; i < p_.m; ++i) {
      for (int64_t j = 0; j < p_.n; ++j) {
        float sum = 0;
        for (int64_t k = 0; k < p_.k; k += sum_of_)
          sum += Chain(&a[static_cast<size_t>(i * p_.k)], &b[static_cast<size_t>(j)], k);
        c.push_back(sum);
      }
    }
    return c;
  }

 private:
  using Terms = std::array<float, kMaxTerms>;

  Terms Split(float value) const {
    Terms terms = {};
    for (int64_t i = 0; i < SplitPrecisionOf(p_).count; ++i) {
      terms[static_cast<size_t>(i)] = RoundToBits(value, p_.math == MathMode::kTf32x3 ? 11 : 8);
      value -= terms[static_cast<size_t>(i)];
    }
    return terms;
  }

  float Chain(const float* a, const float* b, int64_t first) const {
    float sum = 0;
    const int64_t end = std::min(p_.k, first + sum_of_);
    for (const TermPair& product : products_) {
      for (int64_t block = first; block < end; block += 4) {
        std::vector<double> addends = {double{sum}};
        for (int64_t k = block; k < std::min(end, block + 4); ++k) {
          addends.push_back(double{Split(a[k])[static_cast<size_t>(product.a)]} *
                            double{Split(b[k * p_.n])[static_cast<size_t>(product.b)]});
        }
        sum = BlockSum(addends);
      }
    }
    return sum;
  }

  const MatmulProblem& p_;
  const std::vector<TermPair> products_;
  const int64_t sum_of_;
};

class SplitChecks : public testing::TestWithParam<MathMode> {
 protected:
  static MatmulProblem Problem(const char* shape) {
    MatmulProblem problem = ParseMatmulShape(shape, DataType::kF32).value();
    problem.math = GetParam();
    EXPECT_TRUE(problem.Validate().ok());
    return problem;
  }
  static std::vector<TermPair> AllProducts() {
    const auto products = SplitPrecisionOf(Problem("1x1x1")).products;
    return {products.begin(), products.end()};
  }
  static int64_t InstructionK() { return MmaTiling(Problem("1x1x1"), MmaSchedule()).fragmentK; }

  static CheckReport Exact(const MatmulProblem& problem, const std::vector<TermPair>& products, uint64_t seed = kSeed) {
    const ExactChecker checker(problem, seed);
    const ExactOperands& operands = checker.operands();
    return checker.Check(SplitKernel(problem, products, InstructionK()).Run(operands.a, operands.b).data());
  }
  static CheckReport Rounding(const MatmulProblem& problem, const std::vector<TermPair>& products) {
    const RandomOperands operands = MakeRandomOperands(problem, kSeed);
    const RoundingChecker checker(problem, kSeed);
    const std::vector<float> c = SplitKernel(problem, products, InstructionK()).Run(operands.a, operands.b);
    RoundingChecker::ResultComparison comparison(checker);
    comparison.AddRows(c.data(), problem.m);
    return comparison.Report();
  }
};

TEST_P(SplitChecks, RightProductsPass) {
  for (const char* shape : {"1x1x1", "2x3x2", "7x5x3", "13x9x16", "13x9x70", "5x3x1500", "9x7x300"}) {
    const MatmulProblem problem = Problem(shape);
    SCOPED_TRACE(problem.Text());
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      const CheckReport exact = Exact(problem, AllProducts(), seed);
      EXPECT_TRUE(exact.passed) << exact.detail;
    }
    const CheckReport rounding = Rounding(problem, AllProducts());
    EXPECT_TRUE(rounding.passed) << rounding.detail;
    EXPECT_GT(rounding.bound_fraction.value(), 0);
  }
}

TEST_P(SplitChecks, EachProductLeftOutIsWrong) {
  for (const char* shape : {"13x9x8", "13x9x16", "13x9x70", "9x7x300", "8x8x2500"}) {
    const MatmulProblem problem = Problem(shape);
    for (size_t left_out = 0; left_out < AllProducts().size(); ++left_out) {
      std::vector<TermPair> products = AllProducts();
      products.erase(products.begin() + static_cast<int64_t>(left_out));
      EXPECT_FALSE(Exact(problem, products).passed) << problem.Text() << " without product " << left_out;
    }
  }
}

TEST_P(SplitChecks, FirstPlanesAloneAreWrongInBothTiers) {
  for (const char* shape : {"13x9x16", "13x9x70", "9x7x300"}) {
    const MatmulProblem problem = Problem(shape);
    EXPECT_FALSE(Exact(problem, {{0, 0}}).passed) << problem.Text();
    EXPECT_FALSE(Rounding(problem, {{0, 0}}).passed) << problem.Text();
  }
}

// Also where rows of B are drawn from a few, for an epilogue.
TEST_P(SplitChecks, OperandsOfEachSizeAreThereBesideAnEpilogue) {
  MatmulProblem problem = Problem("3x2x400");
  problem.epilogue = ParseEpilogue("bias").value();
  const ExactOperands operands = MakeExactOperands<float>(problem, kSeed);
  double magnitudes = 0;
  bool wide_a = false, wide_b = false, middle = false;
  const double wide = GetParam() == MathMode::kTf32x3 ? 0x1p12 : 0x1p17;
  for (int64_t k = 0; k < problem.k; ++k) {
    const double a = std::fabs(double{operands.a[static_cast<size_t>(k)]});
    const double b = std::fabs(double{operands.b[static_cast<size_t>(k * problem.n)]});
    magnitudes += a * b;
    wide_a |= a > wide;
    wide_b |= b > wide;
    middle |= a > 256 && a < 512 && b > 256 && b < 512;
  }
  EXPECT_TRUE(wide_a && wide_b);
  EXPECT_EQ(middle, GetParam() == MathMode::kBf16x6);
  EXPECT_LE(magnitudes, double{1 << 24});
}

TEST_P(SplitChecks, RandomOperandsHaveEveryBitOfF32) {
  const RandomOperands operands = MakeRandomOperands(Problem("64x64x64"), kSeed);
  EXPECT_TRUE(std::ranges::any_of(operands.a, [](float value) { return RoundToBits(value, 23) != value; }));
}

TEST_P(SplitChecks, KernelsSumAsManyProductsAtATimeAsTheBoundAllows) {
  EXPECT_GE(InstructionK(), kMinTensorCoreSum);
  EXPECT_LE(InstructionK(), kMaxTensorCoreSum);
}

TEST_P(SplitChecks, TheBoundIsThatOfTheHeader) {
  for (int64_t k : {1, 5, 16, 64, 1024}) {
    const MatmulProblem p = Problem(("2x3x" + std::to_string(k)).c_str());
    const RandomOperands operands = MakeRandomOperands(p, kSeed);
    const RoundingChecker checker(p, kSeed);
    const double magnitudes = SumOfMagnitudes(p, operands, 0, 0);
    const auto c = static_cast<double>(std::min<int64_t>(k, 16));
    const bool tf32 = GetParam() == MathMode::kTf32x3;
    const double dropped = tf32 ? 0x1p-21 : 0x1p-24, more = tf32 ? 0x1p-7 : 0x1p-4;
    const double truncated = (1 + more) * (c + 2 * std::ceil(c / 4)) * 0x1p-23;
    const double e = dropped * (1 + 0x1p-8) + truncated + std::ceil(static_cast<double>(k) / 8) * 0x1p-24;
    EXPECT_NEAR(checker.reference(0, 0).bound / (magnitudes * e / (1 - e)), 1, 1e-5) << p.Text();
  }
}

TEST_P(SplitChecks, TheBoundIsFarBelowThatOfTf32AndOfLongSumsOfF32) {
  const auto bound = [](MathMode math) {
    MatmulProblem problem{1, 1, 1024};
    problem.math = math;
    const RoundingChecker checker(problem, kSeed);
    return checker.reference(0, 0).bound;
  };
  EXPECT_LT(bound(GetParam()), bound(MathMode::kTf32) / 12);
  EXPECT_LT(bound(GetParam()), bound(MathMode::kIeee) / 4);
  EXPECT_TRUE(RoundingChecker::Applies(Problem("1x1x16777216")));
}

INSTANTIATE_TEST_SUITE_P(Modes, SplitChecks, testing::Values(MathMode::kTf32x3, MathMode::kBf16x6),
                         [](const auto& info) { return std::string(MathModeName(info.param)); });

}  // namespace
}  // namespace mmtune
