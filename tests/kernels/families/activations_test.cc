// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transcendental activations of an epilogue as kernels compute them, number by number: within the stated error of
// the function, and what they are of infinities and NaN.
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "kernels/compiled_kernel.h"
#include "tests/kernels/families/execution_fixture.h"

namespace mmtune {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int64_t kRows = 512, kColumns = 512;

class ActivationsTest : public ExecutionTest, public testing::WithParamInterface<const char*> {
 protected:
  /// C = step(0 * 0 + addend): any number reaches the step.
  void Load() {
    MatmulProblem problem{kRows, kColumns, 1};
    problem.epilogue = *ParseEpilogue(std::string("add,") + GetParam());
    SetProblem(problem);
    std::fill(a_.begin(), a_.end(), 0.0f);
    auto kernel = compiler_->Compile(problem_, *ParseSchedule("direct bx=16 by=4 tm=4 tn=4"), target_);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    auto function = HostFunction::Load(*kernel);
    ASSERT_TRUE(function.ok()) << function.status();
    function_ = *std::move(function);
  }

  /// Applies the activation to at most as many numbers as C has elements.
  std::vector<float> Apply(const std::vector<float>& x) {
    std::copy(x.begin(), x.end(), addend_.begin());
    std::vector<float> c(static_cast<size_t>(problem_.ElementsC()));
    const absl::Status status =
        function_->Run(problem_, {a_.data(), b_.data(), bias_.data(), addend_.data()}, c.data());
    EXPECT_TRUE(status.ok()) << status;
    c.resize(x.size());
    return c;
  }

  /// The largest error among numbers of which the bits are first, first + stride and so on, of both signs, in parts of
  /// the stated one.
  double LargestError(uint32_t first, uint32_t end, uint32_t stride) {
    double largest = 0;
    std::vector<float> x;
    for (uint64_t bits = first; bits < end; bits += stride) {
      x.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
      x.push_back(-x.back());
      if (std::ssize(x) == kRows * kColumns || bits + stride >= end) {
        largest = std::max(largest, LargestError(x));
        x.clear();
      }
    }
    return largest;
  }

  double LargestError(const std::vector<float>& x) {
    const std::vector<float> y = Apply(x);
    double largest = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = CurveValue(problem_.epilogue[1].kind, double{x[i]});
      const double stated = kActivationRelativeError * std::fabs(exact) + kActivationAbsoluteError;
      const double part = std::fabs(double{y[i]} - exact) / stated;
      if (part <= largest) continue;
      largest = part;
      at_ = x[i];
    }
    return largest;
  }

  std::unique_ptr<HostFunction> function_;
  float at_ = 0;  // where the error is largest
};

// Between -20 and 20, where nothing is lost to rounding yet: one number in 1021, or all with MMTUNE_TEST_WHOLE.
TEST_P(ActivationsTest, AreAsExactAsStated) {
  ASSERT_NO_FATAL_FAILURE(Load());
  const uint32_t stride = WholeSweeps() ? 1 : 1021;
  const double error = LargestError(std::bit_cast<uint32_t>(0x1p-14f), std::bit_cast<uint32_t>(20.0f) + 1, stride);
  EXPECT_LE(error, 1) << "at " << at_;
  EXPECT_GT(error, 0.25) << "the statement is idle";
  RecordProperty("error", std::to_string(error));
}

TEST_P(ActivationsTest, AreAsExactNearZeroAndFarAway) {
  ASSERT_NO_FATAL_FAILURE(Load());
  EXPECT_LE(LargestError(0, std::bit_cast<uint32_t>(kInfinity), 10007), 1) << "at " << at_;
}

TEST_P(ActivationsTest, EndAtZeroAndInfinityAndKeepNaN) {
  ASSERT_NO_FATAL_FAILURE(Load());
  const float nan = std::numeric_limits<float>::quiet_NaN(), largest = std::numeric_limits<float>::max();
  const std::vector<float> y = Apply({kInfinity, -kInfinity, nan, -nan, largest, -largest, 0.0f, -100.0f});
  const bool is_tanh = problem_.epilogue[1].kind == EpilogueOp::Kind::kTanh;
  EXPECT_EQ(y[0], is_tanh ? 1 : kInfinity);
  EXPECT_EQ(y[1], is_tanh ? -1 : 0);
  EXPECT_TRUE(std::isnan(y[2]) && std::isnan(y[3]));
  EXPECT_EQ(y[4], is_tanh ? 1 : largest);
  EXPECT_EQ(y[5], is_tanh ? -1 : 0);
  EXPECT_EQ(y[6], 0);
  EXPECT_EQ(y[7], is_tanh ? -1 : 0);
}

// Small numbers have no absolute error of 2^-28: tanh of what is far below that is the number itself, signed.
TEST_P(ActivationsTest, OfTanhIsAsExactNearZero) {
  if (std::string_view(GetParam()) != "tanh") return;  // others have an absolute error there
  ASSERT_NO_FATAL_FAILURE(Load());
  const std::vector<float> small = {-0.0f, 0x1p-30f, -0x1.234p-60f, 0x1p-126f, -0x1p-14f, 0.1f, -0.6249999f, 0.625f};
  const std::vector<float> y = Apply(small);
  EXPECT_FALSE(std::signbit(y[0]));  // 0 * 0 + -0
  for (size_t i = 1; i < small.size(); ++i) {
    EXPECT_NEAR(y[i], std::tanh(double{small[i]}), 0x1p-22 * std::fabs(small[i])) << small[i];
  }
}

// One arithmetic everywhere: nothing of the hardware's approximations, no division and no call.
TEST_P(ActivationsTest, AreFewPlainInstructionsOfPtx) {
  CompileTarget target;
  target.device = *ArchitectureLimits("sm_90");
  target.device.kind = DeviceKind::kCuda;
  target.assemble = false;
  MatmulProblem problem{64, 64, 64};
  const auto lines = [&](const MatmulProblem& p) {
    const auto kernel = compiler_->Compile(p, *ParseSchedule("direct bx=16 by=8 tm=1 tn=1"), target);
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    const std::string ptx = kernel.ok() ? kernel->image : "";
    for (const char* other : {"ex2", "tanh", "div.", "rcp", "call"}) EXPECT_EQ(ptx.find(other), ptx.npos) << other;
    return std::count(ptx.begin(), ptx.end(), ';');
  };
  const int64_t before = lines(problem);
  problem.epilogue = *ParseEpilogue(GetParam());
  const int64_t instructions = lines(problem) - before;
  RecordProperty("instructions", std::to_string(instructions));
  EXPECT_GT(instructions, 15);
  EXPECT_LE(instructions, problem.epilogue[0].kind == EpilogueOp::Kind::kTanh ? 42 : 32);
}

INSTANTIATE_TEST_SUITE_P(All, ActivationsTest, testing::Values("gelu", "gelu_tanh", "silu", "tanh"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace mmtune
