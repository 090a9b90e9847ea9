// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of the `wgmma` family on the SIMT device: every type, layout and epilogue, batches and ragged extents,
// through the PTX that ships or through NVVM, some of them with race detection. Results must be exactly rounded.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/codegen/ptxas.h"
#include "kernels/compiler/compiler.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/wgmma/wgmma_schedule.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/families/exact_run.h"
#include "tests/kernels/families/random_schedule.h"
#include "tests/kernels/families/test_devices.h"
#include "tests/kernels/typed_operands.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

/// A type of A and B, and of C.
struct Kind {
  DataType type;
  MathMode math;
  OutputType out;
};
constexpr Kind kKinds[] = {
    {DataType::kBf16, MathMode::kIeee, OutputType::kSame}, {DataType::kF16, MathMode::kIeee, OutputType::kF32},
    {DataType::kF32, MathMode::kTf32, OutputType::kSame},  {DataType::kF16, MathMode::kIeee, OutputType::kSame},
    {DataType::kBf16, MathMode::kIeee, OutputType::kF32},  {DataType::kS8, MathMode::kIeee, OutputType::kSame}};

constexpr std::string_view kEpilogues[] = {"", "", "bias,relu", "add", "scale:0.3,bias", "scale:0.1,bias,gelu"};

/// How a kernel is compiled and run.
enum class Road { kNvvm, kPtx, kRaceDetection };

class WgmmaExecutionTest : public ::testing::Test {
 protected:
  /// Operands that tf32 represents, too: what tensor cores drop of others is not their rounding.
  Operands OperandsOf(MatmulProblem problem) const {
    problem.math = MathMode::kIeee;
    return Operands(problem, operand_seed_);
  }

  void ExpectExact(const MatmulProblem& problem, const Schedule& schedule, Road road) {
    SCOPED_TRACE(problem.Text() + " " + schedule.Text() +
                 (road == Road::kPtx    ? ", by PTX"
                  : road == Road::kNvvm ? ", by NVVM"
                                        : ", race detection"));
    CompileTarget target;
    target.device = TestDevice("sm_90", road == Road::kPtx ? DeviceKind::kCuda : DeviceKind::kSimt);
    target.device.multiprocessors = 128;  // so that the rules allow what they do on a GPU
    target.assemble = false;
    target.host_code = false;
    target.race_detection = road == Road::kRaceDetection;
    const auto kernel = compiler_->Compile(problem, schedule, target);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    std::string image = kernel->image;
    if (road == Road::kPtx) {
      const auto ptx = ptx::compilePtx(kernel->image, {.race_detection = false});
      ASSERT_TRUE(ptx.ok()) << ptx.status();
      image = ptx->image;
    }
    simt::SimtOptions options;
    options.arch = "sm_90";
    options.race_detector = target.race_detection;
    auto device = *simt::SimtDevice::Create(options);
    const auto module = device->LoadModule(ImageFormat::kSimtObject, image);
    ASSERT_TRUE(module.ok()) << module.status();

    ExpectExactRun(*device, **module, kernel->plan, problem, OperandsOf(problem));
  }

  /// Assembles `draws` random schedules of large problems, all of which copy an addend by TMA if `copiesAddend` is
  /// true.
  void ExpectFewWarnings(int draws, bool copiesAddend);

  const uint64_t operand_seed_ = TestSeed(5);
  std::unique_ptr<Compiler> compiler_ = *Compiler::Create();
};

