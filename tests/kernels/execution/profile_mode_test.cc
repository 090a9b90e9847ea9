// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of the SIMT device's profile mode, of kernels for which they are known by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "kernels/compiler/compiler.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/gpu_module_compiler.h"

namespace mmtune::simt {
namespace {

CompileTarget ProfileTarget(const Device& device) {
  CompileTarget target;
  target.device = device.info();
  target.race_detection = target.profile = true;
  return target;
}

std::string ModuleText() {
  std::ifstream file(PROFILE_MODE_MODULE);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ProfileModeTest : public testing::Test {
 protected:
  ProfileModeTest() {
    device_ = *SimtDevice::Create({.arch = "sm_90", .profile = true});
    buffer_ = *device_->Allocate(1 << 16);
  }

  void SetUp() override {
    ImageFormat format;
    auto image = CompileGpuModule(ModuleText(), PROFILE_MODE_MODULE, ProfileTarget(*device_), &format);
    ASSERT_TRUE(image.ok()) << image.status();
    auto module = device_->LoadModule(format, *image);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
  }

  /// Returns the counts of one block of a kernel with integers and a buffer as arguments.
  std::vector<PointCounters> Run(const char* kernel, std::vector<int32_t> numbers, uint32_t threads = 32) {
    std::vector<void*> arguments;
    for (int32_t& number : numbers) arguments.push_back(&number);
    arguments.push_back(&buffer_);
    arguments.push_back(&buffer_);
    LaunchShape shape;
    shape.block[0] = threads;
    auto function = module_->GetKernel(kernel);
    EXPECT_TRUE(function.ok()) << function.status();
    if (!function.ok()) return {};
    const absl::Status launched = device_->Launch(*function, shape, arguments.data());
    EXPECT_TRUE(launched.ok()) << launched;
    auto counters = static_cast<SimtDevice&>(*device_).TakeCounters();
    EXPECT_EQ(counters.size(), 1u);
    return counters.empty() ? std::vector<PointCounters>() : counters[0].points;
  }

  static PointCounters At(const std::vector<PointCounters>& points, const std::string& location, PointKind kind) {
    const auto point = std::find_if(points.begin(), points.end(),
                                    [&](const auto& one) { return one.location == location && one.kind == kind; });
    EXPECT_TRUE(point != points.end()) << location;
    return point == points.end() ? PointCounters() : *point;
  }

  std::unique_ptr<Device> device_;
  DevicePtr buffer_ = 0;
  std::unique_ptr<DeviceModule> module_;
};

// Free of conflicts, 2, 4, 8 and 32 ways; a stride of no words is a broadcast, an odd one has no conflicts.
TEST_F(ProfileModeTest, WavefrontsOfWordsFollowTheBanks) {
  for (const auto& [stride, ways] :
       {std::pair{1, 1}, {2, 2}, {4, 4}, {8, 8}, {32, 32}, {0, 1}, {33, 1}, {6, 2}, {16, 16}}) {
    SCOPED_TRACE(stride);
    const auto points = Run("shared_words", {stride}, 64);
    for (auto [location, kind] :
         {std::pair{"store a word", PointKind::kSharedStore}, {"load a word", PointKind::kSharedLoad}}) {
      const PointCounters point = At(points, location, kind);
      EXPECT_EQ(point.executions, 2u);  // Two warps.
      EXPECT_EQ(point.units, 2u * static_cast<uint32_t>(ways));
      EXPECT_EQ(point.ideal, 2u);
      EXPECT_EQ(point.bytes, 256u);
      EXPECT_EQ(point.lane_bytes, 4u);
    }
    EXPECT_EQ(At(points, "meet", PointKind::kBarrier).executions, 2u);
    const PointCounters result = At(points, "store the result", PointKind::kGlobalStore);
    EXPECT_EQ(result.units, 8u);
    EXPECT_EQ(result.ideal, 8u);
  }
}

TEST_F(ProfileModeTest, VectorsAreServedByHalvesAndQuartersOfAWarp) {
  // Side by side: 2 parts of 128 bytes, and 4.
  auto points = Run("shared_vectors", {4});
  PointCounters two = At(points, "load two words", PointKind::kSharedLoad);
  PointCounters four = At(points, "load four words", PointKind::kSharedLoad);
  EXPECT_EQ(two.units, 4u);  // 8 bytes of each 16: two lanes of a half meet in a bank.
  EXPECT_EQ(two.ideal, 2u);
  EXPECT_EQ(four.units, 4u);
  EXPECT_EQ(four.ideal, 4u);
  // Aligned to a word: four instructions, 4 ways each.
  PointCounters split = At(points, "load four words one by one", PointKind::kSharedLoad);
  EXPECT_EQ(split.executions, 4u);
  EXPECT_EQ(split.lane_bytes, 4u);
  EXPECT_EQ(split.units, 16u);
  EXPECT_EQ(split.ideal, 4u);
  // One address for all: a broadcast in each part, which the hardware merges by pairs.
  points = Run("shared_vectors", {0});
  four = At(points, "load four words", PointKind::kSharedLoad);
  EXPECT_EQ(four.units, 4u);
  EXPECT_EQ(four.merged, 2u);
  // 128 bytes apart: all lanes of a quarter ask for the same banks.
  four = At(Run("shared_vectors", {32}), "load four words", PointKind::kSharedLoad);
  EXPECT_EQ(four.units, 32u);
  EXPECT_EQ(four.merged, 32u);
}

TEST_F(ProfileModeTest, SectorsTellHowFarAWarpsElementsLieApart) {
  struct Case {
    int32_t stride, offset;
    uint32_t sectors, ideal;
  };
  // Coalesced; shifted by a word; every 2nd and 8th element; a column of a matrix; one element for all.
  for (const Case& c : {Case{1, 0, 4, 4}, {1, 1, 5, 4}, {2, 0, 8, 4}, {8, 0, 32, 4}, {100, 0, 32, 4}, {0, 0, 1, 1}}) {
    SCOPED_TRACE(c.stride);
    const PointCounters point =
        At(Run("global_words", {c.stride, c.offset}), "load an element", PointKind::kGlobalLoad);
    EXPECT_EQ(point.executions, 1u);
    EXPECT_EQ(point.units, c.sectors);
    EXPECT_EQ(point.ideal, c.ideal);
  }
}

TEST_F(ProfileModeTest, LdmatrixReadsEightRowsAtOnce) {
  const PointCounters plain = At(Run("matrix", {0}), "read fragments", PointKind::kSharedLoad);
  EXPECT_EQ(plain.executions, 1u);
  EXPECT_EQ(plain.units, 32u);  // The 8 rows of each tile begin in one bank.
  EXPECT_EQ(plain.ideal, 4u);
  EXPECT_EQ(plain.operation, "nvvm.ldmatrix");
  const PointCounters swizzled = At(Run("matrix", {1}), "read fragments", PointKind::kSharedLoad);
  EXPECT_EQ(swizzled.units, 4u);
  EXPECT_EQ(swizzled.ideal, 4u);
}

TEST_F(ProfileModeTest, ACopyIsALoadAndAStore) {
  const auto points = Run("copies", {});
  const PointCounters read = At(points, "copy a tile", PointKind::kGlobalLoad);
  EXPECT_EQ(read.bytes, 31u * 16);
  EXPECT_EQ(read.units, 16u);
  const PointCounters written = At(points, "copy a tile", PointKind::kSharedStore);
  EXPECT_EQ(written.bytes, 32u * 16);
  EXPECT_EQ(written.units, 4u);
  EXPECT_EQ(written.ideal, 4u);
}

TEST_F(ProfileModeTest, LanesMeetInTheIterationThatTheyAreIn) {
  // Iteration i: lanes below 5 + i, one sector, two from i = 4 on.
  const auto points = Run("rounds", {6, 5});
  const PointCounters load = At(points, "load mine", PointKind::kGlobalLoad);
  EXPECT_EQ(load.executions, 6u);
  EXPECT_EQ(load.bytes, 4u * (5 + 6 + 7 + 8 + 9 + 10));
  EXPECT_EQ(load.units, 4u + 2 * 2);
  const PointCounters branch = At(points, "choose", PointKind::kBranch);
  EXPECT_EQ(branch.executions, 6u);
  EXPECT_EQ(branch.divergent, 6u);
  EXPECT_EQ(At(Run("rounds", {6, 32}), "choose", PointKind::kBranch).divergent, 0u);
}

TEST_F(ProfileModeTest, AThreadThatHasNoWarpOfItsOwnIsCountedWithFewerLanes) {
  const PointCounters point = At(Run("shared_words", {1}, 40), "load a word", PointKind::kSharedLoad);
  EXPECT_EQ(point.executions, 2u);
  EXPECT_EQ(point.bytes, 160u);
}

TEST_F(ProfileModeTest, OtherCodeAndOtherModesAreRefused) {
  CompileTarget checked = ProfileTarget(*device_);
  checked.profile = false;
  ImageFormat format;
  auto image = CompileGpuModule(ModuleText(), PROFILE_MODE_MODULE, checked, &format);
  ASSERT_TRUE(image.ok()) << image.status();
  auto module = *device_->LoadModule(format, *image);
  int32_t stride = 1;
  void* arguments[] = {&stride, &buffer_};
  LaunchShape shape;
  shape.block[0] = 32;
  const absl::Status refused = device_->Launch(*module->GetKernel("shared_words"), shape, arguments);
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(refused.message().find("not compiled for profiling"), refused.message().npos) << refused;
  EXPECT_FALSE(SimtDevice::Create({.race_detector = true, .profile = true}).ok());
}

}  // namespace
}  // namespace mmtune::simt
