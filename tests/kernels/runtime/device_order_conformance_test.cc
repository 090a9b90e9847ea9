// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers, mbarriers and atomics, which order the threads of a block alike on every Device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/kernels/runtime/device_conformance.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;

class DeviceOrderTest : public DeviceConformanceTest {
 protected:
  void SetUp() override {
    DeviceConformanceTest::SetUp();
    if (device_ == nullptr) return;
    if (device_->info().ComputeCapability() < 80) GTEST_SKIP() << "mbarriers need sm_80";
    UseKernels(CONFORMANCE_ORDER_KERNELS);
  }
};

TEST_P(DeviceOrderTest, EveryThreadHasItsLane) {
  DevicePtr out = Buffer(80 * 16);
  ASSERT_TRUE(Launch("lanes", {{1, 1, 1}, {80, 1, 1}, 0}, out).ok());
  const std::vector<uint32_t> values = Download<uint32_t>(out, 80 * 4);
  for (uint32_t i = 0; i < 80; ++i) {
    const uint32_t lane = i % 32, bit = 1u << lane;
    EXPECT_THAT(std::vector<uint32_t>(&values[4 * i], &values[4 * i] + 4), ElementsAre(lane, bit - 1, bit, ~(bit - 1)))
        << i;
  }
}

TEST_P(DeviceOrderTest, NamedBarrierOrdersProducerAndConsumer) {
  DevicePtr out = Buffer(32 * 4);
  ASSERT_TRUE(Launch("hand_over", {{1, 1, 1}, {64, 1, 1}, 128}, out).ok());
  std::vector<uint32_t> expected(32);
  std::iota(expected.begin(), expected.end(), 32u);
  EXPECT_EQ(Download<uint32_t>(out, 32), expected);
}

TEST_P(DeviceOrderTest, BarriersCombinePredicates) {
  for (uint32_t limit : {0u, 1u, 33u, 95u, 96u}) {
    DevicePtr out = Buffer(96 * 12);
    ASSERT_TRUE(Launch("votes", {{1, 1, 1}, {96, 1, 1}, 0}, out, limit).ok());
    const std::vector<uint32_t> values = Download<uint32_t>(out, 96 * 3);
    for (uint32_t i = 0; i < 96; ++i) {
      EXPECT_THAT(std::vector<uint32_t>(&values[3 * i], &values[3 * i] + 3),
                  ElementsAre(limit == 96 ? 1 : 0, limit == 0 ? 0 : 1, limit))
          << i;
    }
  }
}

TEST_P(DeviceOrderTest, AnMbarrierOrdersRoundAfterRound) {
  const uint32_t threads = 96, rounds = 5;
  DevicePtr out = Buffer(threads * rounds * 4);
  ASSERT_TRUE(Launch("rounds", {{1, 1, 1}, {threads, 1, 1}, 16 + threads * 4}, out, rounds).ok());
  const std::vector<uint32_t> values = Download<uint32_t>(out, threads * rounds);
  for (uint32_t i = 0; i < threads * rounds; ++i) {
    EXPECT_EQ(values[i], 1000 * (i / threads) + threads - 1 - i % threads) << i;
  }
}

TEST_P(DeviceOrderTest, AtomicsCombineTheWordsOfAllBlocks) {
  const uint32_t count = 50 * 96;
  uint32_t all = 0;
  for (uint32_t i = 0; i < count; ++i) all ^= i;
  DevicePtr out = Upload<uint32_t>({0xFFFFFFFF, 0, 0xFFFFFFFF, 0, 0, 0});
  ASSERT_TRUE(Launch("combine", {{50, 1, 1}, {96, 1, 1}, 0}, out).ok());
  EXPECT_THAT(Download<uint32_t>(out, 6), ElementsAre(5, count - 1, 0, 0xFFFFFFFF, all, count));
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceOrderTest, kDevices, DeviceName);

}  // namespace
}  // namespace mmtune
