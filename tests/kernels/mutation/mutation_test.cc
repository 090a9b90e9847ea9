// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeded bugs: every mutant of a correct kernel that does harm is reported, and correct kernels are not.
//
//   mutation_test                              one mutant in kOneIn, of every kind that a kernel has
//   MMTUNE_TEST_WHOLE=1 mutation_test          all of them
//   MMTUNE_MUTANTS_VERBOSE=1 mutation_test     a line for each mutant
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/families/common/registry.h"
#include "search/space/search_space.h"
#include "tests/kernels/mutation/module_case.h"
#include "tests/kernels/mutation/mutant_run.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

constexpr size_t kOneIn = 8;

struct Row {
  size_t found = 0;  ///< Mutants that there are.
  size_t mutants = 0, refused = 0, findings = 0, wrong = 0, hung = 0, harmless = 0, missed = 0;
  size_t false_reports = 0;  ///< Reports for the unchanged kernel.
  size_t caught() const { return findings + wrong + hung; }
  size_t harmful() const { return caught() + missed; }
};

void Count(Row& row, Verdict verdict) {
  ++row.mutants;
  switch (verdict) {
    case Verdict::kNotCompiled:
      ++row.refused;
      break;
    case Verdict::kFinding:
      ++row.findings;
      break;
    case Verdict::kWrongInRaceDetection:
    case Verdict::kWrongWhenFuzzed:
      ++row.wrong;
      break;
    case Verdict::kHung:
      ++row.hung;
      break;
    case Verdict::kHarmless:
      ++row.harmless;
      break;
    case Verdict::kMissed:
      ++row.missed;
      break;
  }
}

std::vector<Mutation> MutationsOf(const KernelCase& kernel) {
  CompilerContext context(createCompilerRegistry());
  mlir::OwningOpRef<mlir::ModuleOp> module = kernel.module(context.mlir());
  return FindMutations(*module->getOps<mlir::gpu::GPUModuleOp>().begin());
}

/// All of them, or a sample in which every kind is that is in all.
std::vector<Mutation> ChosenOf(std::vector<Mutation> all, uint64_t seed) {
  if (WholeSweeps()) return all;
  std::array<size_t, kMutationKinds> left = {};
  for (const Mutation& mutation : all) ++left[static_cast<size_t>(mutation.kind)];
  for (size_t& count : left) count = (count + kOneIn - 1) / kOneIn;
  std::mt19937_64 random(seed);
  std::shuffle(all.begin(), all.end(), random);
  std::erase_if(all, [&left](const Mutation& mutation) {
    size_t& more = left[static_cast<size_t>(mutation.kind)];
    if (more == 0) return true;
    --more;
    return false;
  });
  return all;
}

/// The table, on standard output and in MUTATION_TABLE, which deploy/test shows.
class Table {
 public:
  Table() : file_(std::fopen(MUTATION_TABLE, "w")) {
    Line(absl::StrFormat("%-20s %6s %8s %8s %7s %7s %14s %9s %9s %8s %6s %5s", "kernel", "of", "mutants", "harmful",
                         "caught", "missed", "false reports", "harmless", "findings", "refused", "wrong", "hung"));
  }
  ~Table() {
    if (file_ != nullptr) std::fclose(file_);
  }

  void Print(const std::string& name, const Row& row) {
    Line(absl::StrFormat("%-20s %6d %8d %8d %7d %7d %14d %9d %9d %8d %6d %5d", name, row.found, row.mutants,
                         row.harmful(), row.caught(), row.missed, row.false_reports, row.harmless, row.findings,
                         row.refused, row.wrong, row.hung));
  }
  void Line(const std::string& text) {
    std::puts(text.c_str());
    if (file_ == nullptr) return;
    std::fprintf(file_, "%s\n", text.c_str());
    std::fflush(file_);
  }

 private:
  std::FILE* const file_;
};

