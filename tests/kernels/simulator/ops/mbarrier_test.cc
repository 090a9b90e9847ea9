// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/mbarriers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/kernels/simulator/ops/recording_monitor.h"
#include "tests/kernels/simulator/ops/run_block.h"

namespace mmtune::simt {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint32_t kParity = 1, kState = 0, kBlocking = 1, kOnce = 0;

uint64_t Arrive(GpuThread& thread, void* barrier, uint32_t count = 1, uint32_t bytes = 0, uint32_t drop = 0) {
  return mmtune_simt_mbarrier_arrive(&thread, barrier, count, bytes, drop, 0);
}

bool IsPhaseComplete(GpuThread& thread, void* barrier, uint32_t parity) {
  return mmtune_simt_mbarrier_test(&thread, barrier, parity, kParity, kOnce, 0) != 0;
}

void Wait(GpuThread& thread, void* barrier, uint32_t parity) {
  mmtune_simt_mbarrier_test(&thread, barrier, parity, kParity, kBlocking, 0);
}

TEST(Mbarrier, APhaseCompletesWithItsLastArrivalAndTheNextOneStarts) {
  EXPECT_EQ(RunBlock({1},
                     [](GpuThread& thread) {
                       char* barrier = thread.shared + 64;
                       mmtune_simt_mbarrier_init(&thread, barrier, 3, 0);
                       for (uint32_t phase = 0; phase < 4; ++phase) {
                         EXPECT_FALSE(IsPhaseComplete(thread, barrier, phase % 2));
                         EXPECT_TRUE(IsPhaseComplete(thread, barrier, 1 - phase % 2)) << "the preceding phase";
                         const uint64_t first = Arrive(thread, barrier);
                         EXPECT_FALSE(mmtune_simt_mbarrier_test(&thread, barrier, first, kState, kOnce, 0));
                         Arrive(thread, barrier, 2);
                         EXPECT_TRUE(mmtune_simt_mbarrier_test(&thread, barrier, first, kState, kOnce, 0));
                       }
                     }),
            "");
}

TEST(Mbarrier, APhaseWaitsForItsTransactions) {
  EXPECT_EQ(RunBlock({1},
                     [](GpuThread& thread) {
                       mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
                       mmtune_simt_mbarrier_expect_tx(&thread, thread.shared, 48, 0);
                       Arrive(thread, thread.shared, 1, 16);
                       EXPECT_FALSE(IsPhaseComplete(thread, thread.shared, 0));
                       mmtune_simt_mbarrier_complete_tx(&thread, thread.shared, 40, 0);
                       EXPECT_FALSE(IsPhaseComplete(thread, thread.shared, 0));
                       mmtune_simt_mbarrier_complete_tx(&thread, thread.shared, 24, 0);
                       EXPECT_TRUE(IsPhaseComplete(thread, thread.shared, 0));
                     }),
            "");
}

TEST(Mbarrier, BytesMayCompleteBeforeTheyAreExpected) {
  EXPECT_EQ(RunBlock({1},
                     [](GpuThread& thread) {
                       mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
                       mmtune_simt_mbarrier_complete_tx(&thread, thread.shared, 64, 0);
                       EXPECT_FALSE(IsPhaseComplete(thread, thread.shared, 0));
                       Arrive(thread, thread.shared, 1, 64);
                       EXPECT_TRUE(IsPhaseComplete(thread, thread.shared, 0));
                     }),
            "");
}

TEST(Mbarrier, AThreadThatDropsOutIsNotExpectedAgain) {
  EXPECT_EQ(RunBlock({1},
                     [](GpuThread& thread) {
                       mmtune_simt_mbarrier_init(&thread, thread.shared, 2, 0);
                       Arrive(thread, thread.shared, 1, 0, /*drop=*/1);
                       EXPECT_FALSE(IsPhaseComplete(thread, thread.shared, 0));
                       Arrive(thread, thread.shared);
                       EXPECT_TRUE(IsPhaseComplete(thread, thread.shared, 0));
                       Arrive(thread, thread.shared);
                       EXPECT_TRUE(IsPhaseComplete(thread, thread.shared, 1));
                     }),
            "");
}

TEST(Mbarrier, TheLastArrivalWakesAllThatWait) {
  for (const std::optional<uint64_t> seed : {std::optional<uint64_t>(), std::optional<uint64_t>(3)}) {
    uint32_t woken = 0;
    EXPECT_EQ(RunBlock({64, 1024, seed},
                       [&](GpuThread& thread) {
                         if (thread.linear_tid == 0) mmtune_simt_mbarrier_init(&thread, thread.shared, 64, 0);
                         mmtune_simt_barrier(&thread, 0, 0, 0);
                         for (uint32_t phase = 0; phase < 5; ++phase) {
                           Arrive(thread, thread.shared);
                           Wait(thread, thread.shared, phase % 2);
                           ++woken;
                           mmtune_simt_barrier(&thread, 0, 0, 0);
                           EXPECT_EQ(woken, 64 * (phase + 1));
                           mmtune_simt_barrier(&thread, 0, 0, 0);
                         }
                       }),
              "");
  }
}

TEST(Mbarrier, AThreadThatPollsLetsTheOthersArrive) {
  EXPECT_EQ(RunBlock({2},
                     [](GpuThread& thread) {
                       if (thread.linear_tid == 0) mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
                       mmtune_simt_barrier(&thread, 0, 0, 0);
                       if (thread.linear_tid == 1) {
                         Arrive(thread, thread.shared);
                       } else {
                         while (!IsPhaseComplete(thread, thread.shared, 0)) {
                         }
                       }
                     }),
            "");
}

TEST(Mbarrier, AWaitThatNothingEndsIsADeadlockThatNamesTheBarrier) {
  EXPECT_THAT(RunBlock({1},
                       [](GpuThread& thread) {
                         mmtune_simt_mbarrier_init(&thread, thread.shared + 0x40, 1, 0);
                         Wait(thread, thread.shared + 0x40, 0);
                       }),
              AllOf(HasSubstr("deadlock"), HasSubstr("mbarrier at shared+0x40")));
}

TEST(Mbarrier, TooFewBytesAreADeadlock) {
  EXPECT_THAT(RunBlock({1},
                       [](GpuThread& thread) {
                         mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
                         Arrive(thread, thread.shared, 1, 64);
                         mmtune_simt_mbarrier_complete_tx(&thread, thread.shared, 32, 0);
                         Wait(thread, thread.shared, 0);
                       }),
              HasSubstr("deadlock"));
}

TEST(Mbarrier, MisuseEndsTheLaunch) {
  EXPECT_THAT(RunBlock({1},
                       [](GpuThread& thread) {
                         mmtune_simt_mbarrier_init(&thread, thread.shared, 2, 0);
                         Arrive(thread, thread.shared, 3);
                       }),
              HasSubstr("3 arrivals at the mbarrier at shared+0x0, whose phase waits for 2"));
  EXPECT_THAT(RunBlock({1},
                       [](GpuThread& thread) {
                         std::memset(thread.shared, 0, 8);
                         Arrive(thread, thread.shared);
                       }),
              HasSubstr("no mbarrier was initialised"));
  EXPECT_THAT(RunBlock({1},
                       [](GpuThread& thread) {
                         std::memset(thread.shared, 0xff, 8);
                         Arrive(thread, thread.shared);
                       }),
              HasSubstr("no mbarrier was initialised"));
  EXPECT_THAT(RunBlock({1},
                       [](GpuThread& thread) {
                         mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
                         mmtune_simt_mbarrier_inval(&thread, thread.shared, 0);
                         Wait(thread, thread.shared, 0);
                       }),
              HasSubstr("or it was invalidated"));
  EXPECT_THAT(RunBlock({1}, [](GpuThread& thread) { mmtune_simt_mbarrier_init(&thread, thread.shared, 0, 0); }),
              HasSubstr("a count of 0"));
  EXPECT_THAT(RunBlock({1}, [](GpuThread& thread) { mmtune_simt_mbarrier_init(&thread, thread.shared, 1 << 20, 0); }),
              HasSubstr("a count of 1048576"));
  EXPECT_THAT(RunBlock({1}, [](GpuThread& thread) { mmtune_simt_mbarrier_init(&thread, thread.shared + 4, 1, 0); }),
              HasSubstr("not aligned to 8"));
  EXPECT_THAT(RunBlock({1},
                       [](GpuThread& thread) {
                         mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
                         mmtune_simt_mbarrier_expect_tx(&thread, thread.shared, 1 << 20, 0);
                       }),
              HasSubstr("would expect 1048576 bytes"));
}

TEST(Mbarrier, AWaitAcquiresWhatWasReleasedUpToTheCompletionOfItsPhase) {
  RecordingMonitor monitor;
  EXPECT_EQ(RunBlock({2, 1024, std::nullopt, &monitor},
                     [](GpuThread& thread) {
                       if (thread.linear_tid == 0) mmtune_simt_mbarrier_init(&thread, thread.shared, 2, 0);
                       mmtune_simt_barrier(&thread, 0, 0, 0);
                       Arrive(thread, thread.shared);
                       mmtune_simt_barrier(&thread, 0, 0, 0);
                       if (thread.linear_tid == 1) Arrive(thread, thread.shared);
                       mmtune_simt_barrier(&thread, 0, 0, 0);
                       if (thread.linear_tid == 0) Wait(thread, thread.shared, 0);
                     }),
            "");
  ASSERT_EQ(monitor.acquired.size(), 1u);
  EXPECT_THAT(monitor.acquired[0].clocks, ElementsAre(1, 1)) << "the arrival of the second phase is not known";
  EXPECT_THAT(monitor.accesses, Contains("0 write 0+8"));
  EXPECT_THAT(monitor.accesses, Contains("1 atomic 0+8"));
}

TEST(Mbarrier, ChecksFindOrdinaryAccessesAndASecondInit) {
  RecordingMonitor monitor;
  EXPECT_EQ(RunBlock({1, 1024, std::nullopt, &monitor},
                     [](GpuThread& thread) {
                       mmtune_simt_access(&thread, thread.shared + 8, 8, AccessKind::kWrite, 0);
                       mmtune_simt_mbarrier_init(&thread, thread.shared + 8, 1, 0);
                       mmtune_simt_access(&thread, thread.shared, 8, AccessKind::kWrite, 0);
                       mmtune_simt_access(&thread, thread.shared + 16, 16, AccessKind::kRead, 0);
                     }),
            "");
  EXPECT_THAT(monitor.reports, IsEmpty());
  EXPECT_EQ(RunBlock({1, 1024, std::nullopt, &monitor},
                     [](GpuThread& thread) {
                       mmtune_simt_mbarrier_init(&thread, thread.shared + 8, 1, 0);
                       mmtune_simt_access(&thread, thread.shared + 12, 16, AccessKind::kRead, 0);
                       mmtune_simt_mbarrier_init(&thread, thread.shared + 8, 1, 0);
                       mmtune_simt_mbarrier_inval(&thread, thread.shared + 8, 0);
                       mmtune_simt_access(&thread, thread.shared + 8, 4, AccessKind::kWrite, 0);
                     }),
            "");
  EXPECT_THAT(monitor.reports, ElementsAre("misuse: an ordinary access of the mbarrier at shared+0x8",
                                           "misuse: mbarrier.init of shared+0x8, an mbarrier in use"));
}

TEST(Mbarrier, ReportsMbarrierThatOnlyLooksInitialised) {
  RecordingMonitor monitor;
  EXPECT_THAT(RunBlock({1, 1024, std::nullopt, &monitor},
                       [](GpuThread& thread) {
                         mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
                         std::memcpy(thread.shared + 8, thread.shared, 8);
                         Arrive(thread, thread.shared + 8);
                       }),
              HasSubstr("no mbarrier was initialised"));
}

void CopyTo(GpuThread& thread, uint32_t offset, const char* from) {
  mmtune_simt_cp_async(&thread, thread.shared + offset, from, 16, 16, 0);
}

TEST(CpAsyncArrive, ArrivesWhenTheCopiesAreComplete) {
  alignas(16) static const char from[32] = "0123456789abcdef0123456789abcde";
  for (uint32_t no_increment : {0u, 1u}) {
    for (const std::optional<uint64_t> seed : {std::optional<uint64_t>(), std::optional<uint64_t>(1)}) {
      EXPECT_EQ(RunBlock({32, 4096, seed},
                         [&](GpuThread& thread) {
                           // Without .noinc the arrival brings its own count.
                           if (thread.linear_tid == 0) mmtune_simt_mbarrier_init(&thread, thread.shared, 32, 0);
                           mmtune_simt_barrier(&thread, 0, 0, 0);
                           CopyTo(thread, 64 + 32 * thread.linear_tid, from);
                           CopyTo(thread, 80 + 32 * thread.linear_tid, from + 16);
                           mmtune_simt_cp_async_mbarrier_arrive(&thread, thread.shared, no_increment, 0);
                           if (no_increment == 0) Arrive(thread, thread.shared);
                           Wait(thread, thread.shared, 0);
                           for (uint32_t i = 0; i < 32; ++i)
                             EXPECT_EQ(std::memcmp(thread.shared + 64 + 32 * i, from, 32), 0);
                         }),
                "");
    }
  }
}

TEST(CpAsyncArrive, TellsTheMonitorThatTheBarrierEndsTheCopies) {
  alignas(16) static const char from[16] = {};
  RecordingMonitor monitor;
  EXPECT_EQ(RunBlock({1, 4096, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
                       CopyTo(thread, 64, from);
                       mmtune_simt_cp_async_mbarrier_arrive(&thread, thread.shared, 1, 0);
                       CopyTo(thread, 80, from);
                       Wait(thread, thread.shared, 0);
                     }),
            "");
  EXPECT_THAT(monitor.async,
              ElementsAre("write 0 at 64+16", "end write 0", "write 1 at 80+16", "end write 1 by issuer"));
}

}  // namespace
}  // namespace mmtune::simt
