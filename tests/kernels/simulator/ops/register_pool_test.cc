// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// setmaxnreg: increases wait for decreases, and all warps of a warpgroup execute the same.
#include "kernels/simulator/ops/register_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "tests/kernels/simulator/ops/recording_monitor.h"
#include "tests/kernels/simulator/ops/run_block.h"

namespace mmtune::simt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// 65536 / 384 in units of 8.
constexpr uint32_t kAtEntry = 168;

/// Keeps the threads of a deadlock.
class DeadlockMonitor : public RecordingMonitor {
 public:
  std::vector<std::string> states;  ///< By thread.

  void Deadlock(std::span<GpuThread> threads) override {
    for (const GpuThread& thread : threads) states.push_back(StateText(thread));
  }
};

void Increase(GpuThread& thread, uint32_t registers) {
  mmtune_simt_set_max_registers(&thread, registers, 1, kAtEntry, 0);
}
void Decrease(GpuThread& thread, uint32_t registers) {
  mmtune_simt_set_max_registers(&thread, registers, 0, kAtEntry, 0);
}

/// A block of a producer, warpgroup 0, and two consumers.
std::string RunRoles(uint32_t producer, uint32_t consumer, Monitor* monitor) {
  return RunBlock({384, 64, std::nullopt, monitor}, [&](GpuThread& thread) {
    if (thread.warp >= 4) return Increase(thread, consumer);
    if (producer > 0) Decrease(thread, producer);
  });
}

TEST(RegisterPool, ConsumersTakeWhatTheProducerGivesBack) {
  for (const auto& [producer, consumer] : {std::pair(40, 232), std::pair(24, 240), std::pair(32, 224)}) {
    DeadlockMonitor monitor;
    EXPECT_EQ(RunRoles(producer, consumer, &monitor), "");
    EXPECT_THAT(monitor.reports, IsEmpty());
  }
}

TEST(RegisterPool, AnIncreaseThatIsNotCoveredIsADeadlock) {
  for (const auto& [producer, consumer] : {std::pair(40, 240), std::pair(48, 232), std::pair(0, 232)}) {
    DeadlockMonitor monitor;
    RunRoles(producer, consumer, &monitor);
    ASSERT_EQ(monitor.states.size(), 384u) << producer;
    EXPECT_THAT(monitor.states[383], HasSubstr("setmaxnreg.inc " + std::to_string(consumer) + " of warpgroup 2"));
  }
  DeadlockMonitor monitor;
  RunRoles(0, 232, &monitor);
  EXPECT_EQ(monitor.states[128],
            "waits for setmaxnreg.inc 232 of warpgroup 1: a warp needs 2048 registers more, and the pool of the block "
            "has 0");
}

TEST(RegisterPool, ADecreaseThatWaitsForTheIncreaseIsADeadlock) {
  DeadlockMonitor monitor;
  RunBlock({256, 64, std::nullopt, &monitor}, [&](GpuThread& thread) {
    if (thread.warp >= 4) Increase(thread, 200);
    mmtune_simt_barrier(&thread, 0, 0, 0);
    if (thread.warp < 4) Decrease(thread, 40);
  });
  ASSERT_EQ(monitor.states.size(), 256u);
  EXPECT_EQ(monitor.states[0], "waits at barrier 0");
  EXPECT_THAT(monitor.states[128], HasSubstr("setmaxnreg.inc 200 of warpgroup 1"));
}

TEST(RegisterPool, WarpsThatExecuteNoneOrAnotherAreFound) {
  DeadlockMonitor monitor;
  EXPECT_EQ(RunBlock({256, 64, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       if (thread.warp != 2 && thread.warp < 4) Decrease(thread, 40);
                       if (thread.warp >= 4) Increase(thread, thread.warp == 7 ? 192 : 200);
                     }),
            "");
  EXPECT_THAT(monitor.reports,
              ElementsAre("misuse: the warps of warpgroup 0 execute different setmaxnreg: warp 0 40, and warp 2 none",
                          "misuse: the warps of warpgroup 0 execute different setmaxnreg: warp 1 40, and warp 2 none",
                          "misuse: the warps of warpgroup 0 execute different setmaxnreg: warp 3 40, and warp 2 none",
                          "misuse: the warps of warpgroup 1 execute different setmaxnreg: warp 4 200, and warp 7 192",
                          "misuse: the warps of warpgroup 1 execute different setmaxnreg: warp 5 200, and warp 7 192",
                          "misuse: the warps of warpgroup 1 execute different setmaxnreg: warp 6 200, and warp 7 192"));
}

TEST(RegisterPool, AnIncreaseToFewerRegistersIsFound) {
  DeadlockMonitor monitor;
  EXPECT_EQ(RunBlock({128, 64, std::nullopt, &monitor}, [&](GpuThread& thread) { Increase(thread, 120); }), "");
  ASSERT_EQ(monitor.reports.size(), 4u);
  EXPECT_EQ(monitor.reports[0],
            "misuse: setmaxnreg.inc 120 of warpgroup 0, whose threads have 168 registers: an "
            "increase must not lower the number");
}

TEST(RegisterPool, WithoutAMonitorNothingWaits) { EXPECT_EQ(RunRoles(0, 232, nullptr), ""); }

}  // namespace
}  // namespace mmtune::simt
