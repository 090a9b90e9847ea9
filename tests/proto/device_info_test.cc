// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <string>

#include "proto/types/device_info.h"
#include "proto/types/validate.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

TEST(DeviceKinds, RoundTripByName) {
  for (DeviceKind kind : {DeviceKind::kCuda, DeviceKind::kSimt})
    EXPECT_EQ(*ParseDeviceKind(DeviceKindName(kind)), kind);
  EXPECT_EQ(DeviceKindName(DeviceKind::kCuda), "cuda");
  EXPECT_EQ(DeviceKindName(DeviceKind::kSimt), "simt");
  EXPECT_THAT(std::string(ParseDeviceKind("rocm").status().message()), HasSubstr("'rocm'; known: cuda, simt"));
}

TEST(DeviceInfo, ComputeCapabilityComesFromTheArchitecture) {
  auto of = [](const char* arch) {
    DeviceInfo info;
    info.arch = arch;
    return info.ComputeCapability();
  };
  EXPECT_EQ(of("sm_75"), 75);
  EXPECT_EQ(of("sm_90"), 90);
  EXPECT_EQ(of("sm_90a"), 90);
  EXPECT_EQ(of("sm_120"), 120);
  for (const char* text :
       {"", "sm_", "sm", "90", "compute_90", "sm_x", "sm_-5", "sm_90b", "sm_90aa", "sm_0", "SM_90"}) {
    EXPECT_EQ(of(text), 0) << text;
  }
}

DeviceInfo SomeDevice() {
  DeviceInfo info;
  info.kind = DeviceKind::kCuda;
  info.name = "NVIDIA A10";
  info.uuid = "GPU-1";
  info.arch = "sm_86";
  info.multiprocessors = 72;
  info.memory_bytes = int64_t{24} << 30;
  info.shared_bytes_per_block = 99 * 1024;
  info.shared_bytes_per_multiprocessor = 100 * 1024;
  info.l2_bytes = 6 << 20;
  info.driver = "12.4";
  return info;
}

TEST(DeviceInfo, ClassKeyDependsOnWhatChangesMeasurements) {
  std::set<std::string> keys{SomeDevice().ClassKey()};
  auto expect_other = [&keys](auto change) {
    DeviceInfo info = SomeDevice();
    change(info);
    EXPECT_TRUE(keys.insert(info.ClassKey()).second) << info.ClassKey();
  };
  expect_other([](DeviceInfo& d) { d.kind = DeviceKind::kSimt; });
  expect_other([](DeviceInfo& d) { d.name = "NVIDIA A10G"; });
  expect_other([](DeviceInfo& d) { d.arch = "sm_80"; });
  expect_other([](DeviceInfo& d) { d.multiprocessors = 80; });
  expect_other([](DeviceInfo& d) { d.max_threads_per_block = 512; });
  expect_other([](DeviceInfo& d) { d.max_threads_per_multiprocessor = 1536; });
  expect_other([](DeviceInfo& d) { d.registers_per_multiprocessor = 32768; });
  expect_other([](DeviceInfo& d) { d.shared_bytes_per_block = 48 * 1024; });
  expect_other([](DeviceInfo& d) { d.shared_bytes_per_multiprocessor = 64 * 1024; });
}

TEST(DeviceInfo, ClassKeyIgnoresUuidMemoryAndDriver) {
  DeviceInfo other = SomeDevice();
  other.uuid = "GPU-2";
  other.driver = "13.0";
  EXPECT_EQ(other.ClassKey(), SomeDevice().ClassKey());
}