/// A problem with random extents whose rows are multiples of 16 bytes; the rows of C may have any length. Extents of a
/// sample are up to 160, which is a tile or a few, of whole sweeps up to 300.
MatmulProblem RandomProblem(const Kind& kind, SearchRng& rng) {
  MatmulProblem problem = *ParseMatmulShape("1x1x1", kind.type);
  problem.math = kind.math;
  problem.out = kind.out;
  const bool is_16_bit = DataTypeBytes(kind.type) == 2;
  problem.transpose_a = is_16_bit && rng() % 2 == 0;
  problem.transpose_b = !is_16_bit || rng() % 2 == 0;
  const int64_t unit = 16 / DataTypeBytes(kind.type);
  const uint64_t most = WholeSweeps() ? 300 : 160;
  const auto extent = [&](int64_t unit) { return RoundUp(1 + static_cast<int64_t>(rng() % most), unit); };
  problem.m = extent(problem.transpose_a ? unit : 1);
  problem.n = extent(problem.transpose_b ? 1 : unit);
  problem.k = extent(!problem.transpose_a || problem.transpose_b ? unit : 1);
  problem.batch = rng() % 4 == 0 ? 3 : 1;
  // Integers have no epilogue.
  if (kind.type == DataType::kS8) return problem;
  problem.epilogue = *ParseEpilogue(kEpilogues[rng() % std::size(kEpilogues)]);
  return problem;
}

/// A random schedule; every other one with few blocks, each of which computes several tiles. Of these every other one
/// has consumers that alternate, and of all a part stores by tensor copies, if the schedule remains valid.
Schedule RandomSchedule(const MatmulProblem& problem, SearchRng& rng) {
  DeviceInfo device = TestDevice("sm_90");
  WgmmaSchedule s;
  do s = WgmmaSchedule::FromSchedule(*SampleSchedule("wgmma", problem, device, rng));
  while (s.mode == kPingPong);
  const auto change = [&](const auto& apply) {
    WgmmaSchedule changed = s;
    apply(changed);
    if (ValidateSchedule(problem, changed.ToSchedule(), device).ok()) s = changed;
  };
  s.blocks = 0;
  const WgmmaTiling tiling(problem, s);
  if (const int64_t more = tiling.items() - 1; more > 0 && rng() % 2 == 0)
    s.blocks = tiling.cluster * (1 + static_cast<int64_t>(rng() % std::min<int64_t>(more, 3)));
  if (s.blocks > 0 && rng() % 2 == 0)
    change([](WgmmaSchedule& changed) { changed.mode = kPingPong, changed.consumers = 2; });
  if (rng() % 2 == 0) {
    change([&](WgmmaSchedule& changed) {
      changed.bn = RoundUp(changed.bn, 32);
      changed.epiColumns = int64_t{16} << rng() % 2;
      changed.epiBuffers = 1 + static_cast<int64_t>(rng() % 2);
    });
    if (rng() % 2 == 0) change([](WgmmaSchedule& changed) { changed.addend = kAddendByCopies; });
  }
  return s.ToSchedule();
}

void WgmmaExecutionTest::ExpectFewWarnings(int draws, bool copiesAddend) {
  if (findPtxas().empty()) GTEST_SKIP() << "no ptxas";
  SearchRng rng(TestSeed(37));
  CompileTarget target;
  target.device = TestDevice("sm_90");
  target.host_code = false;
  int failed = 0;
  for (int i = 0; i < draws; ++i) {
    // The last kind, of integers, has no epilogue.
    MatmulProblem problem = RandomProblem(kKinds[i % (std::size(kKinds) - (copiesAddend ? 1 : 0))], rng);
    problem.m *= 16, problem.n *= 16, problem.k *= 16;
    if (copiesAddend) problem.epilogue = *ParseEpilogue(i % 2 == 0 ? "add" : "bias,relu,add");
    Schedule schedule;
    do schedule = *SampleSchedule("wgmma", problem, target.device, rng);
    while (copiesAddend && schedule.Get("addend") != kAddendByCopies);
    const auto kernel = compiler_->Compile(problem, schedule, target);
    if (kernel.ok()) continue;
    ++failed;
    std::printf("%s %s: %s\n", problem.Text().c_str(), schedule.Text().c_str(), kernel.status().ToString().c_str());
  }
  EXPECT_LE(failed, draws / 50);
}

