// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches, transposed B and epilogues: right results pass, and wrong ones of every kind are found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "tests/epilogue_steps.h"
#include "worker/measure/checker.h"

namespace mmtune {
namespace {

constexpr uint64_t kSeed = 7;

MatmulProblem Problem(const char* shape, int64_t batch, bool transpose_b, const char* epilogue) {
  MatmulProblem problem = ParseMatmulShape(shape, DataType::kF32).value();
  problem.batch = batch;
  problem.transpose_b = transpose_b;
  problem.epilogue = ParseEpilogue(epilogue).value();
  return problem;
}

/// The mistakes of a kernel.
struct Faults {
  bool ignore_transpose = false;
  bool no_bias = false, no_relu = false, no_scale = false;
  int64_t bias_shift = 0;          ///< Columns beside the right one.
  int64_t addend_shift = 0;        ///< Matrices beside the right one.
  int64_t a_shift = 0;             ///< Likewise.
  int64_t missing_k = 0;           ///< Last steps left out.
  bool relu_first = false;         ///< Before all other steps.
  bool fused = false;              ///< Scale and what is added next, without a rounding between.
  float curve_off = 0;             ///< Relative error of transcendental activations.
  const char* epilogue = nullptr;  ///< Another one than the problem's.
};

class Kernel {
 public:
  Kernel(const MatmulProblem& problem, const ExactChecker& checker, Faults faults = {})
      : p_(problem),
        checker_(checker),
        f_(faults),
        epilogue_(faults.epilogue != nullptr ? ParseEpilogue(faults.epilogue).value() : problem.epilogue) {}

  std::vector<float> Run() const {
    std::vector<float> c;
    for (int64_t i = 0; i < p_.batch; ++i) {
      for (int64_t row = 0; row < p_.m; ++row) {
        for (int64_t column = 0; column < p_.n; ++column) c.push_back(Element(i, row, column));
      }
    }
    return c;
  }

 private:
  // In an order of its own, from the last k to the first.
  float Product(int64_t matrix, int64_t row, int64_t column) const {
    const float* a = checker_.operands().a.data() + ((matrix + f_.a_shift) % p_.batch * p_.m + row) * p_.k;
    const float* b = checker_.operands().b.data() + matrix * p_.k * p_.n;
    const bool transposed = p_.transpose_b && !f_.ignore_transpose;
    float sum = 0;
    for (int64_t k = p_.k - f_.missing_k - 1; k >= 0; --k) {
      sum += a[k] * (transposed ? b[column * p_.k + k] : b[k * p_.n + column]);
    }
    return sum;
  }

  float Element(int64_t matrix, int64_t row, int64_t column) const {
    float x = Product(matrix, row, column);
    if (f_.relu_first) x = std::max(x, 0.0f);
    for (size_t i = 0; i < epilogue_.size(); ++i) {
      const EpilogueOp& op = epilogue_[i];
      if (op.kind == EpilogueOp::Kind::kRelu && f_.no_relu) continue;
      if (op.kind == EpilogueOp::Kind::kScale && f_.no_scale) continue;
      if (op.kind == EpilogueOp::Kind::kScale && f_.fused && i + 1 < epilogue_.size()) {
        x = std::fma(x, op.factor, Operand(epilogue_[++i], matrix, row, column));
        continue;
      }
      x = StepInF32(op, x, Operand(op, matrix, row, column));
      if (IsCurve(op)) x *= 1 + f_.curve_off;
    }
    return x;
  }

  float Operand(const EpilogueOp& op, int64_t matrix, int64_t row, int64_t column) const {
    if (op.kind == EpilogueOp::Kind::kBias && !f_.no_bias) {
      return checker_.operands().bias[static_cast<size_t>((column + f_.bias_shift) % p_.n)];
    }
    if (op.ReadsAddend()) {
      const int64_t from = (matrix + f_.addend_shift) % p_.batch;
      return checker_.operands().addend[static_cast<size_t>((from * p_.m + row) * p_.n + column)];
    }
    return 0;
  }

