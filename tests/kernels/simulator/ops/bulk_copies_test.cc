// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor and bulk copies: completion, groups, misuse, and what the monitor hears. Their contents are tested by
// golden_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <iterator>
#include <numeric>

#include "kernels/simulator/ops/tensor_map.h"
#include "tests/kernels/simulator/ops/recording_monitor.h"
#include "tests/kernels/simulator/ops/run_block.h"

namespace mmtune::simt {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint32_t kBox = 1024;
constexpr uint64_t kSeeds[] = {1, 2, 3, 4, 5, 6, 7, 8};

/// 16 x 16 elements of u32 in global memory and a map with boxes of 8 x 4.
class BulkCopies : public testing::Test {
 protected:
  BulkCopies() {
    std::iota(global_.begin(), global_.end(), 1u);
    TiledTensorMap map;
    map.address = reinterpret_cast<DevicePtr>(global_.data());
    map.data_type = static_cast<int>(TensorElement::kU32);
    map.extents = {16, 16};
    map.strides_bytes = {64};
    map.box = {8, 4};
    map_ = EncodeTensorMap(map).value();
    map.data_type = static_cast<int>(TensorElement::kF32);
    map.out_of_bounds_fill = 1;
    nan_map_ = EncodeTensorMap(map).value();
  }

  void Load(GpuThread& thread, const TensorMapBytes& map, int32_t x, int32_t y) const {
    const int32_t at[] = {x, y};
    mmtune_simt_tensor_load(&thread, thread.shared + kBox, map.data(), 2, at, thread.shared, 0, 0);
  }
  void Store(GpuThread& thread, int32_t x, int32_t y, uint32_t offset = kBox,
             CopyReduction reduction = CopyReduction::kNone) const {
    const int32_t at[] = {x, y};
    mmtune_simt_tensor_store(&thread, map_.data(), thread.shared + offset, 2, at, reduction, 0);
  }
  static void Expect(GpuThread& thread, uint32_t bytes) {
    mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
    mmtune_simt_fence(&thread, FenceKind::kBarrierInit, 0);
    mmtune_simt_mbarrier_arrive(&thread, thread.shared, 1, bytes, 0, 0);
  }
  static void Wait(GpuThread& thread) { mmtune_simt_mbarrier_test(&thread, thread.shared, 0, 1, 1, 0); }
  static uint32_t Word(const GpuThread& thread, uint32_t offset) {
    uint32_t word;
    std::memcpy(&word, thread.shared + offset, sizeof(word));
    return word;
  }
  static void Fill(GpuThread& thread, uint32_t offset, uint32_t value) {
    for (uint32_t i = 0; i < 32; ++i) std::memcpy(thread.shared + offset + 4 * i, &value, sizeof(value));
  }