TEST_F(WgmmaExecutionTest, RandomSchedulesAreExactAndFreeOfRaces) {
  SearchRng rng(TestSeed(29));
  const uint64_t draws = TestCount(18, 300);
  for (uint64_t i = 0; i < draws; ++i) {
    const MatmulProblem problem = RandomProblem(kKinds[i % std::size(kKinds)], rng);
    const Schedule schedule = RandomSchedule(problem, rng);
    // Each kind takes each road.
    ExpectExact(problem, schedule, static_cast<Road>((i + i / std::size(kKinds)) % 3));
    if (HasFatalFailure()) return;
  }
}

// Extents far below a tile, a k below a stage, and more rows of a tile than a tensor copy has.
TEST_F(WgmmaExecutionTest, ProblemsBelowATileAreExact) {
  MatmulProblem problem = *ParseMatmulShape("1x8x8", DataType::kBf16);
  constexpr std::string_view kSchedule =
      "wgmma bk=64 blocks=0 bn=96 consumers=3 cluster_m=1 cluster_n=1 epi_buffers=0 epi_columns=0 group_m=1 "
      "in_flight=1 addend=0 raster=0 l2_promotion=2 hint_a=0 hint_b=0 mi=2 mode=0 reduction=0 split_k=1 stages=2";
  ExpectExact(problem, *ParseSchedule(kSchedule), Road::kRaceDetection);
  problem = *ParseMatmulShape("385x104x72", DataType::kBf16);
  problem.transpose_b = true;
  ExpectExact(problem, *ParseSchedule(kSchedule), Road::kPtx);
}

// A part of C of 64 columns of 32 bits is two slabs. One block computes nine tiles in turn with two consumers, whose
// last rows lie beyond each matrix of a batch; then parts are an odd number, so that the last one of a tile has the
// buffer of the first.
TEST_F(WgmmaExecutionTest, PartsOfTwoSlabsAreStoredExactly) {
  MatmulProblem problem = *ParseMatmulShape("72x264x136", DataType::kBf16);
  problem.out = OutputType::kF32;
  problem.batch = 3;
  problem.epilogue = *ParseEpilogue("bias,relu");
  ExpectExact(
      problem,
      *ParseSchedule("wgmma bk=64 blocks=1 bn=128 consumers=2 cluster_m=1 cluster_n=1 epi_buffers=2 "
                     "epi_columns=64 group_m=1 in_flight=1 addend=0 raster=0 l2_promotion=2 hint_a=0 hint_b=0 mi=2 "
                     "mode=1 reduction=0 split_k=1 stages=2"),
      Road::kRaceDetection);
  problem = *ParseMatmulShape("136x200x136", DataType::kBf16);
  ExpectExact(
      problem,
      *ParseSchedule("wgmma bk=64 blocks=2 bn=192 consumers=1 cluster_m=1 cluster_n=1 epi_buffers=2 "
                     "epi_columns=64 group_m=1 in_flight=1 addend=0 raster=0 l2_promotion=2 hint_a=0 hint_b=0 mi=1 "
                     "mode=0 reduction=2 split_k=2 stages=2"),
      Road::kRaceDetection);
}

// 9 rows and 13 columns of tiles: two whole groups and a lower or narrower one, and squares with a rest beside them.
TEST_F(WgmmaExecutionTest, TilesInEveryOrderAreExact) {
  MatmulProblem problem = *ParseMatmulShape("520x104x64", DataType::kBf16);
  for (const char* order : {"raster=1 group_m=1", "raster=1 group_m=4", "raster=2 group_m=4", "raster=2 group_m=8"})
    for (const char* blocks : {"0", "3"})
      ExpectExact(problem,
                  *ParseSchedule(absl::StrCat(
                      "wgmma bk=64 bn=8 consumers=1 cluster_m=1 cluster_n=1 epi_buffers=0 "
                      "epi_columns=0 in_flight=1 mi=1 mode=0 reduction=0 split_k=1 stages=2 l2_promotion=2 addend=0 "
                      "hint_a=0 hint_b=0 ",
                      order, " blocks=", blocks)),
                  Road::kNvvm);
}