/// The end of each copy loop. At the end of a kernel nothing is in flight any more.
const std::vector<std::string> kLastWait = {
    "remove-wait nvvm.cp.async.wait.group at loc(\"wait for the last copies\")",
    "weaken-wait nvvm.cp.async.wait.group at loc(\"wait for the last copies\")"};

/// The same where k leaves a short first tile: of its pieces beyond k a byte too many meets zeros of the other operand.
const std::vector<std::string> kLastWaitAndShortTile = {
    kLastWait[0], kLastWait[1], "change-count nvvm.cp.async.shared.global at loc(\"copy the A tile to shared memory\")",
    "change-count nvvm.cp.async.shared.global at loc(\"copy the B tile to shared memory\")"};

/// Changes without effect in a kernel of `mma` whose tiles pass through registers: only asynchronous copies need them.
const std::vector<std::string> kNoCopies = {
    "remove-commit nvvm.cp.async.commit.group", "remove-wait nvvm.cp.async.wait.group at loc(\"wait for the tiles\")",
    "weaken-wait nvvm.cp.async.wait.group at loc(\"wait for the tiles\")",
    "remove-wait nvvm.cp.async.wait.group at loc(\"wait until all tiles are read\")",
    "weaken-wait nvvm.cp.async.wait.group at loc(\"wait until all tiles are read\")"};

/// Finished rows take the place of the first tiles in shared memory. Where these were read before the last ones were, a
/// barrier ago, or where the copies that are still on their way go elsewhere, the barrier or the wait there is for
/// other numbers of tiles.
const std::string kLastBarrier = "remove-barrier nvvm.barrier0 at loc(\"wait until all tiles are read\")";
const std::vector<std::string> kLastCopies = {
    "remove-wait nvvm.cp.async.wait.group at loc(\"wait until all tiles are read\")",
    "weaken-wait nvvm.cp.async.wait.group at loc(\"wait until all tiles are read\")"};

/// With f64 in warp tiles of 8 columns each lane reads exactly the chunks of finished rows that it wrote.
const std::string kOwnRows = "remove-barrier nvvm.bar.warp.sync at loc(\"write finished rows to shared memory\")";

/// Behind the count there is a barrier, which race detection takes for a fence: as CUDA's own examples do.
const std::vector<std::string> kLastSight = {"remove-fence llvm.fence at loc(\"see the tile's other parts\")"};

class MutationTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    table_ = std::make_unique<Table>();
    seed_ = FreshTestSeed();
    if (!WholeSweeps()) {
      table_->Line(absl::StrCat("a sample, MMTUNE_TEST_SEED=", seed_, "; MMTUNE_TEST_WHOLE=1 tries all mutants"));
    }
  }
  static void TearDownTestSuite() {
    table_->Print("all", total_);
    table_.reset();
  }

  /// `redundant` are the changes of synchronisation that do no harm, as MutationName() and where they are.
  void Examine(const KernelCase& kernel, const std::vector<std::string>& redundant = {}) {
    const MutantResult unchanged = RunMutant(kernel, std::nullopt, RunBudget());
    EXPECT_EQ(unchanged.verdict, Verdict::kHarmless) << kernel.name() << ": " << unchanged.detail;
    Row row;
    row.false_reports = unchanged.verdict == Verdict::kHarmless ? 0 : 1;
    total_.false_reports += row.false_reports;
    const std::vector<Mutation> all = MutationsOf(kernel);
    row.found = all.size();
    total_.found += all.size();
    for (const Mutation& mutation : ChosenOf(all, seed_)) {
      const MutantResult result = RunMutant(kernel, mutation, RunBudget());
      const std::string what = absl::StrCat(std::string(MutationName(mutation.kind)), " ", mutation.where);
      EXPECT_NE(result.verdict, Verdict::kMissed) << kernel.name() << ", " << what << ": " << result.detail;
      if (result.verdict == Verdict::kHarmless && IsSynchronization(mutation.kind)) {
        EXPECT_TRUE(std::count(redundant.begin(), redundant.end(), what)) << kernel.name() << ", " << what;
      }
      if (std::getenv("MMTUNE_MUTANTS_VERBOSE") != nullptr) {
        std::printf("  %s, variant %d: %s%s\n", what.c_str(), mutation.variant,
                    std::string(VerdictName(result.verdict)).c_str(), (" " + result.detail).c_str());
      }
      Count(row, result.verdict);
      Count(total_, result.verdict);
    }
    EXPECT_GT(row.harmful(), 0u);
    table_->Print(kernel.name(), row);
  }

  static inline std::unique_ptr<Table> table_;
  static inline uint64_t seed_ = 0;
  static inline Row total_;
};

