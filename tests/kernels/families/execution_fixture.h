// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles schedules, runs them on the SIMT device through the complete host function, and compares every element with
// a reference of exact small integers, rounded to the type of C.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string_view>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "kernels/runtime/host_function.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "kernels/simulator/simt_device.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"
#include "tests/epilogue_steps.h"
#include "tests/kernels/reference_product.h"
#include "tests/kernels/typed_operands.h"
#include "tests/test_seed.h"

namespace mmtune {

/// The values of operands; those that a problem lacks may be null.
struct ReferenceOperands {
  const float *a, *b, *bias, *addend;
};

/// One step of an epilogue on the element `i` of C, rounded on its own.
inline float ReferenceStep(const EpilogueOp& op, float x, int64_t i, const MatmulProblem& p,
                           const ReferenceOperands& in) {
  const bool bias = op.kind == EpilogueOp::Kind::kBias, add = op.ReadsAddend();
  return StepInF32(op, x, bias ? in.bias[i % p.n] : add ? in.addend[i] : 0);
}

inline std::vector<float> ReferenceResult(const MatmulProblem& problem, const ReferenceOperands& in) {
  std::vector<float> c = ReferenceProduct(problem, in.a, in.b);
  // A loop for each step: no compiler contracts across them.
  for (const EpilogueOp& op : problem.epilogue)
    for (int64_t i = 0; i < problem.ElementsC(); ++i) c[i] = ReferenceStep(op, c[i], i, problem, in);
  return c;
}

/// Floats in a type of operands, and back.
inline std::vector<char> Encoded(DataType type, const std::vector<float>& values) {
  std::vector<char> elements(values.size() * DataTypeBytes(type));
  TraitsOf(type).encode(values.data(), static_cast<int64_t>(values.size()), elements.data());
  return elements;
}
inline std::vector<float> Decoded(DataType type, const std::vector<char>& elements) {
  std::vector<float> values(elements.size() / DataTypeBytes(type));
  TraitsOf(type).decode(elements.data(), static_cast<int64_t>(values.size()), values.data());
  return values;
}

class ExecutionTest : public ::testing::Test {
 protected:
  ExecutionTest() { UseDevice(*CreateSimtDevice("sm_90")); }
  ~ExecutionTest() override { SetMgpuDevice(nullptr); }

  void SetProblem(const MatmulProblem& problem) {
    problem_ = problem;
    std::mt19937_64 rng(TestSeed(5));
    a_ = SmallIntegers(problem_.ElementsA(), rng);
    b_ = SmallIntegers(problem_.ElementsB(), rng);
    bias_ = SmallIntegers(problem_.ElementsBias(), rng);
    addend_ = SmallIntegers(problem_.ElementsAddend(), rng);
    expected_ = ReferenceResult(problem_, {a_.data(), b_.data(), bias_.data(), addend_.data()});
    expected_ = Decoded(problem_.TypeOfC(), Encoded(problem_.TypeOfC(), expected_));
  }

  void SetProblem(std::string_view shape) { SetProblem(*ParseMatmulShape(shape, DataType::kF32)); }

  /// From now on a data race, or an access out of bounds, fails what runs.
  void DetectRaces() {
    simt::SimtOptions options;
    options.arch = "sm_90";
    options.race_detector = true;
    UseDevice(*simt::SimtDevice::Create(options));
    target_.race_detection = true;
  }

  /// Fails the test and returns nothing when the schedule does not compile or run.
  std::vector<float> Run(const Schedule& schedule) { return Decoded(problem_.TypeOfC(), RunToBytes(schedule)); }

  /// Like Run(), but returns C as it is stored.
  std::vector<char> RunToBytes(const Schedule& schedule) {
    auto kernel = compiler_->Compile(problem_, schedule, target_);
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    if (!kernel.ok()) return {};
    auto function = HostFunction::Load(*kernel);
    EXPECT_TRUE(function.ok()) << function.status();
    if (!function.ok()) return {};
    const DataType type = problem_.dtype, type_of_c = problem_.TypeOfC();
    const std::vector<char> a = Encoded(type, a_), b = Encoded(type, b_);
    const std::vector<char> bias = Encoded(type_of_c, bias_), addend = Encoded(type_of_c, addend_);
    std::vector<char> c(problem_.ElementsC() * DataTypeBytes(type_of_c), '\x7f');
    absl::Status status = (*function)->Run(problem_, {a.data(), b.data(), bias.data(), addend.data()}, c.data());
    EXPECT_TRUE(status.ok()) << status;
    return c;
  }

  void ExpectExact(const Schedule& schedule) {
    SCOPED_TRACE(problem_.Text() + " " + schedule.Text());
    const std::vector<float> c = Run(schedule);
    ASSERT_EQ(c.size(), expected_.size());
    for (int64_t i = 0; i < problem_.ElementsC(); ++i)
      ASSERT_TRUE(IsAsExpected(problem_, c[i], expected_[i]))
          << "row " << i / problem_.n << " of all, column " << i % problem_.n;
  }