// The same of clusters, the last of which have blocks beyond C, in two matrices whose k is split, and of consumers that
// alternate. The orders are of 7 or 13 rows and 13 columns.
TEST_F(WgmmaExecutionTest, TilesOfClustersSplitsAndPingPongInEveryOrderAreExact) {
  MatmulProblem problem = *ParseMatmulShape("824x200x136", DataType::kBf16);
  problem.batch = 2;
  for (const char* order : {"raster=1 group_m=4", "raster=2 group_m=4"})
    for (const char* rest : {"consumers=1 mode=0 cluster_m=2 split_k=2 reduction=2 blocks=6",
                             "consumers=1 mode=0 cluster_m=2 split_k=2 reduction=3 blocks=0",
                             "consumers=2 mode=1 cluster_m=1 split_k=1 reduction=0 blocks=3"})
      ExpectExact(problem,
                  *ParseSchedule(absl::StrCat(
                      "wgmma bk=64 bn=16 cluster_n=1 epi_buffers=0 epi_columns=0 in_flight=1 mi=1 stages=2 "
                      "l2_promotion=2 addend=0 hint_a=0 hint_b=0 ",
                      order, " ", rest)),
                  Road::kNvvm);
}

// A hint is an operand of the copies of one matrix, and changes no value.
TEST_F(WgmmaExecutionTest, HintsAreOperandsOfTensorLoads) {
  const MatmulProblem problem = *ParseMatmulShape("136x104x136", DataType::kBf16);
  CompileTarget target;
  target.device = TestDevice("sm_90");
  target.assemble = target.host_code = false;
  for (const char* cluster : {"cluster_m=1", "cluster_m=2"})
    for (const auto& [hints, hinted] :
         {std::pair("hint_a=0 hint_b=0", 0), {"hint_a=1 hint_b=0", 1}, {"hint_a=1 hint_b=2", 2}}) {
      const Schedule schedule = *ParseSchedule(
          absl::StrCat("wgmma bk=64 blocks=0 bn=64 consumers=1 cluster_n=1 epi_buffers=0 epi_columns=0 group_m=1 "
                       "in_flight=1 addend=0 raster=0 l2_promotion=0 mi=1 mode=0 reduction=0 split_k=1 stages=2 ",
                       cluster, " ", hints));
      const auto kernel = compiler_->Compile(problem, schedule, target);
      ASSERT_TRUE(kernel.ok()) << kernel.status();
      int found = 0;
      for (size_t at = 0; (at = kernel->image.find("L2::cache_hint [", at)) != std::string::npos; ++at) ++found;
      EXPECT_EQ(found, hinted) << hints;
      ExpectExact(problem, schedule, Road::kPtx);
      ExpectExact(problem, schedule, Road::kNvvm);
    }
}

