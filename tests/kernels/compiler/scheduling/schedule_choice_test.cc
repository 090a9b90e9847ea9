// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schedule of a tuning spec a problem gets.
#include "kernels/compiler/scheduling/schedule_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "absl/strings/str_cat.h"

#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using Source = ScheduleChoice::Source;

DeviceInfo Gpu(std::string_view name = "GPU X", std::string_view arch = "sm_90") {
  DeviceInfo device = TestDevice(arch);
  device.name = name;
  return device;
}

TuningSpecEntry Entry(std::string_view shape, std::string_view changes = "", const DeviceInfo& device = Gpu()) {
  TuningSpecEntry entry;
  entry.problem = TestProblem(shape);
  entry.device = device;
  entry.schedule = ReferenceSchedule(changes);
  entry.median_ns = 1000;
  entry.code_digest = "d" + std::string(shape);
  return entry;
}

ScheduleChoice Choose(const TuningSpec& spec, const MatmulProblem& problem, const DeviceInfo& device = Gpu()) {
  return *ScheduleChooser(spec, device).choose(problem);
}

TEST(ScheduleChoiceTest, TheProblemsOwnEntryIsTaken) {
  TuningSpec spec{{Entry("1024x1024x1024", "bk=8 unroll_k=8"), Entry("512x512x512")}};
  ScheduleChoice choice = Choose(spec, TestProblem("1024x1024x1024"));
  EXPECT_EQ(choice.source, Source::kSpec);
  EXPECT_EQ(choice.schedule, spec.entries[0].schedule);
  EXPECT_EQ(choice.codeDigest, "d1024x1024x1024");
  EXPECT_EQ(choice.expectedLoss, 0);
}

TEST(ScheduleChoiceTest, TheNearestShapeServesOthers) {
  TuningSpec spec{{Entry("4096x4096x4096"), Entry("1024x1024x1024", "bk=8 unroll_k=8"), Entry("256x256x256")}};
  ScheduleChoice choice = Choose(spec, TestProblem("1000x1100x900"));
  EXPECT_EQ(choice.source, Source::kNearest);
  EXPECT_EQ(*choice.nearest, TestProblem("1024x1024x1024"));
  EXPECT_EQ(choice.schedule, spec.entries[1].schedule);
  EXPECT_EQ(choice.codeDigest, "");
}

TEST(ScheduleChoiceTest, TheSameKindOfProblemIsNearerThanTheSameShape) {
  TuningSpec spec{{Entry("1024x1024x1024"), Entry("512x512x512", "bk=8 unroll_k=8")}};
  spec.entries[1].problem.transpose_b = true;
  MatmulProblem transposed = TestProblem("1024x1024x1024");
  transposed.transpose_b = true;
  EXPECT_EQ(Choose(spec, transposed).nearest->Text(), "512x512x512 transpose_b");

  spec.entries[1].problem.transpose_b = false;
  spec.entries[1].problem.batch = 4;
  MatmulProblem batch = TestProblem("1024x1024x1024");
  batch.batch = 16;
  EXPECT_EQ(Choose(spec, batch).nearest->Text(), "512x512x512 batch=4");
}

// PTX that must run on newer devices, too, leaves out the families for one chip.
TEST(ScheduleChoiceTest, AFamilyThatIsNotUsedIsNamedAndItsEntriesStandAside) {
  std::vector<const FamilyBase*> families = AllFamilies();
  std::erase_if(families, [](const FamilyBase* family) { return family->name() == "fma"; });
  TuningSpec spec{{Entry("1024x1024x1024"), Entry("512x512x512")}};
  const ScheduleChooser chooser(spec, Gpu(), /*allowFallback=*/false, families);
  const ScheduleChoice choice = *chooser.choose(TestProblem("1024x1024x1024"));
  EXPECT_EQ(choice.source, Source::kDefault);
  EXPECT_NE(choice.schedule.family, "fma");
  EXPECT_EQ(choice.leftOut.find("fma is left out: its code is for sm_90 alone, and PTX for sm_90"), 0u)
      << choice.leftOut;
  EXPECT_EQ(Choose(spec, TestProblem("1024x1024x1024")).leftOut, "");
}

