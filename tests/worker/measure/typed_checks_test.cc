// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems of f16, bf16 and tf32, in all layouts: right products pass both tiers, and those of a kernel that keeps
// fewer bits than it should, anywhere, do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/epilogue_steps.h"
#include "tests/test_seed.h"
#include "tests/worker/measure/random_values.h"
#include "tests/worker/measure/tensor_core_sums.h"
#include "worker/measure/checker.h"
#include "worker/measure/element_types.h"
#include "worker/measure/rounding_checker.h"

namespace mmtune {
namespace {

constexpr uint64_t kSeed = 11;

/// Keeps so many bits of significand, to the nearest, ties to even; `bits` of f32 is all.
float RoundToBits(float value, int bits) {
  if (value == 0 || !std::isfinite(value) || bits >= 24) return value;
  const float unit = std::ldexp(1.0f, std::ilogb(value) - bits + 1);
  return std::nearbyint(value / unit) * unit;
}
float TruncateToBits(float value, int bits) {
  const uint32_t kept = ~uint32_t{0} << (24 - bits);
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & kept);
}

/// The arithmetic of a kernel. The first two are right.
enum class Way {
  kFmaChain,           ///< In f32, from the last k to the first.
  kTensorCore,         ///< Blocks of four, as V100 adds them.
  kSumF16,             ///< The accumulator is of f16,
  kSumBf16,            ///< or of bf16.
  kFactorsBf16,        ///< Factors are cut to bf16 (those of bf16 to one bit less).
  kFactorsOneBitLess,  ///< Factors lose their last bit.
  kOneFactorShort,     ///< Those of every 16th k in B lose their last bit.
  kOutputTruncated,    ///< Not rounded to the nearest.
  kOutputTwice,        ///< Rounded to two bits more than it has, then once more.
  kOutputEarly,        ///< Rounded before the epilogue and after it.
  kOtherLayoutA,       ///< A is read as if it were stored the other way.
};

/// A stream's or a checker's operands, as the problem lays them out.
struct Values {
  const std::vector<float>&a, &b, &bias, &addend;
};

class Kernel {
 public:
  Kernel(const MatmulProblem& problem, const Values& values, Way way) : p_(problem), values_(values), way_(way) {}

  /// C as it is read back.
  std::vector<float> Run() const {
    std::vector<float> c;
    for (int64_t matrix = 0; matrix < p_.batch; ++matrix) {
      for (int64_t row = 0; row < p_.m; ++row) {
        for (int64_t column = 0; column < p_.n; ++column) c.push_back(Store(Element(matrix, row, column)));
      }
    }
    return c;
  }

 private:
  float Factor(float value, int64_t k, bool of_b) const {
    const int bits = OperandBits(p_);
    if (way_ == Way::kFactorsBf16) return TruncateToBits(value, std::min(8, bits - 1));
    if (way_ == Way::kFactorsOneBitLess) return TruncateToBits(value, bits - 1);
    if (way_ == Way::kOneFactorShort && of_b && k % 16 == 5) return TruncateToBits(value, bits - 1);
    return value;
  }
  float A(int64_t matrix, int64_t row, int64_t k) const {
    const bool transposed = p_.transpose_a != (way_ == Way::kOtherLayoutA);
    const int64_t at = transposed ? k * p_.m + row : row * p_.k + k;
    return Factor(values_.a[static_cast<size_t>(matrix * p_.m * p_.k + at)], k, false);
  }
  float B(int64_t matrix, int64_t k, int64_t column) const {
    const int64_t at = p_.transpose_b ? column * p_.k + k : k * p_.n + column;
    return Factor(values_.b[static_cast<size_t>(matrix * p_.k * p_.n + at)], k, true);
  }

