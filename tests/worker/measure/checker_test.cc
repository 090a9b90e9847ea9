// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/checker.h"
#include "tests/test_seed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace mmtune {
namespace {

constexpr uint64_t kSeed = 42;

// f32 throughout, and in an order of its own: from the last k to the first.
std::vector<float> Multiply(const MatmulProblem& p, const ExactChecker& checker) {
  std::vector<float> c(static_cast<size_t>(p.ElementsC()));
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t k = p.k - 1; k >= 0; --k) {
      const float a = checker.operands().a[static_cast<size_t>(i * p.k + k)];
      if (a == 0) continue;
      for (int64_t j = 0; j < p.n; ++j) {
        c[static_cast<size_t>(i * p.n + j)] += a * checker.operands().b[static_cast<size_t>(k * p.n + j)];
      }
    }
  }
  return c;
}

struct Shape {
  int64_t m, n, k;
};

// Compared element by element, and by projection (M*N*K over the limit).
constexpr Shape kSmall{61, 47, 33};
constexpr Shape kLarge{210, 170, 130};
static_assert(kLarge.m * kLarge.n * kLarge.k > ExactChecker::kElementwiseLimit);

class CheckerTest : public testing::TestWithParam<Shape> {
 protected:
  CheckerTest()
      : problem_{GetParam().m, GetParam().n, GetParam().k, DataType::kF32},
        checker_(problem_, kSeed),
        c_(Multiply(problem_, checker_)) {}

  void ExpectWrongAt(int64_t row, int64_t col, double got) {
    CheckReport report = checker_.Check(c_.data());
    EXPECT_TRUE(report.performed);
    EXPECT_FALSE(report.passed);
    EXPECT_EQ(report.wrong_row, row);
    EXPECT_EQ(report.wrong_col, col);
    if (std::isnan(got)) {
      EXPECT_TRUE(std::isnan(report.got));
    } else {
      EXPECT_EQ(report.got, got);
    }
    EXPECT_FALSE(report.detail.empty());
  }
  float& At(int64_t row, int64_t col) { return c_[static_cast<size_t>(row * problem_.n + col)]; }

  MatmulProblem problem_;
  ExactChecker checker_;
  std::vector<float> c_;
};

TEST_P(CheckerTest, PassesTheTrueProduct) {
  CheckReport report = checker_.Check(c_.data());
  EXPECT_TRUE(report.performed);
  EXPECT_TRUE(report.passed) << report.detail;
  EXPECT_EQ(report.tier, "exact");
}

TEST_P(CheckerTest, FindsOneWrongElementAtEveryKindOfPosition) {
  const int64_t last_row = problem_.m - 1, last_col = problem_.n - 1;
  for (int64_t row : {int64_t{0}, int64_t{1}, problem_.m / 2, last_row}) {
    for (int64_t col : {int64_t{0}, int64_t{1}, problem_.n / 2, last_col}) {
      for (float off : {1.0f, -1.0f, 2.0f, 0.5f, 16384.0f, 1e9f, -1e30f}) {
        const float right = At(row, col);
        At(row, col) = right + off;
        SCOPED_TRACE(testing::Message() << row << "," << col << " off by " << off);
        ExpectWrongAt(row, col, At(row, col));
        At(row, col) = right;
      }
    }
  }
  EXPECT_TRUE(checker_.Check(c_.data()).passed);
}

TEST_P(CheckerTest, FindsAnyOneWrongElement) {
  std::mt19937_64 random(TestSeed(3));
  for (int trial = 0; trial < 300; ++trial) {
    const auto row = static_cast<int64_t>(random() % static_cast<uint64_t>(problem_.m));
    const auto col = static_cast<int64_t>(random() % static_cast<uint64_t>(problem_.n));
    const float right = At(row, col);
    const auto off = static_cast<float>(static_cast<int64_t>(random() % 2001) - 1000);
    if (off == 0) continue;
    At(row, col) = right + off;
    ExpectWrongAt(row, col, At(row, col));
    At(row, col) = right;
  }
}

TEST_P(CheckerTest, FindsWhatIsNotANumber) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (float value : {std::nanf(""), infinity, -infinity}) {
    const float right = At(2, 3);
    At(2, 3) = value;
    ExpectWrongAt(2, 3, value);
    At(2, 3) = right;
  }
  At(5, 0) = std::nanf("");
  EXPECT_THAT(checker_.Check(c_.data()).detail, testing::HasSubstr("never written"));
}

TEST_P(CheckerTest, NamesTheFirstOfSeveral) {
  At(7, 9) += 1;
  At(7, 2) += 1;
  At(11, 0) = std::nanf("");
  ExpectWrongAt(7, 2, At(7, 2));
  EXPECT_THAT(checker_.Check(c_.data()).detail, testing::HasSubstr("2 of"));
}

