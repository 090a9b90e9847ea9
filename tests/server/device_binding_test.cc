// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/coordinator/job_table.h"
#include "tests/server/coordinator_harness.h"

namespace mmtune {
namespace {

class DeviceChoiceTest : public testing::Test {
 protected:
  void Register(const std::string& id, const DeviceInfo& device, int index = 0) {
    workers_.Register(id, "host", {{device, TestToolchain(), index}});
  }
  DeviceChoice Choose(const std::string& device, const std::string& arch = "") {
    spec_.device = *ParseDeviceSelector(device);
    spec_.device.arch = arch;
    return ChooseDevice(spec_, {"", avoided_}, workers_);
  }

  FakeClock clock_;
  WorkerRegistry workers_{clock_, std::chrono::seconds(30)};
  JobSpec spec_;
  std::string avoided_;
};

TEST_F(DeviceChoiceTest, AutoPrefersCuda) {
  Register("a", SimtDevice());
  EXPECT_EQ(Choose("auto").target->device.kind, DeviceKind::kSimt);
  Register("b", CudaDevice());
  EXPECT_EQ(Choose("auto").target->device.kind, DeviceKind::kCuda);
  EXPECT_EQ(Choose("simt").target->device.kind, DeviceKind::kSimt);
}

TEST_F(DeviceChoiceTest, SilentWorkersDoNotCount) {
  Register("a", CudaDevice());
  clock_.Advance(std::chrono::seconds(31));
  DeviceChoice choice = Choose("auto");
  EXPECT_FALSE(choice.target);
  EXPECT_THAT(choice.waits_for, testing::HasSubstr("CUDA or SIMT"));
}

TEST_F(DeviceChoiceTest, WorkerWithoutWorkDoesNotCount) {
  Register("a", CudaDevice());
  clock_.Advance(std::chrono::seconds(20));
  ASSERT_NE(workers_.Touch("a"), nullptr);
  EXPECT_TRUE(Choose("auto").target);
  clock_.Advance(std::chrono::seconds(20));
  ASSERT_NE(workers_.Touch("a"), nullptr);
  EXPECT_TRUE(workers_.IsLive(*workers_.Find("a")));
  EXPECT_FALSE(Choose("auto").target);
  const int64_t before = workers_.arrivals();
  workers_.Touch("a", /*works=*/true);
  EXPECT_TRUE(Choose("auto").target);
  EXPECT_EQ(workers_.arrivals(), before + 1);
}

TEST_F(DeviceChoiceTest, AvoidedClassIsNotChosen) {
  Register("a", CudaDevice());
  Register("b", SimtDevice());
  avoided_ = CudaDevice().ClassKey();
  EXPECT_EQ(Choose("auto").target->device.kind, DeviceKind::kSimt);
  EXPECT_FALSE(Choose("cuda").target);
}

TEST(WorkerRegistryTest, LimitsWorkersPerPeerAndRemovesTheLongestSilent) {
  FakeClock clock;
  WorkerRegistry workers(clock, std::chrono::seconds(30));
  auto enlist = [&](const std::string& id, const std::string& peer) {
    clock.Advance(std::chrono::milliseconds(1));
    workers.Register(id, "host", {{SimtDevice(), TestToolchain(), 0}}, peer);
  };
  enlist("good", "peer");
  for (size_t i = 0; i < 2 * WorkerRegistry::kMaxPerPeer; ++i) {
    workers.Touch("good");
    enlist("flood-" + std::to_string(i), "peer");
  }
  EXPECT_EQ(workers.All().size(), WorkerRegistry::kMaxPerPeer);
  EXPECT_NE(workers.Find("good"), nullptr);
  enlist("elsewhere", "another peer");
  EXPECT_NE(workers.Find("elsewhere"), nullptr);
}

TEST(WorkerRegistryTest, FullRegistryAcceptsANewWorker) {
  FakeClock clock;
  WorkerRegistry workers(clock, std::chrono::seconds(30));
  for (size_t i = 0; i < WorkerRegistry::kMaxWorkers; ++i) {
    workers.Register("flood-" + std::to_string(i), "host", {{SimtDevice(), TestToolchain(), 0}});
  }
  clock.Advance(std::chrono::seconds(1));
  workers.Register("good", "host", {{SimtDevice(), TestToolchain(), 0}});
  EXPECT_NE(workers.Find("good"), nullptr);
  EXPECT_EQ(workers.All().size(), WorkerRegistry::kMaxWorkers);
}

TEST(WorkerRegistryTest, SilentWorkersThatNeverWorkedAreRemoved) {
  FakeClock clock;
  WorkerRegistry workers(clock, std::chrono::seconds(30));
  workers.Register("idle", "host", {{SimtDevice(), TestToolchain(), 0}});
  workers.Register("good", "host", {{SimtDevice(), TestToolchain(), 0}});
  workers.Touch("good", /*works=*/true);
  clock.Advance(std::chrono::seconds(31));
  workers.Prune();
  EXPECT_EQ(workers.Find("idle"), nullptr);
  EXPECT_NE(workers.Find("good"), nullptr);
  clock.Advance(std::chrono::minutes(10));
  workers.Prune();
  EXPECT_EQ(workers.Find("good"), nullptr);
}

class MemoryChoiceTest : public DeviceChoiceTest {
 protected:
  MemoryChoiceTest() { spec_.problem.m = spec_.problem.n = spec_.problem.k = 4096; }
  static DeviceInfo Sized(DeviceInfo device, int64_t bytes, const std::string& uuid) {
    device.memory_bytes = bytes;
    device.uuid = uuid;
    return device;
  }
};

TEST_F(MemoryChoiceTest, LargerDeviceServesLargerOperands) {
  Register("small", Sized(CudaDevice(), 1, "GPU-small"));
  EXPECT_THAT(std::string(Choose("cuda").failure.message()), testing::HasSubstr("choose a smaller problem"));
  DeviceInfo large = Sized(CudaDevice(), int64_t{80} << 30, "GPU-large");
  Register("large", large);
  for (const char* device : {"cuda", "auto"}) {
    const DeviceChoice choice = Choose(device);
    EXPECT_TRUE(choice.failure.ok()) << choice.failure;
    ASSERT_TRUE(choice.target);
    EXPECT_EQ(choice.target->device.uuid, "GPU-large");
  }
  // Both are of one class: leases still go only to the one with the room.
  const JobTarget target = *Choose("cuda").target;
  const auto serves = [&](const char* id) {
    const RegisteredWorker& worker = *workers_.Find(id);
    return DeviceServes(worker, worker.devices[0], spec_, target);
  };
  EXPECT_TRUE(serves("large"));
  EXPECT_FALSE(serves("small"));
}

TEST_F(MemoryChoiceTest, SecondDeviceOfAWorkerServes) {
  workers_.Register("both", "host",
                    {{Sized(SimtDevice(), 1000, "a"), TestToolchain(), 0},
                     {Sized(SimtDevice(), int64_t{64} << 30, "b"), TestToolchain(), 1}});
  const DeviceChoice choice = Choose("simt");
  ASSERT_TRUE(choice.target);
  EXPECT_EQ(choice.target->device.uuid, "b");
}

TEST_F(MemoryChoiceTest, WaitsForALargerDeviceThatDoesNotServeNow) {
  Register("large", Sized(SimtDevice(), int64_t{64} << 30, "large"));
  workers_.Touch("large", /*works=*/true);  // One that never worked is forgotten when it is silent.
  clock_.Advance(std::chrono::seconds(31));
  Register("small", Sized(SimtDevice(), 1, "small"));
  const DeviceChoice choice = Choose("simt");
  EXPECT_TRUE(choice.failure.ok()) << choice.failure;
  EXPECT_FALSE(choice.target);
  EXPECT_NE(choice.waits_for, "");
}

TEST_F(DeviceChoiceTest, IndexSelectsOneDevice) {
  Register("a", CudaDevice(), 0);
  EXPECT_FALSE(Choose("cuda:1").target);
  Register("b", CudaDevice(), 1);
  EXPECT_TRUE(Choose("cuda:1").target);
}

TEST_F(DeviceChoiceTest, SimtDeviceServesAnyArch) {
  Register("a", SimtDevice());
  DeviceChoice choice = Choose("simt", "sm_90");
  ASSERT_TRUE(choice.target);
  EXPECT_EQ(choice.target->device.arch, "sm_90");
  EXPECT_EQ(choice.target->device.shared_bytes_per_block, ArchitectureLimits("sm_90")->shared_bytes_per_block);
  EXPECT_EQ(choice.target->device.name, "simt-cpu");
}

TEST_F(DeviceChoiceTest, CudaDeviceServesOlderArchesOnly) {
  DeviceInfo ampere = CudaDevice();
  ampere.arch = "sm_80";
  Register("a", ampere);
  EXPECT_EQ(Choose("cuda", "sm_75").target->device.arch, "sm_75");
  DeviceChoice choice = Choose("cuda", "sm_90");
  EXPECT_FALSE(choice.target);
  EXPECT_THAT(std::string(choice.failure.message()),
              testing::AllOf(testing::HasSubstr("sm_90"), testing::HasSubstr("sm_80")));
  // Auto has a device left that can.
  Register("b", SimtDevice());
  EXPECT_EQ(Choose("auto", "sm_90").target->device.kind, DeviceKind::kSimt);
}

}  // namespace
}  // namespace mmtune