TEST(ScheduleChoiceTest, WithRowsAtRunTimeTheOtherSizesCountFirst) {
  TuningSpec spec{{Entry("512x512x512"), Entry("4096x1024x1024", "bk=8 unroll_k=8"), Entry("32x1024x1024")}};
  const ScheduleChooser chooser(spec, Gpu());
  const ScheduleChoice choice = *chooser.choose(TestProblem("512x1024x1024"), {.rows = true});
  EXPECT_EQ(choice.source, Source::kNearest);
  EXPECT_EQ(choice.nearest->Text(), "4096x1024x1024");
  EXPECT_EQ(choice.codeDigest, "");
  // None is the problem's own: what was measured is another kernel.
  EXPECT_EQ(chooser.choose(TestProblem("512x512x512"), {.rows = true})->source, Source::kNearest);
  EXPECT_EQ(chooser.choose(TestProblem("512x512x512"))->source, Source::kSpec);
}

TEST(ScheduleChoiceTest, WithRowsAtRunTimeBlocksShareNoTiles) {
  TuningSpec spec{{Entry("512x512x512", "reduction=2 split_k=2"), Entry("64x256x256")}};
  const MatmulProblem problem = TestProblem("512x512x512");
  ASSERT_TRUE(ValidateSchedule(problem, spec.entries[0].schedule, Gpu()).ok());
  EXPECT_EQ(ScheduleChooser(spec, Gpu()).choose(problem, {.rows = true})->nearest->Text(), "64x256x256");
  spec.entries.pop_back();
  const ScheduleChoice choice = *ScheduleChooser(spec, Gpu()).choose(problem, {.batch = true});
  EXPECT_EQ(choice.source, Source::kDefault);
  EXPECT_EQ(WhyRunTimeSizesUnsupported(problem, choice.schedule, {.batch = true}), "");
}

/// A line of a dispatch table.
TuningSpecEntry Line(int64_t from, int64_t to, std::string_view changes = "") {
  TuningSpecEntry entry = Entry(absl::StrCat(to, "x512x512"), changes);
  entry.rows = RowRange{from, to};
  return entry;
}

TEST(ScheduleChoiceTest, LinesOfADispatchTableCoverAllRows) {
  const TuningSpec spec{{Line(33, 64, "bk=8 unroll_k=8"), Line(1, 4), Line(5, 8), Line(17, 24), Line(65, 128)}};
  const ScheduleChooser chooser(spec, Gpu());
  const MatmulProblem problem = TestProblem("512x512x512");
  const std::vector<DispatchLine> lines = *chooser.chooseByRows(problem, {.rows = true});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].rows, (RowRange{0, 24}));
  EXPECT_EQ(lines[1].rows, (RowRange{25, 64}));
  EXPECT_EQ(lines[2].rows, (RowRange{65, std::numeric_limits<int64_t>::max()}));
  EXPECT_EQ(lines[1].choice.schedule, spec.entries[0].schedule);
  EXPECT_EQ(lines[0].choice.source, Source::kSpec);
  EXPECT_EQ(lines[0].choice.codeDigest, "");
  // A problem of known rows has no table, and no line is its own entry.
  EXPECT_TRUE(chooser.chooseByRows(problem, {})->empty());
  EXPECT_TRUE(chooser.chooseByRows(TestProblem("512x512x480"), {.rows = true})->empty());
  EXPECT_EQ(chooser.choose(TestProblem("64x512x512"))->source, Source::kNearest);
}

TEST(ScheduleChoiceTest, LineThatIsNotValidForAllOfItsRowsIsRefused) {
  // Four rows of blocks of 64 rows need more than 192 rows of C.
  const std::string group = "group_m=4 bm=64";
  const MatmulProblem problem = TestProblem("512x512x512");
  const TuningSpec valid{{Line(1, 192), Line(193, 256, group)}};
  EXPECT_EQ(ScheduleChooser(valid, Gpu()).chooseByRows(problem, {.rows = true})->size(), 2u);
  const TuningSpec wrong{{Line(1, 191), Line(192, 256, group)}};
  const absl::Status refused = ScheduleChooser(wrong, Gpu()).chooseByRows(problem, {.rows = true}).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("?x512x512 with 192 to 256 rows is not valid"));
  EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("for 192 rows: "));
  EXPECT_TRUE(ScheduleChooser(wrong, Gpu(), /*allowFallback=*/true).chooseByRows(problem, {.rows = true})->empty());
  // Nor are the rows before the table its first kernel's, then.
  const TuningSpec late{{Line(193, 256, group), Line(257, 512)}};
  const std::vector<DispatchLine> lines = *ScheduleChooser(late, Gpu()).chooseByRows(problem, {.rows = true});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].rows, (RowRange{0, 192}));
  EXPECT_EQ(lines[0].choice.source, Source::kNearest);
  EXPECT_EQ(lines[0].choice.schedule, late.entries[1].schedule);
  EXPECT_EQ(lines[1].rows, (RowRange{193, 256}));
  EXPECT_EQ(lines[2].rows, (RowRange{257, std::numeric_limits<int64_t>::max()}));
  const TuningSpec shared{{Line(1, 512, "split_k=2 reduction=2")}};
  EXPECT_THAT(std::string(ScheduleChooser(shared, Gpu()).chooseByRows(problem, {.rows = true}).status().message()),
              testing::HasSubstr("its blocks share tiles"));
}