TEST_F(MutationTest, Direct) {
  Examine(*MakeScheduleCase("direct", "37x35x21", "direct bx=32 by=4 tm=2 tn=2 unroll_k=4"));
}

TEST_F(MutationTest, ThroughRegistersOneStage) {
  Examine(*MakeScheduleCase(
      "registers, 1 stage", "37x35x21",
      "fma async=0 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
      "reduction=0 slice_k=1 split_k=1 stages=1 stream_k=1 tm=2 tn=4 unroll_k=8"));
}

TEST_F(MutationTest, ThroughRegistersTwoStages) {
  Examine(*MakeScheduleCase(
      "registers, 2 stages", "65x67x37",
      "fma async=0 bk=8 bm=32 bn=64 fragments=1 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
      "reduction=0 slice_k=1 split_k=1 stages=2 stream_k=1 tm=2 tn=8 unroll_k=8"));
}

TEST_F(MutationTest, AsynchronousThreeStages) {
  Examine(
      *MakeScheduleCase(
          "cp.async, 3 stages", "96x96x96",
          "fma async=1 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=4 "
          "reduction=0 slice_k=1 split_k=1 stages=3 stream_k=1 tm=4 tn=4 unroll_k=16"),
      kLastWait);
}

TEST_F(MutationTest, AsynchronousRagged) {
  Examine(*MakeScheduleCase(
              "cp.async, ragged", "33x67x41",
              "fma async=1 bk=8 bm=16 bn=64 fragments=1 group_m=3 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
              "reduction=0 slice_k=1 split_k=1 stages=2 stream_k=1 tm=4 tn=8 unroll_k=8"),
          kLastWaitAndShortTile);
}

TEST_F(MutationTest, AsyncCopiesAndFragmentsAhead) {
  Examine(*MakeScheduleCase(
              "cp.async, fragments ahead", "33x67x41",
              "fma async=1 bk=8 bm=32 bn=64 fragments=2 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=2 pad_a=4 "
              "pad_b=0 reduction=0 slice_k=1 split_k=1 stages=3 stream_k=1 tm=4 tn=8 unroll_k=8"),
          kLastWaitAndShortTile);
}

TEST_F(MutationTest, RegistersAndFragmentsAhead) {
  Examine(*MakeScheduleCase(
      "registers, fragments ahead", "35x37x43",
      "fma async=0 bk=8 bm=32 bn=32 fragments=2 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 "
      "pad_b=0 reduction=0 slice_k=1 split_k=1 stages=1 stream_k=1 tm=4 tn=4 unroll_k=8"));
}

TEST_F(MutationTest, SplitReductionThroughAtomics) {
  Examine(*MakeScheduleCase(
              "split-k, atomics", "33x35x65",
              "fma async=1 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
              "reduction=1 slice_k=1 split_k=3 stages=2 stream_k=1 tm=2 tn=4 unroll_k=8"),
          kLastWaitAndShortTile);
}

TEST_F(MutationTest, SplitReductionThroughAWorkspace) {
  Examine(*MakeScheduleCase(
      "split-k, workspace", "33x35x65",
      "fma async=0 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
      "reduction=2 slice_k=1 split_k=3 stages=1 stream_k=1 tm=2 tn=4 unroll_k=8"));
}

