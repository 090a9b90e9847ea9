// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM and ptxas compile `mma` schedules to the intended instructions, without spills.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/mma/mma_schedule.h"
#include "tests/kernels/families/random_schedule.h"
#include "tests/kernels/families/test_devices.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kReference[] =
    "mma async=1 bk=32 bm=128 bn=128 group_m=1 min_blocks=1 prefetch=1 reduction=0 slice_k=1 split_k=1 stages=4 "
    "stream_k=1 wm=64 wn=32";

class MmaAssemblyTest : public ::testing::Test {
 protected:
  absl::StatusOr<CompiledKernel> Compile(const MatmulProblem& problem, const Schedule& schedule, std::string_view arch,
                                         bool assemble) {
    CompileTarget target;
    target.device = TestDevice(arch);
    target.assemble = assemble;
    return compiler_->Compile(problem, schedule, target);
  }

  std::string Ptx(const MatmulProblem& problem, std::string_view schedule, std::string_view arch = "sm_80") {
    auto kernel = Compile(problem, *ParseSchedule(schedule), arch, false);
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    return kernel.ok() ? kernel->image : "";
  }

  static bool HasPtxas() { return CompilerToolchain(DeviceKind::kCuda).assembler != "driver"; }

  std::unique_ptr<Compiler> compiler_ = *Compiler::Create();
};

int CountOf(std::string_view part, std::string_view text) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(MmaAssemblyTest, ATileOf16BitElementsIsCopiedReadAndMultipliedByWideInstructions) {
  MatmulProblem problem = TestProblem("1024x1024x1024", 1, false, "bias,add");
  problem.dtype = DataType::kBf16;
  const std::string ptx = Ptx(problem, kReference);
  // Two k steps of four rows by four columns of instructions.
  EXPECT_EQ(CountOf("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", ptx), 2 * 4 * 4);
  // Fragments of two k steps in the loop, and of the first one before it: A's four, and two of B's four at once.
  EXPECT_EQ(CountOf("ldmatrix.sync.aligned.m8n8.x4.shared", ptx), 3 * 4);
  EXPECT_EQ(CountOf("ldmatrix.sync.aligned.m8n8.x4.trans.shared", ptx), 3 * 2);
  // 512 chunks of each tile for 256 threads, three tiles before the loop and one in it.
  EXPECT_EQ(CountOf("cp.async.cg.shared.global", ptx), 4 * (2 + 2));
  // C, and the addend, eight elements at a time.
  EXPECT_THAT(ptx, HasSubstr("st.global.v4.b32"));
  EXPECT_THAT(ptx, HasSubstr("cvt.rn.bf16x2.f32"));
  EXPECT_THAT(ptx, Not(HasSubstr("st.global.b16")));
}

TEST_F(MmaAssemblyTest, OfTf32WordsAreRounded) {
  MatmulProblem problem = TestProblem("1024x1024x1024");
  problem.math = MathMode::kTf32;
  const std::string ptx = Ptx(problem, kReference);
  EXPECT_EQ(CountOf("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", ptx), 4 * 4 * 4);
  EXPECT_EQ(CountOf("cvt.rna.tf32.f32", ptx), 4 * (4 * 4 + 4 * 2));
  EXPECT_THAT(ptx, HasSubstr("st.global.v4.b32"));
  EXPECT_EQ(CountOf("cvt.rn.tf32.f32", Ptx(problem, kReference, "sm_90")), 4 * (4 * 4 + 4 * 2));
}

constexpr char kSmallerReference[] =
    "mma async=1 bk=32 bm=64 bn=64 group_m=1 min_blocks=1 prefetch=1 reduction=0 slice_k=1 split_k=1 stages=3 "
    "stream_k=1 wm=32 wn=32";

