// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever a kernel writes to that is not its to write is found, in every buffer.
#include "worker/measure/guarded_buffers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "absl/strings/str_cat.h"
#include "tests/worker/measure/fake_device.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class GuardedBuffersTest : public testing::Test {
 protected:
  GuardedBuffersTest() {
    problem_.epilogue = ParseEpilogue("bias,add").value();
    buffers_ =
        GuardedBuffers::Create(&device_, problem_, /*workspace_bytes=*/4 * 77, GuardedBuffers::kZoneBytes).value();
    EXPECT_TRUE(buffers_->Upload(operands_).ok());
    EXPECT_TRUE(buffers_->Poison().ok());
  }
  float* At(PlanBuffer buffer) { return reinterpret_cast<float*>(buffers_->memories()[buffer].address); }
  std::string Damage() { return buffers_->Damage(operands_).value(); }
  /// Returns the damage found while the element differs.
  std::string DamageOf(float* element) {
    const float old = std::exchange(*element, 12345.0f);
    std::string damage = Damage();
    *element = old;
    return damage;
  }

  MatmulProblem problem_{5, 7, 300};
  const OperandSource operands_ = [](PlanBuffer input, int64_t first, int64_t count, void* elements) {
    auto* out = static_cast<float*>(elements);
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(static_cast<int64_t>(input) * 100000 + first + i);
  };
  FakeDevice device_{[](int) { return 1e3; }};
  std::unique_ptr<GuardedBuffers> buffers_;
};

constexpr PlanBuffer kAll[] = {PlanBuffer::kA,    PlanBuffer::kB,      PlanBuffer::kC,
                               PlanBuffer::kBias, PlanBuffer::kAddend, PlanBuffer::kWorkspace};

TEST_F(GuardedBuffersTest, APlanClearsAsMuchOfABufferAsItSays) {
  LaunchPlan plan;
  plan.steps.resize(2);
  plan.steps[0].kind = PlanStep::Kind::kMemset;
  plan.steps[0].buffer = PlanBuffer::kWorkspace;
  plan.steps[1].kernel = "kernel";
  plan.steps[1].arguments = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC, PlanBuffer::kWorkspace};
  const auto module = device_.LoadModule(ImageFormat::kPtx, "").value();
  const DevicePtr workspace = buffers_->memories()[PlanBuffer::kWorkspace].address;
  for (const auto& [bytes, words] : {std::pair<int64_t, size_t>{0, 77}, {12, 3}}) {
    plan.steps[0].bytes = bytes;
    const auto run = BindPlan(&device_, module.get(), plan, buffers_->memories());
    ASSERT_TRUE(run.ok()) << run.status();
    device_.fills.clear();
    ASSERT_TRUE((*run)(0).ok());
    EXPECT_THAT(device_.fills, testing::ElementsAre(std::pair(workspace, words)));
  }
}

TEST_F(GuardedBuffersTest, ZonesAroundEveryBuffer) {
  EXPECT_EQ(Damage(), "");
  for (PlanBuffer buffer : kAll) {
    const std::string name(PlanBufferText(buffer));
    SCOPED_TRACE(name);
    const size_t bytes = buffers_->memories()[buffer].bytes;
    float* const end = At(buffer) + bytes / 4;
    EXPECT_EQ(DamageOf(end), absl::StrCat("a kernel wrote 0 bytes past the end of ", name, " (", bytes, " bytes)"));
    EXPECT_THAT(DamageOf(end + GuardedBuffers::kZoneBytes / 4 - 1),
                StartsWith("a kernel wrote 4092 bytes past the end"));
    EXPECT_EQ(DamageOf(At(buffer) - 1), "a kernel wrote 4 bytes before the beginning of " + name);
    EXPECT_THAT(DamageOf(At(buffer) - GuardedBuffers::kZoneBytes / 4),
                HasSubstr("4096 bytes before the beginning of "));
  }
  EXPECT_EQ(Damage(), "");
}

TEST_F(GuardedBuffersTest, EveryInputAndWhatIsTheKernelsToWriteIsNone) {
  for (PlanBuffer buffer : kAll) {
    const std::string name(PlanBufferText(buffer));
    SCOPED_TRACE(name);
    const size_t last = buffers_->memories()[buffer].bytes / 4 - 1;
    const bool input = buffer != PlanBuffer::kC && buffer != PlanBuffer::kWorkspace;
    for (size_t element : {size_t{0}, last}) {
      EXPECT_EQ(DamageOf(At(buffer) + element),
                input ? absl::StrCat("a kernel changed ", name, ", its element ", element) : "");
    }
  }
}

