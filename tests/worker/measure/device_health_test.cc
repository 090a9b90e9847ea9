// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Certificates: the judge by itself, and the watch over a stand-in for NVML (fake_nvml.cc).
#include "worker/measure/device_health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

HealthSample Healthy() {
  HealthSample sample;
  sample.sm_clock_mhz = 1980;
  sample.memory_clock_mhz = 3201;
  sample.temperature_c = 50;
  sample.other_processes = 0;
  return sample;
}

struct HealthCase {
  std::string name;
  std::function<void(HealthSample& before, HealthSample& after)> change;
  std::string finding;
};

class FindHealthProblemTable : public testing::TestWithParam<HealthCase> {};

TEST_P(FindHealthProblemTable, FindsWhatMatters) {
  HealthSample before = Healthy(), after = Healthy();
  GetParam().change(before, after);
  EXPECT_EQ(FindHealthProblem(before, after), GetParam().finding);
}

using S = HealthSample;
INSTANTIATE_TEST_SUITE_P(
    All, FindHealthProblemTable,
    testing::Values(
        HealthCase{"Nothing", [](S&, S&) {}, ""},  //
        HealthCase{"AllUnknown", [](S& b, S& a) { b = a = S(); }, ""},
        HealthCase{"UnknownAfter", [](S&, S& a) { a = S(); }, ""},
        HealthCase{"Warmer", [](S&, S& a) { a.temperature_c = 90; }, ""},
        HealthCase{"PowerCap", [](S&, S& a) { a.throttle_reasons = {"SW power cap"}; }, ""},
        HealthCase{"SetClocks",
                   [](S& b, S& a) { b.throttle_reasons = a.throttle_reasons = {"applications clocks setting"}; }, ""},
        HealthCase{"HwSlowdown", [](S& b, S&) { b.throttle_reasons = {"HW slowdown"}; }, "HW slowdown"},
        HealthCase{"Thermal", [](S&, S& a) { a.throttle_reasons = {"SW thermal slowdown", "HW thermal slowdown"}; },
                   "SW thermal slowdown; HW thermal slowdown"},
        HealthCase{"PowerBrake", [](S&, S& a) { a.throttle_reasons = {"HW power brake"}; }, "HW power brake"},
        HealthCase{"ClockWithinTolerance", [](S&, S& a) { a.sm_clock_mhz = 1935; }, ""},
        HealthCase{"ClockFell", [](S&, S& a) { a.sm_clock_mhz = 1900; }, "SM clock 1980 MHz before and 1900 MHz after"},
        HealthCase{"ClockRose",
                   [](S& b, S&) {
                     b.sm_clock_mhz = 345;
                     b.throttle_reasons = {"idle"};
                   },
                   "SM clock 345 MHz before and 1980 MHz after"},
        HealthCase{"ClockFellUnderThePowerCap",
                   [](S&, S& a) {
                     a.sm_clock_mhz = 1500;
                     a.throttle_reasons = {"SW power cap"};
                   },
                   ""},
        HealthCase{"IdleAgain",
                   [](S&, S& a) {
                     a.sm_clock_mhz = 345;
                     a.memory_clock_mhz = 405;
                     a.throttle_reasons = {"idle"};
                   },
                   ""},
        HealthCase{"MemoryClock", [](S&, S& a) { a.memory_clock_mhz = 3200; },
                   "memory clock 3201 MHz before and 3200 MHz after"},
        HealthCase{"AnotherProcess", [](S&, S& a) { a.other_processes = 1; }, "another process computes on the device"},
        HealthCase{"ProcessesThatEnded", [](S& b, S&) { b.other_processes = 2; },
                   "2 other processes compute on the device"}),
    [](const auto& info) { return info.param.name; });

TEST(ThrottleReasonNamesTest, NamesEveryBit) {
  EXPECT_THAT(ThrottleReasonNames(0), IsEmpty());
  EXPECT_THAT(ThrottleReasonNames(0x1ff),
              ElementsAre("idle", "applications clocks setting", "SW power cap", "HW slowdown", "sync boost",
                          "SW thermal slowdown", "HW thermal slowdown", "HW power brake", "display clock setting"));
  EXPECT_THAT(ThrottleReasonNames(0x604), ElementsAre("SW power cap", "0x600"));
}

TEST(CountOthersTest, OursAreNoOthers) {
  auto ours = [](int64_t pid) { return pid == 8; };
  EXPECT_EQ(CountOthers({}, 7, ours), -1) << "hidden: this process is none of them";
  EXPECT_EQ(CountOthers({7}, 7, ours), 0);
  EXPECT_EQ(CountOthers({7, 8}, 7, ours), 0);
  EXPECT_EQ(CountOthers({7, 8, 9, 10}, 7, ours), 2);
}

TEST(CountOthersTest, OneOfAnotherNameSpaceIsThisProcess) {
  auto ours = [](int64_t) { return false; };
  EXPECT_EQ(CountOthers({900}, 7, ours), 0);
  EXPECT_EQ(CountOthers({900, 901}, 7, ours), 1);
}

class DeviceHealthTest : public testing::Test {
 protected:
  DeviceHealthTest() {
    device_.kind = DeviceKind::kCuda;
    device_.uuid = "GPU-1234";
    Set("UUID", device_.uuid);
    Set("SM_CLOCKS", "1980");
    Set("MEMORY_CLOCKS", "3201");
    Set("REASONS", "0");
    Set("PIDS", absl::StrCat(getpid()));
  }
  ~DeviceHealthTest() override {
    for (const std::string& name : set_) unsetenv(name.c_str());
  }
  void Set(const std::string& name, const std::string& value) {
    set_.push_back("FAKE_NVML_" + name);
    setenv(set_.back().c_str(), value.c_str(), 1);
  }
  HealthReport Watch(const std::string& library = FAKE_NVML_LIBRARY) {
    DeviceHealth health(device_, library);
    health.Before();
    return health.After();
  }