// A k step of tf32x3 is of 8, one of bf16x6 of 16. Fragments are split in registers, each of B once for all rows, and
// the sums of an instruction's k are added by ordinary additions.
TEST_F(MmaAssemblyTest, SplitsTermsInRegistersAndPromotesTheirSums) {
  MatmulProblem problem = TestProblem("1024x1024x1024");
  problem.math = MathMode::kTf32x3;
  std::string ptx = Ptx(problem, kSmallerReference);
  EXPECT_EQ(CountOf("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", ptx), 4 * 2 * 4 * 3);
  EXPECT_EQ(CountOf("cvt.rna.tf32.f32", ptx), 4 * (4 * 2 + 4 * 2) * 2);
  EXPECT_EQ(CountOf("sub.rn.f32", ptx) + CountOf("sub.f32", ptx), 4 * (4 * 2 + 4 * 2));
  EXPECT_EQ(CountOf("add.rn.f32", ptx) + CountOf("add.f32", ptx), 4 * 2 * 4 * 4);
  problem.math = MathMode::kBf16x6;
  ptx = Ptx(problem, kSmallerReference);
  EXPECT_EQ(CountOf("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", ptx), 2 * 2 * 4 * 6);
  EXPECT_EQ(CountOf("cvt.rn.bf16x2.f32", ptx), 2 * (4 * 2 + 4 * 2) * 3);
  EXPECT_EQ(CountOf("add.rn.f32", ptx) + CountOf("add.f32", ptx), 2 * 2 * 4 * 4);
}

// ldmatrix.trans, and a byte permutation for each word.
TEST_F(MmaAssemblyTest, BytesAreMultipliedAsIntegersAndTransposedByPermutations) {
  MatmulProblem problem = TestProblem("1024x1024x1024", 1, /*transpose_b=*/true);
  problem.dtype = DataType::kS8;
  constexpr std::string_view kMma = "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32";
  std::string ptx =
      Ptx(problem,
          "mma stream_k=1 slice_k=1 async=1 bk=64 bm=128 bn=128 prefetch=0 wm=64 wn=32 stages=3 split_k=1 reduction=0 "
          "min_blocks=1 group_m=1");
  EXPECT_EQ(CountOf(kMma, ptx), 2 * 4 * 4);
  EXPECT_EQ(CountOf("ldmatrix.sync.aligned.m8n8.x4.shared", ptx), 2 * (4 + 2));
  EXPECT_EQ(CountOf("prmt.b32", ptx), 0);
  problem.transpose_a = true;
  problem.transpose_b = false;
  ptx =
      Ptx(problem,
          "mma stream_k=1 slice_k=1 async=1 bk=64 bm=128 bn=128 prefetch=0 wm=64 wn=32 stages=3 split_k=1 reduction=0 "
          "min_blocks=1 group_m=1");
  EXPECT_EQ(CountOf(kMma, ptx), 2 * 4 * 4);
  EXPECT_EQ(CountOf("ldmatrix.sync.aligned.m8n8.x4.trans.shared", ptx), 2 * (4 + 2));
  EXPECT_EQ(CountOf("prmt.b32", ptx), 4 * 2 * (4 + 2));
}

TEST_F(MmaAssemblyTest, DoublesAreMultipliedOnTensorCores) {
  MatmulProblem problem = TestProblem("1024x1024x1024");
  problem.dtype = DataType::kF64;
  const std::string ptx =
      Ptx(problem,
          "mma stream_k=1 slice_k=1 async=1 bk=16 bm=64 bn=64 prefetch=0 wm=32 wn=32 stages=3 split_k=1 reduction=0 "
          "min_blocks=1 group_m=1");
  // Four k steps of two rows by four columns, two instructions each.
  EXPECT_EQ(CountOf("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", ptx), 4 * 2 * 4 * 2);
  EXPECT_EQ(CountOf("cp.async.cg.shared.global", ptx), 3 * (4 + 4));
}

