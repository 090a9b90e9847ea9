// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/compile_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mmtune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

DeviceInfo Device(DeviceKind kind, const std::string& name, const std::string& arch) {
  DeviceInfo device = ArchitectureLimits(arch).value();
  device.kind = kind;
  device.name = name;
  return device;
}

const DeviceInfo kH100 = Device(DeviceKind::kCuda, "NVIDIA H100", "sm_90");
const DeviceInfo kH200 = Device(DeviceKind::kCuda, "NVIDIA H200", "sm_90");
const DeviceInfo kA100 = Device(DeviceKind::kCuda, "NVIDIA A100", "sm_80");
const DeviceInfo kSimt = Device(DeviceKind::kSimt, "simt-cpu (here)", "sm_80");

TuningSpec Spec(const std::vector<DeviceInfo>& devices) {
  TuningSpec spec;
  for (const DeviceInfo& device : devices) {
    TuningSpecEntry entry;
    entry.problem = MatmulProblem{4, 5, 6};
    entry.device = device;
    entry.median_ns = 100.0 + static_cast<double>(spec.entries.size());
    entry.code_digest = "digest";
    spec.entries.push_back(entry);
  }
  return spec;
}

HostDevices Host(const std::vector<DeviceInfo>& cuda) {
  return {[cuda] { return cuda; },
          [](const std::string& arch) { return Device(DeviceKind::kSimt, "simt-cpu (here)", arch); }};
}

CompileOptions Options(const std::string& device, const std::string& arch) {
  CompileOptions options;
  options.device = device;
  options.arch = arch;
  return options;
}

std::string Error(const CompileOptions& options, TuningSpec spec = {}, const std::vector<DeviceInfo>& cuda = {}) {
  return std::string(ChooseTarget(options, Host(cuda), &spec).status().message());
}

TEST(TargetDeviceTest, AnArchAloneIsACudaDevice) {
  TuningSpec none;
  EXPECT_EQ(ChooseTarget(Options("", "sm_90"), Host({}), &none)->kind, DeviceKind::kCuda);
  EXPECT_EQ(ChooseTarget(Options("auto", "sm_90"), Host({}), &none)->kind, DeviceKind::kCuda);
  EXPECT_EQ(ChooseTarget(Options("simt", ""), Host({}), &none)->arch, "sm_80");
  EXPECT_EQ(ChooseTarget(Options("simt", "sm_75"), Host({}), &none)->arch, "sm_75");
  EXPECT_EQ(ChooseTarget(Options("cuda:1", ""), Host({kA100, kH200}), &none)->arch, "sm_90");
}

TEST(TargetDeviceTest, RejectsInvalidTargets) {
  EXPECT_THAT(Error(Options("", "")), HasSubstr("give --arch"));
  EXPECT_THAT(Error(Options("", ""), {}, {kH100}), HasSubstr("give --arch"));
  EXPECT_THAT(Error(Options("cuda", "")), HasSubstr("no device cuda here"));
  EXPECT_THAT(Error(Options("", "sm_123")), AllOf(HasSubstr("sm_123"), HasSubstr("sm_90"), HasSubstr("sm_75")));
  EXPECT_THAT(Error(Options("toaster", "")), HasSubstr("toaster"));
}

TEST(TargetDeviceTest, TheDeviceOfTheSpecIsTaken) {
  TuningSpec spec = Spec({kA100, kH200, kSimt});
  EXPECT_EQ(ChooseTarget(Options("", "sm_90"), Host({}), &spec)->ClassKey(), kH200.ClassKey());
  EXPECT_EQ(ChooseTarget(Options("simt", ""), Host({}), &spec)->ClassKey(), kSimt.ClassKey());
}

TEST(TargetDeviceTest, PrefersNamedDeviceThenThisMachines) {
  TuningSpec spec = Spec({kH100, kH200});
  EXPECT_THAT(Error(Options("", "sm_90"), spec),
              AllOf(HasSubstr("several devices"), HasSubstr("H100"), HasSubstr("H200"), HasSubstr("--device-name")));
  EXPECT_EQ(ChooseTarget(Options("", "sm_90"), Host({kA100, kH200}), &spec)->name, "NVIDIA H200");
  CompileOptions named = Options("", "sm_90");
  named.device_name = "H100";
  EXPECT_EQ(ChooseTarget(named, Host({kH200}), &spec)->name, "NVIDIA H100");
  named.device_name = "B200";
  EXPECT_THAT(Error(named, spec), HasSubstr("B200"));
}

TEST(TargetDeviceTest, OneChipsTargetTakesThePortableSchedules) {
  TuningSpec spec = Spec({kA100, kH200});
  const DeviceInfo target = ChooseTarget(Options("", "sm_90a"), Host({kH200}), &spec).value();
  EXPECT_EQ(target.arch, "sm_90a");
  EXPECT_EQ(target.name, "NVIDIA H200");
  EXPECT_EQ(spec.entries[1].device.ClassKey(), target.ClassKey());
  EXPECT_EQ(spec.entries[1].code_digest, "");
  EXPECT_EQ(spec.entries[0].device, kA100);
  // Its own come first, of several devices this machine's, and what is one chip's is nobody else's.
  const DeviceInfo own = Device(DeviceKind::kCuda, "NVIDIA H100", "sm_90a");
  spec = Spec({kH200, own});
  EXPECT_EQ(ChooseTarget(Options("", "sm_90a"), Host({}), &spec)->name, "NVIDIA H100");
  EXPECT_EQ(spec.entries[1].code_digest, "digest");
  EXPECT_EQ(spec.entries[0].device, kH200);
  // A problem that has none of its own takes the same device's portable one.
  spec = Spec({kH100, kH100, own});
  spec.entries[0].problem.m += 1;
  EXPECT_EQ(ChooseTarget(Options("", "sm_90a"), Host({}), &spec)->name, "NVIDIA H100");
  EXPECT_EQ(spec.entries[0].device, own);
  EXPECT_EQ(spec.entries[0].code_digest, "");
  EXPECT_EQ(spec.entries[1].device, kH100);
  EXPECT_EQ(spec.entries[2].code_digest, "digest");
  spec = Spec({kH100, kH200});
  EXPECT_EQ(ChooseTarget(Options("", "sm_90a"), Host({kH200}), &spec)->name, "NVIDIA H200");
  EXPECT_THAT(Error(Options("", "sm_90"), Spec({own})), HasSubstr("no schedules for cuda sm_90;"));
}

TEST(TargetDeviceTest, ASpecOfOtherDevicesIsRefusedUnlessAllowed) {
  TuningSpec spec = Spec({kH200, kH100});
  for (TuningSpecEntry& entry : spec.entries) entry.toolchain.assembler = "ptxas 13.0";
  EXPECT_THAT(Error(Options("", "sm_80"), spec),
              AllOf(HasSubstr("no schedules for cuda sm_80"), HasSubstr("NVIDIA H200"), HasSubstr("--allow-other")));
  CompileOptions allowed = Options("", "sm_80");
  allowed.allow_other_device = true;
  const DeviceInfo target = ChooseTarget(allowed, Host({}), &spec).value();
  EXPECT_EQ(target.arch, "sm_80");
  ASSERT_EQ(spec.entries.size(), 1u);
  EXPECT_EQ(spec.entries[0].device.ClassKey(), target.ClassKey());
  EXPECT_EQ(spec.entries[0].median_ns, 100.0);
  EXPECT_EQ(spec.entries[0].code_digest, "");
  EXPECT_EQ(spec.entries[0].toolchain, Toolchain());
}

}  // namespace
}  // namespace mmtune