// What slices sum takes the place of the tiles.
TEST_F(MutationTest, SlicesOfK) {
  Examine(*MakeScheduleCase(
              "slices", "33x35x65",
              "fma async=1 bk=16 bm=32 bn=32 fragments=2 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 "
              "pad_b=0 reduction=0 slice_k=2 split_k=1 stages=2 stream_k=1 tm=4 tn=4 unroll_k=8"),
          kLastWaitAndShortTile);
}

// Three blocks share four tiles: whole ones, and parts of two blocks.
TEST_F(MutationTest, StreamK) {
  std::vector<std::string> redundant(kLastWaitAndShortTile.begin() + kLastWait.size(), kLastWaitAndShortTile.end());
  redundant.insert(redundant.end(), kLastSight.begin(), kLastSight.end());
  // Another barrier comes before anything is written there.
  redundant.push_back("remove-barrier nvvm.barrier0 at loc(\"leave the count of parts\")");
  Examine(*MakeScheduleCase(
              "stream-k", "33x35x37",
              "fma async=1 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
              "reduction=3 slice_k=1 split_k=1 stages=2 stream_k=3 tm=4 tn=4 unroll_k=8"),
          redundant);
}

MatmulProblem Typed(std::string_view shape, DataType type, MathMode math = MathMode::kIeee) {
  MatmulProblem problem = *ParseMatmulShape(shape, type);
  problem.math = math;
  return problem;
}

TEST_F(MutationTest, MmaThroughRegistersOneStage) {
  Examine(*MakeScheduleCase("mma f16, 1 stage", Typed("19x21x35", DataType::kF16),
                            "mma async=1 bk=16 bm=16 bn=16 group_m=1 min_blocks=1 prefetch=0 reduction=0 slice_k=1 "
                            "split_k=1 stages=1 stream_k=1 wm=16 "
                            "wn=8"),
          kNoCopies);
}

TEST_F(MutationTest, MmaWithPrefetchAndAnEpilogue) {
  MatmulProblem problem = Typed("40x24x56", DataType::kBf16);
  problem.transpose_a = true;
  problem.epilogue = *ParseEpilogue("bias,add,relu");
  Examine(*MakeScheduleCase("mma bf16, prefetch", problem,
                            "mma async=1 bk=32 bm=32 bn=16 group_m=1 min_blocks=1 prefetch=1 reduction=0 slice_k=1 "
                            "split_k=1 stages=3 stream_k=1 wm=16 "
                            "wn=16"));
}

TEST_F(MutationTest, MmaOfTf32ThroughAtomics) {
  Examine(*MakeScheduleCase("mma tf32, atomics", Typed("17x12x84", DataType::kF32, MathMode::kTf32),
                            "mma async=1 bk=16 bm=16 bn=16 group_m=1 min_blocks=1 prefetch=0 reduction=1 slice_k=1 "
                            "split_k=2 stages=2 stream_k=1 wm=16 "
                            "wn=8"),
          kLastCopies);
}

TEST_F(MutationTest, MmaOfTwoPlanes) {
  MatmulProblem problem = Typed("20x17x45", DataType::kF32, MathMode::kTf32x3);
  problem.transpose_b = true;
  Examine(*MakeScheduleCase("mma tf32x3", problem,
                            "mma async=1 bk=16 bm=32 bn=8 group_m=1 min_blocks=1 prefetch=1 reduction=0 slice_k=1 "
                            "split_k=1 stages=2 stream_k=1 wm=16 "
                            "wn=8"),
          {kLastBarrier, kLastCopies[0], kLastCopies[1]});
}

TEST_F(MutationTest, MmaOfThreePlanesThroughAWorkspace) {
  Examine(*MakeScheduleCase("mma bf16x6, workspace", Typed("18x9x44", DataType::kF32, MathMode::kBf16x6),
                            "mma async=1 bk=16 bm=16 bn=16 group_m=1 min_blocks=1 prefetch=0 reduction=2 slice_k=1 "
                            "split_k=2 stages=2 stream_k=1 wm=16 "
                            "wn=8"));
}