TEST_P(CheckerTest, FindsErrorsThatCancelInASum) {
  At(4, 5) += 3;
  At(4, 6) -= 3;
  EXPECT_FALSE(checker_.Check(c_.data()).passed);
  At(4, 5) -= 3;
  At(5, 6) += 3;  // and in a column
  EXPECT_FALSE(checker_.Check(c_.data()).passed);
}

TEST_P(CheckerTest, FindsSwappedRowsAndColumns) {
  std::vector<float> right = c_;
  std::swap_ranges(&At(0, 0), &At(0, 0) + problem_.n, &At(9, 0));
  EXPECT_FALSE(checker_.Check(c_.data()).passed);
  c_ = right;
  for (int64_t i = 0; i < problem_.m; ++i) std::swap(At(i, 3), At(i, 4));
  EXPECT_FALSE(checker_.Check(c_.data()).passed);
}

TEST_P(CheckerTest, FindsAMissingOrRepeatedStepOfK) {
  for (float factor : {-1.0f, 1.0f}) {
    std::vector<float> right = c_;
    const int64_t k = problem_.k - 1;
    for (int64_t i = 0; i < problem_.m; ++i) {
      for (int64_t j = 0; j < problem_.n; ++j) {
        At(i, j) += factor * checker_.operands().a[static_cast<size_t>(i * problem_.k + k)] *
                    checker_.operands().b[static_cast<size_t>(k * problem_.n + j)];
      }
    }
    EXPECT_FALSE(checker_.Check(c_.data()).passed);
    c_ = right;
  }
}

TEST_P(CheckerTest, TheSignOfZeroDoesNotMatter) {
  for (float& value : c_) {
    if (value == 0) value = -0.0f;
  }
  EXPECT_TRUE(checker_.Check(c_.data()).passed);
}

TEST_P(CheckerTest, AllZerosAndAllNaNFail) {
  std::vector<float> nothing(c_.size(), 0.0f);
  EXPECT_FALSE(checker_.Check(nothing.data()).passed);
  std::fill(nothing.begin(), nothing.end(), std::nanf(""));
  CheckReport report = checker_.Check(nothing.data());
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.wrong_row, 0);
  EXPECT_EQ(report.wrong_col, 0);
}

INSTANTIATE_TEST_SUITE_P(BothWays, CheckerTest, testing::Values(kSmall, kLarge),
                         [](const auto& info) { return info.index == 0 ? "Elementwise" : "Projected"; });

TEST(ExactCheckerShapes, PassTheirTrueProducts) {
  for (Shape s : {Shape{1, 1, 1}, Shape{7, 5, 3}, Shape{1, 4096, 64}, Shape{4096, 1, 64}, Shape{1, 1, 9000},
                  Shape{3, 2, 1000000}, Shape{1001, 37, 513}}) {
    MatmulProblem problem{s.m, s.n, s.k, DataType::kF32};
    ExactChecker checker(problem, kSeed);
    CheckReport report = checker.Check(Multiply(problem, checker).data());
    EXPECT_TRUE(report.passed) << problem.ShapeText() << ": " << report.detail;
  }
}

// Every sum of magnitudes, and so every partial sum of any order, fits the 24 bits of f32.
TEST(ExactCheckerOperands, KeepEveryPartialSumExact) {
  for (int64_t k : {int64_t{1}, int64_t{16}, int64_t{1024}, int64_t{4097}, (int64_t{1} << 24) + 5}) {
    ExactChecker checker(MatmulProblem{1, 1, k, DataType::kF32}, kSeed);
    double worst = 0;
    int64_t nonzero = 0;
    float largest_a = 0, largest_b = 0;
    for (size_t i = 0; i < checker.operands().a.size(); ++i) {
      ASSERT_EQ(checker.operands().a[i], std::trunc(checker.operands().a[i]));
      ASSERT_EQ(checker.operands().b[i], std::trunc(checker.operands().b[i]));
      nonzero += checker.operands().a[i] != 0;
      largest_a = std::max(largest_a, std::fabs(checker.operands().a[i]));
      largest_b = std::max(largest_b, std::fabs(checker.operands().b[i]));
    }
    worst = static_cast<double>(nonzero) * largest_a * largest_b;
    EXPECT_LE(worst, double{1 << 24}) << k;
    EXPECT_GT(nonzero, k / 8) << k;
  }
}

TEST(ExactCheckerOperands, DependOnTheSeedAlone) {
  MatmulProblem problem{20, 30, 40, DataType::kF32};
  EXPECT_EQ(ExactChecker(problem, 1).operands().a, ExactChecker(problem, 1).operands().a);
  EXPECT_NE(ExactChecker(problem, 1).operands().a, ExactChecker(problem, 2).operands().a);
  EXPECT_NE(ExactChecker(problem, 1).operands().b, ExactChecker(problem, 2).operands().b);
}

}  // namespace
}  // namespace mmtune