// Parts of a tile are twice as many as buffers, a multiple and one more, or as many, so that the phases of a buffer go
// on from tile to tile in each way. 16-bit elements are read by ldmatrix, others one by one, of one slab or of two.
TEST_F(WgmmaExecutionTest, AnAddendIsCopiedToTheBuffersOfParts) {
  constexpr char kFixed[] =
      "wgmma bk=64 addend=1 group_m=1 in_flight=1 hint_a=0 hint_b=0 l2_promotion=2 raster=0 reduction=0 split_k=1 "
      "stages=2 ";
  const struct {
    const char *shape, *epilogue, *schedule;
    OutputType out;
    int64_t batch;
  } kCases[] = {{"200x200x136", "add",
                 "blocks=0 bn=64 consumers=2 cluster_m=1 cluster_n=1 epi_buffers=2 epi_columns=16 mi=1 mode=0",
                 OutputType::kSame, 1},
                {"200x200x136", "bias,relu,add",
                 "blocks=2 bn=96 consumers=1 cluster_m=1 cluster_n=1 epi_buffers=2 epi_columns=32 mi=1 mode=0",
                 OutputType::kSame, 3},
                {"72x264x136", "sub",
                 "blocks=1 bn=64 consumers=2 cluster_m=1 cluster_n=1 epi_buffers=2 epi_columns=64 mi=2 mode=1",
                 OutputType::kF32, 3},
                {"136x200x136", "scale:0.5,add",
                 "blocks=4 bn=64 consumers=1 cluster_m=1 cluster_n=2 epi_buffers=1 epi_columns=32 mi=1 mode=0",
                 OutputType::kF32, 1},
                {"328x136x72", "add",
                 "blocks=2 bn=32 consumers=2 cluster_m=1 cluster_n=1 epi_buffers=1 epi_columns=32 mi=1 mode=1",
                 OutputType::kSame, 1}};
  for (const auto& [shape, epilogue, schedule, out, batch] : kCases) {
    MatmulProblem problem = *ParseMatmulShape(shape, DataType::kBf16);
    problem.epilogue = *ParseEpilogue(epilogue);
    problem.out = out;
    problem.batch = batch;
    for (Road road : {Road::kRaceDetection, Road::kPtx})
      ExpectExact(problem, *ParseSchedule(absl::StrCat(kFixed, schedule)), road);
  }
}

// ptxas serialises products whose registers it cannot follow, ignores setmaxnreg, or spills, and tells so: such a
// schedule fails to compile. Of many random ones 2 % may, of a sample none.
TEST_F(WgmmaExecutionTest, FewRandomSchedulesMakeTheAssemblerWarn) {
  ExpectFewWarnings(static_cast<int>(TestCount(8, 300)), /*copiesAddend=*/false);
}

// The addend's copies and their barriers take registers of the consumers, and the schedules above have few of them.
TEST_F(WgmmaExecutionTest, FewSchedulesThatCopyAnAddendMakeTheAssemblerWarn) {
  ExpectFewWarnings(static_cast<int>(TestCount(4, 100)), /*copiesAddend=*/true);
}

/// An assembler that warns of every kernel.
constexpr char kWarningAssembler[] = R"(#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = -o ] && echo cubin > "$2"; shift; done
echo 'ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized'
)";

// Runs in a process of its own, because ptxas is looked for once.
TEST_F(WgmmaExecutionTest, FailsToCompileWhereTheAssemblerWarns) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto compile = [&](std::string_view schedule) {
    const std::string assembler = ::testing::TempDir() + absl::StrCat("warning_assembler.", getpid());
    std::ofstream(assembler) << kWarningAssembler;
    chmod(assembler.c_str(), S_IRWXU);
    setenv("MMTUNE_PTXAS", assembler.c_str(), 1);
    CompileTarget target;
    target.device = TestDevice("sm_90");
    target.host_code = false;
    const auto kernel =
        compiler_->Compile(*ParseMatmulShape("64x64x64", DataType::kBf16), *ParseSchedule(schedule), target);
    unlink(assembler.c_str());
    std::cerr << (kernel.ok() ? absl::StrCat("compiled; ", kernel->warnings.size(), " warning")
                              : kernel.status().ToString());
    _exit(kernel.ok() ? 0 : 1);
  };
  EXPECT_EXIT(compile("wgmma bk=64 blocks=0 bn=64 consumers=1 cluster_m=1 cluster_n=1 epi_buffers=0 epi_columns=0 "
                      "group_m=1 in_flight=1 addend=0 raster=0 l2_promotion=2 hint_a=0 hint_b=0 mi=1 mode=0 "
                      "reduction=0 split_k=1 stages=2"),
              ::testing::ExitedWithCode(1), "ptxas warns: C7510");
  EXPECT_EXIT(compile("direct bx=16 by=16 tm=1 tn=1"), ::testing::ExitedWithCode(0), "compiled; 1 warning");
}

}  // namespace
}  // namespace mmtune