  const MatmulProblem& p_;
  const ExactChecker& checker_;
  const Faults f_;
  const Epilogue epilogue_;
};

/// Every pass, as DeviceMeasurer runs them; the first report that is not passed, else the last.
CheckReport CheckAll(const MatmulProblem& problem, Faults faults = {},
                     const std::function<void(std::vector<float>&)>& spoil = nullptr) {
  ExactChecker checker(problem, kSeed);
  CheckReport report;
  for (int pass = 0; pass < checker.passes(); ++pass) {
    checker.SetPass(pass);
    std::vector<float> c = Kernel(problem, checker, faults).Run();
    if (spoil) spoil(c);
    report = checker.Check(c.data());
    if (!report.passed) break;
  }
  return report;
}

class Variants : public testing::TestWithParam<MatmulProblem> {};

TEST_P(Variants, RightResultsPass) {
  const CheckReport report = CheckAll(GetParam());
  EXPECT_TRUE(report.performed);
  EXPECT_TRUE(report.passed) << report.detail;
  EXPECT_EQ(report.tier, "exact");
}

TEST_P(Variants, OneElementOffByOneIsFoundWhereItIs) {
  const MatmulProblem& p = GetParam();
  const auto size = static_cast<int64_t>(p.ElementsC());
  for (int64_t at : {int64_t{0}, size / 3, size / 2 + 1, size - 1}) {
    const CheckReport report = CheckAll(p, {}, [at](std::vector<float>& c) { c[static_cast<size_t>(at)] += 1; });
    EXPECT_FALSE(report.passed) << at;
    EXPECT_EQ(report.wrong_row, at / p.n);
    EXPECT_EQ(report.wrong_col, at % p.n);
    EXPECT_THAT(report.detail, testing::HasSubstr("1 of "));
  }
}

TEST_P(Variants, OneSumOffByOneIsFoundThroughTheEpilogue) {
  const MatmulProblem& p = GetParam();
  // A change of one operand by one, seen or clipped: in one of the passes it shows in each element that it reaches.
  ExactChecker checker(p, kSeed);
  const int64_t row = p.m - 1;
  std::vector<bool> shown(static_cast<size_t>(p.n));
  for (int pass = 0; pass < checker.passes(); ++pass) {
    checker.SetPass(pass);
    const std::vector<float> right = Kernel(p, checker).Run();
    auto& a = const_cast<std::vector<float>&>(checker.operands().a);
    a[static_cast<size_t>(row * p.k)] += 1;
    const std::vector<float> wrong = Kernel(p, checker).Run();
    a[static_cast<size_t>(row * p.k)] -= 1;
    for (int64_t j = 0; j < p.n; ++j) {
      std::vector<float> c = right;
      const auto at = static_cast<size_t>(row * p.n + j);
      c[at] = wrong[at];
      const CheckReport report = checker.Check(c.data());
      if (!report.passed) {
        shown[static_cast<size_t>(j)] = true;
        EXPECT_EQ(report.wrong_col, j);
      }
    }
  }
  int64_t unseen = 0;
  for (int64_t j = 0; j < p.n; ++j) unseen += shown[static_cast<size_t>(j)] ? 0 : 1;
  // Where B holds a zero, the sum did not change. A relu after another clips for good.
  const int64_t relus = std::count_if(p.epilogue.begin(), p.epilogue.end(),
                                      [](const EpilogueOp& op) { return op.kind == EpilogueOp::Kind::kRelu; });
  // Beyond a clamp, and where a curve is flat, it is hidden in both.
  const bool bounded = std::ranges::any_of(
      p.epilogue, [](const EpilogueOp& op) { return op.kind == EpilogueOp::Kind::kClamp || IsCurve(op); });
  EXPECT_LE(unseen, relus > 1 || bounded ? p.n / 2 : p.n / 20 + 1);
}

TEST_P(Variants, AStepOfKLeftOutIsFound) { EXPECT_FALSE(CheckAll(GetParam(), {.missing_k = 1}).passed); }

TEST_P(Variants, AnotherMatrixOfAIsFound) {
  if (GetParam().batch == 1) return;  // there is but one
  EXPECT_FALSE(CheckAll(GetParam(), {.a_shift = 1}).passed);
}

TEST_P(Variants, WhatWasNeverWrittenIsFound) {
  for (size_t at : {size_t{0}, static_cast<size_t>(GetParam().ElementsC() - 1)}) {
    const CheckReport report = CheckAll(GetParam(), {}, [at](std::vector<float>& c) { c[at] = std::nanf(""); });
    EXPECT_FALSE(report.passed);
    EXPECT_TRUE(std::isnan(report.got));
    EXPECT_THAT(report.detail, testing::HasSubstr("never written"));
  }
}

TEST_P(Variants, TheSignOfZeroDoesNotMatter) {
  const CheckReport report = CheckAll(GetParam(), {}, [](std::vector<float>& c) {
    for (float& value : c) value = value == 0 ? -value : value;
  });
  EXPECT_TRUE(report.passed) << report.detail;
}

INSTANTIATE_TEST_SUITE_P(
    All, Variants,
    testing::Values(
        Problem("21x19x33", 3, false, ""), Problem("90x70x130", 6, false, ""),  // by element, projected
        Problem("21x19x33", 1, true, ""), Problem("90x70x130", 6, true, ""), Problem("21x40x33", 1, false, "bias"),
        Problem("21x40x333", 2, true, "bias,relu"), Problem("21x40x333", 1, false, "relu"),
        Problem("33x41x70", 2, false, "add,relu"), Problem("33x41x70", 2, true, "scale:0.1,bias,relu,scale:3,add"),
        Problem("33x41x200", 2, false, "scale:1e-30,bias,scale:1e12,relu"),
        Problem("33x41x70", 1, false, "scale:-0.7,bias,relu,scale:0.3,add,relu"),
        Problem("33x41x70", 1, false, "clamp:-1:6"), Problem("33x41x200", 2, true, "bias,clamp:0:6,add"),
        Problem("33x41x70", 1, false, "bias,gelu"), Problem("33x41x200", 2, true, "scale:0.3,gelu_tanh,add"),
        Problem("33x41x1500", 1, false, "add,silu,scale:3,relu"), Problem("33x41x70", 2, true, "scale:0.3,sub,tanh")),
    [](const auto& info) { return "Problem" + std::to_string(info.index); });

TEST(WrongEpilogues, MissingOrMisplacedOperandsAreFound) {
  const MatmulProblem p = Problem("33x41x70", 3, false, "scale:0.3,bias,relu,add");
  EXPECT_TRUE(CheckAll(p).passed);
  EXPECT_FALSE(CheckAll(p, {.no_bias = true}).passed);
  EXPECT_FALSE(CheckAll(p, {.bias_shift = 1}).passed);
  EXPECT_FALSE(CheckAll(p, {.addend_shift = 1}).passed);
  EXPECT_FALSE(CheckAll(p, {.no_relu = true}).passed);
  EXPECT_FALSE(CheckAll(p, {.no_scale = true}).passed);
  EXPECT_FALSE(CheckAll(p, {.relu_first = true}).passed);
}

TEST(WrongEpilogues, AContractedMultiplyAddIsFound) {
  EXPECT_FALSE(CheckAll(Problem("33x41x70", 1, false, "scale:0.3,bias"), {.fused = true}).passed);
  // A power of two rounds nothing: both are right.
  EXPECT_TRUE(CheckAll(Problem("33x41x70", 1, false, "scale:0.25,bias"), {.fused = true}).passed);
}

/// An epilogue, and what a kernel does in its place.
TEST(WrongEpilogues, OfCurvedStepsAndClampsAreFound) {
  const std::pair<const char*, std::vector<const char*>> kCases[] = {
      {"bias,gelu", {"bias,gelu_tanh", "bias,silu", "bias", "gelu", "gelu,bias", "bias,relu", "bias,gelu,gelu"}},
      {"bias,gelu_tanh", {"bias,gelu", "bias,silu", "bias", "gelu_tanh", "gelu_tanh,bias"}},
      {"add,silu", {"add,gelu", "add,gelu_tanh", "add", "silu", "silu,add", "add,relu"}},
      {"silu,add,gelu", {"gelu,add,silu", "silu,gelu", "silu,add", "add,silu,gelu", "silu,add,gelu_tanh"}},
      {"scale:0.125,gelu", {"gelu,scale:0.125", "gelu", "scale:0.125", "scale:0.1251,gelu", "scale:0.125,gelu_tanh"}},
      {"gelu,relu", {"gelu", "relu", "gelu_tanh,relu"}},
      {"sub,relu", {"add,relu", "relu", "relu,sub"}},
      {"bias,tanh", {"bias", "tanh", "tanh,bias", "bias,clamp:-1:1", "bias,tanh,tanh", "bias,gelu"}},
      {"clamp:-1:6", {"clamp:0:6", "clamp:-1:7", "clamp:-2:6", "clamp:-1:1", "", "relu", "clamp:-6:1"}},
      {"bias,clamp:0:6", {"clamp:0:6", "clamp:0:6,bias", "bias", "bias,relu", "bias,clamp:0:6.0001"}},
      {"clamp:-100:100,gelu", {"gelu", "clamp:-100:100", "clamp:-100:100,gelu_tanh", "clamp:-100:99,gelu"}},
      {"gelu,clamp:0:1000", {"gelu", "gelu,relu", "clamp:0:1000", "gelu_tanh,clamp:0:1000", "gelu,clamp:0:1001"}},
      {"scale:1e-20,silu,scale:1e20", {"scale:1e-20,silu", "scale:1e-20,scale:1e20", "silu,scale:1e20"}}};
  for (const auto& [epilogue, others] : kCases) {
    // The shapes of verifications, and one of many k.
    for (const char* shape : {"47x47x27", "33x41x1500"}) {
      const MatmulProblem p = Problem(shape, 1, false, epilogue);
      const CheckReport right = CheckAll(p);
      EXPECT_TRUE(right.passed) << p.Text() << ": " << right.detail;
      for (const char* other : others) {
        Faults faults;
        faults.epilogue = other;
        EXPECT_FALSE(CheckAll(p, faults).passed) << p.Text() << " as " << other;
      }
    }
  }
}

TEST(WrongEpilogues, AnInexactCurveIsFound) {
  for (const char* epilogue : {"bias,gelu", "gelu_tanh", "add,silu,scale:3", "sub,tanh"}) {
    for (float off : {1e-5f, -1e-6f}) {
      EXPECT_FALSE(CheckAll(Problem("47x47x27", 1, false, epilogue), {.curve_off = off}).passed) << epilogue << off;
    }
    EXPECT_TRUE(CheckAll(Problem("47x47x27", 1, false, epilogue), {.curve_off = 1e-7f}).passed) << epilogue;
  }
}

TEST(WrongTransposes, ABReadAsIfNotTransposedIsFound) {
  for (const char* epilogue : {"", "bias,relu"}) {
    for (const char* shape : {"20x24x24", "170x180x190"}) {
      EXPECT_FALSE(CheckAll(Problem(shape, 1, true, epilogue), {.ignore_transpose = true}).passed) << shape;
    }
  }
}

TEST(WrongBatches, AnErrorInOneMatrixNamesIt) {
  const MatmulProblem p = Problem("90x70x130", 6, false, "");
  const CheckReport report =
      CheckAll(p, {}, [&p](std::vector<float>& c) { c[static_cast<size_t>((4 * p.m + 5) * p.n + 6)] += 1; });
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.wrong_row, 4 * p.m + 5);
  EXPECT_THAT(report.detail, testing::HasSubstr("C[4][5][6] is "));
}

// Both sides of relu, a good part each, in either pass; and nothing that has left f32.
TEST(EpilogueOperands, MakeEveryStepMatter) {
  for (const char* epilogue :
       {"bias,relu", "relu", "scale:1e-38,bias,relu,scale:1e38", "scale:1e20,add,scale:1e15,relu"}) {
    const MatmulProblem p = Problem("64x64x512", 1, false, epilogue);
    ExactChecker checker(p, kSeed);
    ASSERT_EQ(checker.passes(), 2);
    for (int pass : {0, 1}) {
      checker.SetPass(pass);
      const std::vector<float> c = Kernel(p, checker).Run();
      const auto clipped = std::count(c.begin(), c.end(), 0.0f);
      EXPECT_GT(clipped, 64 * 64 / 4) << epilogue;
      EXPECT_LT(clipped, 64 * 64 * 3 / 4) << epilogue;
      EXPECT_TRUE(std::all_of(c.begin(), c.end(), [](float x) { return x == 0 || std::isnormal(x); })) << epilogue;
    }
    for (const auto* operand : {&checker.operands().bias, &checker.operands().addend}) {
      EXPECT_TRUE(std::all_of(operand->begin(), operand->end(), [](float x) { return std::isnormal(x); })) << epilogue;
    }
  }
}

TEST(EpilogueOperands, BLiesAsFarFromOneAsItsProductsAfterTheScales) {
  const std::pair<const char*, int> kCases[] = {{"scale:1.2676506e+30", -50},  // 2^100
                                                {"scale:7.8886091e-31", 50},
                                                {"scale:1.2676506e+30,scale:7.8886091e-31", -50},
                                                {"scale:2", 0}};
  for (const auto& [epilogue, exponent] : kCases) {
    SCOPED_TRACE(epilogue);
    const ExactChecker checker(Problem("16x16x16", 1, false, epilogue), kSeed);
    int least = 1000;
    for (float value : checker.operands().b) least = value == 0 ? least : std::min(least, std::ilogb(value));
    EXPECT_GE(least, exponent);
    EXPECT_LT(least, exponent + 8) << "a small integer times 2^" << exponent;
  }
}

// Arguments of transcendental activations are where they are curved, whatever K and the scales before; and both bounds
// of a clamp count.
TEST(EpilogueOperands, LieWhereCurvesBendAndClampsDoNotHide) {
  for (const char* shape : {"64x64x1", "64x64x27", "64x64x512", "16x64x40000"}) {
    for (const char* epilogue : {"gelu", "bias,scale:0.001,silu", "scale:1e20,gelu_tanh", "clamp:-4:4", "clamp:0:6"}) {
      const MatmulProblem p = Problem(shape, 1, false, epilogue);
      SCOPED_TRACE(p.Text());
      ExactChecker checker(p, kSeed);
      ASSERT_EQ(checker.passes(), 2);
      Faults before;  // the argument of the last step
      const std::string text = epilogue;
      const std::string arguments = text.substr(0, text.rfind(',') == std::string::npos ? 0 : text.rfind(','));
      before.epilogue = arguments.c_str();
      const std::vector<float> x = Kernel(p, checker, before).Run();
      const auto inside = std::count_if(x.begin(), x.end(), [](float v) { return std::fabs(v) < 6; });
      const auto far = std::count_if(x.begin(), x.end(), [](float v) { return std::fabs(v) > 1.5; });
      EXPECT_GT(inside, std::ssize(x) * 3 / 4);
      EXPECT_GT(far, std::ssize(x) / 4);
    }
  }
}

// One scale for each distance from 0 at which a step shows.
TEST(EpilogueOperands, StepsThatShowAtDifferentDistancesHaveAScaleEach) {
  EXPECT_EQ(ExactChecker(Problem("8x8x8", 1, false, "gelu,silu,clamp:-3:3"), kSeed).passes(), 2);
  EXPECT_EQ(ExactChecker(Problem("8x8x8", 1, false, "gelu,clamp:0:1000"), kSeed).passes(), 4);
  ExactChecker checker(Problem("8x8x8", 1, false, "bias,gelu,clamp:0:1000"), kSeed);
  const std::vector<float> a = checker.operands().a, b = checker.operands().b, bias = checker.operands().bias;
  checker.SetPass(3);
  EXPECT_EQ(checker.operands().a[5], -a[5]);
  EXPECT_EQ(checker.operands().b[5], 256 * b[5]);
  EXPECT_EQ(checker.operands().bias[5], -256 * bias[5]);
  checker.SetPass(2);
  EXPECT_EQ(checker.operands().a, a);
  checker.SetPass(0);
  EXPECT_EQ(checker.operands().b, b);
}

TEST(EpilogueOperands, APassComesBackToItself) {
  ExactChecker checker(Problem("8x8x8", 2, false, "bias,add,relu"), kSeed);
  const std::vector<float> a = checker.operands().a, bias = checker.operands().bias, addend = checker.operands().addend;
  EXPECT_EQ(bias.size(), 8u);
  EXPECT_EQ(addend.size(), 128u);
  checker.SetPass(1);
  EXPECT_EQ(checker.operands().bias[3], -bias[3]);
  EXPECT_EQ(checker.operands().addend[77], -addend[77]);
  EXPECT_NE(checker.operands().a, a);
  checker.SetPass(0);
  EXPECT_EQ(checker.operands().a, a);
  EXPECT_EQ(checker.operands().bias, bias);
  EXPECT_EQ(checker.operands().addend, addend);
}

TEST(EpilogueOperands, AnEpilogueWithoutReluNeedsOnePass) {
  EXPECT_EQ(ExactChecker(Problem("8x8x8", 1, false, "bias,scale:2"), kSeed).passes(), 1);
  EXPECT_EQ(ExactChecker(Problem("8x8x8", 1, false, ""), kSeed).passes(), 1);
}

// Rows of B may be each other's copies only where there are too many to be all drawn.
TEST(EpilogueOperands, RowsOfBDifferWhileThereAreFew) {
  const ExactChecker checker(Problem("4x32x128", 1, false, "relu"), kSeed);
  for (int64_t i = 0; i < 128; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      EXPECT_FALSE(std::equal(&checker.operands().b[static_cast<size_t>(i * 32)],
                              &checker.operands().b[static_cast<size_t>(i * 32)] + 32,
                              &checker.operands().b[static_cast<size_t>(j * 32)]));
    }
  }
}

// The whole product is needed once for a problem; it must not cost what the schedules cost.
TEST(EpilogueOperands, TheReferenceOfALargeProblemIsQuick) {
  const auto start = std::chrono::steady_clock::now();
  ExactChecker checker(Problem("1024x1024x1024", 1, false, "bias,relu"), kSeed);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  RecordProperty("seconds", std::to_string(seconds.count()));
  EXPECT_LT(seconds.count(), 30) << "a sanitizer and a busy machine included";
}

}  // namespace
}  // namespace mmtune
