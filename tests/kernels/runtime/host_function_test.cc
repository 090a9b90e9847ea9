// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/host_function.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "tests/kernels/reference_product.h"
#include "tests/kernels/runtime/test_files.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

class HostFunctionTest : public testing::Test {
 protected:
  void SetUp() override {
    device_ = CreateSimtDevice("", 2).value();
    SetMgpuDevice(device_.get());
    kernel_.host_object = ReadFile(HOST_TEST_OBJECT);
    kernel_.host_symbol = "matmul";
  }
  void TearDown() override {
    TakeMgpuError().IgnoreError();
    SetMgpuDevice(nullptr);
  }

  std::unique_ptr<Device> device_;
  CompiledKernel kernel_;
};

std::vector<float> Numbers(int64_t count, int modulus) {
  std::vector<float> numbers(count);
  for (int64_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i * 7 % modulus) - 3;
  return numbers;
}

TEST_F(HostFunctionTest, RunsRepeatedlyWithoutLeaks) {
  const MgpuCounters before = GetMgpuCounters();
  {
    auto function = HostFunction::Load(kernel_);
    ASSERT_TRUE(function.ok()) << function.status();
    for (const MatmulProblem& problem : {MatmulProblem{7, 5, 3}, MatmulProblem{1, 8, 1}, MatmulProblem{64, 33, 20}}) {
      const std::vector<float> a = Numbers(problem.ElementsA(), 11), b = Numbers(problem.ElementsB(), 13);
      std::vector<float> c(problem.ElementsC(), -1.0f);
      ASSERT_TRUE((*function)->Run(problem, {a.data(), b.data()}, c.data()).ok());
      EXPECT_EQ(c, ReferenceProduct(problem, a.data(), b.data())) << problem.ShapeText();
    }
  }
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_EQ(after.launches - before.launches, 3);
  EXPECT_EQ(after.modules_loaded - before.modules_loaded, 1);
  EXPECT_EQ(after.modules_unloaded - before.modules_unloaded, 1);
  EXPECT_EQ(after.allocations - before.allocations, after.frees - before.frees);
  EXPECT_EQ(after.streams_created - before.streams_created, after.streams_destroyed - before.streams_destroyed);
  EXPECT_TRUE(TakeMgpuError().ok());
}

TEST_F(HostFunctionTest, PassesTheOperandsOfABatchAndOfAnEpilogue) {
  kernel_.host_symbol = "batch";
  MatmulProblem problem{4, 5, 3};
  problem.batch = 2;
  problem.transpose_b = true;
  problem.epilogue = *ParseEpilogue("bias,add");
  const std::vector<float> a = Numbers(problem.ElementsA(), 11), b = Numbers(problem.ElementsB(), 13);
  const std::vector<float> bias = Numbers(5, 3), addend = Numbers(problem.ElementsC(), 17);
  std::vector<float> c(problem.ElementsC(), -1.0f);
  auto function = HostFunction::Load(kernel_).value();
  ASSERT_TRUE(function->Run(problem, {a.data(), b.data(), bias.data(), addend.data()}, c.data()).ok());
  for (int64_t i = 0; i < problem.ElementsC(); ++i) {
    const int64_t row = i / 5, column = row / 4 * 5 + i % 5;  // Of all rows of A; of all rows of B.
    float expected = bias[i % 5] + addend[i];
    for (int64_t l = 0; l < 3; ++l) expected += a[row * 3 + l] * b[column * 3 + l];
    EXPECT_EQ(c[i], expected) << i;
  }
}

TEST_F(HostFunctionTest, AnotherProblemsResultIsAnErrorAndNotCopied) {
  kernel_.host_symbol = "batch";
  MatmulProblem problem{4, 5, 3};
  problem.batch = 2;
  problem.epilogue = *ParseEpilogue("bias,add");  // Not transposed: the function takes B's rows for columns.
  const std::vector<float> a = Numbers(problem.ElementsA(), 11), b = Numbers(problem.ElementsB(), 13);
  const std::vector<float> bias = Numbers(5, 3), addend = Numbers(problem.ElementsC(), 17);
  std::vector<float> c(problem.ElementsC(), -1.0f);
  auto function = HostFunction::Load(kernel_).value();
  absl::Status status = function->Run(problem, {a.data(), b.data(), bias.data(), addend.data()}, c.data());
  EXPECT_THAT(std::string(status.message()), HasSubstr("another problem: it returned 2x4x3, not 2x4x5"));
  EXPECT_THAT(c, testing::Each(-1.0f));
}

TEST_F(HostFunctionTest, AFailingLaunchIsAnErrorAndTheResultUntouched) {
  auto function = HostFunction::Load(kernel_).value();
  const MatmulProblem problem{2, 2000, 1};  // More threads than a block may have.
  const std::vector<float> a(problem.ElementsA()), b(problem.ElementsB());
  std::vector<float> c(problem.ElementsC(), -1.0f);
  absl::Status status = function->Run(problem, {a.data(), b.data()}, c.data());
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("2000"));
  EXPECT_THAT(c, testing::Each(-1.0f));
}

TEST_F(HostFunctionTest, AnImageThatDoesNotLoadIsAnErrorOfLoad) {
  SetMgpuDevice(nullptr);
  absl::Status status = HostFunction::Load(kernel_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("loading the device images"));
  EXPECT_TRUE(TakeMgpuError().ok());
}

TEST_F(HostFunctionTest, RejectsBrokenObjectAndUnknownSymbol) {
  kernel_.host_symbol = "no_such_function";
  absl::Status status = HostFunction::Load(kernel_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("_mlir_ciface_no_such_function"));

  kernel_.host_object.resize(kernel_.host_object.size() / 2);
  EXPECT_EQ(HostFunction::Load(kernel_).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(LoadedObjectTest, ConstructorsAndDestructorsRunByPriorityAndOnlyWhenAsked) {
  auto object = LoadedObject::Load(ReadFile(HOST_TEST_OBJECT), MgpuSymbols()).value();
  auto steps = reinterpret_cast<const char* (*)()>(object->Lookup("Steps").value());
  EXPECT_STREQ(steps(), "");
  object->RunConstructors();
  EXPECT_STREQ(steps(), "1abc");
  object->RunDestructors();
  EXPECT_STREQ(steps(), "1abcCBA");
  TakeMgpuError().IgnoreError();  // There is no device to load the image.
}

TEST(LoadedObjectTest, AnUnknownSymbolIsNamed) {
  absl::Status status = LoadedObject::Load(ReadFile(HOST_TEST_OBJECT), {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("mgpuMemAlloc"));
}

TEST(LoadedObjectTest, RejectsBytesThatAreNotAnObject) {
  EXPECT_EQ(LoadedObject::Load("", {}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(LoadedObject::Load("\x7f"
                               "ELF and nothing else",
                               {})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace mmtune
