// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever a kernel writes to that is not its to write is found, in every buffer.
#include "worker/measure/guarded_buffers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  /// What is found while the element is another one.
  std::string DamageOf(float* element) {
    const float old = std::exchange(*element, 12345.0f);
    std::string damage = Damage();
    *element = old;
    return damage;
  }

  MatmulProblem problem_{5, 7, 300};
  const OperandSource operands_ = [](PlanBuffer input, int64_t first, int64_t count, float* out) {
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(static_cast<int64_t>(input) * 100000 + first + i);
  };
  FakeDevice device_{[](int) { return 1e3; }};
  std::unique_ptr<GuardedBuffers> buffers_;
};

constexpr PlanBuffer kAll[] = {PlanBuffer::kA,    PlanBuffer::kB,      PlanBuffer::kC,
                               PlanBuffer::kBias, PlanBuffer::kAddend, PlanBuffer::kWorkspace};

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

}  // namespace
}  // namespace mmtune
