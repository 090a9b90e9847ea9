// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/peak_gflops.h"

#include <gtest/gtest.h>

#include <limits>

namespace mmtune {
namespace {

DeviceInfo Gpu(std::string_view arch, int64_t multiprocessors, int64_t clock_khz) {
  DeviceInfo info = ArchitectureLimits(arch).value();
  info.kind = DeviceKind::kCuda;
  info.multiprocessors = multiprocessors;
  info.clock_khz = clock_khz;
  return info;
}

TEST(PeakGflops, IsTheOneOfTheDataSheet) {
  EXPECT_NEAR(PeakGflops(Gpu("sm_75", 40, 1'590'000), DataType::kF32), 8141, 1);      // T4
  EXPECT_NEAR(PeakGflops(Gpu("sm_80", 108, 1'410'000), DataType::kF32), 19492, 1);    // A100
  EXPECT_NEAR(PeakGflops(Gpu("sm_86", 82, 1'695'000), DataType::kF32), 35581, 1);     // RTX 3090
  EXPECT_NEAR(PeakGflops(Gpu("sm_89", 128, 2'520'000), DataType::kF32), 82575, 1);    // RTX 4090
  EXPECT_NEAR(PeakGflops(Gpu("sm_90", 132, 1'980'000), DataType::kF32), 66908, 1);    // H200
  EXPECT_NEAR(PeakGflops(Gpu("sm_120", 188, 2'617'000), DataType::kF32), 125951, 1);  // RTX PRO 6000
}

TEST(PeakGflops, OfTensorCoresIsTheOneOfTheDataSheet) {
  EXPECT_NEAR(PeakGflops(Gpu("sm_75", 40, 1'590'000), DataType::kF16), 65126, 1);     // T4
  EXPECT_NEAR(PeakGflops(Gpu("sm_80", 108, 1'410'000), DataType::kBf16), 311869, 1);  // A100
  EXPECT_NEAR(PeakGflops(Gpu("sm_80", 108, 1'410'000), DataType::kF32, MathMode::kTf32), 155935, 1);
  EXPECT_NEAR(PeakGflops(Gpu("sm_89", 142, 2'520'000), DataType::kBf16), 366428, 1);      // L40S
  EXPECT_NEAR(PeakGflops(Gpu("sm_90", 132, 1'830'000), DataType::kF16), 989430, 1);       // H100
  EXPECT_NEAR(PeakGflops(Gpu("sm_100", 148, 1'850'000), DataType::kF16), 2243000, 1000);  // B200
  EXPECT_NEAR(PeakGflops(Gpu("sm_120", 188, 2'617'000), DataType::kBf16), 503803, 1);     // RTX PRO 6000
  EXPECT_EQ(PeakGflops(Gpu("sm_75", 40, 1'590'000), DataType::kF32, MathMode::kTf32), 0);
}

TEST(MultiplyAddsPerCycle, AreThoseOfTheNewestArchitectureThatIsNotNewer) {
  EXPECT_EQ(MultiplyAddsPerCycle(80, DataType::kF32), 64);
  EXPECT_EQ(MultiplyAddsPerCycle(90, DataType::kF32), 128);
  EXPECT_EQ(MultiplyAddsPerCycle(95, DataType::kBf16), 2048);
  EXPECT_EQ(MultiplyAddsPerCycle(90, DataType::kF32, MathMode::kTf32x3), 1024 / 3);
  EXPECT_EQ(MultiplyAddsPerCycle(70, DataType::kF32), 64);
}

TEST(PeakGflops, IsUnknownWhereAnInputIs) {
  EXPECT_EQ(PeakGflops(Gpu("sm_90", 132, 0), DataType::kF32), 0);
  DeviceInfo info = Gpu("sm_90", 132, 1'980'000);
  info.kind = DeviceKind::kSimt;
  EXPECT_EQ(PeakGflops(info, DataType::kF32), 0);
  info.kind = DeviceKind::kCuda;
  info.arch = "sm_130";
  EXPECT_EQ(PeakGflops(info, DataType::kF32), 0);
  // The lanes are those of the device, not of the code that it is given.
  EXPECT_EQ(PeakGflops(StandInFor(Gpu("sm_90", 132, 1'980'000), "sm_80").value(), DataType::kF32), 0);
}

TEST(MostGflops, IsThePeakAndAQuarterWhereThatIsKnown) {
  const DeviceInfo h200 = Gpu("sm_90", 132, 1'980'000);
  EXPECT_NEAR(MostGflops(h200, DataType::kF32), 1.25 * 66908, 1);
  EXPECT_NEAR(MostGflops(Gpu("sm_80", 108, 1'410'000), DataType::kF32), 1.25 * 19492, 1);
  // Of another architecture, or for the code of one, as if it had the lanes of the widest.
  EXPECT_NEAR(MostGflops(StandInFor(h200, "sm_80").value(), DataType::kF32), 1.25 * 66908, 1);
}

TEST(MostGflops, OfTheSimtDeviceGoesByItsThreads) {
  DeviceInfo info;
  info.multiprocessors = 2;
  EXPECT_EQ(MostGflops(info, DataType::kF32), 1024);
}

TEST(MostGflops, HasABoundWhateverTheDeviceSays) {
  for (DeviceKind kind : {DeviceKind::kCuda, DeviceKind::kSimt}) {
    for (int64_t nonsense : {int64_t{-7}, int64_t{0}, std::numeric_limits<int64_t>::max()}) {
      DeviceInfo info;
      info.kind = kind;
      info.multiprocessors = info.clock_khz = nonsense;
      EXPECT_EQ(MostGflops(info, DataType::kF32), kMostGflops) << nonsense;
    }
  }
}

}  // namespace
}  // namespace mmtune
