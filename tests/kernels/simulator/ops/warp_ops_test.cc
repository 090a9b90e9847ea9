// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Misuse of warp operations, and what the monitor hears of them. Their results are tested by golden_test.cc.
#include "kernels/simulator/ops/warp_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/ops/warp_matrix.h"
#include "kernels/simulator/ops/wgmma.h"
#include "tests/kernels/simulator/ops/recording_monitor.h"
#include "tests/kernels/simulator/ops/run_block.h"

namespace mmtune::simt {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr uint32_t kAllLanes = ~0u;

WarpOp Mma(ElementType a, ElementType d, uint32_t k) {
  WarpOp op = {};
  op.kind = WarpOpKind::kMma;
  op.m = 16, op.n = 8, op.k = k;
  op.a = op.b = a;
  op.c = op.d = d;
  return op;
}

/// Runs `op` on one warp; lane l's operands are in[l].
std::string RunWarp(const WarpOp& op, const std::vector<std::vector<uint32_t>>& in,
                    std::vector<std::vector<uint32_t>>* out = nullptr, Monitor* monitor = nullptr) {
  return RunBlock({32, 4096, std::nullopt, monitor}, [&](GpuThread& thread) {
    uint32_t words[256] = {};
    mmtune_simt_warp(&thread, &op, kAllLanes, in[thread.lane].data(), words);
    if (out != nullptr) out->at(thread.lane).assign(words, words + op.outputs);
  });
}

std::vector<std::vector<uint32_t>> Words(size_t count, uint32_t value = 0) {
  return std::vector<std::vector<uint32_t>>(32, std::vector<uint32_t>(count, value));
}

TEST(Shuffle, ReadingALaneOutsideTheMaskIsFound) {
  WarpOp op = {};
  op.kind = WarpOpKind::kShuffle;
  op.inputs = 3, op.outputs = 2;
  op.mode = static_cast<uint32_t>(ShuffleMode::kIndex);
  RecordingMonitor monitor;
  EXPECT_EQ(RunBlock({32, 64, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       if (thread.lane >= 16) return;
                       const uint32_t in[] = {thread.lane, thread.lane == 3 ? 20u : 1u, 31};
                       uint32_t out[2];
                       mmtune_simt_warp(&thread, &op, 0xffff, in, out);
                     }),
            "");
  EXPECT_THAT(monitor.reports,
              ElementsAre("misuse: shfl.sync: reads lane 20, which is not in its mask, or has exited"));
}

TEST(Mma, RejectsUnmodelledOperationsByName) {
  EXPECT_THAT(RunWarp(Mma(ElementType::kF16, ElementType::kF32, 32), Words(16)),
              AllOf(HasSubstr("mma.sync.m16n8k32.f32.f16.f16.f32"), HasSubstr("does not support this shape")));
  EXPECT_THAT(RunWarp(Mma(ElementType::kBf16, ElementType::kF16, 16), Words(16)),
              HasSubstr("does not support this shape"));
  EXPECT_THAT(RunWarp(Mma(ElementType::kF8E4M3, ElementType::kF32, 64), Words(16)), HasSubstr(".e4m3.e4m3"));
}

TEST(Mma, PartOfAWarpIsAnError) {
  const WarpOp op = Mma(ElementType::kF16, ElementType::kF32, 16);
  EXPECT_THAT(RunBlock({32, 64},
                       [&](GpuThread& thread) {
                         uint32_t in[10] = {}, out[4];
                         if (thread.lane < 16) mmtune_simt_warp(&thread, &op, 0xffff, in, out);
                       }),
              HasSubstr("all 32 lanes must take part, not only the lanes 0xffff"));
}

/// Every element of A and B is `a` and `b`; the first element of D.
float Product(ElementType type, uint16_t a, uint16_t b, float c) {
  WarpOp op = Mma(type, ElementType::kF32, 16);
  op.inputs = 10, op.outputs = 4;
  std::vector<std::vector<uint32_t>> in = Words(10), out(32);
  for (auto& lane : in) {
    for (uint32_t i = 0; i < 4; ++i) lane[i] = a * 0x10001u;
    for (uint32_t i = 4; i < 6; ++i) lane[i] = b * 0x10001u;
    for (uint32_t i = 6; i < 10; ++i) lane[i] = std::bit_cast<uint32_t>(c);
  }
  EXPECT_EQ(RunWarp(op, in, &out), "");
  for (const auto& lane : out) EXPECT_THAT(lane, Each(out[0][0]));
  return std::bit_cast<float>(out[0][0]);
}

TEST(Mma, SubnormalAndLargeMatmulsAreExact) {
  EXPECT_EQ(Product(ElementType::kF16, 0x0001, 0x0001, 0), 16 * 0x1p-48f);
  EXPECT_EQ(Product(ElementType::kF16, 0x7800, 0x7800, 0), 0x1p34f);
  EXPECT_EQ(Product(ElementType::kBf16, 0x7f00, 0x4000, 0), std::numeric_limits<float>::infinity());
  EXPECT_EQ(std::bit_cast<uint32_t>(Product(ElementType::kF16, 0x7c00, 0x0000, 0)), kCanonicalNan);
}

WarpOp LoadTiles(uint32_t count, ElementType type = ElementType::kF16) {
  WarpOp op = {};
  op.kind = WarpOpKind::kLoadMatrix;
  op.inputs = 2, op.outputs = count, op.tiles = count;
  op.m = op.n = 8;
  op.a = type;
  return op;
}

std::string LoadFrom(const WarpOp& op, uint32_t first, Monitor* monitor = nullptr) {
  return RunBlock({32, 4096, std::nullopt, monitor}, [&](GpuThread& thread) {
    const char* row = thread.shared + first + 16 * thread.lane;
    uint32_t in[2], out[4];
    std::memcpy(in, &row, sizeof(in));
    mmtune_simt_warp(&thread, &op, kAllLanes, in, out);
  });
}

TEST(LoadMatrix, RowsAreAlignedTo16Bytes) {
  EXPECT_EQ(LoadFrom(LoadTiles(4), 16), "");
  EXPECT_THAT(LoadFrom(LoadTiles(4), 8), HasSubstr("that lane 0 gives is not aligned to 16 bytes"));
}

TEST(LoadMatrix, OtherTilesAreAnErrorThatNamesThem) {
  EXPECT_THAT(LoadFrom(LoadTiles(1, ElementType::kS8), 0), HasSubstr("ldmatrix.m8n8.x1 of s8"));
  EXPECT_THAT(LoadFrom(LoadTiles(3), 0), HasSubstr("the number of tiles must be 1, 2 or 4, got 3"));
}

TEST(LoadMatrix, TheMonitorSeesTheRowsOfTheTiles) {
  RecordingMonitor monitor;
  EXPECT_EQ(LoadFrom(LoadTiles(2), 64, &monitor), "");
  EXPECT_THAT(monitor.accesses, SizeIs(16));
  EXPECT_THAT(monitor.accesses, Contains("15 read 304+16"));
}

TEST(MatrixDescriptor, IsDecodedFieldByField) {
  const MatrixDescriptor d = DecodeMatrixDescriptor(uint64_t{1} << 62 | uint64_t{3} << 49 | uint64_t{0x40} << 32 |
                                                    uint64_t{0x3fff} << 16 | 0x123);
  EXPECT_EQ(d.start, 0x1230u);
  EXPECT_EQ(d.leading, 0x3fff0u);
  EXPECT_EQ(d.stride, 0x400u);
  EXPECT_EQ(d.base_offset, 3u);
  EXPECT_EQ(d.swizzle, 128u);
  EXPECT_EQ(DecodeMatrixDescriptor(uint64_t{2} << 62).swizzle, 64u);
  EXPECT_EQ(DecodeMatrixDescriptor(uint64_t{3} << 62).swizzle, 32u);
}

constexpr uint64_t kA = 0x40ull | 0x10ull << 32, kB = 0x100ull | 0x10ull << 32;  // No swizzle; at 0x400 and 0x1000.

struct WgmmaCall {
  WarpOp op = {};
  uint64_t a = kA, b = kB;
  uint32_t scale = 0;
  uint32_t threads = 128;