  void ExpectExact(std::string_view text) { ExpectExact(*ParseSchedule(text)); }

  void UseDevice(std::unique_ptr<Device> device) {
    MgpuOptions options;
    options.poison_allocations = true;
    SetMgpuDevice(device.get(), options);
    device_ = std::move(device);
    target_.device = device_->info();
    // The limits of a GPU, so that the rules allow the same.
    target_.device.multiprocessors = 128;
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Compiler> compiler_ = *Compiler::Create();
  CompileTarget target_;
  MatmulProblem problem_;
  std::vector<float> a_, b_, bias_, addend_, expected_;
};

/// One schedule for each feature of the `fma` family; those that a plain problem alone can have come last.
inline constexpr std::string_view kFeatureSchedules[] = {
    // cp.async, three stages; then k-major A, copied a float at a time.
    "fma async=1 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=4 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=3 stream_k=1 tm=4 tn=4 unroll_k=16",
    "fma async=1 bk=8 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=1 lm=8 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=4 stream_k=1 tm=4 tn=8 unroll_k=4",
    // Through registers: one stage, two stages, k-major.
    "fma async=0 bk=16 bm=64 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=1 stream_k=1 tm=4 tn=4 unroll_k=8",
    "fma async=0 bk=8 bm=32 bn=64 fragments=1 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=2 stream_k=1 tm=2 tn=8 unroll_k=8",
    // A workspace.
    "fma async=0 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=2 slice_k=1 split_k=3 "
    "stages=1 stream_k=1 tm=2 tn=4 unroll_k=8",
    // Groups of three rows of blocks, the last one lower; more floats in a row of B than threads.
    "fma async=1 bk=8 bm=16 bn=64 fragments=1 group_m=3 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=2 stream_k=1 tm=4 tn=8 unroll_k=8",
    "fma async=1 bk=4 bm=4 bn=256 fragments=1 group_m=1 kmajor_a=0 lm=1 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=2 stream_k=1 tm=4 tn=8 unroll_k=4",
    // Register double buffering, the thread tile's multiply-adds back and forth: by cp.async, with one stage and with
    // two.
    "fma async=1 bk=8 bm=64 bn=64 fragments=2 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=2 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 stages=3 stream_k=1 tm=8 tn=4 unroll_k=8",
    "fma async=1 bk=4 bm=32 bn=64 fragments=2 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=2 "
    "slice_k=1 split_k=5 stages=2 stream_k=1 tm=2 tn=8 unroll_k=4",
    "fma async=0 bk=8 bm=32 bn=32 fragments=2 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 "
    "slice_k=1 split_k=1 stages=1 stream_k=1 tm=4 tn=2 unroll_k=8",
    "fma async=0 bk=16 bm=32 bn=64 fragments=2 group_m=1 kmajor_a=1 lm=8 min_blocks=1 order=2 pad_a=4 pad_b=0 "
    "reduction=2 slice_k=1 split_k=2 stages=2 stream_k=1 tm=4 tn=4 unroll_k=16",
    // Off the axes: tiles that are no powers of two.
    "fma async=0 bk=12 bm=96 bn=24 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=2 stream_k=1 tm=8 tn=3 unroll_k=12",
    // Slices of k: a row-major tile in rows of fewer floats than a vector may have, with an inner loop; k-major, double
    // buffered, back and forth, single floats; then of splits whose last block sums them in order.
    "fma async=1 bk=16 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=2 "
    "split_k=1 stages=3 stream_k=1 tm=2 tn=4 unroll_k=4",
    "fma async=0 bk=16 bm=32 bn=32 fragments=2 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=2 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=4 split_k=1 stages=1 stream_k=1 tm=4 tn=1 unroll_k=4",
    "fma async=1 bk=16 bm=16 bn=64 fragments=1 group_m=1 kmajor_a=1 lm=2 min_blocks=1 order=2 pad_a=0 pad_b=0 "
    "reduction=3 "
    "slice_k=2 split_k=2 stages=2 stream_k=1 tm=4 tn=4 unroll_k=8",
    // Even shares of all k steps: more of them than a tile has and fewer, in groups of rows, of slices, with one stage.
    "fma async=1 bk=8 bm=32 bn=64 fragments=2 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=3 "
    "slice_k=1 split_k=1 stages=3 stream_k=5 tm=4 tn=4 unroll_k=8",
    "fma async=0 bk=4 bm=32 bn=32 fragments=1 group_m=2 kmajor_a=0 lm=4 min_blocks=1 order=2 pad_a=0 pad_b=0 "
    "reduction=3 "
    "slice_k=1 split_k=1 stages=1 stream_k=19 tm=2 tn=2 unroll_k=4",
    "fma async=0 bk=8 bm=32 bn=32 fragments=2 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=3 "
    "slice_k=2 split_k=1 stages=2 stream_k=7 tm=4 tn=4 unroll_k=4",
    // Atomics.
    "fma async=1 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=1 slice_k=1 split_k=4 "
    "stages=2 stream_k=1 tm=2 tn=4 unroll_k=8",
};

}  // namespace mmtune