// The instructions of sm_75: f16 of half the k, and no asynchronous copies.
TEST_F(MmaAssemblyTest, OnSm75CopiesPassThroughRegisters) {
  MatmulProblem problem = TestProblem("1024x1024x1024", 1, false, "bias,relu");
  problem.dtype = DataType::kF16;
  const Schedule schedule = *ParseSchedule(
      "mma async=0 bk=32 bm=128 bn=128 group_m=1 min_blocks=1 prefetch=0 reduction=0 slice_k=1 split_k=1 "
      "stages=2 stream_k=1 wm=64 wn=32");
  const auto kernel = Compile(problem, schedule, "sm_75", HasPtxas());
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ(kernel->resources.spill_bytes, 0);
  const auto text = Compile(problem, schedule, "sm_75", false);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(CountOf("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", text->image), 2 * 2 * 4 * 4);
  EXPECT_THAT(text->image, Not(HasSubstr("cp.async")));
  EXPECT_THAT(text->image, HasSubstr("ld.global.nc.v4.b32"));
}

TEST_F(MmaAssemblyTest, NarrowRowsAreCopiedByNarrowerInstructions) {
  MatmulProblem problem = TestProblem("1024x1004x1002");
  problem.dtype = DataType::kF16;
  const std::string ptx = Ptx(problem, kReference);
  EXPECT_EQ(CountOf("cp.async.ca.shared.global", ptx), 4 * (8 + 4));
  problem.n = problem.k = 1001;
  EXPECT_THAT(Ptx(problem, kReference), Not(HasSubstr("cp.async.ca.shared.global")));
}

// In every type, on rows aligned well and badly, where tiles are large, where they are few, and where k is long; in all
// of them and on both architectures in a whole sweep.
TEST_F(MmaAssemblyTest, DefaultSchedulesDoNotSpill) {
  if (!HasPtxas()) GTEST_SKIP() << "no ptxas";
  size_t number = 0;
  for (std::string_view shape : {"4096x4096x4096", "1000x1004x1001", "16x4096x4096", "64x64x16384"}) {
    const std::vector<MatmulProblem> problems = InEveryType(TestProblem(shape, 1, number % 2 == 1, "bias,relu"));
    for (size_t type = 1; type < problems.size(); ++type) {
      for (std::string_view arch : {"sm_80", "sm_90"}) {
        if (!WholeSweeps() && number++ % 3 != 0) continue;
        const DeviceInfo device = TestDevice(arch);
        const absl::StatusOr<Schedule> schedule =
            DefaultSchedule(problems[type], device, {}, {}, PortableFamilies(device));
        ASSERT_TRUE(schedule.ok()) << schedule.status();
        SCOPED_TRACE(problems[type].Text() + " " + schedule->Text() + ", " + std::string(arch));
        ASSERT_EQ(schedule->family, "mma");
        const auto kernel = Compile(problems[type], *schedule, arch, true);
        ASSERT_TRUE(kernel.ok()) << kernel.status();
        EXPECT_EQ(kernel->resources.spill_bytes, 0);
      }
    }
  }
}

TEST_F(MmaAssemblyTest, FewRandomSchedulesSpill) {
  if (!HasPtxas()) GTEST_SKIP() << "no ptxas";
  SearchRng rng(TestSeed(31));
  const int draws = static_cast<int>(TestCount(24, 300));
  int spilled = 0;
  for (int i = 0; i < draws; ++i) {
    const std::string_view arch = i % 2 ? "sm_80" : "sm_90";
    const auto problems = InEveryType(TestProblem(i % 3 ? "1024x1024x1024" : "1001x520x513"));
    const MatmulProblem& problem = problems[1 + i % (problems.size() - 1)];
    const Schedule schedule = *SampleSchedule("mma", problem, TestDevice(arch), rng);
    SCOPED_TRACE(problem.Text() + " " + schedule.Text() + ", " + std::string(arch));
    const auto kernel = Compile(problem, schedule, arch, true);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    if (kernel->resources.spill_bytes > 0) {
      ++spilled;
      std::printf("%lld bytes spilled: %s %s, %s\n", static_cast<long long>(kernel->resources.spill_bytes),
                  problem.Text().c_str(), schedule.Text().c_str(), std::string(arch).c_str());
    }
  }
  EXPECT_LE(spilled, draws / 20);
}

}  // namespace
}  // namespace mmtune
