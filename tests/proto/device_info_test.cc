// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/device_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "proto/types/device_check.h"

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

TEST(DeviceInfo, TheClassKeySeparatesWhatChangesMeasurements) {
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

TEST(DeviceInfo, TheClassKeyIsTheSameForTwoDevicesOfAKind) {
  DeviceInfo other = SomeDevice();
  other.uuid = "GPU-2";
  other.driver = "13.0";
  EXPECT_EQ(other.ClassKey(), SomeDevice().ClassKey());
}

TEST(CheckDevice, NamesWhatNoDeviceHas) {
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
}

TEST(ArchitectureLimits, AreThoseOfTheProgrammingGuide) {
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

TEST(ArchitectureLimits, AnUnknownArchitectureIsRefusedWithTheKnownOnes) {
  for (const char* arch : {"", "sm_70", "sm_80a", "sm_90b", "gfx90a"}) {
    EXPECT_THAT(std::string(ArchitectureLimits(arch).status().message()),
                HasSubstr("known: sm_75, sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_120, sm_120a"))
        << arch;
  }
}

TEST(StandInFor, TheSimtDeviceTakesTheLimitsOfTheArchitectureAndStaysItself) {
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
  EXPECT_EQ(StandInFor(device, "sm_75").value(), wanted);
  EXPECT_EQ(StandInFor(device, "").value(), device);
  EXPECT_EQ(StandInFor(device, "sm_80").value(), device);
  EXPECT_TRUE(StandInFor(device, "sm_90").ok());  // It is no GPU: newer ones too.
  EXPECT_EQ(StandInFor(device, "sm_1").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(StandInFor, ACudaDeviceKeepsItsLimitsAndRunsOlderCodeOnly) {
  DeviceInfo device = ArchitectureLimits("sm_86").value();
  device.kind = DeviceKind::kCuda;
  device.name = "GPU";
  DeviceInfo older = StandInFor(device, "sm_80").value();
  EXPECT_EQ(older.arch, "sm_80");
  EXPECT_EQ(older.shared_bytes_per_block, device.shared_bytes_per_block);
  EXPECT_THAT(std::string(StandInFor(device, "sm_90").status().message()), HasSubstr("newer than GPU (sm_86)"));
}

TEST(StandInFor, OneChipsCodeIsForThatChipAlone) {
  DeviceInfo device = ArchitectureLimits("sm_90").value();
  device.kind = DeviceKind::kCuda;
  device.name = "GPU";
  EXPECT_EQ(StandInFor(device, "sm_90a")->arch, "sm_90a");
  EXPECT_EQ(ArchitectureLimits("sm_90a")->shared_bytes_per_block, device.shared_bytes_per_block);
  device.arch = "sm_100";
  EXPECT_THAT(std::string(StandInFor(device, "sm_90a").status().message()),
              HasSubstr("sm_90a is for devices of sm_90 alone, and GPU is sm_100"));
  device.kind = DeviceKind::kSimt;
  EXPECT_TRUE(StandInFor(device, "sm_90a").ok());
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
}  // namespace mmtune