  DeviceInfo device_;
  std::vector<std::string> set_;
};

TEST_F(DeviceHealthTest, AHealthyDeviceHasACertificate) {
  Set("REASONS", "0x4");
  const HealthReport report = Watch();
  EXPECT_EQ(report.source, "NVML 580.65.06");
  EXPECT_EQ(report.reason, "");
  EXPECT_EQ(report.finding, "");
  EXPECT_EQ(report.before, report.after);
  EXPECT_EQ(report.after.sm_clock_mhz, 1980);
  EXPECT_EQ(report.after.memory_clock_mhz, 3201);
  EXPECT_EQ(report.after.temperature_c, 55);
  EXPECT_EQ(report.after.power_mw, 612345);
  EXPECT_EQ(report.after.other_processes, 0);
  EXPECT_THAT(report.after.throttle_reasons, ElementsAre("SW power cap"));
}

TEST_F(DeviceHealthTest, AThrottledDeviceIsFound) {
  Set("SM_CLOCKS", "1980,1200");
  Set("REASONS", "0,0x40");
  EXPECT_EQ(Watch().finding, "HW thermal slowdown; SM clock 1980 MHz before and 1200 MHz after");
}

TEST_F(DeviceHealthTest, AProcessOfAnotherExecutableIsFound) {
  Set("PIDS", absl::StrCat(getpid(), ",1"));
  EXPECT_EQ(Watch().finding, "another process computes on the device");
}

TEST_F(DeviceHealthTest, MoreProcessesThanWereExpectedAreCounted) {
  std::string pids = absl::StrCat(getpid());
  for (int i = 0; i < 40; ++i) absl::StrAppend(&pids, ",1");
  Set("PIDS", pids);
  EXPECT_EQ(Watch().after.other_processes, 40);
}

TEST_F(DeviceHealthTest, AMigInstanceIsWatchedThroughItsDevice) {
  device_.uuid = "GPU-5678";
  Set("MIG_UUID", "MIG-5678");
  const HealthReport report = Watch();
  EXPECT_EQ(report.source, "NVML 580.65.06");
  EXPECT_EQ(report.after.sm_clock_mhz, 1980);
  EXPECT_EQ(report.after.other_processes, 0);
}

TEST_F(DeviceHealthTest, AMigInstanceWithoutItsDeviceIsNotWatched) {
  device_.uuid = "GPU-5678";
  Set("MIG_UUID", "MIG-5678");
  Set("FAULT", "nvmlDeviceGetDeviceHandleFromMigDeviceHandle=6");
  const HealthReport report = Watch();
  EXPECT_EQ(report.source, "");
  EXPECT_EQ(report.reason, "NVML does not find the device of MIG-5678: Not Found (6)");
}

TEST_F(DeviceHealthTest, WhatTheDeviceDoesNotTellIsUnknown) {
  for (const char* function :
       {"nvmlDeviceGetTemperature", "nvmlDeviceGetPowerUsage", "nvmlDeviceGetComputeRunningProcesses_v3"}) {
    Set("FAULT", absl::StrCat(function, "=3"));
    Set("SM_CLOCKS", "");
    Set("REASONS", "");
    const HealthReport report = Watch();
    EXPECT_EQ(report.source, "NVML 580.65.06");
    EXPECT_EQ(report.finding, "");
    EXPECT_EQ(report.after.sm_clock_mhz, -1);
    EXPECT_THAT(report.after.throttle_reasons, IsEmpty());
    EXPECT_TRUE(report.after.temperature_c == -1 || report.after.power_mw == -1 || report.after.other_processes == -1);
  }
}

TEST_F(DeviceHealthTest, WithoutNvmlTheReasonIsSaid) {
  const HealthReport report = Watch("/proc/nowhere/libnvidia-ml.so.1");
  EXPECT_EQ(report.source, "");
  EXPECT_THAT(report.reason, HasSubstr("no NVML: /proc/nowhere/libnvidia-ml.so.1: cannot open"));
  EXPECT_EQ(report.before, HealthSample());
  EXPECT_EQ(report.finding, "");
}

TEST_F(DeviceHealthTest, AnotherLibraryIsNoNvml) {
  EXPECT_THAT(Watch("libm.so.6").reason, HasSubstr("has no nvmlInit_v2; driver 510 or newer is needed"));
}

TEST_F(DeviceHealthTest, ANvmlWithoutADriverIsNoNvml) {
  Set("FAULT", "nvmlInit_v2=9");
  EXPECT_EQ(Watch().reason, "NVML is unusable: Driver Not Loaded (9)");
}

TEST_F(DeviceHealthTest, ADeviceThatNvmlDoesNotKnowIsNotWatched) {
  device_.uuid = "GPU-0000";
  const HealthReport report = Watch();
  EXPECT_EQ(report.source, "");
  EXPECT_EQ(report.reason, "NVML does not find GPU-0000: Not Found (6)");
}

TEST_F(DeviceHealthTest, TheSimtDeviceHasNone) {
  device_.kind = DeviceKind::kSimt;
  EXPECT_EQ(Watch().reason, "the SIMT device has no temperature or clock to watch");
}

}  // namespace
}  // namespace mmtune
