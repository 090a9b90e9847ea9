// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX of each of the builder's operations of Hopper, which ptxas assembles without a word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/builder/cluster.h"
#include "kernels/builder/mbarrier.h"
#include "kernels/builder/tensor_copy.h"
#include "kernels/builder/thread_group.h"
#include "kernels/builder/wgmma.h"
#include "tests/kernels/builder/built_module.h"

namespace mmtune {
namespace {

using mlir::Value;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using Values = KernelBuilder::Values;

/// The parameters of a kernel `k(map, floats, integer)`, and its shared memory.
struct Parameters {
  Value map, floats, integer, shared;
};

/// Returns the PTX of a kernel of 256 threads with this body. Fails the test if ptxas has anything to say.
std::string PtxOf(llvm::function_ref<void(KernelBuilder&, const Parameters&)> body, int32_t cluster = 1) {
  absl::StatusOr<std::string> ptx = CompileBuiltModule(DeviceCodeFor("sm_90a"), [&](KernelBuilder& builder) {
    KernelSignature signature;
    signature.name = "k";
    signature.buffers = {BufferUse::kTensorMap, BufferUse::kReadWrite};
    signature.integers = 1;
    signature.threads[0] = 256;
    signature.cluster[0] = cluster;
    Values values = builder.beginKernel(signature);
    body(builder, {values[0], values[1], values[2], builder.sharedMemory()});
    builder.finishKernel();
  });
  EXPECT_TRUE(ptx.ok()) << ptx.status();
  if (!ptx.ok()) return "";
  EXPECT_EQ(AssemblerOutput(*ptx, "sm_90a"), "") << *ptx;
  return *ptx;
}

TEST(HopperOperationsTest, Mbarriers) {
  const std::string ptx = PtxOf([](KernelBuilder& b, const Parameters& p) {
    initMbarrier(b, p.shared, 3);
    fenceMbarrierInit(b);
    arriveMbarrier(b, p.shared);
    arriveExpectingBytes(b, p.shared, p.integer);
  });
  EXPECT_THAT(ptx, ContainsRegex("mov.b32 \t%r[0-9]+, 3;\n\tmbarrier.init.shared.b64"));
  EXPECT_THAT(ptx, HasSubstr("fence.mbarrier_init.release.cluster;"));
  EXPECT_THAT(ptx, ContainsRegex("mbarrier.arrive.shared.b64 \t%rd[0-9]+, \\[dynamic_shared_memory\\];"));
  EXPECT_THAT(ptx, ContainsRegex("mbarrier.arrive.expect_tx.shared.b64 %rd[0-9]+, \\[dynamic_shared_memory\\], %r"));
}

TEST(HopperOperationsTest, WaitIsALoopWithoutTimeAndScope) {
  const std::string ptx = PtxOf([](KernelBuilder& b, const Parameters& p) { waitMbarrier(b, p.shared, p.integer); });
  EXPECT_THAT(ptx,
              ContainsRegex("mbarrier.try_wait.parity.shared.b64 %p[0-9]+, \\[dynamic_shared_memory\\], %r[0-9]+;"));
  EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ bra \t\\$L__BB0_1;"));
}

TEST(HopperOperationsTest, RemoteArrivalHasTheScopeOfTheBlock) {
  const std::string ptx =
      PtxOf([](KernelBuilder& b, const Parameters& p) { arriveMbarrierOf(b, p.shared, p.integer); }, /*cluster=*/2);
  EXPECT_THAT(ptx, HasSubstr("mapa.shared::cluster.u64"));
  EXPECT_THAT(ptx, HasSubstr("mbarrier.arrive.shared::cluster.b64 _, ["));
}

TEST(HopperOperationsTest, Clusters) {
  const std::string ptx = PtxOf(
      [](KernelBuilder& b, const Parameters& p) {
        arriveAtClusterBarrier(b, /*isRelaxed=*/true);
        waitForClusterBarrier(b);
        arriveAtClusterBarrier(b);
        b.store(b.add(blockRankInCluster(b), b.add(clusterX(b), clusterCountX(b))), p.floats);
      },
      /*cluster=*/2);
  for (const char* part :
       {".reqnctapercluster 2, 1, 1", "barrier.cluster.arrive.relaxed.aligned;", "barrier.cluster.wait.aligned;",
        "barrier.cluster.arrive.aligned;", "%cluster_ctarank;", "%clusterid.x;", "%nclusterid.x;"})
    EXPECT_THAT(ptx, HasSubstr(part));
}

TEST(HopperOperationsTest, OrderOfKernels) {
  const std::string ptx = PtxOf([](KernelBuilder& b, const Parameters&) {
    waitForEarlierKernels(b);
    allowLaterKernels(b);
  });
  EXPECT_THAT(ptx, HasSubstr("griddepcontrol.wait;"));
  EXPECT_THAT(ptx, HasSubstr("griddepcontrol.launch_dependents;"));
}

TEST(HopperOperationsTest, TensorMapIsAParameterByValue) {
  const std::string ptx = PtxOf([](KernelBuilder& b, const Parameters& p) { prefetchTensorMap(b, p.map); });
  EXPECT_THAT(ptx, HasSubstr(".param .align 64 .b8 k_param_0[128]"));
  EXPECT_THAT(ptx, HasSubstr("tensormap \t[%rd"));
}

TEST(HopperOperationsTest, TensorLoads) {
  const std::string ptx = PtxOf(
      [](KernelBuilder& b, const Parameters& p) {
        Value tile = b.offsetBytes(p.shared, 1024);
        loadTensor(b, {tile, p.map, {p.integer, p.integer}, p.shared, {}, L2Hint::kEvictLast});
        loadTensor(b, {tile, p.map, {p.integer, p.integer, p.integer}, p.shared, p.integer});
      },
      /*cluster=*/2);
  // 0x14F0000000000000
  EXPECT_THAT(ptx, ContainsRegex("mov.b64 \t(%rd[0-9]+), 1508705875169116160;"));
  EXPECT_THAT(ptx, ContainsRegex("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                                 ".L2::cache_hint \\[%rd[0-9]+\\], \\[%rd[0-9]+, \\{%r[0-9]+, %r[0-9]+\\}\\], "
                                 "\\[dynamic_shared_memory\\], %rd"));
  EXPECT_THAT(ptx, ContainsRegex("cp.async.bulk.tensor.3d[^\n]*complete_tx::bytes.multicast::cluster \\[[^\n]*, %rs"));
}

TEST(HopperOperationsTest, TensorStores) {
  const std::string ptx = PtxOf([](KernelBuilder& b, const Parameters& p) {
    Value tile = b.offsetBytes(p.shared, 1024);
    fenceAsyncProxy(b);
    storeTensor(b, p.map, tile, {p.integer, p.integer}, L2Hint::kEvictFirst);
    addTensor(b, p.map, tile, {p.integer, p.integer});
    commitStores(b);
    waitForStores(b, 1, /*readOnly=*/true);
    waitForStores(b, 0, /*readOnly=*/false);
  });
  EXPECT_THAT(ptx, HasSubstr("fence.proxy.async.shared::cta;"));
  EXPECT_THAT(ptx, HasSubstr(", 1364590687093260288;"));  // 0x12F0000000000000
  EXPECT_THAT(ptx, HasSubstr("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint ["));
  EXPECT_THAT(ptx, HasSubstr("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group ["));
  EXPECT_THAT(ptx, HasSubstr("cp.async.bulk.commit_group;"));
  EXPECT_THAT(ptx, HasSubstr("cp.async.bulk.wait_group.read \t1;"));
  EXPECT_THAT(ptx, HasSubstr("cp.async.bulk.wait_group \t0;"));
}

TEST(HopperOperationsTest, GroupsOfThreads) {
  const std::string ptx = PtxOf([](KernelBuilder& b, const Parameters& p) {
    ThreadGroup block = ThreadGroup::block(256);
    block.synchronize(b);
    b.when(b.equal(warpgroupIndex(b), 1), [&] {
      setMaxRegisters(b, 232, /*isIncrease=*/true);
      ThreadGroup group{kWarpgroupThreads, b.constant(3), b.constant(kWarpgroupThreads)};
      group.synchronize(b);
      waitAtBarrier(b, p.integer, 128);
      arriveAtBarrier(b, b.constant(4), 256);
      b.store(group.thread(b), b.offset(p.floats, b.constant(0)));
      b.when(isElectedLane(b), [&] { arriveMbarrier(b, p.shared); });
    });
  });
  EXPECT_THAT(ptx, HasSubstr("bar.sync \t0;"));
  EXPECT_THAT(ptx, ContainsRegex("shfl.sync.idx.b32 \t%r[0-9]+, %r[0-9]+, 0, 31, -1;"));
  EXPECT_THAT(ptx, HasSubstr("setmaxnreg.inc.sync.aligned.u32 \t232;"));
  EXPECT_THAT(ptx, HasSubstr("bar.sync \t3, 128;"));
  EXPECT_THAT(ptx, ContainsRegex("bar.sync \t%r[0-9]+, 128;"));
  EXPECT_THAT(ptx, HasSubstr("bar.arrive 4, 256;"));
  EXPECT_THAT(ptx, ContainsRegex("add.s32 \t%r[0-9]+, %r[0-9]+, -128;"));
  EXPECT_THAT(ptx, ContainsRegex("elect.sync \t%r[0-9]+\\|%p[0-9]+, -1;"));
}

TEST(HopperOperationsTest, StoresMatrices) {
  const std::string ptx = PtxOf([](KernelBuilder& b, const Parameters& p) {
    storeMatrices(b, p.shared, {p.integer, p.integer, p.integer, p.integer});
    storeMatrices(b, p.shared, {p.integer, p.integer}, /*transposed=*/true);
  });
  EXPECT_THAT(ptx, HasSubstr("stmatrix.sync.aligned.m8n8.x4.shared.b16 [dynamic_shared_memory], {"));
  EXPECT_THAT(ptx, HasSubstr("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [dynamic_shared_memory], {"));
}

/// Returns the PTX of a loop that multiplies, and of stores of the accumulators.
std::string Multiplication(const WgmmaShape& shape) {
  return PtxOf([&](KernelBuilder& b, const Parameters& p) {
    Value operand = b.offsetBytes(p.shared, 8192);
    Value descriptorA = kMajorDescriptor(b, p.shared);
    Value descriptorB = shape.isMnMajorB ? mnMajorDescriptor(b, operand, 8192) : kMajorDescriptor(b, operand);
    auto multiply = [&](Value step, Values sums) {
      fenceWgmma(b);
      Value first = wgmma(b, shape, sums[0], descriptorA, descriptorB, b.greater(step, 0));
      Value second = wgmma(b, shape, first, advanceDescriptor(b, descriptorA, kWgmmaBytesK),
                           advanceDescriptor(b, descriptorB, b.constant(2048)));
      commitWgmma(b);
      return waitWgmma(b, 1, {second});
    };
    Value sums = b.loop(p.integer, 1, {undefinedAccumulators(b, shape)}, multiply)[0];
    sums = waitWgmma(b, 0, {sums})[0];
    Value first = b.offset(p.floats, b.mul(b.threadX(), shape.accumulators()));
    for (auto [i, sum] : llvm::enumerate(b.structFields(sums, shape.accumulators())))
      b.store(sum, b.offset(first, static_cast<int64_t>(i)));
  });
}

TEST(HopperOperationsTest, Multiplications) {
  const std::string bf16 = Multiplication({DataType::kBf16, 64, false, /*isMnMajorB=*/true});
  EXPECT_THAT(bf16, ContainsRegex("setp.ne.b32 p, %r[0-9]+, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
                                  "\\{[^}]*\\}, a, b, p, 1, 1, 0, 1; \\}"));
  EXPECT_THAT(bf16, HasSubstr("wgmma.fence.sync.aligned;"));
  EXPECT_THAT(bf16, HasSubstr("wgmma.commit_group.sync.aligned;"));
  EXPECT_THAT(Multiplication({DataType::kF16, 8}), HasSubstr("m64n8k16.f32.f16.f16 {"));
  EXPECT_THAT(Multiplication({DataType::kF32, 16}), ContainsRegex("m64n16k8.f32.tf32.tf32 [^;]*, p, 1, 1; }"));
  EXPECT_THAT(Multiplication({DataType::kS8, 32}), ContainsRegex("m64n32k32.s32.s8.s8 [^;]*, p; }"));
}

TEST(HopperOperationsTest, DescriptorsAreComputedInTheirLowWord) {
  const std::string ptx = Multiplication({DataType::kBf16, 64, false, /*isMnMajorB=*/true});
  // An atom of 1024 bytes and the swizzle of 128 bytes, in the high word; nothing else needs 64 bits.
  EXPECT_THAT(ptx, HasSubstr(std::to_string(0x40000040)));
  EXPECT_THAT(ptx, ContainsRegex("mov.b64 a, \\{%r[0-9]+, %r[0-9]+\\}; mov.b64 b, \\{%r[0-9]+, %r[0-9]+\\};"));
  EXPECT_THAT(ptx, Not(HasSubstr("shl.b64")));
  EXPECT_THAT(ptx, Not(HasSubstr("shr.u64")));
}

TEST(HopperOperationsTest, WaitOrdersReadersOfAccumulators) {
  // Every store of an accumulator comes after the last wait.
  const std::string ptx = Multiplication({DataType::kBf16, 64});
  EXPECT_LT(ptx.rfind("wgmma.wait_group.sync.aligned 0;"), ptx.find("st.global"));
}

}  // namespace
}  // namespace mmtune