TEST_F(MutationTest, MmaWithSlicesOfK) {
  Examine(*MakeScheduleCase(
              "mma bf16, slices", Typed("36x16x72", DataType::kBf16),
              "mma async=1 bk=32 bm=32 bn=8 group_m=1 min_blocks=1 prefetch=0 reduction=0 slice_k=2 split_k=1 stages=2 "
              "stream_k=1 wm=32 wn=8"),
          kLastCopies);
}

// Bytes of both operands transposed; then both operands through registers, byte by byte.
TEST_F(MutationTest, MmaOfTransposedBytes) {
  MatmulProblem problem = Typed("36x48x80", DataType::kS8);
  problem.transpose_a = true;
  Examine(*MakeScheduleCase("mma s8, transposed", problem,
                            "mma async=1 bk=32 bm=32 bn=16 group_m=1 min_blocks=1 prefetch=0 reduction=0 slice_k=1 "
                            "split_k=1 stages=3 stream_k=1 wm=16 "
                            "wn=16"),
          kLastCopies);
}

TEST_F(MutationTest, MmaOfBytesThroughRegisters) {
  Examine(*MakeScheduleCase("mma s8, 1 stage", Typed("19x21x35", DataType::kS8),
                            "mma async=1 bk=32 bm=16 bn=16 group_m=1 min_blocks=1 prefetch=0 reduction=0 slice_k=1 "
                            "split_k=1 stages=1 stream_k=1 wm=16 "
                            "wn=16"),
          kNoCopies);
}

TEST_F(MutationTest, MmaOfDoublesThroughAWorkspace) {
  MatmulProblem problem = Typed("20x18x44", DataType::kF64);
  problem.epilogue = *ParseEpilogue("bias,add,relu");
  Examine(*MakeScheduleCase("mma f64, workspace", problem,
                            "mma async=1 bk=8 bm=16 bn=16 group_m=1 min_blocks=1 prefetch=1 reduction=2 slice_k=1 "
                            "split_k=2 stages=2 stream_k=1 wm=16 "
                            "wn=8"),
          {kLastBarrier, kLastCopies[0], kLastCopies[1], kOwnRows});
}

TEST_F(MutationTest, MmaOfSm75) {
  Examine(*MakeScheduleCase(
      "mma f16, sm_75", Typed("36x24x56", DataType::kF16),
      "mma async=0 bk=32 bm=32 bn=16 group_m=1 min_blocks=1 prefetch=1 reduction=0 slice_k=1 split_k=1 stages=2 "
      "stream_k=1 wm=16 wn=8"));
}

// Three blocks share four tiles: whole ones, and parts of two blocks.
TEST_F(MutationTest, MmaWithStreamK) {
  MatmulProblem problem = Typed("20x12x80", DataType::kBf16);
  problem.epilogue = *ParseEpilogue("bias");
  Examine(*MakeScheduleCase(
              "mma bf16, stream-k", problem,
              "mma async=1 bk=16 bm=16 bn=8 group_m=1 min_blocks=1 prefetch=0 reduction=3 slice_k=1 split_k=1 stages=2 "
              "stream_k=3 wm=16 wn=8"),
          kLastSight);
}

MatmulProblem WithGelu(MatmulProblem problem) {
  problem.epilogue = *ParseEpilogue("scale:0.1,bias,gelu");
  return problem;
}

TEST_F(MutationTest, MmaWithAGelu) {
  MatmulProblem problem = WithGelu(Typed("37x21x44", DataType::kF16));
  problem.transpose_b = true;
  Examine(*MakeScheduleCase(
      "mma f16, gelu", problem,
      "mma async=1 bk=16 bm=32 bn=16 group_m=1 min_blocks=1 prefetch=0 reduction=0 slice_k=1 split_k=1 stages=2 "
      "stream_k=1 wm=16 wn=16"));
}