  alignas(256) std::array<uint32_t, 256> global_;
  TensorMapBytes map_, nan_map_;
};

TEST_F(BulkCopies, OutOfBoundsBytesCountAsCompleted) {
  EXPECT_EQ(RunBlock({1},
                     [&](GpuThread& thread) {
                       Expect(thread, 128);
                       Load(thread, map_, 12, 14);
                       Wait(thread);
                       EXPECT_EQ(Word(thread, kBox), 14 * 16 + 13u);
                       EXPECT_EQ(Word(thread, kBox + 16), 0u) << "column 16";
                       EXPECT_EQ(Word(thread, kBox + 32), 15 * 16 + 13u);
                       EXPECT_EQ(Word(thread, kBox + 64), 0u) << "row 16";
                     }),
            "");
}

TEST_F(BulkCopies, NanFillsWhatIsOutOfBounds) {
  EXPECT_EQ(RunBlock({1},
                     [&](GpuThread& thread) {
                       Expect(thread, 128);
                       Load(thread, nan_map_, -4, 0);
                       Wait(thread);
                       EXPECT_GT(Word(thread, kBox) & 0x7fffffff, 0x7f800000u);
                       EXPECT_EQ(Word(thread, kBox + 16), 1u);
                     }),
            "");
}

// Ties go to even, and a carry reaches the exponent. Infinity and NaN stay.
TEST_F(BulkCopies, MapOfTf32Rounds) {
  constexpr uint32_t kValues[][2] = {{0x3f800000, 0x3f800000}, {0x3f800fff, 0x3f800000}, {0x3f801000, 0x3f800000},
                                     {0x3f801001, 0x3f802000}, {0x3f803000, 0x3f804000}, {0xbfffffff, 0xc0000000},
                                     {0x7f800000, 0x7f800000}, {0x7f800001, 0x7fc00000}};
  for (size_t i = 0; i < std::size(kValues); ++i) global_[i] = kValues[i][0];
  TiledTensorMap map;
  map.address = reinterpret_cast<DevicePtr>(global_.data());
  map.data_type = kTensorMapTf32;
  map.extents = {16, 16};
  map.strides_bytes = {64};
  map.box = {8, 4};
  const TensorMapBytes bytes = EncodeTensorMap(map).value();
  EXPECT_EQ(RunBlock({1},
                     [&](GpuThread& thread) {
                       Expect(thread, 128);
                       Load(thread, bytes, 0, 0);
                       Wait(thread);
                       for (uint32_t i = 0; i < std::size(kValues); ++i)
                         EXPECT_EQ(Word(thread, kBox + 4 * i), kValues[i][1]) << std::hex << kValues[i][0];
                     }),
            "");
}

TEST_F(BulkCopies, FuzzedLoadCompletesBetweenIssueAndWait) {
  bool seen_late = false;
  for (uint64_t seed : kSeeds) {
    EXPECT_EQ(RunBlock({1, 4096, seed},
                       [&](GpuThread& thread) {
                         Expect(thread, 128);
                         Load(thread, map_, 0, 0);
                         seen_late = seen_late || Word(thread, kBox) == ~0u;
                         Wait(thread);
                         EXPECT_EQ(Word(thread, kBox), 1u);
                       }),
              "");
  }
  EXPECT_TRUE(seen_late);
}

TEST_F(BulkCopies, BulkLoadsCompleteTheirBytes) {
  for (uint64_t seed : kSeeds) {
    EXPECT_EQ(RunBlock({1, 4096, seed},
                       [&](GpuThread& thread) {
                         Expect(thread, 96);
                         mmtune_simt_bulk_load(&thread, thread.shared + 16, &global_[4], 64, thread.shared, 0, 0);
                         mmtune_simt_bulk_load(&thread, thread.shared + 80, &global_[100], 32, thread.shared, 0, 0);
                         Wait(thread);
                         EXPECT_EQ(std::memcmp(thread.shared + 16, &global_[4], 64), 0);
                         EXPECT_EQ(std::memcmp(thread.shared + 80, &global_[100], 32), 0);
                       }),
              "");
  }
}

TEST_F(BulkCopies, StoresLeaveWhatIsOutOfBounds) {
  const std::array<uint32_t, 256> before = global_;
  EXPECT_EQ(RunBlock({1},
                     [&](GpuThread& thread) {
                       Fill(thread, kBox, 7777);
                       Store(thread, 12, -2);
                       mmtune_simt_bulk_commit(&thread);
                       mmtune_simt_bulk_wait(&thread, 0, 0, 0);
                     }),
            "");
  for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(global_[i], i % 16 >= 12 && i < 32 ? 7777 : before[i]) << i;
}

TEST_F(BulkCopies, AWaitFinishesAllGroupsButTheLast) {
  bool last_was_late = false;
  for (uint64_t seed : kSeeds) {
    global_.fill(0);
    EXPECT_EQ(RunBlock({1, 8192, seed},
                       [&](GpuThread& thread) {
                         for (uint32_t group = 0; group < 3; ++group) {
                           Fill(thread, kBox + 128 * group, group + 1);
                           Store(thread, 0, static_cast<int32_t>(4 * group), kBox + 128 * group);
                           mmtune_simt_bulk_commit(&thread);
                         }
                         mmtune_simt_bulk_wait(&thread, 1, 0, 0);
                         EXPECT_EQ(global_[0], 1u);
                         EXPECT_EQ(global_[64], 2u);
                         last_was_late = last_was_late || global_[128] == 0;
                         mmtune_simt_bulk_wait(&thread, 0, 0, 0);
                         EXPECT_EQ(global_[128], 3u);
                       }),
              "");
  }
  EXPECT_TRUE(last_was_late);
}

TEST_F(BulkCopies, AfterAReadWaitTheSourceMayBeOverwrittenThoughNothingIsWritten) {
  bool write_was_late = false;
  for (uint64_t seed : kSeeds) {
    global_.fill(0);
    EXPECT_EQ(RunBlock({1, 8192, seed},
                       [&](GpuThread& thread) {
                         Fill(thread, kBox, 5);
                         Store(thread, 0, 0);
                         mmtune_simt_bulk_commit(&thread);
                         mmtune_simt_bulk_wait(&thread, 0, /*read=*/1, 0);
                         write_was_late = write_was_late || global_[0] == 0;
                         Fill(thread, kBox, 6);
                       }),
              "");
    EXPECT_EQ(global_[0], 5u) << "at the latest at the end of the block";
  }
  EXPECT_TRUE(write_was_late);
}

TEST_F(BulkCopies, FuzzingShowsSourceOverwrittenWithoutWait) {
  bool wrong = false;
  for (uint64_t seed : kSeeds) {
    EXPECT_EQ(RunBlock({1, 8192, seed},
                       [&](GpuThread& thread) {
                         Fill(thread, kBox, 5);
                         Store(thread, 0, 0);
                         mmtune_simt_bulk_commit(&thread);
                         Fill(thread, kBox, 6);
                       }),
              "");
    wrong = wrong || global_[0] == 6;
  }
  EXPECT_TRUE(wrong);
}

TEST_F(BulkCopies, MisuseEndsTheLaunch) {
  const auto failure = [&](auto use) {
    return RunBlock({1}, [&](GpuThread& thread) {
      mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
      use(thread);
    });
  };
  const int32_t at[] = {0, 0, 0};
  EXPECT_THAT(failure([&](GpuThread& t) {
                mmtune_simt_tensor_load(&t, t.shared + 1024, global_.data(), 2, at, t.shared, 0, 0);
              }),
              HasSubstr("not a tensor map"));
  EXPECT_THAT(
      failure([&](GpuThread& t) { mmtune_simt_tensor_load(&t, t.shared + 1024, map_.data(), 3, at, t.shared, 0, 0); }),
      HasSubstr("3 dimensions with a tensor map of 2"));
  EXPECT_THAT(
      failure([&](GpuThread& t) { mmtune_simt_tensor_load(&t, t.shared + 64, map_.data(), 2, at, t.shared, 0, 0); }),
      HasSubstr("shared+0x40, which is not aligned to 128"));
  EXPECT_THAT(failure([&](GpuThread& t) {
                mmtune_simt_tensor_load(&t, t.shared + 1024, map_.data(), 2, at, t.shared + 8, 0, 0);
              }),
              HasSubstr("no mbarrier was initialised"));
  EXPECT_THAT(failure([&](GpuThread& t) {
                mmtune_simt_tensor_store(&t, nan_map_.data(), t.shared + 1024, 2, at, CopyReduction::kMin, 0);
              }),
              HasSubstr("no reduction"));
  EXPECT_THAT(
      failure([&](GpuThread& t) { mmtune_simt_bulk_load(&t, t.shared + 16, global_.data(), 24, t.shared, 0, 0); }),
      HasSubstr("multiples of 16"));
  EXPECT_THAT(failure([&](GpuThread& t) { mmtune_simt_bulk_store(&t, global_.data(), t.shared + 8, 16, 0); }),
              HasSubstr("a bulk store of 16 bytes between shared+0x8"));
}

TEST_F(BulkCopies, MonitorSeesLoadsUntilTheyComplete) {
  RecordingMonitor monitor;
  EXPECT_EQ(RunBlock({1, 4096, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       Expect(thread, 128);
                       Load(thread, map_, 12, 15);
                       Wait(thread);
                     }),
            "");
  EXPECT_THAT(monitor.async, ElementsAre("write 0 at 1024+128", "end write 0"));
  EXPECT_THAT(monitor.accesses, Contains("0 read global+16")) << "one row of four elements is inside";
  EXPECT_THAT(monitor.reports, IsEmpty());
}

TEST_F(BulkCopies, MonitorSeesStoresUntilTheWait) {
  RecordingMonitor monitor;
  EXPECT_EQ(RunBlock({1, 4096, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       Fill(thread, kBox, 1);
                       Store(thread, 0, 0);
                       mmtune_simt_bulk_commit(&thread);
                       EXPECT_THAT(monitor.async, ElementsAre("read 0 at 1024+128"));
                       mmtune_simt_bulk_wait(&thread, 0, 1, 0);
                       EXPECT_THAT(monitor.async, ElementsAre("read 0 at 1024+128", "end read 0"));
                       mmtune_simt_bulk_wait(&thread, 0, 0, 0);
                     }),
            "");
  EXPECT_EQ(monitor.async.size(), 2u);
  // Rows are written at the issue or as late as at the wait.
  EXPECT_THAT(monitor.accesses, Contains("0 write global+32").Times(8));
  EXPECT_THAT(monitor.reports, IsEmpty());
}

TEST_F(BulkCopies, ReductionsAreAtomicAccesses) {
  RecordingMonitor monitor;
  EXPECT_EQ(RunBlock({1, 4096, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       Store(thread, 0, 0, kBox, CopyReduction::kAdd);
                       mmtune_simt_bulk_commit(&thread);
                       mmtune_simt_bulk_wait(&thread, 0, 0, 0);
                     }),
            "");
  EXPECT_THAT(monitor.accesses, Each(HasSubstr("0 atomic global")));
}

TEST_F(BulkCopies, ReportsThreadExitWithoutWait) {
  RecordingMonitor monitor;
  EXPECT_EQ(RunBlock({1, 4096, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       Store(thread, 0, 0);
                       mmtune_simt_bulk_commit(&thread);
                     }),
            "");
  EXPECT_THAT(monitor.reports, ElementsAre(HasSubstr("exits while its bulk copies may still read")));
}

/// Thread 0 writes the box, thread 1 stores it after a barrier; each of them fences if told to.
std::vector<std::string> ReportsOfHandOver(const std::function<void(GpuThread&)>& store, bool writer_fences,
                                           bool issuer_fences) {
  RecordingMonitor monitor;
  EXPECT_EQ(RunBlock({2, 4096, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       if (thread.linear_tid == 0) {
                         mmtune_simt_access(&thread, thread.shared + kBox + 100, 4, AccessKind::kWrite, 0);
                         if (writer_fences) mmtune_simt_fence(&thread, FenceKind::kAsyncProxy, 0);
                       }
                       mmtune_simt_barrier(&thread, 0, 0, 0);
                       if (thread.linear_tid == 0) return;
                       if (issuer_fences) mmtune_simt_fence(&thread, FenceKind::kAsyncProxy, 0);
                       store(thread);
                       mmtune_simt_bulk_commit(&thread);
                       mmtune_simt_bulk_wait(&thread, 0, 0, 0);
                     }),
            "");
  return monitor.reports;
}

TEST_F(BulkCopies, ReportsStoreWithoutProxyFence) {
  const auto store = [&](GpuThread& thread) { Store(thread, 0, 0); };
  EXPECT_THAT(ReportsOfHandOver(store, false, false), ElementsAre(HasSubstr("fence.proxy.async is missing between")));
  EXPECT_THAT(ReportsOfHandOver(store, true, false), IsEmpty());
  EXPECT_THAT(ReportsOfHandOver(store, false, true), IsEmpty());
  const auto elsewhere = [&](GpuThread& thread) { Store(thread, 0, 0, kBox + 128); };
  EXPECT_THAT(ReportsOfHandOver(elsewhere, false, false), IsEmpty());
}

TEST_F(BulkCopies, ReportsBlockEndWithoutWaitForALoad) {
  RecordingMonitor monitor;
  EXPECT_EQ(RunBlock({2, 4096, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       if (thread.linear_tid != 0) return;
                       Expect(thread, 128);
                       Load(thread, map_, 0, 0);
                     }),
            "");
  EXPECT_THAT(monitor.reports, ElementsAre(HasSubstr("the block ends, but no thread has waited for the copy")));
}

TEST_F(BulkCopies, ReportsLoadWithoutFenceAfterMbarrierInit) {
  for (FenceKind fence : {FenceKind::kMemory, FenceKind::kBarrierInit, FenceKind::kAsyncProxy}) {
    RecordingMonitor monitor;
    EXPECT_EQ(RunBlock({1, 4096, std::nullopt, &monitor},
                       [&](GpuThread& thread) {
                         mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
                         mmtune_simt_fence(&thread, fence, 0);
                         mmtune_simt_mbarrier_arrive(&thread, thread.shared, 1, 128, 0, 0);
                         Load(thread, map_, 0, 0);
                         Wait(thread);
                       }),
              "");
    EXPECT_EQ(monitor.reports.size(), fence == FenceKind::kMemory ? 1u : 0u);
  }
}

TEST_F(BulkCopies, LoadedDataNeedNoProxyFence) {
  RecordingMonitor monitor;
  EXPECT_EQ(RunBlock({1, 4096, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       mmtune_simt_access(&thread, thread.shared + kBox, 128, AccessKind::kWrite, 0);
                       Expect(thread, 128);
                       Load(thread, map_, 0, 0);
                       Wait(thread);
                       Store(thread, 8, 8);
                       mmtune_simt_bulk_commit(&thread);
                       mmtune_simt_bulk_wait(&thread, 0, 0, 0);
                     }),
            "");
  EXPECT_THAT(monitor.reports, IsEmpty());
}

}  // namespace
}  // namespace mmtune::simt