  WgmmaCall() {
    op.kind = WarpOpKind::kWgmma;
    op.m = 64, op.n = 8, op.k = 16;
    op.a = op.b = ElementType::kF16;
    op.d = ElementType::kF32;
    op.inputs = 9, op.outputs = 4;
  }

  void Execute(GpuThread& thread) const {
    uint32_t in[9] = {}, out[4];
    std::memcpy(in + 4, &a, sizeof(a));
    std::memcpy(in + 6, &b, sizeof(b));
    in[8] = scale;
    mmtune_simt_warp(&thread, &op, kAllLanes, in, out);
  }

  std::string Run(Monitor* monitor = nullptr) const {
    return RunBlock({threads, 8192, std::nullopt, monitor}, [&](GpuThread& thread) {
      mmtune_simt_wgmma_fence(&thread, 0);
      Execute(thread);
      mmtune_simt_wgmma_commit(&thread, 0);
      mmtune_simt_wgmma_wait(&thread, 0, 0);
    });
  }
};

TEST(Wgmma, RejectsUnmodelledOperationsByName) {
  WgmmaCall call;
  EXPECT_EQ(call.Run(), "");
  call.op.a = call.op.b = ElementType::kF8E4M3;
  EXPECT_THAT(
      call.Run(),
      HasSubstr("wgmma.mma_async.m64n8k16.f32.e4m3.e4m3: the simulator does not support this shape with these types"));
  call = {};
  call.op.n = 12;
  EXPECT_THAT(call.Run(), HasSubstr("a multiple of 8"));
  call = {};
  call.op.a = call.op.b = ElementType::kTf32;
  call.op.k = 8;
  call.op.flags = kTransposedB;
  EXPECT_THAT(call.Run(), HasSubstr("only 16-bit operands can be MN-major"));
  call = {};
  call.b |= uint64_t{2} << 49;
  EXPECT_THAT(call.Run(), HasSubstr("the base offset 2 in the descriptor of B"));
}

// PTX ISA, "wgmma.mma_async", shapes: what ptxas accepts.
TEST(Wgmma, IntegersHaveEighteenWidths) {
  std::vector<uint32_t> of_bytes, of_halves;
  for (uint32_t n = 0; n <= 264; ++n) {
    if (IsWgmmaColumns(ElementType::kU8, n)) of_bytes.push_back(n);
    if (IsWgmmaColumns(ElementType::kF16, n)) of_halves.push_back(n);
    EXPECT_EQ(IsWgmmaColumns(ElementType::kS8, n), IsWgmmaColumns(ElementType::kU8, n)) << n;
  }
  EXPECT_THAT(of_bytes, ElementsAre(8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256));
  EXPECT_EQ(of_halves.size(), 32u);

  WgmmaCall call;
  call.op.a = call.op.b = ElementType::kS8;
  call.op.d = ElementType::kS32;
  call.op.k = 32;
  EXPECT_EQ(call.Run(), "");
  for (uint32_t n : {40, 56, 248}) {
    call.op.n = n;
    EXPECT_THAT(call.Run(), HasSubstr("for integers 8, 16, 24 or a multiple of 16")) << n;
  }
}

TEST(Wgmma, NeedsAWholeWarpgroup) {
  WgmmaCall call;
  call.threads = 96;
  EXPECT_THAT(call.Run(), HasSubstr("is not in a complete warpgroup"));
}

TEST(Wgmma, DescriptorsAgreeAcrossTheLanes) {
  EXPECT_THAT(RunBlock({128, 8192},
                       [](GpuThread& thread) {
                         WgmmaCall call;
                         if (thread.lane == 9) call.b += 1;
                         call.op.site = 0;
                         static const WarpOp op = call.op;
                         uint32_t in[9] = {}, out[4];
                         std::memcpy(in + 4, &call.a, 8);
                         std::memcpy(in + 6, &call.b, 8);
                         mmtune_simt_warp(&thread, &op, kAllLanes, in, out);
                       }),
              HasSubstr("differ between lanes 0 and 9"));
}

TEST(Wgmma, OperandsAreReadUntilTheWaitThatRetiresTheirGroup) {
  RecordingMonitor monitor;
  WgmmaCall call;
  EXPECT_EQ(RunBlock({128, 8192, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       mmtune_simt_wgmma_fence(&thread, 0);
                       call.Execute(thread);
                       mmtune_simt_wgmma_commit(&thread, 0);
                       call.Execute(thread);
                       mmtune_simt_wgmma_commit(&thread, 0);
                       mmtune_simt_barrier(&thread, 0, 0, 0);
                       if (thread.linear_tid == 0) {
                         EXPECT_THAT(monitor.async, Each(HasSubstr("read")));
                         EXPECT_THAT(monitor.async, Not(Contains(HasSubstr("end"))));
                         EXPECT_THAT(monitor.async, Contains(HasSubstr("at 4096+128"))) << "B, both units of k";
                       }
                       mmtune_simt_barrier(&thread, 0, 0, 0);
                       mmtune_simt_wgmma_wait(&thread, 1, 0);
                       mmtune_simt_barrier(&thread, 0, 0, 0);
                       if (thread.linear_tid == 0) {
                         const auto ended =
                             std::count_if(monitor.async.begin(), monitor.async.end(),
                                           [](const std::string& event) { return event.starts_with("end"); });
                         EXPECT_EQ(static_cast<size_t>(3 * ended), monitor.async.size()) << "half of what began";
                       }
                       mmtune_simt_barrier(&thread, 0, 0, 0);
                       mmtune_simt_wgmma_wait(&thread, 0, 0);
                     }),
            "");
  EXPECT_THAT(monitor.reports, IsEmpty());
}

TEST(Wgmma, TheFirstOperationNeedsAFence) {
  RecordingMonitor monitor;
  WgmmaCall call;
  EXPECT_EQ(RunBlock({128, 8192, std::nullopt, &monitor}, [&](GpuThread& thread) { call.Execute(thread); }), "");
  EXPECT_THAT(monitor.reports, SizeIs(4));
  EXPECT_THAT(monitor.reports, Each(HasSubstr("needs wgmma.fence")));
}

TEST(Wgmma, WarpsOfAWarpgroupExecuteTheSameOperations) {
  RecordingMonitor monitor;
  WgmmaCall one, other;
  other.b += 0x40;
  EXPECT_EQ(RunBlock({256, 8192, std::nullopt, &monitor},
                     [&](GpuThread& thread) {
                       mmtune_simt_wgmma_fence(&thread, 0);
                       (thread.warp == 2 || thread.warp >= 4 ? other : one).Execute(thread);
                     }),
            "");
  EXPECT_THAT(monitor.reports, ElementsAre(HasSubstr("warp-divergence")));
}

TEST(Wgmma, OperandsWrittenWithoutAProxyFenceAreFound) {
  for (bool fence : {false, true}) {
    RecordingMonitor monitor;
    WgmmaCall call;
    EXPECT_EQ(RunBlock({128, 8192, std::nullopt, &monitor},
                       [&](GpuThread& thread) {
                         mmtune_simt_access(&thread, thread.shared + 0x1000, 4, AccessKind::kWrite, 0);
                         if (fence) mmtune_simt_fence(&thread, FenceKind::kAsyncProxy, 0);
                         mmtune_simt_barrier(&thread, 0, 0, 0);
                         mmtune_simt_wgmma_fence(&thread, 0);
                         call.Execute(thread);
                       }),
              "");
    EXPECT_EQ(monitor.reports.empty(), fence);
  }
}

}  // namespace
}  // namespace mmtune::simt