TEST(CheckDevice, RefusesImpossibleFieldsByName) {
  EXPECT_TRUE(CheckDevice(SomeDevice()).ok()) << CheckDevice(SomeDevice());
  auto expect_named = [](const char* field, auto change) {
    DeviceInfo info = SomeDevice();
    change(info);
    EXPECT_EQ(CheckDevice(info).code(), absl::StatusCode::kInvalidArgument) << field;
    EXPECT_THAT(std::string(CheckDevice(info).message()), HasSubstr(field));
  };
  expect_named("name", [](DeviceInfo& d) { d.name = ""; });
  expect_named("name", [](DeviceInfo& d) { d.name = "NVIDIA\nA10"; });
  expect_named("uuid", [](DeviceInfo& d) { d.uuid = std::string(129, 'x'); });
  expect_named("driver", [](DeviceInfo& d) { d.driver = "\x1b[2J"; });
  expect_named("arch", [](DeviceInfo& d) { d.arch = "sm_"; });
  expect_named("multiprocessors", [](DeviceInfo& d) { d.multiprocessors = -1; });
  expect_named("multiprocessors", [](DeviceInfo& d) { d.multiprocessors = 0; });
  expect_named("memory_bytes", [](DeviceInfo& d) { d.memory_bytes = -5; });
  expect_named("memory_bytes", [](DeviceInfo& d) { d.memory_bytes = INT64_MAX; });
  expect_named("max_threads_per_block", [](DeviceInfo& d) { d.max_threads_per_block = 0; });
  expect_named("max_threads_per_multiprocessor", [](DeviceInfo& d) { d.max_threads_per_multiprocessor = -1; });
  expect_named("registers_per_multiprocessor", [](DeviceInfo& d) { d.registers_per_multiprocessor = -1; });
  expect_named("shared_bytes_per_block", [](DeviceInfo& d) { d.shared_bytes_per_block = -1; });
  expect_named("shared_bytes_per_multiprocessor", [](DeviceInfo& d) { d.shared_bytes_per_multiprocessor = -1; });
  expect_named("l2_bytes", [](DeviceInfo& d) { d.l2_bytes = -1; });
  expect_named("clock_khz", [](DeviceInfo& d) { d.clock_khz = -1; });
  expect_named("active_clusters_of_2", [](DeviceInfo& d) { d.active_clusters_of_2 = -1; });
  expect_named("active_clusters_of_4", [](DeviceInfo& d) { d.active_clusters_of_4 = 65537; });
}

TEST(ArchitectureLimits, MatchTheProgrammingGuide) {
  auto turing = ArchitectureLimits("sm_75");
  ASSERT_TRUE(turing.ok());
  EXPECT_EQ(turing->arch, "sm_75");
  EXPECT_EQ(turing->max_threads_per_block, 1024);
  EXPECT_EQ(turing->max_threads_per_multiprocessor, 1024);
  EXPECT_EQ(turing->shared_bytes_per_block, 65536);
  auto hopper = ArchitectureLimits("sm_90");
  ASSERT_TRUE(hopper.ok());
  EXPECT_EQ(hopper->max_threads_per_multiprocessor, 2048);
  EXPECT_EQ(hopper->registers_per_multiprocessor, 65536);
  EXPECT_EQ(hopper->shared_bytes_per_block, 232448);
  EXPECT_EQ(hopper->shared_bytes_per_multiprocessor, 233472);
  EXPECT_EQ(ArchitectureLimits("sm_80")->shared_bytes_per_block, 166912);
  EXPECT_EQ(ArchitectureLimits("sm_86")->shared_bytes_per_block, 101376);
  EXPECT_EQ(ArchitectureLimits("sm_89")->max_threads_per_multiprocessor, 1536);
  EXPECT_EQ(ArchitectureLimits("sm_100")->shared_bytes_per_multiprocessor, 233472);
  EXPECT_EQ(ArchitectureLimits("sm_120")->max_threads_per_multiprocessor, 1536);
}

TEST(ArchitectureLimits, RefusesUnknownArchitectureListingKnownOnes) {
  for (const char* arch : {"", "sm_70", "sm_80a", "sm_90b", "gfx90a"}) {
    EXPECT_THAT(std::string(ArchitectureLimits(arch).status().message()),
                HasSubstr("known: sm_75, sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_120, sm_120a"))
        << arch;
  }
}