TEST(ScheduleChoiceTest, WithALayoutTheDenseProblemIsTheNearest) {
  TuningSpec spec{{Entry("512x512x512"), Entry("512x512x480", "bk=8 unroll_k=8")}};
  const ScheduleChooser chooser(spec, Gpu());
  const MatmulProblem problem = TestProblem("512x512x512");
  MatmulLayout layout = DenseLayout(problem);
  EXPECT_FALSE(NormalizedLayout(problem, layout).any());
  layout.a.rowStride = 1536;
  const ScheduleChoice choice = *chooser.choose(problem, {}, layout);
  EXPECT_EQ(choice.source, Source::kNearest);
  EXPECT_EQ(*choice.nearest, problem);
  EXPECT_EQ(choice.codeDigest, "");
  EXPECT_EQ(chooser.choose(problem)->source, Source::kSpec);
}

TEST(ScheduleChoiceTest, WithALayoutOfCNoWorkspaceIsSummed) {
  TuningSpec spec{{Entry("512x512x512", "reduction=2 split_k=2"), Entry("64x256x256")}};
  const ScheduleChooser chooser(spec, Gpu());
  const MatmulProblem problem = TestProblem("512x512x512");
  MatmulLayout layout = DenseLayout(problem);
  layout.b.rowStride = 520;
  EXPECT_EQ(chooser.choose(problem, {}, layout)->nearest->Text(), "512x512x512");
  layout.c.rowStride = 520;
  EXPECT_EQ(chooser.choose(problem, {}, layout)->nearest->Text(), "64x256x256");
}

TEST(ScheduleChoiceTest, OfOneColumnThatIsNotDenseGemv) {
  const MatmulProblem problem = TestProblem("512x1x1024");
  MatmulLayout layout = DenseLayout(problem);
  layout.b.rowStride = 520;
  EXPECT_EQ(ScheduleChooser({}, Gpu()).choose(problem, {}, layout)->schedule.family, "gemv");
  // A tuned one counts, too, and never one of a family for any matmul.
  TuningSpec spec{{Entry("512x8x1024"), Entry("500x1x1024")}};
  const std::string_view tuned = "gemv lanes_k=32 pieces=1 reduction=0 split_k=1 unroll=2 warps_k=1 warps_out=4";
  spec.entries[1].schedule = *ParseSchedule(tuned);
  const ScheduleChoice choice = *ScheduleChooser(spec, Gpu()).choose(problem, {}, layout);
  EXPECT_EQ(choice.nearest->Text(), "500x1x1024");
  EXPECT_EQ(choice.schedule.Text(), tuned);
  // Sums of splits need a dense C.
  spec.entries[1].schedule =
      *ParseSchedule("gemv lanes_k=32 pieces=1 reduction=2 split_k=2 unroll=2 warps_k=1 warps_out=4");
  EXPECT_EQ(ScheduleChooser(spec, Gpu()).choose(problem, {}, layout)->source, Source::kNearest);
  layout.c.rowStride = 2;
  EXPECT_EQ(ScheduleChooser(spec, Gpu()).choose(problem, {}, layout)->source, Source::kDefault);
}

TEST(ScheduleChoiceTest, OfAColumnWithRowsAtRunTimeToo) {
  const ScheduleChooser chooser({}, Gpu());
  EXPECT_EQ(chooser.choose(TestProblem("512x1x1024"))->schedule.family, "gemv");
  EXPECT_EQ(chooser.choose(TestProblem("512x1x1024"), {.rows = true})->schedule.family, "fma");
  MatmulProblem transposed = TestProblem("512x64x1024");
  transposed.transpose_a = true;
  EXPECT_FALSE(chooser.choose(transposed, {.rows = true}).ok());
}

