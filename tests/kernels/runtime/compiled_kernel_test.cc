// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole road of a kernel on the SIMT device: the compiler's image and host object, loaded and run by the runtime.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "kernels/runtime/host_function.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "tests/kernels/launch_step.h"
#include "tests/kernels/reference_product.h"

namespace mmtune {
namespace {

constexpr char kAsynchronous[] =
    "fma async=1 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=3 stream_k=1 tm=4 tn=4 unroll_k=16";
constexpr char kSynchronous[] =
    "fma async=0 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=2 stream_k=1 tm=4 tn=4 unroll_k=16";
constexpr char kWorkspace[] =
    "fma async=0 bk=8 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=2 slice_k=1 split_k=4 "
    "stages=2 stream_k=1 tm=4 tn=4 unroll_k=8";

struct Case {
  const char* shape;
  const char* schedule;
};

std::vector<float> SmallIntegers(int64_t count, int seed) {
  std::vector<float> values(count);
  for (int64_t i = 0; i < count; ++i) values[i] = static_cast<float>((i * 31 + seed) % 9 - 4);
  return values;
}

class CompiledKernelTest : public testing::TestWithParam<Case> {
 protected:
  CompiledKernelTest() : device_(CreateSimtDevice("sm_80", 2).value()) {
    problem_ = ParseMatmulShape(GetParam().shape, DataType::kF32).value();
    a_ = SmallIntegers(problem_.ElementsA(), 1);
    b_ = SmallIntegers(problem_.ElementsB(), 5);
    auto kernel = Compiler::Create().value()->Compile(problem_, ParseSchedule(GetParam().schedule).value(),
                                                      {device_->info(), true});
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    if (kernel.ok()) kernel_ = *std::move(kernel);
  }
  ~CompiledKernelTest() override { SetMgpuDevice(nullptr); }

  std::unique_ptr<Device> device_;
  MatmulProblem problem_;
  CompiledKernel kernel_;
  std::vector<float> a_, b_;
};

TEST_P(CompiledKernelTest, HostFunctionComputesTheMatmulAndBalancesResources) {
  SetMgpuDevice(device_.get(), {.poison_allocations = true});
  const MgpuCounters before = GetMgpuCounters();
  {
    auto function = HostFunction::Load(kernel_);
    ASSERT_TRUE(function.ok()) << function.status();
    for (int run = 0; run < 2; ++run) {
      std::vector<float> c(problem_.ElementsC(), -1.0f);
      absl::Status status = (*function)->Run(problem_, {a_.data(), b_.data()}, c.data());
      ASSERT_TRUE(status.ok()) << status;
      EXPECT_EQ(c, ReferenceProduct(problem_, a_.data(), b_.data()));
    }
  }
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_GE(after.launches - before.launches, 2);
  EXPECT_GE(after.allocations - before.allocations, 6);
  EXPECT_EQ(after.allocations - before.allocations, after.frees - before.frees);
  EXPECT_EQ(after.streams_created - before.streams_created, after.streams_destroyed - before.streams_destroyed);
  EXPECT_EQ(after.events_created - before.events_created, after.events_destroyed - before.events_destroyed);
  EXPECT_EQ(after.modules_loaded - before.modules_loaded, after.modules_unloaded - before.modules_unloaded);
  EXPECT_TRUE(TakeMgpuError().ok());
}

TEST_P(CompiledKernelTest, PlanComputesTheMatmul) {
  auto module = device_->LoadModule(kernel_.format, kernel_.image);
  ASSERT_TRUE(module.ok()) << module.status();
  const int64_t c_bytes = problem_.ElementsC() * 4;
  std::map<PlanBuffer, int64_t> sizes = {{PlanBuffer::kA, problem_.ElementsA() * 4},
                                         {PlanBuffer::kB, problem_.ElementsB() * 4},
                                         {PlanBuffer::kC, c_bytes}};
  if (kernel_.plan.workspace_bytes > 0) sizes[PlanBuffer::kWorkspace] = kernel_.plan.workspace_bytes;
  DevicePtr buffers[kPlanBufferCount] = {};
  const auto at = [&](PlanBuffer buffer) -> DevicePtr& { return buffers[static_cast<size_t>(buffer)]; };
  for (const auto& [buffer, bytes] : sizes) {
    at(buffer) = device_->Allocate(bytes).value();
    ASSERT_TRUE(device_->Fill32(at(buffer), 0xFFFFFFFF, bytes / 4).ok());
  }
  ASSERT_TRUE(device_->CopyToDevice(at(PlanBuffer::kA), a_.data(), sizes[PlanBuffer::kA]).ok());
  ASSERT_TRUE(device_->CopyToDevice(at(PlanBuffer::kB), b_.data(), sizes[PlanBuffer::kB]).ok());
  for (const PlanStep& step : kernel_.plan.steps) {
    if (step.kind == PlanStep::Kind::kMemset) {
      const int64_t cleared = step.bytes > 0 ? step.bytes : sizes[step.buffer];
      ASSERT_TRUE(device_->Fill32(at(step.buffer), 0, cleared / 4).ok());
      continue;
    }
    absl::Status status = LaunchStep(*device_, **module, step, buffers);
    ASSERT_TRUE(status.ok()) << status;
  }
  std::vector<float> c(problem_.ElementsC());
  ASSERT_TRUE(device_->CopyToHost(c.data(), at(PlanBuffer::kC), c_bytes).ok());
  EXPECT_EQ(c, ReferenceProduct(problem_, a_.data(), b_.data()));
}

INSTANTIATE_TEST_SUITE_P(Kernels, CompiledKernelTest,
                         testing::Values(Case{"128x128x64", kAsynchronous}, Case{"7x5x33", kAsynchronous},
                                         Case{"100x37x51", kAsynchronous}, Case{"64x64x32", kSynchronous},
                                         Case{"1x130x65", kSynchronous}, Case{"130x1x64", kSynchronous},
                                         Case{"70x66x129", kWorkspace}));

}  // namespace
}  // namespace mmtune