  float Product(int64_t matrix, int64_t row, int64_t column) const {
    float sum = 0;
    if (way_ == Way::kTensorCore) {
      for (int64_t k = 0; k < p_.k; k += 4) {
        std::vector<double> addends = {double{sum}};
        for (int64_t i = k; i < std::min(p_.k, k + 4); ++i) {
          addends.push_back(double{A(matrix, row, i)} * double{B(matrix, i, column)});
        }
        sum = BlockSum(addends);
      }
      return sum;
    }
    for (int64_t k = p_.k - 1; k >= 0; --k) {
      sum = std::fma(A(matrix, row, k), B(matrix, k, column), sum);
      if (way_ == Way::kSumF16) RoundToType(DataType::kF16, 1, &sum);
      if (way_ == Way::kSumBf16) RoundToType(DataType::kBf16, 1, &sum);
    }
    return sum;
  }

  float Element(int64_t matrix, int64_t row, int64_t column) const {
    float x = Product(matrix, row, column);
    if (way_ == Way::kOutputEarly) RoundToType(p_.TypeOfC(), 1, &x);
    for (const EpilogueOp& op : p_.epilogue) {
      const bool bias = op.kind == EpilogueOp::Kind::kBias, add = op.ReadsAddend();
      x = StepInF32(op, x,
                    bias  ? values_.bias[static_cast<size_t>(column)]
                    : add ? values_.addend[static_cast<size_t>((matrix * p_.m + row) * p_.n + column)]
                          : 0);
    }
    return x;
  }

  float Store(float x) const {
    const int bits = TraitsOf(p_.TypeOfC()).significand_bits;
    if (way_ == Way::kOutputTruncated) x = TruncateToBits(x, bits);
    if (way_ == Way::kOutputTwice) x = RoundToBits(x, bits + 2);
    RoundToType(p_.TypeOfC(), 1, &x);
    return x;
  }