// One column of C: rows of the matrix run along k, and lanes and warps share it.
TEST_F(MutationTest, GemvOfF32) {
  Examine(*MakeScheduleCase("gemv f32, column", WithGelu(Typed("37x1x228", DataType::kF32)),
                            "gemv lanes_k=8 pieces=2 reduction=0 split_k=1 unroll=2 warps_k=2 warps_out=2"));
}

// One row of C: rows of the matrix run along it.
TEST_F(MutationTest, GemvOfBf16) {
  Examine(*MakeScheduleCase("gemv bf16, row", WithGelu(Typed("1x72x57", DataType::kBf16)),
                            "gemv lanes_k=16 pieces=1 reduction=0 split_k=1 unroll=2 warps_k=1 warps_out=2"));
}

TEST_F(MutationTest, GemvThroughAWorkspace) {
  Examine(*MakeScheduleCase("gemv bf16, workspace", WithGelu(Typed("1x36x83", DataType::kBf16)),
                            "gemv lanes_k=16 pieces=2 reduction=2 split_k=2 unroll=1 warps_k=2 warps_out=1"));
}

TEST_F(MutationTest, CpAsyncAndMma) { Examine(*MakeCpAsyncMmaCase()); }

// A stage that three of the four warps released may be filled: wgmma.wait_group of one warp waits for the wgmma of all.
TEST_F(MutationTest, TensorCopiesAndWgmma) {
  const std::string init =
      absl::StrCat("change-count nvvm.mbarrier.init at loc(\"", MUTATION_MODULES, "/tma_wgmma.mlir\":");
  Examine(*MakeTmaWgmmaCase(), {init + "44:7)", init + "45:7)"});
}

TEST_F(MutationTest, EveryKindOfChangeIsTried) {
  std::array<size_t, kMutationKinds> counts = {};
  for (const auto& kernel : {MakeCpAsyncMmaCase(), MakeTmaWgmmaCase()}) {
    for (const Mutation& mutation : ChosenOf(MutationsOf(*kernel), seed_)) ++counts[static_cast<size_t>(mutation.kind)];
  }
  for (size_t kind = 0; kind < kMutationKinds; ++kind) {
    EXPECT_GT(counts[kind], 0u) << MutationName(static_cast<MutationKind>(kind));
  }
}

// Correct kernels of random schedules, with the limits of a GPU, at shapes ragged and not.
TEST_F(MutationTest, CorrectKernelsAreSilent) {
  constexpr std::string_view kShapes[] = {"130x67x37", "64x128x48", "33x257x65", "1x96x40", "100x5x3"};
  const uint64_t samples = TestCount(10, 105);
  DeviceInfo device = *ArchitectureLimits("sm_90");
  device.kind = DeviceKind::kCuda;
  device.multiprocessors = 128;
  size_t silent = 0;
  Row row;
  for (std::string_view shape : kShapes) {
    const MatmulProblem problem = *ParseMatmulShape(shape, DataType::kF32);
    auto space = SearchSpace::Create(problem, device, {*FindKernelFamily("fma"), *FindKernelFamily("direct")});
    ASSERT_TRUE(space.ok()) << space.status();
    SearchRng random(WholeSweeps() ? TestSeed(17) : seed_);
    for (uint64_t i = 0; i < samples; ++i) {
      const Schedule schedule = (*space)->Sample(random);
      const std::string name = absl::StrCat(std::string(shape), " ", schedule.Text());
      const MutantResult result = RunMutant(*MakeScheduleCase(name, shape, schedule.Text()), std::nullopt,
                                            {.verification_seeds = 1, .exhaustive_seeds = 0, .seconds = 120});
      EXPECT_EQ(result.verdict, Verdict::kHarmless) << name << ": " << result.detail;
      ++(result.verdict == Verdict::kHarmless ? silent : row.false_reports);
    }
  }
  total_.false_reports += row.false_reports;
  table_->Print(absl::StrCat(silent, " right kernels"), row);
}

}  // namespace
}  // namespace mmtune