/// 16-bit elements, an odd number of them in every operand: each buffer ends in the middle of a word.
class HalfWordsTest : public testing::TestWithParam<DataType> {
 protected:
  HalfWordsTest() {
    problem_.dtype = GetParam();
    problem_.epilogue = ParseEpilogue("bias,add").value();
    buffers_ = GuardedBuffers::Create(&device_, problem_, /*workspace_bytes=*/8, GuardedBuffers::kZoneBytes).value();
    EXPECT_TRUE(buffers_->Upload(operands_).ok());
    EXPECT_TRUE(buffers_->Poison().ok());
  }
  uint16_t* At(PlanBuffer buffer) { return reinterpret_cast<uint16_t*>(buffers_->memories()[buffer].address); }
  std::string DamageOf(uint16_t* element) {
    const uint16_t old = std::exchange(*element, uint16_t{0x1234});
    std::string damage = buffers_->Damage(operands_).value();
    *element = old;
    return damage;
  }

  MatmulProblem problem_{3, 5, 7};
  const OperandSource operands_ = [](PlanBuffer input, int64_t first, int64_t count, void* elements) {
    std::vector<float> values;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(static_cast<float>(static_cast<int64_t>(input) * 40 + first + i));
    TraitsOf(GetParam()).encode(values.data(), count, elements);
  };
  FakeDevice device_{[](int) { return 1e3; }};
  std::unique_ptr<GuardedBuffers> buffers_;
};

TEST_P(HalfWordsTest, HoldElementsOfTheirType) {
  const size_t elements[] = {21, 35, 15, 5, 15};
  for (size_t i = 0; i < 5; ++i) {
    const auto buffer = static_cast<PlanBuffer>(i);
    EXPECT_EQ(buffers_->memories()[buffer].bytes, 2 * elements[i]) << PlanBufferText(buffer);
    if (buffer == PlanBuffer::kC) continue;
    for (size_t at = 0; at < elements[i]; ++at) {
      float value = 0;
      TraitsOf(GetParam()).decode(At(buffer) + at, 1, &value);
      EXPECT_EQ(value, static_cast<float>(i * 40 + at));
    }
  }
}

TEST_P(HalfWordsTest, AreGuardedToTheElement) {
  EXPECT_EQ(buffers_->Damage(operands_).value(), "");
  for (size_t i = 0; i < 5; ++i) {
    const auto buffer = static_cast<PlanBuffer>(i);
    const std::string name(PlanBufferText(buffer));
    const size_t bytes = buffers_->memories()[buffer].bytes;
    uint16_t* const end = At(buffer) + bytes / 2;
    EXPECT_EQ(DamageOf(end), absl::StrCat("a kernel wrote 0 bytes past the end of ", name, " (", bytes, " bytes)"));
    EXPECT_THAT(DamageOf(end + 1), StartsWith("a kernel wrote 2 bytes past the end of "));
    EXPECT_EQ(DamageOf(At(buffer) - 1), "a kernel wrote 2 bytes before the beginning of " + name);
    const std::string changed = absl::StrCat("a kernel changed ", name, ", its element ", bytes / 2 - 1);
    EXPECT_EQ(DamageOf(end - 1), buffer == PlanBuffer::kC ? "" : changed);
  }
  EXPECT_EQ(buffers_->Damage(operands_).value(), "");
}

TEST_P(HalfWordsTest, WhatIsPoisonedIsNaNAndWhatIsReadBackAreElements) {
  std::vector<uint16_t> elements(15);
  ASSERT_TRUE(buffers_->Download(0, 15, elements.data()).ok());
  std::vector<float> c(15);
  TraitsOf(GetParam()).decode(elements.data(), 15, c.data());
  for (float value : c) EXPECT_TRUE(std::isnan(value));
  const float value = 1.5f;
  TraitsOf(GetParam()).encode(&value, 1, At(PlanBuffer::kC) + 14);
  ASSERT_TRUE(buffers_->Download(14, 1, elements.data()).ok());
  EXPECT_EQ(elements[0], At(PlanBuffer::kC)[14]);
}

INSTANTIATE_TEST_SUITE_P(Types, HalfWordsTest, testing::Values(DataType::kF16, DataType::kBf16),
                         [](const auto& info) { return std::string(DataTypeName(info.param)); });

template <typename Element>
std::vector<Element> Poisoned(DataType dtype) {
  FakeDevice device{[](int) { return 1e3; }};
  auto buffers = GuardedBuffers::Create(&device, {3, 5, 7, dtype}, 0, GuardedBuffers::kZoneBytes).value();
  EXPECT_TRUE(buffers->Poison().ok());
  std::vector<Element> c(15);
  EXPECT_TRUE(buffers->Download(0, 15, c.data()).ok());
  return c;
}

TEST(PoisonedC, IsNaNOrNoSum) {
  for (float value : Poisoned<float>(DataType::kF32)) EXPECT_TRUE(std::isnan(value));
  for (double value : Poisoned<double>(DataType::kF64)) EXPECT_TRUE(std::isnan(value));
  for (int32_t value : Poisoned<int32_t>(DataType::kS8)) EXPECT_GT(value, int32_t{1} << 30);
}

}  // namespace
}  // namespace mmtune