  const MatmulProblem& p_;
  const Values values_;
  const Way way_;
};

/// The exact tier, every pass of it; the first report that is not passed, else the last.
CheckReport Exact(const MatmulProblem& problem, Way way) {
  ExactChecker checker(problem, kSeed);
  CheckReport report;
  for (int pass = 0; pass < checker.passes(); ++pass) {
    checker.SetPass(pass);
    const ExactOperands& operands = checker.operands();
    const Values values{operands.a, operands.b, operands.bias, operands.addend};
    report = checker.Check(Kernel(problem, values, way).Run().data());
    if (!report.passed) break;
  }
  return report;
}

CheckReport Rounding(const MatmulProblem& problem, Way way) {
  const RandomOperands operands = MakeRandomOperands(problem, kSeed);
  const Values values{operands.a, operands.b, operands.bias, operands.addend};
  const RoundingChecker checker(problem, kSeed);
  const std::vector<float> c = Kernel(problem, values, way).Run();
  RoundingChecker::ResultComparison comparison(checker);
  comparison.AddRows(c.data(), problem.batch * problem.m);
  return comparison.Report();
}

struct Type {
  const char* name;
  DataType dtype;
  MathMode math;
  OutputType out;
};
constexpr Type kTypes[] = {{"f16", DataType::kF16, MathMode::kIeee, OutputType::kSame},
                           {"f16_out_f32", DataType::kF16, MathMode::kIeee, OutputType::kF32},
                           {"bf16", DataType::kBf16, MathMode::kIeee, OutputType::kSame},
                           {"bf16_out_f32", DataType::kBf16, MathMode::kIeee, OutputType::kF32},
                           {"tf32", DataType::kF32, MathMode::kTf32, OutputType::kSame}};

MatmulProblem Problem(const Type& type, const char* shape, const char* epilogue = "", int layout = 0,
                      int64_t batch = 1) {
  MatmulProblem problem = ParseMatmulShape(shape, type.dtype).value();
  problem.math = type.math;
  problem.out = type.out;
  problem.batch = batch;
  problem.transpose_a = (layout & 1) != 0;
  problem.transpose_b = (layout & 2) != 0;
  problem.epilogue = ParseEpilogue(epilogue).value();
  EXPECT_TRUE(problem.Validate().ok());
  return problem;
}

class TypedChecks : public testing::TestWithParam<Type> {
 protected:
  bool Of16Bits() const { return Problem(GetParam(), "1x1x1").TypeOfC() != DataType::kF32; }
};

constexpr const char* kEpilogues[] = {"",          "bias,relu", "scale:0.3,add",       "add,scale:0.125,relu",
                                      "bias,gelu", "silu,add",  "scale:0.3,gelu_tanh", "add,clamp:-30:40"};

TEST_P(TypedChecks, RightProductsPassInEveryLayout) {
  for (const char* shape : {"1x1x1", "2x3x2", "7x5x3", "23x19x70", "5x3x1500", "13x11x300"}) {
    for (const char* epilogue : kEpilogues) {
      for (int layout = 0; layout < 4; ++layout) {
        const MatmulProblem problem = Problem(GetParam(), shape, epilogue, layout, layout == 3 ? 2 : 1);
        for (Way way : {Way::kFmaChain, Way::kTensorCore}) {
          SCOPED_TRACE(problem.Text() + (way == Way::kTensorCore ? " on tensor cores" : ""));
          const CheckReport exact = Exact(problem, way);
          EXPECT_TRUE(exact.passed) << exact.detail;
          EXPECT_EQ(exact.tier, "exact");
          const CheckReport rounding = Rounding(problem, way);
          EXPECT_TRUE(rounding.passed) << rounding.detail;
          EXPECT_EQ(rounding.tier, "rounding");
          EXPECT_LE(rounding.bound_fraction.value(), 1);
        }
      }
    }
  }
}

// Too large to be compared element by element: where sums are stored as they are, by projection.
TEST_P(TypedChecks, RightProductsOfALargeProblemPass) {
  for (int layout = 0; layout < 4; ++layout) {
    const MatmulProblem problem = Problem(GetParam(), "180x170x140", "", layout);
    ASSERT_GT(problem.m * problem.n * problem.k, ExactChecker::kElementwiseLimit);
    const CheckReport report = Exact(problem, Way::kTensorCore);
    EXPECT_TRUE(report.passed) << report.detail;
    EXPECT_FALSE(Exact(problem, Way::kFactorsOneBitLess).passed);
    EXPECT_FALSE(Exact(problem, Way::kOneFactorShort).passed);
  }
}

TEST_P(TypedChecks, ANarrowAccumulatorIsWrong) {
  for (const char* shape : {"23x19x16", "23x19x70", "12x10x600"}) {
    for (const char* epilogue : kEpilogues) {
      for (Way way : {Way::kSumF16, Way::kSumBf16}) {
        const MatmulProblem problem = Problem(GetParam(), shape, epilogue);
        EXPECT_FALSE(Exact(problem, way).passed) << problem.Text();
        EXPECT_FALSE(Rounding(problem, way).passed) << problem.Text();
      }
    }
  }
}

TEST_P(TypedChecks, FactorsOfFewerBitsAreWrong) {
  for (const char* shape : {"23x19x16", "23x19x70", "12x10x600", "9x9x9000"}) {
    for (const char* epilogue : {"", "bias,relu"}) {
      const MatmulProblem problem = Problem(GetParam(), shape, epilogue);
      for (Way way : {Way::kFactorsBf16, Way::kFactorsOneBitLess}) {
        EXPECT_FALSE(Exact(problem, way).passed) << problem.Text();
      }
      if (problem.k <= 70) {
        EXPECT_FALSE(Rounding(problem, Way::kFactorsBf16).passed) << problem.Text();
      }
    }
  }
}

TEST_P(TypedChecks, AFactorOfFewerBitsHereAndThereIsWrong) {
  if (Of16Bits()) return;  // the output's rounding hides single bits
  for (const char* shape : {"23x19x32", "23x19x70", "12x10x600"}) {
    for (const char* epilogue : {"", "bias,relu"}) {
      const MatmulProblem problem = Problem(GetParam(), shape, epilogue);
      EXPECT_FALSE(Exact(problem, Way::kOneFactorShort).passed) << problem.Text();
    }
  }
  // Both factors of the only product are wide.
  EXPECT_FALSE(Exact(Problem(GetParam(), "1x1x1"), Way::kFactorsOneBitLess).passed);
}

TEST_P(TypedChecks, AnOutputThatIsNotRoundedOnceToTheNearestIsWrong) {
  if (!Of16Bits()) return;  // the output is of f32
  for (const char* shape : {"23x19x16", "23x19x70", "12x10x600"}) {
    for (const char* epilogue : kEpilogues) {
      const MatmulProblem problem = Problem(GetParam(), shape, epilogue);
      EXPECT_FALSE(Exact(problem, Way::kOutputTruncated).passed) << problem.Text();
      EXPECT_FALSE(Exact(problem, Way::kOutputTwice).passed) << problem.Text();
      // Beside the bound of many sums the output's rounding is small.
      if (problem.k <= 70) {
        EXPECT_FALSE(Rounding(problem, Way::kOutputTruncated).passed) << problem.Text();
      }
      const bool rounds_again = problem.HasBias() || problem.HasAddend();
      if (rounds_again) {
        EXPECT_FALSE(Exact(problem, Way::kOutputEarly).passed) << problem.Text();
      }
    }
  }
}

TEST_P(TypedChecks, AnotherLayoutOfAIsWrong) {
  for (const char* epilogue : {"", "bias"}) {
    for (const char* shape : {"24x20x24", "150x170x180"}) {
      for (int layout = 0; layout < 4; ++layout) {
        const MatmulProblem problem = Problem(GetParam(), shape, epilogue, layout);
        EXPECT_FALSE(Exact(problem, Way::kOtherLayoutA).passed) << problem.Text();
        if (problem.m < 100) {
          EXPECT_FALSE(Rounding(problem, Way::kOtherLayoutA).passed) << problem.Text();
        }
      }
    }
  }
}

/// True if the value is representable in the operand's type, for tf32 math in 11 bits of significand.
testing::AssertionResult IsOfItsType(const MatmulProblem& problem, PlanBuffer buffer, float value) {
  float rounded = value;
  RoundToType(TypeOf(problem, buffer), 1, &rounded);
  const bool factor = buffer == PlanBuffer::kA || buffer == PlanBuffer::kB;
  if (factor) RoundToOperandType(problem, 1, &rounded);
  if (std::isfinite(value) && rounded == value) return testing::AssertionSuccess();
  return testing::AssertionFailure() << value << " of " << PlanBufferText(buffer) << " of " << problem.Text();
}

// In units of B, every sum of magnitudes fits the 24 bits of f32, and wide operands stand on both sides.
TEST_P(TypedChecks, OperandsKeepEveryPartialSumExact) {
  for (const char* shape :
       {"1x1x1", "1x1x2", "2x2x3", "1x1x1024", "1x1x5000", "1x1x8196", "1x1x100000", "1x1x8388613"}) {
    for (const char* epilogue : {"", "bias,add,scale:0.01"}) {
      const MatmulProblem problem = Problem(GetParam(), shape, epilogue, /*layout=*/3);
      if (!WholeSweeps() && problem.k > 1000000 && problem.epilogue.empty()) continue;
      SCOPED_TRACE(problem.Text());
      const ExactOperands operands = MakeExactOperands<float>(problem, kSeed);
      double unit = 1e30;
      for (float b : operands.b) unit = b == 0 ? unit : std::min(unit, std::fabs(double{b}));
      unit = std::ldexp(1.0, std::ilogb(unit));
      while (std::any_of(operands.b.begin(), operands.b.end(), [&](float b) { return std::fmod(b, unit) != 0; })) {
        unit /= 2;
      }
      const auto wide = [&](double integer) {
        return std::fmod(integer, 2) != 0 && std::fabs(integer) > std::ldexp(1.0, OperandBits(problem) - 1);
      };
      bool wide_a = false, wide_b = false;
      double magnitudes = 0;
      for (int64_t k = 0; k < problem.k; ++k) {
        const float a = operands.a[static_cast<size_t>(k * problem.m)], b = operands.b[static_cast<size_t>(k)];
        ASSERT_TRUE(IsOfItsType(problem, PlanBuffer::kA, a));
        ASSERT_TRUE(IsOfItsType(problem, PlanBuffer::kB, b));
        ASSERT_EQ(a, std::trunc(a));
        magnitudes += std::fabs(double{a}) * std::fabs(double{b}) / unit;
        wide_a |= wide(double{a});
        wide_b |= wide(double{b} / unit);
      }
      EXPECT_LE(magnitudes, double{1 << 24});
      EXPECT_TRUE(wide_a && wide_b);
      for (float value : operands.bias) EXPECT_TRUE(value != 0 && IsOfItsType(problem, PlanBuffer::kBias, value));
      for (float value : operands.addend) EXPECT_TRUE(value != 0 && IsOfItsType(problem, PlanBuffer::kAddend, value));
    }
  }
}

TEST_P(TypedChecks, RandomOperandsAreOfTheirTypes) {
  const MatmulProblem problem = Problem(GetParam(), "64x64x64", "bias,add");
  const RandomOperands operands = MakeRandomOperands(problem, kSeed);
  for (float value : operands.a) ASSERT_TRUE(IsOfItsType(problem, PlanBuffer::kA, value));
  for (float value : operands.b) ASSERT_TRUE(IsOfItsType(problem, PlanBuffer::kB, value));
  for (float value : operands.bias) ASSERT_TRUE(IsOfItsType(problem, PlanBuffer::kBias, value));
  for (float value : operands.addend) ASSERT_TRUE(IsOfItsType(problem, PlanBuffer::kAddend, value));
}

// No scale makes all results infinite, zero or subnormal: then nothing would be compared.
TEST_P(TypedChecks, ScalesLeaveSomethingToCompare) {
  for (const char* epilogue : {"scale:1000", "scale:0.0001", "scale:0.0001,bias,relu", "bias,scale:0.001,add"}) {
    const MatmulProblem problem = Problem(GetParam(), "16x16x64", epilogue);
    ExactChecker checker(problem, kSeed);
    const ExactOperands& operands = checker.operands();
    const Values values{operands.a, operands.b, operands.bias, operands.addend};
    const std::vector<float> c = Kernel(problem, values, Way::kFmaChain).Run();
    EXPECT_TRUE(checker.Check(c.data()).passed);
    EXPECT_TRUE(std::all_of(c.begin(), c.end(), [](float x) { return std::isfinite(x); })) << problem.Text();
    const auto small = std::count_if(c.begin(), c.end(), [](float x) { return std::fabs(x) < 0x1p-14f; });
    EXPECT_LT(small, 256 * 3 / 4) << problem.Text();
  }
}

INSTANTIATE_TEST_SUITE_P(Types, TypedChecks, testing::ValuesIn(kTypes),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(TypedRounding, TheBoundOfTensorCoresIsThatOfTheHeader) {
  for (int64_t k : {1, 2, 4, 5, 64, 1000}) {
    const MatmulProblem p = Problem(kTypes[1], ("3x4x" + std::to_string(k)).c_str());
    const RandomOperands operands = MakeRandomOperands(p, kSeed);
    const RoundingChecker checker(p, kSeed);
    for (int64_t i = 0; i < p.m; ++i) {
      for (int64_t j = 0; j < p.n; ++j) {
        const double magnitudes = SumOfMagnitudes(p, operands, i, j);
        const double errors = static_cast<double>(k + 2 * ((k + 3) / 4)) / 8388608;
        EXPECT_NEAR(checker.reference(static_cast<size_t>(i), j).bound / (magnitudes * errors / (1 - errors)), 1, 1e-6);
      }
    }
  }
}

TEST(TypedRounding, AppliesWhileTheBoundSaysSomething) {
  MatmulProblem problem{1, 1, (int64_t{1} << 21) + (int64_t{1} << 19), DataType::kBf16};
  EXPECT_TRUE(RoundingChecker::Applies(problem));
  problem.k = int64_t{1} << 22;
  EXPECT_FALSE(RoundingChecker::Applies(problem));
}

// Results beyond 65504 are not judged, nor are they a fault.
TEST(TypedRounding, AnOutputThatOverflowsIsBorne) {
  EXPECT_TRUE(Rounding(Problem(kTypes[0], "8x8x8", "scale:30000"), Way::kFmaChain).passed);
  EXPECT_TRUE(Exact(Problem(kTypes[0], "8x8x8", "scale:1e30,bias"), Way::kFmaChain).passed);
}

}  // namespace
}  // namespace mmtune
