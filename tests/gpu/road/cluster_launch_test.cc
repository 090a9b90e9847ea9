// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks launched in clusters know their place, and read the shared memory of their neighbours.
#include <gtest/gtest.h>

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

TEST(ClusterLaunchTest, BlocksOfAClusterReadOneAnother) {
  if (TestDevice() == "simt") GTEST_SKIP() << "cluster_test has the SIMT device run this";
  absl::StatusOr<std::unique_ptr<Device>> opened = CreateCudaDevice(0);
  if (!opened.ok()) GTEST_SKIP() << opened.status();
  Device& device = **opened;
  if (std::stoi(device.info().arch.substr(3)) < 90) GTEST_SKIP() << device.info().arch << " has no clusters";
  auto module = device.LoadModule(ImageFormat::kPtx, kPtx);
  ASSERT_TRUE(module.ok()) << module.status();
  DevicePtr out = device.Allocate(8 * sizeof(uint32_t)).value();
  void* arguments[] = {&out};
  LaunchShape shape{.grid = {8, 1, 1}, .block = {1, 1, 1}, .dynamic_shared_bytes = 0, .cluster = {2, 1, 1}};
  absl::Status launched = device.Launch((*module)->GetKernel("ranks").value(), shape, arguments);
  ASSERT_TRUE(launched.ok()) << launched;
  ASSERT_TRUE(device.Synchronize(0).ok());
  std::vector<uint32_t> ranks(8);
  ASSERT_TRUE(device.CopyToHost(ranks.data(), out, ranks.size() * sizeof(uint32_t)).ok());
  EXPECT_EQ(ranks, (std::vector<uint32_t>{100, 1, 300, 201, 500, 401, 700, 601}));
  EXPECT_TRUE(device.Free(out).ok());
}

}  // namespace
}  // namespace mmtune