TEST(ScheduleChoiceTest, ThePlainProblemServesTheFusedOneAndTheOtherWayRound) {
  TuningSpec spec{{Entry("1024x1024x1024"), Entry("512x512x512")}};
  MatmulProblem fused = TestProblem("512x512x512");
  fused.epilogue = *ParseEpilogue("relu");
  ScheduleChoice choice = Choose(spec, fused);
  EXPECT_EQ(choice.source, Source::kNearest);
  EXPECT_EQ(choice.nearest->Text(), "512x512x512");
  EXPECT_EQ(choice.expectedLoss, 0);

  spec.entries[1].problem = fused;
  EXPECT_EQ(Choose(spec, TestProblem("512x512x512")).nearest->Text(), "512x512x512 epilogue=relu");
}

TEST(ScheduleChoiceTest, AnOwnEntryThatIsNotValidIsAnErrorThatNamesTheRule) {
  TuningSpec spec{{Entry("512x512x512", "bm=100"), Entry("64x64x64")}};
  absl::StatusOr<ScheduleChoice> choice = ScheduleChooser(spec, Gpu()).choose(TestProblem("512x512x512"));
  EXPECT_EQ(choice.status().code(), absl::StatusCode::kFailedPrecondition);
  const std::string message(choice.status().message());
  EXPECT_NE(message.find("512x512x512"), std::string::npos) << message;
  EXPECT_NE(message.find("bm"), std::string::npos) << message;
  EXPECT_NE(message.find("give --allow-fallback, with which the nearest"), std::string::npos) << message;
  // One of two is enough; entries of other problems promise nothing.
  spec.entries.push_back(Entry("512x512x512"));
  EXPECT_EQ(Choose(spec, TestProblem("512x512x512")).schedule, spec.entries[2].schedule);
  spec.entries = {Entry("512x512x512", "bm=100")};
  EXPECT_EQ(Choose(spec, TestProblem("512x512x500")).source, Source::kDefault);
}

TEST(ScheduleChoiceTest, EntriesThatAreNotValidArePassedOverWhereThatIsAllowed) {
  // Seven tiles do not divide anything; a split of 16 leaves splits of a small k without a tile.
  TuningSpec spec{{Entry("512x512x16", "bm=100"), Entry("512x512x512", "split_k=16 reduction=2"), Entry("64x64x64")}};
  ScheduleChoice choice = *ScheduleChooser(spec, Gpu(), /*allowFallback=*/true).choose(TestProblem("512x512x16"));
  EXPECT_NE(choice.schedule, spec.entries[0].schedule);
  EXPECT_NE(choice.schedule, spec.entries[1].schedule);
  EXPECT_NE(choice.rejected.find("bm"), std::string::npos) << choice.rejected;
  EXPECT_TRUE(ValidateSchedule(TestProblem("512x512x16"), choice.schedule, Gpu()).ok());
}

TEST(ScheduleChoiceTest, OtherClassesOfDevicesAreIgnored) {
  TuningSpec spec{{Entry("512x512x512", "", Gpu("GPU Y")), Entry("512x512x512", "", Gpu("GPU X", "sm_80")),
                   Entry("512x512x512", "async=0 stages=1", TestDevice("sm_90", DeviceKind::kSimt))}};
  EXPECT_EQ(ScheduleChooser(spec, Gpu()).entryCount(), 0u);
  EXPECT_EQ(Choose(spec, TestProblem("512x512x512")).source, Source::kDefault);
}

TEST(ScheduleChoiceTest, ATargetWithoutANameTakesTheClassWithMostEntries) {
  DeviceInfo big = Gpu("GPU Y");
  big.multiprocessors = 144;
  TuningSpec spec{{Entry("512x512x512"), Entry("512x512x512", "bk=8 unroll_k=8", big), Entry("64x64x64", "", big),
                   Entry("512x512x512", "", Gpu("GPU Z", "sm_80"))}};
  DeviceInfo target = *ArchitectureLimits("sm_90");
  target.kind = DeviceKind::kCuda;
  ScheduleChooser chooser(spec, target);
  EXPECT_EQ(chooser.entryCount(), 2u);
  EXPECT_EQ(chooser.target().multiprocessors, 144);
  EXPECT_EQ(chooser.choose(TestProblem("512x512x512"))->schedule, spec.entries[1].schedule);

  target.kind = DeviceKind::kSimt;
  EXPECT_EQ(ScheduleChooser(spec, target).entryCount(), 0u);
}

