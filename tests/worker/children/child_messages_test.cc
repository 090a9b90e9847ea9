// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes between the daemon and its children arrives as it was.
#include "worker/children/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace mmtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TiledTensorMap TensorMap() {
  TiledTensorMap map;
  map.data_type = kTensorMapBf16;
  map.extents = {uint64_t{1} << 32, 20, 3};
  map.strides_bytes = {uint64_t{1} << 33, uint64_t{1} << 39};
  map.box = {64, 128, 1};
  map.interleave = 1;
  map.swizzle = kSwizzle128;
  map.l2_promotion = 2;
  map.out_of_bounds_fill = 1;
  return map;
}

CompiledKernel Kernel() {
  CompiledKernel kernel;
  kernel.format = ImageFormat::kCubin;
  kernel.image = std::string("im\0age", 6);
  PlanStep clear;
  clear.kind = PlanStep::Kind::kMemset;
  clear.buffer = PlanBuffer::kWorkspace;
  clear.bytes = 128;
  PlanStep product;
  product.kernel = "product";
  product.arguments = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kWorkspace, PlanBuffer::kBias};
  for (uint32_t i = 0; i < 3; ++i) {
    product.grid[i] = 10 + i;
    product.block[i] = 20 + i;
  }
  product.dynamic_shared_bytes = 4096;
  PlanStep copy = product;
  copy.arguments = {PlanBuffer::kA, {PlanBuffer::kC, TensorMap()}};
  copy.arguments[1].rows_dimension = 1;
  copy.arguments[1].batch_dimension = 2;
  for (uint32_t i = 0; i < 3; ++i) copy.cluster[i] = 1 + i;
  kernel.plan.steps = {clear, product, copy};
  kernel.plan.workspace_bytes = 1 << 20;
  kernel.host_object = "object";
  kernel.host_symbol = "symbol";
  kernel.resources = {40, 8, 4096, 256, 3, 2, 1};
  kernel.code_digest = "c0de";
  kernel.phases = {1, 2, 3, 4, 5, 6, 7, 8};
  kernel.warnings = {"C7508: 'setmaxnreg' ignored", "C7510: serialized"};
  return kernel;
}

TEST(ChildMessagesTest, AKernelArrivesWhole) {
  const CompiledKernel sent = Kernel();
  const absl::StatusOr<CompiledKernel> got = FromMessage(ToMessage(sent));
  ASSERT_TRUE(got.ok()) << got.status();
  EXPECT_EQ(got->format, sent.format);
  EXPECT_EQ(got->image, sent.image);
  ASSERT_EQ(got->plan.steps.size(), 3u);
  EXPECT_EQ(got->plan.steps[0].kind, PlanStep::Kind::kMemset);
  EXPECT_EQ(got->plan.steps[0].buffer, PlanBuffer::kWorkspace);
  EXPECT_EQ(got->plan.steps[0].bytes, 128);
  const PlanStep& product = got->plan.steps[1];
  EXPECT_EQ(product.kind, PlanStep::Kind::kLaunch);
  EXPECT_EQ(product.kernel, "product");
  EXPECT_EQ(product.arguments, sent.plan.steps[1].arguments);
  EXPECT_THAT(product.grid, ElementsAre(10, 11, 12));
  EXPECT_THAT(product.block, ElementsAre(20, 21, 22));
  EXPECT_EQ(product.dynamic_shared_bytes, 4096u);
  EXPECT_EQ(got->plan.workspace_bytes, sent.plan.workspace_bytes);
  EXPECT_EQ(got->host_object, "object");
  EXPECT_EQ(got->host_symbol, "symbol");
  EXPECT_EQ(got->resources, sent.resources);
  EXPECT_EQ(got->code_digest, "c0de");
  EXPECT_EQ(got->phases, sent.phases);
  EXPECT_EQ(got->warnings, sent.warnings);
  EXPECT_FALSE(product.HasClusters());
  EXPECT_EQ(got->plan.steps[2].arguments, sent.plan.steps[2].arguments);
  EXPECT_THAT(got->plan.steps[2].cluster, ElementsAre(1, 2, 3));
}

// The key of a timing is made of the bytes of the steps, and timings of kernels without maps and clusters stay.
TEST(ChildMessagesTest, AStepWithoutMapsHasTheBytesOfOlderVersions) {
  const worker::PlanStep step = ToMessage(Kernel()).steps(1);
  EXPECT_EQ(step.SerializeAsString(), std::string("\x10\x02\x1a\x07product\x22\x04\x00\x01\x05\x03\x2a\x03\x0a\x0b\x0c"
                                                  "\x32\x03\x14\x15\x16\x38\x80\x20",
                                                  30));
}

TEST(ChildMessagesTest, WhatIsOutOfRangeIsNamed) {
  const auto refusal = [](const std::function<void(worker::CompiledKernel&)>& spoil) {
    worker::CompiledKernel message = ToMessage(Kernel());
    spoil(message);
    const absl::Status status = FromMessage(message).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  };
  for (int format : {-1, 3}) {
    EXPECT_THAT(refusal([=](auto& m) { m.set_format(format); }), HasSubstr("image format " + std::to_string(format)));
  }
  for (int buffer : {-1, 6}) {
    const std::string why = "unknown plan buffer " + std::to_string(buffer);
    EXPECT_EQ(refusal([=](auto& m) { m.mutable_steps(0)->set_buffer(buffer); }), why);
    EXPECT_EQ(refusal([=](auto& m) { m.mutable_steps(1)->set_arguments(2, buffer); }), why);
  }
  EXPECT_THAT(refusal([](auto& m) { m.mutable_steps(1)->add_grid(1); }),
              HasSubstr("4 extents of grid and 3 of block, and needs 3 of each"));
  EXPECT_THAT(refusal([](auto& m) { m.mutable_steps(1)->mutable_block()->RemoveLast(); }),
              HasSubstr("3 extents of grid and 2 of block, and needs 3 of each"));
}

TEST(ChildMessagesTest, HowToTimeArrivesWhole) {
  TimeOptions sent;
  sent.measure = {Regime::kCold, 0.125, 1.5};
  sent.incumbent_ns = 2.5;
  for (bool baseline : {false, true}) {
    sent.measure.baseline = baseline;
    const absl::StatusOr<TimeOptions> got = FromMessage(ToMessage(sent));
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(got->measure, sent.measure);
    EXPECT_EQ(got->incumbent_ns, 2.5);
  }
}

TEST(ChildMessagesTest, AFailureIsNeverOk) {
  EXPECT_EQ(FromMessage(ToMessage(absl::UnavailableError("gone"))), absl::UnavailableError("gone"));
  EXPECT_EQ(FromMessage(ToMessage(absl::UnauthenticatedError("last code"))), absl::UnauthenticatedError("last code"));
  worker::Failure failure;
  failure.set_message("why");
  for (int code : {-1, 0, 17}) {
    failure.set_code(code);
    EXPECT_EQ(FromMessage(failure), absl::UnknownError("why"));
  }
}

}  // namespace
}  // namespace mmtune