TEST(TargetFor, SimtDeviceTakesLimitsAndKeepsIdentity) {
  DeviceInfo device = ArchitectureLimits("sm_80").value();
  device.kind = DeviceKind::kSimt;
  device.name = "simt-cpu";
  device.uuid = "simt-host";
  device.multiprocessors = 2;
  device.memory_bytes = 3;
  DeviceInfo wanted = ArchitectureLimits("sm_75").value();
  wanted.kind = device.kind;
  wanted.name = device.name;
  wanted.uuid = device.uuid;
  wanted.multiprocessors = 2;
  wanted.memory_bytes = 3;
  EXPECT_EQ(TargetFor(device, "sm_75").value(), wanted);
  EXPECT_EQ(TargetFor(device, "").value(), device);
  EXPECT_EQ(TargetFor(device, "sm_80").value(), device);
  EXPECT_TRUE(TargetFor(device, "sm_90").ok());  // It is no GPU: newer ones too.
  EXPECT_EQ(TargetFor(device, "sm_1").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(TargetFor, CudaDeviceKeepsLimitsAndRefusesNewerCode) {
  DeviceInfo device = ArchitectureLimits("sm_86").value();
  device.kind = DeviceKind::kCuda;
  device.name = "GPU";
  DeviceInfo older = TargetFor(device, "sm_80").value();
  EXPECT_EQ(older.arch, "sm_80");
  EXPECT_EQ(older.shared_bytes_per_block, device.shared_bytes_per_block);
  EXPECT_THAT(std::string(TargetFor(device, "sm_90").status().message()), HasSubstr("newer than GPU (sm_86)"));
}

TEST(TargetFor, ArchitectureSpecificCodeNeedsThatArchitecture) {
  DeviceInfo device = ArchitectureLimits("sm_90").value();
  device.kind = DeviceKind::kCuda;
  device.name = "GPU";
  EXPECT_EQ(TargetFor(device, "sm_90a")->arch, "sm_90a");
  EXPECT_EQ(ArchitectureLimits("sm_90a")->shared_bytes_per_block, device.shared_bytes_per_block);
  device.arch = "sm_100";
  EXPECT_THAT(std::string(TargetFor(device, "sm_90a").status().message()),
              HasSubstr("sm_90a is for devices of sm_90 alone, and GPU is sm_100"));
  device.kind = DeviceKind::kSimt;
  EXPECT_TRUE(TargetFor(device, "sm_90a").ok());
}

TEST(DeviceSelectors, RoundTrip) {
  using Kind = DeviceSelector::Kind;
  struct Case {
    const char* text;
    Kind kind;
    int index;
  };
  for (const Case& c : {Case{"auto", Kind::kAuto, -1}, Case{"simt", Kind::kSimt, -1}, Case{"cuda", Kind::kCuda, -1},
                        Case{"cuda:0", Kind::kCuda, 0}, Case{"cuda:15", Kind::kCuda, 15}}) {
    auto selector = ParseDeviceSelector(c.text);
    ASSERT_TRUE(selector.ok()) << c.text;
    EXPECT_EQ(selector->kind, c.kind);
    EXPECT_EQ(selector->index, c.index);
    EXPECT_EQ(selector->arch, "");
    EXPECT_EQ(DeviceSelectorText(*selector), c.text);
  }
}

TEST(DeviceSelectors, RefuseAnythingElse) {
  for (const char* text : {"", "CUDA", "gpu", "cuda:", "cuda:-1", "cuda:+1", "cuda:1x", "cuda: 1", "cuda:99999999999",
                           "cuda1", "simt:0", "auto ", "cuda:0:1"}) {
    auto selector = ParseDeviceSelector(text);
    EXPECT_EQ(selector.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(selector.status().message()), HasSubstr("known: auto, cuda, cuda:<index>, simt"));
  }
}

}  // namespace

namespace {

DeviceInfo Gpu(std::string_view arch, int64_t multiprocessors, int64_t clock_khz) {
  DeviceInfo info = ArchitectureLimits(arch).value();
  info.kind = DeviceKind::kCuda;
  info.multiprocessors = multiprocessors;
  info.clock_khz = clock_khz;
  return info;
}

TEST(PeakGflops, MatchesDataSheetsForF32) {
  EXPECT_NEAR(PeakGflops(Gpu("sm_75", 40, 1'590'000), DataType::kF32), 8141, 1);      // T4
  EXPECT_NEAR(PeakGflops(Gpu("sm_80", 108, 1'410'000), DataType::kF32), 19492, 1);    // A100
  EXPECT_NEAR(PeakGflops(Gpu("sm_86", 82, 1'695'000), DataType::kF32), 35581, 1);     // RTX 3090
  EXPECT_NEAR(PeakGflops(Gpu("sm_89", 128, 2'520'000), DataType::kF32), 82575, 1);    // RTX 4090
  EXPECT_NEAR(PeakGflops(Gpu("sm_90", 132, 1'980'000), DataType::kF32), 66908, 1);    // H200
  EXPECT_NEAR(PeakGflops(Gpu("sm_120", 188, 2'617'000), DataType::kF32), 125951, 1);  // RTX PRO 6000
}

TEST(PeakGflops, MatchesDataSheetsForTensorCores) {
  EXPECT_NEAR(PeakGflops(Gpu("sm_75", 40, 1'590'000), DataType::kF16), 65126, 1);     // T4
  EXPECT_NEAR(PeakGflops(Gpu("sm_80", 108, 1'410'000), DataType::kBf16), 311869, 1);  // A100
  EXPECT_NEAR(PeakGflops(Gpu("sm_80", 108, 1'410'000), DataType::kF32, MathMode::kTf32), 155935, 1);
  EXPECT_NEAR(PeakGflops(Gpu("sm_89", 142, 2'520'000), DataType::kBf16), 366428, 1);      // L40S
  EXPECT_NEAR(PeakGflops(Gpu("sm_90", 132, 1'830'000), DataType::kF16), 989430, 1);       // H100
  EXPECT_NEAR(PeakGflops(Gpu("sm_100", 148, 1'850'000), DataType::kF16), 2243000, 1000);  // B200
  EXPECT_NEAR(PeakGflops(Gpu("sm_120", 188, 2'617'000), DataType::kBf16), 503803, 1);     // RTX PRO 6000
  EXPECT_EQ(PeakGflops(Gpu("sm_75", 40, 1'590'000), DataType::kF32, MathMode::kTf32), 0);
}

TEST(PeakGflops, MatchesDataSheetsForS8AndF64) {
  EXPECT_NEAR(PeakGflops(Gpu("sm_75", 40, 1'590'000), DataType::kS8), 130252, 1);     // T4
  EXPECT_NEAR(PeakGflops(Gpu("sm_80", 108, 1'410'000), DataType::kS8), 623739, 1);    // A100
  EXPECT_NEAR(PeakGflops(Gpu("sm_90", 132, 1'830'000), DataType::kS8), 1978860, 10);  // H100
  EXPECT_NEAR(PeakGflops(Gpu("sm_80", 108, 1'410'000), DataType::kF64), 19492, 1);    // A100, on tensor cores
  EXPECT_NEAR(PeakGflops(Gpu("sm_90", 132, 1'980'000), DataType::kF64), 66908, 1);    // H200, on tensor cores
  EXPECT_NEAR(PeakGflops(Gpu("sm_89", 128, 2'520'000), DataType::kF64), 1290, 1);     // RTX 4090
}

TEST(MultiplyAddsPerCycle, UsesTheNewestArchitectureThatIsNotNewer) {
  EXPECT_EQ(MultiplyAddsPerCycle(80, DataType::kF32), 64);
  EXPECT_EQ(MultiplyAddsPerCycle(90, DataType::kF32), 128);
  EXPECT_EQ(MultiplyAddsPerCycle(95, DataType::kBf16), 2048);
  EXPECT_EQ(MultiplyAddsPerCycle(90, DataType::kF32, MathMode::kTf32x3), 1024 / 3);
  EXPECT_EQ(MultiplyAddsPerCycle(70, DataType::kF32), 64);
}

TEST(PeakGflops, IsUnknownWhereAnInputIsUnknown) {
  EXPECT_EQ(PeakGflops(Gpu("sm_90", 132, 0), DataType::kF32), 0);
  DeviceInfo info = Gpu("sm_90", 132, 1'980'000);
  info.kind = DeviceKind::kSimt;
  EXPECT_EQ(PeakGflops(info, DataType::kF32), 0);
  info.kind = DeviceKind::kCuda;
  info.arch = "sm_130";
  EXPECT_EQ(PeakGflops(info, DataType::kF32), 0);
  // The lanes are those of the device, not of the code that it is given.
  EXPECT_EQ(PeakGflops(TargetFor(Gpu("sm_90", 132, 1'980'000), "sm_80").value(), DataType::kF32), 0);
}

TEST(PlausibleGflopsLimit, IsFiveQuartersOfAKnownPeak) {
  const DeviceInfo h200 = Gpu("sm_90", 132, 1'980'000);
  EXPECT_NEAR(PlausibleGflopsLimit(h200, DataType::kF32), 1.25 * 66908, 1);
  EXPECT_NEAR(PlausibleGflopsLimit(Gpu("sm_80", 108, 1'410'000), DataType::kF32), 1.25 * 19492, 1);
  // Unknown architectures count as if they had the widest units.
  EXPECT_NEAR(PlausibleGflopsLimit(TargetFor(h200, "sm_80").value(), DataType::kF32), 1.25 * 66908, 1);
}

TEST(PlausibleGflopsLimit, DependsOnThreadsForTheSimtDevice) {
  DeviceInfo info;
  info.multiprocessors = 2;
  EXPECT_EQ(PlausibleGflopsLimit(info, DataType::kF32), 1024);
}

TEST(PlausibleGflopsLimit, IsBoundedForAnyDevice) {
  for (DeviceKind kind : {DeviceKind::kCuda, DeviceKind::kSimt}) {
    for (int64_t nonsense : {int64_t{-7}, int64_t{0}, std::numeric_limits<int64_t>::max()}) {
      DeviceInfo info;
      info.kind = kind;
      info.multiprocessors = info.clock_khz = nonsense;
      EXPECT_EQ(PlausibleGflopsLimit(info, DataType::kF32), kMaxPlausibleGflops) << nonsense;
    }
  }
}

}  // namespace
}  // namespace mmtune
