// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks launched in clusters know their place, read the shared memory of their neighbours, and take part in multicast
// copies and barriers of other blocks.
#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>
#include <vector>

#include "kernels/runtime/open_device.h"
#include "tests/gpu/road/test_device.h"

namespace mmtune {
namespace {

// out[block] = rank of the block in its cluster + 100 * (index of the block in the grid that the neighbour shared)
constexpr char kPtx[] = R"(.version 8.0
.target sm_90
.address_size 64
.shared .align 4 .u32 shared_word;
.visible .entry ranks(.param .u64 out)
{
  .reg .u32 %r<8>;
  .reg .u64 %rd<4>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %cluster_ctarank;
  st.shared.u32 [shared_word], %r0;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  xor.b32 %r2, %r1, 1;
  mov.u32 %r3, shared_word;
  mapa.shared::cluster.u32 %r4, %r3, %r2;
  ld.shared::cluster.u32 %r5, [%r4];
  mad.lo.u32 %r6, %r5, 100, %r1;
  ld.param.u64 %rd0, [out];
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd2, %rd0, %rd1;
  st.global.u32 [%rd2], %r6;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ret;
}
)";

/// Each block copies 32 words to all blocks of its cluster, and tells each of them by its mbarrier when it has read
/// them: out[block][thread] = the words of all blocks, as decimal digits.
constexpr char kGatherPtx[] = R"(.version 8.0
.target sm_90
.address_size 64
.shared .align 128 .b8 buffer[1152];
.visible .entry gather(.param .u64 in, .param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b16 %h;
  .reg .u32 %r<16>;
  .reg .u64 %rd<6>;
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %cluster_ctarank;
  mov.u32 %r2, %cluster_nctarank;
  mov.u32 %r3, buffer;
  mov.u32 %r4, %ctaid.x;
  setp.eq.u32 %p0, %r0, 0;
  @!%p0 bra ready;
  mbarrier.init.shared.b64 [%r3], 1;
  mul.lo.u32 %r5, %r2, 32;
  mbarrier.init.shared.b64 [%r3+8], %r5;
  fence.mbarrier_init.release.cluster;
ready:
  barrier.cluster.arrive;
  barrier.cluster.wait;
  @!%p0 bra wait;
  mul.lo.u32 %r5, %r2, 128;
  mbarrier.arrive.expect_tx.shared.b64 _, [%r3], %r5;
  mov.u32 %r6, 1;
  shl.b32 %r6, %r6, %r2;
  sub.u32 %r6, %r6, 1;
  cvt.u16.u32 %h, %r6;
  ld.param.u64 %rd0, [in];
  mul.wide.u32 %rd2, %r4, 128;
  add.u64 %rd2, %rd0, %rd2;
  mad.lo.u32 %r7, %r1, 128, %r3;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r7+128], [%rd2], 128, [%r3], %h;
wait:
  mbarrier.try_wait.parity.shared.b64 %p1, [%r3], 0;
  @!%p1 bra wait;
  mov.u32 %r8, 0;
  mov.u32 %r9, 0;
  mad.lo.u32 %r10, %r0, 4, %r3;
next:
  ld.shared.u32 %r11, [%r10+128];
  mad.lo.u32 %r8, %r8, 10, %r11;
  mapa.shared::cluster.u32 %r12, %r3, %r9;
  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r12+8];
  add.u32 %r10, %r10, 128;
  add.u32 %r9, %r9, 1;
  setp.lt.u32 %p2, %r9, %r2;
  @%p2 bra next;
left:
  mbarrier.try_wait.parity.shared.b64 %p3, [%r3+8], 0;
  @!%p3 bra left;
  ld.param.u64 %rd1, [out];
  mad.lo.u32 %r13, %r4, 32, %r0;
  mul.wide.u32 %rd3, %r13, 4;
  add.u64 %rd4, %rd1, %rd3;
  st.global.u32 [%rd4], %r8;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ret;
}
)";

class ClusterLaunchTest : public testing::Test {
 protected:
  void SetUp() override {
    if (TestDevice() == "simt") GTEST_SKIP() << "cluster_test has the SIMT device run this";
    absl::StatusOr<std::unique_ptr<Device>> opened = CreateCudaDevice(0);
    if (!opened.ok()) GTEST_SKIP() << opened.status();
    device_ = *std::move(opened);
    if (device_->info().ComputeCapability() < 90) GTEST_SKIP() << device_->info().arch << " has no clusters";
  }