TEST(ScheduleChoiceTest, TheLossIsRelativeToTheProblemThatWasMeasured) {
  // Tiles of 128 x 128 on 128 multiprocessors: 256 blocks are two full waves.
  TuningSpec spec{{Entry("2048x2048x1024")}};
  ScheduleChoice same = Choose(spec, TestProblem("2048x2048x2048"));
  EXPECT_NEAR(same.expectedLoss, 0, 1e-9);
  // One row more is a row of tiles more: 272 blocks, a third wave of 16.
  ScheduleChoice ragged = Choose(spec, TestProblem("2049x2048x1024"));
  EXPECT_NEAR(ragged.expectedLoss, 1 - 2.125 / 3 / (2176.0 / 2049), 1e-9);
  EXPECT_EQ(ragged.fit, "tiles cover 6% more than the problem, the last wave is 13% full");
}

TEST(ScheduleFitTest, CountsPaddingAndWaves) {
  MatmulProblem problem = TestProblem("100x100x100");
  Schedule schedule = *ParseSchedule("direct bx=32 by=16 tm=1 tn=1");  // Tiles of 16 x 32.
  DeviceInfo device = TestDevice("sm_90", DeviceKind::kSimt);
  device.multiprocessors = 8;
  ScheduleFit fit = EstimateFit(problem, schedule, device);
  EXPECT_NEAR(fit.cover, 1.12 * 1.28, 1e-9);
  EXPECT_NEAR(fit.occupied, 28.0 / 32, 1e-9);  // 7 x 4 blocks, 8 at a time.
  EXPECT_NEAR(fit.lastWave, 0.5, 1e-9);
  device.multiprocessors = 0;
  EXPECT_EQ(EstimateFit(problem, schedule, device).Text(), "tiles cover 43% more than the problem");
}

TEST(DefaultScheduleTest, ExistsForEveryShapeAndDevice) {
  constexpr std::string_view kShapes[] = {"1x1x1",     "1x4096x64",   "4096x1x64",      "7x5x3",
                                          "33x130x47", "64x64x4",     "4096x4096x4096", "100000x16x100000",
                                          "128x128x1", "1x1x1000000", "2000000000x1x1", "1x2000000000x1"};
  for (std::string_view arch : {"sm_75", "sm_80", "sm_86", "sm_90"}) {
    for (DeviceKind kind : {DeviceKind::kCuda, DeviceKind::kSimt}) {
      for (std::string_view shape : kShapes) {
        SCOPED_TRACE(std::string(arch) + " " + std::string(shape));
        MatmulProblem problem = TestProblem(shape);
        DeviceInfo device = *ArchitectureLimits(arch);
        device.kind = kind;
        absl::StatusOr<Schedule> schedule = DefaultSchedule(problem, device);
        ASSERT_TRUE(schedule.ok()) << schedule.status();
        EXPECT_TRUE(ValidateSchedule(problem, *schedule, device).ok());
      }
    }
  }
}

TEST(DefaultScheduleTest, ExistsForProblemsThatAreNotPlain) {
  MatmulProblem problem = TestProblem("100x200x300");
  problem.batch = 3;
  problem.transpose_b = true;
  problem.epilogue = *ParseEpilogue("bias,add,scale:0.5,relu");
  absl::StatusOr<Schedule> schedule = DefaultSchedule(problem, Gpu());
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  EXPECT_EQ(schedule->family, "fma");
}

BlockTile TileOfDefault(std::string_view shape) {
  const MatmulProblem problem = TestProblem(shape);
  return DescribeSchedule(problem, *DefaultSchedule(problem, Gpu()))->tile;
}

TEST(DefaultScheduleTest, TilesGrowWithTheProblem) {
  BlockTile small = TileOfDefault("64x64x64");
  BlockTile large = TileOfDefault("4096x4096x4096");
  BlockTile row = TileOfDefault("1x4096x4096");
  EXPECT_LE(small.m * small.n, 64 * 64);
  EXPECT_GE(large.m * large.n, 64 * 128);
  EXPECT_LE(row.m, 4);
}

TEST(DefaultScheduleTest, SaysWhatNoKernelTakes) {
  absl::StatusOr<Schedule> schedule = DefaultSchedule(TestProblem("3000000000x1x1"), Gpu());
  ASSERT_FALSE(schedule.ok());
  EXPECT_EQ(schedule.status().message(), "no schedule of any family supports 3000000000x1x1 on sm_90");
}

}  // namespace
}  // namespace mmtune
