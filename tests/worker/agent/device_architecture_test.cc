// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/device_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mmtune {
namespace {

using testing::HasSubstr;

TEST(GeneratedArchitecture, IsTheNewestThatTheDeviceRuns) {
  for (const char* known : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    EXPECT_EQ(GeneratedArchitecture(known).value(), known);
  }
  EXPECT_EQ(GeneratedArchitecture("sm_87").value(), "sm_86");
  EXPECT_EQ(GeneratedArchitecture("sm_88").value(), "sm_86");
  for (const char* newer : {"sm_103", "sm_110"}) EXPECT_EQ(GeneratedArchitecture(newer).value(), "sm_100") << newer;
  for (const char* newer : {"sm_121", "sm_130"}) EXPECT_EQ(GeneratedArchitecture(newer).value(), "sm_120") << newer;
}

TEST(GeneratedArchitecture, NoneForAnOlderDevice) {
  for (const char* older : {"sm_72", "sm_70", "sm_61", "volta", ""}) {
    absl::Status status = GeneratedArchitecture(older).status();
    EXPECT_TRUE(absl::IsNotFound(status)) << older;
    EXPECT_THAT(std::string(status.message()), HasSubstr("older than sm_75"));
  }
}

TEST(RunsCubin, WithinAMajorRevisionAndNotBackwards) {
  EXPECT_TRUE(RunsCubin("sm_90", "sm_90"));
  EXPECT_TRUE(RunsCubin("sm_89", "sm_80"));
  EXPECT_TRUE(RunsCubin("sm_86", "sm_80"));
  EXPECT_FALSE(RunsCubin("sm_80", "sm_86"));
  EXPECT_FALSE(RunsCubin("sm_90", "sm_80"));
  EXPECT_TRUE(RunsCubin("sm_121", "sm_120"));
  EXPECT_FALSE(RunsCubin("sm_120", "sm_90"));
  EXPECT_FALSE(RunsCubin("sm_110", "sm_100"));
  EXPECT_FALSE(RunsCubin("sm_80", "sm_75"));
  EXPECT_FALSE(RunsCubin("sm_90", "nothing"));
}

TEST(RunsCubin, OneChipsOnThatChipAlone) {
  EXPECT_TRUE(RunsCubin("sm_90", "sm_90a"));
  EXPECT_FALSE(RunsCubin("sm_103", "sm_100a"));
  EXPECT_FALSE(RunsCubin("sm_100", "sm_90a"));
}

TEST(TargetOn, OneChipsCodeIsRefusedWhereTheDeviceIsANewerChip) {
  WorkerDevice device;
  device.info = ArchitectureLimits("sm_100").value();
  device.info.kind = DeviceKind::kCuda;
  device.info.name = "GPU";
  device.native_arch = "sm_103";
  EXPECT_EQ(TargetOn(device, "")->arch, "sm_100");
  EXPECT_EQ(TargetOn(device, "sm_90")->arch, "sm_90");
  EXPECT_EQ(TargetOn(device, "sm_100a").status(),
            absl::InvalidArgumentError(
                "arch sm_100a is for devices of sm_100 alone, and GPU is sm_103: ask for sm_100 or older"));
  device.native_arch = "sm_100";
  EXPECT_EQ(TargetOn(device, "sm_100a")->arch, "sm_100a");
}

TEST(RunsCubin, AnythingWhereThereIsNoArchitectureOfItsOwn) {
  for (const char* arch : {"sm_75", "sm_90", ""}) EXPECT_TRUE(RunsCubin("", arch)) << arch;
}

TEST(RunsCubin, NotOnTegraUnlessMadeForIt) {
  EXPECT_FALSE(RunsCubin("sm_87", "sm_86"));
  EXPECT_FALSE(RunsCubin("sm_87", "sm_80"));
  EXPECT_TRUE(RunsCubin("sm_87", "sm_87"));
}

}  // namespace
}  // namespace mmtune