  void Launch(const char* ptx, const char* name, const LaunchShape& shape, void** arguments) {
    absl::StatusOr<std::unique_ptr<DeviceModule>> module = device_->LoadModule(ImageFormat::kPtx, ptx);
    ASSERT_TRUE(module.ok()) << module.status();
    absl::Status launched = device_->Launch((*module)->GetKernel(name).value(), shape, arguments);
    ASSERT_TRUE(launched.ok()) << launched;
    ASSERT_TRUE(device_->Synchronize(0).ok());
  }

  std::vector<uint32_t> Download(DevicePtr from, size_t words) {
    std::vector<uint32_t> values(words);
    EXPECT_TRUE(device_->CopyToHost(values.data(), from, words * sizeof(uint32_t)).ok());
    return values;
  }

  std::unique_ptr<Device> device_;
};

TEST_F(ClusterLaunchTest, BlocksOfAClusterReadOneAnother) {
  DevicePtr out = device_->Allocate(8 * sizeof(uint32_t)).value();
  void* arguments[] = {&out};
  ASSERT_NO_FATAL_FAILURE(
      Launch(kPtx, "ranks", {.grid = {8, 1, 1}, .block = {1, 1, 1}, .cluster = {2, 1, 1}}, arguments));
  EXPECT_EQ(Download(out, 8), (std::vector<uint32_t>{100, 1, 300, 201, 500, 401, 700, 601}));
  EXPECT_TRUE(device_->Free(out).ok());
}

TEST_F(ClusterLaunchTest, MulticastCopiesAndRemoteArrivalsReachEachBlock) {
  constexpr uint32_t kBlocks = 8, kThreads = 32;
  std::vector<uint32_t> words(kBlocks * kThreads);
  for (uint32_t i = 0; i < words.size(); ++i) words[i] = i / kThreads + 1;
  const size_t bytes = words.size() * sizeof(uint32_t);
  DevicePtr in = device_->Allocate(bytes).value(), out = device_->Allocate(bytes).value();
  ASSERT_TRUE(device_->CopyToDevice(in, words.data(), bytes).ok());
  void* arguments[] = {&in, &out};
  for (uint32_t cluster : {2, 4}) {
    ASSERT_NO_FATAL_FAILURE(Launch(kGatherPtx, "gather",
                                   {.grid = {kBlocks, 1, 1}, .block = {kThreads, 1, 1}, .cluster = {cluster, 1, 1}},
                                   arguments));
    const std::vector<uint32_t> gathered = Download(out, words.size());
    for (uint32_t i = 0; i < gathered.size(); ++i) {
      uint32_t digits = 0;
      const uint32_t first = i / kThreads / cluster * cluster;
      for (uint32_t block = first; block < first + cluster; ++block) digits = 10 * digits + block + 1;
      EXPECT_EQ(gathered[i], digits) << "clusters of " << cluster << ", block " << i / kThreads << ", " << i % kThreads;
    }
  }
  EXPECT_TRUE(device_->Free(in).ok() && device_->Free(out).ok());
}

// A cluster fits between one and the number of multiprocessors times; the numbers are printed for the report.
TEST_F(ClusterLaunchTest, DeviceSaysHowManyClustersRunAtOnce) {
  absl::StatusOr<std::unique_ptr<DeviceModule>> module = device_->LoadModule(ImageFormat::kPtx, kGatherPtx);
  ASSERT_TRUE(module.ok()) << module.status();
  DeviceKernel* const kernel = (*module)->GetKernel("gather").value();
  for (uint32_t blocks : {2, 4, 8}) {
    const LaunchShape shape{
        .grid = {blocks, 1, 1}, .block = {384, 1, 1}, .dynamic_shared_bytes = 200 * 1024, .cluster = {blocks, 1, 1}};
    const absl::StatusOr<int> active = device_->MaxActiveClusters(kernel, shape);
    ASSERT_TRUE(active.ok()) << active.status();
    EXPECT_GE(*active, 1);
    EXPECT_LE(*active, device_->info().multiprocessors / blocks);
    std::printf("{\"cluster\": %u, \"active\": %d}\n", blocks, *active);
  }
}

}  // namespace
}  // namespace mmtune
