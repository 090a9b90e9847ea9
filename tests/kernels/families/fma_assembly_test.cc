// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM compiles `fma` schedules to the intended instructions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "kernels/compiler/compiler.h"
#include "kernels/families/common/registry.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

class FmaAssemblyTest : public ::testing::Test {
 protected:
  absl::StatusOr<CompiledKernel> Compile(const MatmulProblem& problem, const Schedule& schedule, std::string_view arch,
                                         bool assemble) {
    CompileTarget target;
    target.device = TestDevice(arch);
    target.assemble = assemble;
    return compiler_->Compile(problem, schedule, target);
  }

  std::string Ptx(const MatmulProblem& problem, std::string_view changes, std::string_view arch = "sm_90") {
    auto kernel = Compile(problem, ReferenceSchedule(changes), arch, false);
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    return kernel.ok() ? kernel->image : "";
  }

  std::unique_ptr<Compiler> compiler_ = *Compiler::Create();
};

int64_t CountOf(std::string_view part, const std::string& text) {
  int64_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

constexpr char kVector4[] = "red.relaxed.gpu.global.add.v4.f32", kVector2[] = "red.relaxed.gpu.global.add.v2.f32";

/// Additions of single floats, which LLVM writes as atomics whose result nobody uses.
int64_t SingleAdditions(const std::string& ptx) {
  return CountOf("global.gpu.add.f32", ptx) + CountOf("gpu.global.add.f32", ptx) + CountOf("atom.global.add.f32", ptx) +
         CountOf("red.global.add.f32", ptx);
}

// Atomics are as wide as rows of C are aligned; before sm_90 single.
TEST_F(FmaAssemblyTest, SplitsAddWholeVectorsToC) {
  constexpr char kAtomic[] = "split_k=2 reduction=1";
  std::string ptx = Ptx(TestProblem("1024x1024x1024"), kAtomic);
  EXPECT_EQ(CountOf(kVector4, ptx), 16);
  EXPECT_EQ(SingleAdditions(ptx), 0);
  ptx = Ptx(TestProblem("1001x1002x1024"), kAtomic);
  EXPECT_EQ(CountOf(kVector2, ptx), 32);
  EXPECT_EQ(CountOf(kVector4, ptx) + SingleAdditions(ptx), 0);
  ptx = Ptx(TestProblem("1024x1001x1024"), kAtomic);
  EXPECT_EQ(SingleAdditions(ptx), 64);
  EXPECT_EQ(CountOf(kVector4, ptx) + CountOf(kVector2, ptx), 0);
  ptx = Ptx(TestProblem("1024x1024x1024"), kAtomic, "sm_80");
  EXPECT_EQ(SingleAdditions(ptx), 64);
  EXPECT_EQ(CountOf(kVector4, ptx), 0);
}

TEST_F(FmaAssemblyTest, TheAssemblerTakesAdditionsOfVectors) {
  if (CompilerToolchain(DeviceKind::kCuda).assembler == "driver") GTEST_SKIP() << "no ptxas";
  for (std::string_view arch : {"sm_90", "sm_100", "sm_120"}) {
    const auto kernel =
        Compile(TestProblem("1024x1024x1024"), ReferenceSchedule("split_k=2 reduction=1 min_blocks=1"), arch, true);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    EXPECT_EQ(kernel->resources.spill_bytes, 0);
  }
}

// 42 rows of tiles in groups of 8: the last group has 2. A division by what only a block knows would take registers,
// and ptxas others for the loop, with 147 conflicts of their banks for 27 on sm_80.
TEST_F(FmaAssemblyTest, ALowerLastGroupOfTilesIsDividedByConstants) {
  for (std::string_view group : {"group_m=8", "group_m=1"}) {
    const std::string ptx = Ptx(TestProblem("5376x5376x64"), group);
    EXPECT_THAT(ptx, HasSubstr("fma.rn.f32"));
    for (std::string_view division : {"\tdiv.", "\trem."}) EXPECT_EQ(CountOf(division, ptx), 0) << group << division;
  }
}

/// Comparisons in the longest block of straight code, which is that of the loop.
int64_t ComparisonsInTheLoop(const std::string& ptx) {
  std::string longest;
  const std::vector<std::string> blocks = absl::StrSplit(ptx, "$L__BB");
  for (const std::string& block : blocks)
    if (CountOf("fma.rn.f32", block) > CountOf("fma.rn.f32", longest)) longest = block;
  EXPECT_EQ(CountOf("fma.rn.f32", longest), 8 * 8 * 16);
  return CountOf("setp.", longest);
}

// The tiles at the end of a matrix begin earlier; those that are larger than it are filled up with zeros.
TEST_F(FmaAssemblyTest, TheLoopOfARaggedProductComparesNoMoreThanThatOfAnother) {
  constexpr char kAhead[] = "kmajor_a=1 fragments=2";
  const int64_t whole = ComparisonsInTheLoop(Ptx(TestProblem("1024x1024x1024"), kAhead));
  EXPECT_LE(ComparisonsInTheLoop(Ptx(TestProblem("1000x1000x1000"), kAhead)), whole);
  EXPECT_LE(ComparisonsInTheLoop(Ptx(TestProblem("1001x1001x1001"), kAhead)), whole);
  EXPECT_GT(ComparisonsInTheLoop(Ptx(TestProblem("100x100x1001"), kAhead)), whole);
}

}  // namespace
}  // namespace mmtune
