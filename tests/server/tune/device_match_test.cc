// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/session.h"

#include "gtest/gtest.h"

namespace mmtune {
namespace {

DeviceSelector Selector(std::string_view text) { return *ParseDeviceSelector(text); }

v1::WorkerStatus* AddWorker(v1::ServerInfo& info, bool live) {
  v1::WorkerStatus* worker = info.add_workers();
  worker->set_live(live);
  return worker;
}

void AddDevice(v1::WorkerStatus& worker, const char* kind, int index, const char* uuid) {
  v1::DeviceInfo* device = worker.add_devices();
  device->set_kind(kind);
  device->set_uuid(uuid);
  worker.add_device_indexes(index);
}

TEST(MatchingDeviceTest, AWorkerThatIsNotLiveHasNone) {
  v1::ServerInfo info;
  AddDevice(*AddWorker(info, /*live=*/false), "simt", 0, "dead");
  EXPECT_EQ(MatchingDevice(info, Selector("simt")), nullptr);
  EXPECT_EQ(MatchingDevice(info, Selector("auto")), nullptr);
  AddDevice(*AddWorker(info, /*live=*/true), "simt", 0, "alive");
  ASSERT_NE(MatchingDevice(info, Selector("simt")), nullptr);
  EXPECT_EQ(MatchingDevice(info, Selector("simt"))->uuid(), "alive");
}

TEST(MatchingDeviceTest, TheIndexIsThatOfTheDeviceNotOfItsPlace) {
  v1::ServerInfo info;
  AddDevice(*AddWorker(info, true), "cuda", 1, "second");  // a worker with --device cuda:1
  EXPECT_EQ(MatchingDevice(info, Selector("cuda:0")), nullptr);
  ASSERT_NE(MatchingDevice(info, Selector("cuda:1")), nullptr);
  EXPECT_EQ(MatchingDevice(info, Selector("cuda:1"))->uuid(), "second");
  EXPECT_NE(MatchingDevice(info, Selector("cuda")), nullptr);
  AddDevice(*AddWorker(info, true), "cuda", 0, "first");
  EXPECT_EQ(MatchingDevice(info, Selector("cuda:0"))->uuid(), "first");
}

TEST(MatchingDeviceTest, AutoPrefersCuda) {
  v1::ServerInfo info;
  AddDevice(*AddWorker(info, true), "simt", 0, "host");
  EXPECT_EQ(MatchingDevice(info, Selector("auto"))->uuid(), "host");
  AddDevice(*AddWorker(info, true), "cuda", 0, "gpu");
  EXPECT_EQ(MatchingDevice(info, Selector("auto"))->uuid(), "gpu");
  EXPECT_EQ(MatchingDevice(info, Selector("simt"))->uuid(), "host");
}

TEST(MatchingToolchainTest, IsThatOfTheMatchingDevice) {
  v1::ServerInfo info;
  v1::WorkerStatus* worker = AddWorker(info, true);
  AddDevice(*worker, "simt", 0, "host");
  EXPECT_EQ(MatchingToolchain(info, Selector("simt")), nullptr) << "a server that does not say it";
  worker->add_toolchains()->set_assembler("llvm 22.1.8");
  AddDevice(*worker, "cuda", 0, "gpu");
  worker->add_toolchains()->set_assembler("ptxas 13.0");
  ASSERT_NE(MatchingToolchain(info, Selector("auto")), nullptr);
  EXPECT_EQ(MatchingToolchain(info, Selector("auto"))->assembler(), "ptxas 13.0");
  EXPECT_EQ(MatchingToolchain(info, Selector("simt"))->assembler(), "llvm 22.1.8");
  EXPECT_EQ(MatchingToolchain(info, Selector("cuda:1")), nullptr);
}

TEST(NeedsOwnWorkerTest, OnlyForADeviceTheOthersLack) {
  v1::ServerInfo info;
  EXPECT_TRUE(NeedsOwnWorker(info, Selector("auto"), false));
  AddDevice(*AddWorker(info, true), "simt", 0, "host");
  EXPECT_FALSE(NeedsOwnWorker(info, Selector("auto"), /*host_has_cuda=*/false));
  EXPECT_TRUE(NeedsOwnWorker(info, Selector("auto"), /*host_has_cuda=*/true));
  EXPECT_FALSE(NeedsOwnWorker(info, Selector("simt"), true));
  EXPECT_TRUE(NeedsOwnWorker(info, Selector("cuda"), true));
  AddDevice(*AddWorker(info, true), "cuda", 0, "gpu");
  EXPECT_FALSE(NeedsOwnWorker(info, Selector("auto"), true));
}

}  // namespace
}  // namespace mmtune
