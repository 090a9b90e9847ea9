// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters of blocks, in PTX: their registers and barrier, distributed shared memory, remote mbarriers, multicast. Each
// right kernel is free of findings; each mistake that is planted in it is found, whatever the order of the threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"

namespace mmtune::ptx {
namespace {

constexpr uint32_t kWords = 256;
constexpr int kSeeds = 5;

/// Runs a kernel `k(.param .u64 out, .param .u64 in, .param .align 64 .b8 map[128])`. It has 4 KiB of shared memory,
/// `mem`; %r0 is the thread, %r1 the rank of the block, %r2 that of its neighbour (rank xor 1), %r3 the address of
/// `mem` and %rd2 that of the word of `out` for the thread in the grid.
class ClusterTest : public ::testing::Test {
 protected:
  struct Shape {
    std::vector<uint32_t> grid = {2, 1, 1};
    std::vector<uint32_t> cluster = {2, 1, 1};
    uint32_t threads = 32;
    std::string arch = "sm_90";
    std::string directive;  ///< Before the body: ".reqnctapercluster 2".
  };

  /// Runs with the race detector; with schedule fuzzing if `seed` is not 0. Returns the first words of `out`.
  std::vector<uint32_t> Run(const std::string& body, const Shape& shape, uint64_t seed = 0) {
    simt::SimtOptions options;
    options.arch = shape.arch;
    options.race_detector = true;
    if (seed != 0) options.fuzzing_seed = seed;
    auto device = createPtxDevice(options).value();
    const std::string text =
        ".version 8.3\n.target sm_90a\n.address_size 64\n.shared .align 128 .b8 mem[4096];\n"
        ".visible .entry k(.param .u64 out, .param .u64 in, .param .align 64 .b8 map[128]) " +
        shape.directive +
        " {\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<49>; .reg .b64 %rd<19>;\n"
        "ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in]; mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank;\n"
        "xor.b32 %r2, %r1, 1; mov.u32 %r3, mem; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x;\n"
        "mad.lo.u32 %r6, %r4, %r5, %r0; mad.wide.u32 %rd2, %r6, 4, %rd0;\n" +
        body + "\nret;\n}\n";
    auto module = device->LoadModule(ImageFormat::kPtx, text);
    error_ = std::string(module.status().message());
    std::vector<uint32_t> words(kWords), numbers(kWords);
    if (!module.ok()) return words;
    for (uint32_t i = 0; i < kWords; ++i) numbers[i] = i;
    DevicePtr out = device->Allocate(4 * kWords).value(), in = device->Allocate(4 * kWords).value();
    EXPECT_TRUE(device->CopyToDevice(in, numbers.data(), 4 * kWords).ok());
    TiledTensorMap tiled{.address = in, .data_type = 2, .extents = {32, 8}, .strides_bytes = {128}, .box = {32, 2}};
    TensorMapBytes map = {};
    if (device->info().ComputeCapability() >= 90) map = device->EncodeTensorMap(tiled).value();
    void* arguments[] = {&out, &in, &map};
    LaunchShape launch;
    std::copy(shape.grid.begin(), shape.grid.end(), launch.grid);
    std::copy(shape.cluster.begin(), shape.cluster.end(), launch.cluster);
    launch.block[0] = shape.threads;
    const absl::Status launched = device->Launch((*module)->GetKernel("k").value(), launch, arguments);
    error_ = std::string(launched.message());
    for (const simt::Finding& finding : static_cast<simt::SimtDevice&>(*device).TakeFindings())
      error_ += "\n" + simt::FindingText(finding);
    EXPECT_TRUE(device->CopyToHost(words.data(), out, 4 * kWords).ok());
    return words;
  }

  /// Expects no finding and these words in every order.
  void ExpectRight(const std::string& body, const Shape& shape, const std::vector<uint32_t>& expected) {
    for (uint64_t seed = 0; seed <= kSeeds; ++seed) {
      std::vector<uint32_t> out = Run(body, shape, seed);
      out.resize(expected.size());
      EXPECT_EQ(error_, "") << "seed " << seed;
      EXPECT_EQ(out, expected) << "seed " << seed;
    }
  }

  /// Expects a finding that contains one of `words` in every order, once `right` is replaced by `wrong` in the body.
  void ExpectFound(const std::string& body, const Shape& shape, const std::string& right, const std::string& wrong,
                   const std::vector<std::string>& words) {
    ASSERT_NE(body.find(right), std::string::npos) << right;
    const std::string mutant = absl::StrReplaceAll(body, {{right, wrong}});
    for (uint64_t seed = 0; seed <= kSeeds; ++seed) {
      Run(mutant, shape, seed);
      EXPECT_TRUE(std::any_of(words.begin(), words.end(),
                              [&](const std::string& word) { return absl::StrContains(error_, word); }))
          << right << " -> " << wrong << ", seed " << seed << ": " << error_;
    }
  }

  std::string error_;
};

/// Words with the value of `function` for each thread of the grid.
template <typename Function>
std::vector<uint32_t> Words(uint32_t blocks, uint32_t threads, const Function& function) {
  std::vector<uint32_t> words;
  for (uint32_t block = 0; block < blocks; ++block)
    for (uint32_t thread = 0; thread < threads; ++thread) words.push_back(function(block, thread));
  return words;
}

TEST_F(ClusterTest, RegistersNameThePlaceOfTheBlock) {
  const std::string body = R"(
    mov.u32 %r10, %cluster_ctaid.x; mov.u32 %r11, %cluster_ctaid.y; mov.u32 %r12, %clusterid.x;
    mov.u32 %r13, %clusterid.y; mov.u32 %r14, %nclusterid.x; mov.u32 %r15, %cluster_nctaid.y;
    mov.u32 %r16, %cluster_nctarank;
    mad.lo.u32 %r20, %r1, 10, %r10; mad.lo.u32 %r20, %r20, 10, %r11; mad.lo.u32 %r20, %r20, 10, %r12;
    mad.lo.u32 %r20, %r20, 10, %r13; mad.lo.u32 %r20, %r20, 10, %r14; mad.lo.u32 %r20, %r20, 10, %r15;
    mad.lo.u32 %r20, %r20, 10, %r16;
    mov.u32 %r21, %ctaid.y; mad.lo.u32 %r21, %r21, 6, %r4; mul.wide.u32 %rd3, %r21, 4; add.u64 %rd3, %rd3, %rd0;
    st.global.u32 [%rd3], %r20;)";
  std::vector<uint32_t> expected;
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 6; ++x) {
      const uint32_t in_x = x % 3, in_y = y % 2, rank = in_y * 3 + in_x;
      uint32_t digits = rank;
      for (uint32_t digit : {in_x, in_y, x / 3, y / 2, 2u, 2u, 6u}) digits = digits * 10 + digit;
      expected.push_back(digits);
    }
  ExpectRight(body, {.grid = {6, 4, 1}, .cluster = {3, 2, 1}, .threads = 1}, expected);
}

/// Each block writes its own memory; then its neighbour reads it.
constexpr char kReadNeighbour[] = R"(
    mad.lo.u32 %r10, %r4, 100, %r0; mad.lo.u32 %r11, %r0, 4, %r3; st.shared.u32 [%r11], %r10;
    barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
    mapa.shared::cluster.u32 %r12, %r11, %r2; ld.shared::cluster.u32 %r13, [%r12]; st.global.u32 [%rd2], %r13;
    barrier.cluster.arrive; barrier.cluster.wait;)";

TEST_F(ClusterTest, BlocksReadTheSharedMemoryOfTheirNeighbour) {
  const Shape shape{.grid = {6, 1, 1}, .cluster = {2, 1, 1}, .threads = 40};
  ExpectRight(kReadNeighbour, shape, Words(6, 40, [](uint32_t block, uint32_t t) { return (block ^ 1) * 100 + t; }));
  ExpectFound(kReadNeighbour, shape, "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;",
              "", {"cluster-lifetime"});
  ExpectFound(kReadNeighbour, shape, "barrier.cluster.arrive.release", "barrier.cluster.arrive.relaxed", {"race-raw"});
  ExpectFound(kReadNeighbour, shape, "barrier.cluster.arrive; barrier.cluster.wait;", "",
              {"exits while another block of its cluster may still access its shared memory"});
  ExpectFound(kReadNeighbour, shape, "%r11, %r2;", "%r11, 2;", {"mapa to block 2 of a cluster of 2"});
  ExpectFound(kReadNeighbour, shape, "barrier.cluster.wait;", "", {"cluster-lifetime"});
}

TEST_F(ClusterTest, AMessageNamesTheOtherBlock) {
  Run(absl::StrReplaceAll(kReadNeighbour, {{"barrier.cluster.arrive.release", "barrier.cluster.arrive.relaxed"}}),
      {.grid = {4, 1, 1}, .threads = 1});
  for (const char* words :
       {"reads 4 bytes of shared memory, which another thread has written, and nothing orders the "
        "read after that (shared+0x0 of block (0,0,0))",
        "ld.shared::cluster.u32 by block (1,0,0), thread (0,0,0)", "st.shared.u32 by block (0,0,0), thread (0,0,0)"})
    EXPECT_TRUE(absl::StrContains(error_, words)) << words << ": " << error_;
}

/// Each block writes its neighbour's memory through a generic address; then that one reads its own.
constexpr char kWriteNeighbour[] = R"(
    barrier.cluster.arrive.relaxed; barrier.cluster.wait;
    mad.lo.u32 %r10, %r4, 100, %r0; mad.lo.u32 %r11, %r0, 4, %r3;
    cvt.u64.u32 %rd4, %r11; cvta.shared.u64 %rd5, %rd4; mapa.u64 %rd6, %rd5, %r2; st.u32 [%rd6], %r10;
    barrier.cluster.arrive.release; barrier.cluster.wait.acquire;
    ld.shared.u32 %r13, [%r11]; st.global.u32 [%rd2], %r13;)";

TEST_F(ClusterTest, BlocksWriteTheSharedMemoryOfTheirNeighbour) {
  const Shape shape{.grid = {4, 1, 1}, .cluster = {2, 1, 1}};
  ExpectRight(kWriteNeighbour, shape, Words(4, 32, [](uint32_t block, uint32_t t) { return (block ^ 1) * 100 + t; }));
  ExpectFound(kWriteNeighbour, shape, "barrier.cluster.arrive.relaxed; barrier.cluster.wait;", "",
              {"of its cluster, which may not have started"});
  ExpectFound(kWriteNeighbour, shape, "barrier.cluster.arrive.release", "barrier.cluster.arrive.relaxed", {"race-raw"});
  ExpectFound(kWriteNeighbour, shape, "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;", "bar.sync 0;",
              {"cluster-lifetime"});
}

/// All threads of a cluster add to a word of its first block.
constexpr char kCount[] = R"(
    setp.eq.u32 %p1, %r0, 0; mov.u32 %r10, 0; @%p1 st.shared.u32 [%r3+8], %r10;
    barrier.cluster.arrive; barrier.cluster.wait;
    mapa.shared::cluster.u32 %r12, %r3, 0; atom.shared::cluster.add.u32 %r14, [%r12+8], 2;
    red.relaxed.cluster.shared::cluster.add.u32 [%r12+8], 1;
    barrier.cluster.arrive; barrier.cluster.wait;
    ld.shared.u32 %r13, [%r3+8]; st.global.u32 [%rd2], %r13;)";

TEST_F(ClusterTest, AtomicsCountOverTheCluster) {
  const Shape shape{.grid = {8, 1, 1}, .cluster = {4, 1, 1}, .threads = 8};
  ExpectRight(kCount, shape, Words(8, 8, [](uint32_t block, uint32_t) { return block % 4 == 0 ? 96u : 0u; }));
  ExpectFound(kCount, shape, "red.relaxed.cluster.shared::cluster.add.u32 [%r12+8], 1;",
              "ld.shared::cluster.u32 %r14, [%r12+8]; st.shared::cluster.u32 [%r12+8], %r14;", {"race-"});
}

/// Every thread of both blocks arrives at an mbarrier of block 0 after a write of its memory; thread 0 there waits.
constexpr char kRemoteArrival[] = R"(
    setp.eq.u32 %p1, %r0, 0; @!%p1 bra ready;
    mbarrier.init.shared.b64 [%r3], 64; fence.mbarrier_init.release.cluster;
    ready: barrier.cluster.arrive.relaxed; barrier.cluster.wait;
    mad.lo.u32 %r10, %r4, 32, %r0; mad.lo.u32 %r11, %r10, 4, %r3; mapa.shared::cluster.u32 %r12, %r11, 0;
    st.shared::cluster.u32 [%r12+64], %r10;
    mapa.shared::cluster.u32 %r13, %r3, 0; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r13];
    setp.ne.u32 %p2, %r1, 0; @%p2 bra done;
    again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [%r3], 0; @!%p3 bra again;
    xor.b32 %r14, %r0, 31; mad.lo.u32 %r15, %r14, 4, %r3; ld.shared.u32 %r16, [%r15+64];
    ld.shared.u32 %r17, [%r15+192]; mad.lo.u32 %r18, %r17, 1000, %r16; st.global.u32 [%rd2], %r18;
    done:)";

TEST_F(ClusterTest, RemoteArrivalsOrderRemoteWrites) {
  const Shape shape{.grid = {2, 1, 1}, .cluster = {2, 1, 1}};
  ExpectRight(kRemoteArrival, shape, Words(1, 32, [](uint32_t, uint32_t t) { return (63 - t) * 1000 + 31 - t; }));
  ExpectFound(kRemoteArrival, shape, "[%r3], 64;", "[%r3], 65;", {"deadlock"});
  ExpectFound(kRemoteArrival, shape, "[%r3], 64;", "[%r3], 63;", {"race", "uninitialized-read", "cluster-lifetime"});
  ExpectFound(kRemoteArrival, shape, "barrier.cluster.arrive.relaxed; barrier.cluster.wait;", "bar.sync 0;",
              {"cluster-lifetime"});
  ExpectFound(kRemoteArrival, shape,
              "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [%r3], 0; @!%p3 bra again;", "",
              {"race", "uninitialized-read"});
  // The thread that has initialised it must publish that before others arrive.
  ExpectFound(kRemoteArrival, shape, "fence.mbarrier_init.release.cluster;", "", {"race-raw"});
}

/// Block 0 copies 128 bytes to both blocks at once, twice through one buffer; each block waits for the
/// bytes on an mbarrier of its own, and tells block 0 when it has read them.
constexpr char kMulticast[] = R"(
    setp.eq.u32 %p1, %r0, 0; @!%p1 bra ready;
    mbarrier.init.shared.b64 [%r3], 1; mbarrier.init.shared.b64 [%r3+8], 64; fence.mbarrier_init.release.cluster;
    ready: barrier.cluster.arrive.relaxed; barrier.cluster.wait;
    mov.u32 %r20, 0; mov.u32 %r21, 0; mapa.shared::cluster.u32 %r22, %r3, 0; mov.u64 %rd4, %rd1;
    loop:
    @!%p1 bra wait;
    mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 128;
    setp.ne.u32 %p2, %r1, 0; @%p2 bra wait;
    setp.eq.u32 %p3, %r20, 0; @%p3 bra copy; xor.b32 %r23, %r20, 1;
    empty: mbarrier.try_wait.parity.shared.b64 %p4, [%r3+8], %r23; @!%p4 bra empty;
    copy: mov.b16 %h1, 3;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r3+128], [%rd4], 128, [%r3], %h1;
    wait: mbarrier.try_wait.parity.shared.b64 %p5, [%r3], %r20; @!%p5 bra wait;
    mad.lo.u32 %r24, %r0, 4, %r3; ld.shared.u32 %r25, [%r24+128]; mad.lo.u32 %r21, %r21, 100, %r25;
    mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r22+8];
    add.u64 %rd4, %rd4, 128; add.u32 %r20, %r20, 1; setp.lt.u32 %p6, %r20, 2; @%p6 bra loop;
    st.global.u32 [%rd2], %r21;
    barrier.cluster.arrive; barrier.cluster.wait;)";

TEST_F(ClusterTest, MulticastCopiesLandInEachBlock) {
  const Shape shape{.grid = {2, 1, 1}, .cluster = {2, 1, 1}};
  ExpectRight(kMulticast, shape, Words(2, 32, [](uint32_t, uint32_t t) { return t * 100 + 32 + t; }));
  ExpectFound(kMulticast, shape, "%h1, 3;", "%h1, 1;", {"deadlock"});
  ExpectFound(kMulticast, shape, "%h1, 3;", "%h1, 7;", {"a multicast copy to the blocks 0x7 of a cluster of 2"});
  ExpectFound(kMulticast, shape, "_, [%r3], 128;", "_, [%r3], 144;", {"deadlock"});
  ExpectFound(kMulticast, shape, "_, [%r3], 128;", "_, [%r3], 112;", {"deadlock"});
  ExpectFound(kMulticast, shape, "empty: mbarrier.try_wait.parity.shared.b64 %p4, [%r3+8], %r23; @!%p4 bra empty;", "",
              {"race", "deadlock"});
  ExpectFound(kMulticast, shape, "[%r3+8], 64;", "[%r3+8], 32;", {"race", "deadlock"});
  ExpectFound(kMulticast, shape, "mbarrier.try_wait.parity.shared.b64 %p5, [%r3], %r20; @!%p5 bra wait;", "",
              {"race", "uninitialized-read"});
  ExpectFound(kMulticast, shape, "barrier.cluster.arrive.relaxed; barrier.cluster.wait;", "bar.sync 0;", {"mbarrier"});
  ExpectFound(kMulticast, shape, "\n    barrier.cluster.arrive; barrier.cluster.wait;", "",
              {"exits while another block", "of its cluster, which has exited"});
}

/// Each block loads two rows of a matrix by a tensor map and sends them to both.
constexpr char kTensorMulticast[] = R"(
    setp.eq.u32 %p1, %r0, 0; @!%p1 bra ready;
    mbarrier.init.shared.b64 [%r3], 1; fence.mbarrier_init.release.cluster;
    ready: barrier.cluster.arrive.relaxed; barrier.cluster.wait;
    @!%p1 bra wait;
    mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 512;
    mov.u64 %rd5, map; mov.u32 %r10, 0; shl.b32 %r11, %r1, 1; mad.lo.u32 %r12, %r1, 256, %r3; mov.b16 %h1, 3;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
      [%r12+1024], [%rd5, {%r10, %r11}], [%r3], %h1;
    wait: mbarrier.try_wait.parity.shared.b64 %p5, [%r3], 0; @!%p5 bra wait;
    mad.lo.u32 %r24, %r0, 4, %r3; ld.shared.u32 %r25, [%r24+1024]; ld.shared.u32 %r26, [%r24+1408];
    mad.lo.u32 %r26, %r26, 1000, %r25; st.global.u32 [%rd2], %r26;
    barrier.cluster.arrive; barrier.cluster.wait;)";

TEST_F(ClusterTest, TensorCopiesLandInEachBlock) {
  const Shape shape{.grid = {2, 1, 1}, .cluster = {2, 1, 1}};
  ExpectRight(kTensorMulticast, shape, Words(2, 32, [](uint32_t, uint32_t t) { return (96 + t) * 1000 + t; }));
  // Both blocks write the same rows; so half of the box never arrives.
  ExpectFound(kTensorMulticast, shape, "%r12, %r1, 256, %r3;", "%r12, %r1, 0, %r3;", {"race"});
  ExpectFound(kTensorMulticast, shape, "_, [%r3], 512;", "_, [%r3], 256;", {"race", "uninitialized-read"});
}

/// Each block sends 128 bytes of its own shared memory to its neighbour.
constexpr char kSend[] = R"(
    setp.eq.u32 %p1, %r0, 0; @!%p1 bra ready;
    mbarrier.init.shared.b64 [%r3], 1; fence.mbarrier_init.release.cluster;
    ready: mad.lo.u32 %r10, %r4, 100, %r0; mad.lo.u32 %r11, %r0, 4, %r3; st.shared.u32 [%r11+128], %r10;
    fence.proxy.async.shared::cta;
    barrier.cluster.arrive.release; barrier.cluster.wait;
    @!%p1 bra wait;
    mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 128;
    mapa.shared::cluster.u32 %r12, %r3, %r2;
    cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r12+256], [%r3+128], 128, [%r12];
    wait: mbarrier.try_wait.parity.shared.b64 %p5, [%r3], 0; @!%p5 bra wait;
    ld.shared.u32 %r25, [%r11+256]; st.global.u32 [%rd2], %r25;
    barrier.cluster.arrive; barrier.cluster.wait;)";

TEST_F(ClusterTest, BulkCopiesSendSharedMemoryToANeighbour) {
  const Shape shape{.grid = {2, 1, 1}, .cluster = {2, 1, 1}};
  ExpectRight(kSend, shape, Words(2, 32, [](uint32_t block, uint32_t t) { return (block ^ 1) * 100 + t; }));
  ExpectFound(kSend, shape, "fence.proxy.async.shared::cta;", "", {"fence.proxy.async is missing"});
  ExpectFound(kSend, shape, "128, [%r12];", "128, [%r3];", {"whose mbarrier is in a third one"});
  // The source is read until the neighbour, which waits, says that it has waited.
  ExpectFound(kSend, shape, "128, [%r12];", "128, [%r12]; @%p1 st.shared.u32 [%r3+128], %r1;", {"race"});
  const std::string after = "barrier.cluster.arrive; barrier.cluster.wait;";
  const std::string reused = absl::StrReplaceAll(kSend, {{after, after + "st.shared.u32 [%r11+128], %r1;"}});
  ExpectRight(reused, shape, Words(2, 32, [](uint32_t block, uint32_t t) { return (block ^ 1) * 100 + t; }));
}

TEST_F(ClusterTest, TheBarrierOfAClusterIsUsedInTurns) {
  const Shape shape{};
  ExpectRight("barrier.cluster.arrive; barrier.cluster.wait; barrier.cluster.arrive; barrier.cluster.wait;", shape,
              {0});
  // Threads that have exited are not waited for.
  ExpectRight("setp.lt.u32 %p1, %r0, 16; @%p1 ret; barrier.cluster.arrive; barrier.cluster.wait;", shape, {0});
  ExpectFound("barrier.cluster.arrive; barrier.cluster.wait;", shape, "barrier.cluster.arrive;", "",
              {"barrier.cluster.wait without barrier.cluster.arrive"});
  ExpectFound("barrier.cluster.arrive; barrier.cluster.wait;", shape, "barrier.cluster.wait;",
              "barrier.cluster.arrive;", {"barrier.cluster.arrive again"});
}

TEST_F(ClusterTest, AnAddressInTheOwnBlockIsOneOfSharedMemory) {
  const std::string body =
      "mapa.shared::cluster.u32 %r9, %r3, %r1; st.shared.u32 [%r9], %r1; ld.shared::cluster.u32 %r8, [%r9];"
      "ld.shared.u32 %r7, [%r9]; add.u32 %r8, %r8, %r7; st.global.u32 [%rd2], %r8;";
  ExpectRight(body, {.threads = 1}, {0, 2});
  // Where the address of another block is misaligned, the finding says in which.
  ExpectFound(
      "mapa.shared::cluster.u32 %r9, %r3, %r2; barrier.cluster.arrive; barrier.cluster.wait;"
      "st.shared::cluster.u32 [%r9+2], %r1; barrier.cluster.arrive; barrier.cluster.wait;",
      {.threads = 1}, "barrier", "barrier", {"shared+0x2 of block ("});
}

/// All lanes of a warp store the same 128 bytes of shared memory.
constexpr char kStores[] = R"(
    mad.lo.u32 %r11, %r0, 4, %r3; st.shared.u32 [%r11], %r4; st.shared.u32 [%r11+128], %r4; mov.u32 %r12, %r3;
    fence.proxy.async.shared::cta; bar.sync 0;
    cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r12], 128;
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;)";

TEST_F(ClusterTest, LanesMayStoreTheSameBytes) {
  const Shape shape{.grid = {1, 1, 1}, .cluster = {1, 1, 1}};
  ExpectRight(kStores, shape, std::vector<uint32_t>(32, 0));
  ExpectFound(kStores, shape, "mov.u32 %r12, %r3;", "and.b32 %r12, %r0, 1; mad.lo.u32 %r12, %r12, 128, %r3;", {"race"});
}

/// One lane stores what all have written; then all read it in global memory.
constexpr char kReadStored[] = R"(
    setp.ne.u32 %p1, %r0, 0; mad.lo.u32 %r11, %r0, 4, %r3; add.u32 %r12, %r0, 7; st.shared.u32 [%r11], %r12;
    fence.proxy.async.shared::cta; bar.sync 0; @%p1 bra wait;
    cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r3], 128;
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
    wait: bar.sync 0; ld.global.u32 %r13, [%rd2]; st.global.u32 [%rd2+128], %r13;)";

TEST_F(ClusterTest, AStoreIsCompleteWhenItIsWaitedFor) {
  const Shape shape{.grid = {1, 1, 1}, .cluster = {1, 1, 1}};
  ExpectRight(kReadStored, shape, Words(2, 32, [](uint32_t, uint32_t t) { return t + 7; }));
  // Then its source may be written again, but its destination not be read.
  ExpectFound(kReadStored, shape, "wait_group 0;", "wait_group.read 0;", {"global-race"});
  ExpectFound(kReadStored, shape, "cp.async.bulk.wait_group 0;", "", {"exits while its bulk copies may still read"});
}

/// Thread 0 waits for two phases of an mbarrier, at which thread 32 arrives once thread 0 has seen the one before.
constexpr char kTwoPhases[] = R"(
    setp.eq.u32 %p1, %r0, 0; setp.eq.u32 %p2, %r0, 32; @!%p1 bra ready;
    mbarrier.init.shared.b64 [%r3], 1; mbarrier.init.shared.b64 [%r3+8], 1;
    ready: bar.sync 0; @%p2 bra arrive; @!%p1 bra done;
    first: mbarrier.try_wait.parity.shared.b64 %p3, [%r3], 0; @!%p3 bra first;
    mbarrier.arrive.shared.b64 _, [%r3+8];
    second: mbarrier.try_wait.parity.shared.b64 %p3, [%r3], 1; @!%p3 bra second; bra done;
    arrive: mbarrier.arrive.shared.b64 _, [%r3];
    seen: mbarrier.try_wait.parity.shared.b64 %p4, [%r3+8], 0; @!%p4 bra seen;
    mbarrier.arrive.shared.b64 _, [%r3];
    done:)";

TEST_F(ClusterTest, APhaseIsNotToFlipTwiceBeforeItIsSeen) {
  const Shape shape{.grid = {1, 1, 1}, .cluster = {1, 1, 1}, .threads = 64};
  ExpectRight(kTwoPhases, shape, {0});
  const std::string seen = "seen: mbarrier.try_wait.parity.shared.b64 %p4, [%r3+8], 0; @!%p4 bra seen;";
  ExpectFound(kTwoPhases, shape, seen, "", {"missed-phase", "deadlock"});
  Run(absl::StrReplaceAll(kTwoPhases, {{seen, ""}}), shape);
  EXPECT_TRUE(absl::StrContains(error_, "waits for phase 0 of the mbarrier at shared+0x0, but phase 1 has completed"))
      << error_;
}

/// Warps 0 to 2 and 4 wait for a barrier of which only one of two arrivals ever comes.
constexpr char kMissingArrival[] = R"(
    setp.eq.u32 %p1, %r0, 0; shr.u32 %r10, %r0, 5; setp.ne.u32 %p2, %r10, 3; @!%p1 bra ready;
    mbarrier.init.shared.b64 [%r3+32], 1; mbarrier.init.shared.b64 [%r3+16], 1; mbarrier.init.shared.b64 [%r3+24], 2;
    ready: bar.sync 0; @%p2 bra wait;
    setp.ne.u32 %p3, %r0, 96; @%p3 bra done; mbarrier.arrive.shared.b64 _, [%r3+24]; bra done;
    wait: mbarrier.try_wait.parity.shared.b64 %p4, [%r3+24], 0; @!%p4 bra wait;
    done:)";

TEST_F(ClusterTest, ADeadlockNamesBarrierPhaseAndWarps) {
  Run(kMissingArrival, {.grid = {1, 1, 1}, .cluster = {1, 1, 1}, .threads = 160});
  for (const char* words :
       {"128 of warps 0 to 2, 4: waits for phase 0 of the mbarrier at shared+0x18, number 2 of 3 by "
        "address, which lacks 1 of 2 arrivals; 32 of warp 3: has exited",
        ": 128 threads of warps 0 to 2, 4, each of which waits for phase 0 of", "hint: let every thread"})
    EXPECT_TRUE(absl::StrContains(error_, words)) << words << "\n" << error_;
}

TEST_F(ClusterTest, ADeadlockNamesTheBlockOfEachGroup) {
  // Block 0 waits for an arrival; block 1 waits for the cluster.
  const std::string body = R"(
    setp.eq.u32 %p1, %r0, 0; setp.ne.u32 %p2, %r1, 0; @!%p1 bra ready; mbarrier.init.shared.b64 [%r3], 1;
    ready: bar.sync 0; @%p2 bra done;
    wait: mbarrier.try_wait.parity.shared.b64 %p4, [%r3], 0; @!%p4 bra wait;
    done: barrier.cluster.arrive; barrier.cluster.wait;)";
  Run(body, {.threads = 64});
  for (const char* words : {"(64 of warps 0 to 1 of block (0,0,0): waits for phase 0 of",
                            "; 64 of warps 0 to 1 of block (1,0,0): waits for ",
                            ": 64 threads of warps 0 to 1 of block (1,0,0), each of which waits for "})
    EXPECT_TRUE(absl::StrContains(error_, words)) << words << "\n" << error_;
}

TEST_F(ClusterTest, ADeadlockSaysWhatAPhaseHasTooMuchOrNotAnyMore) {
  const Shape shape{.grid = {1, 1, 1}, .cluster = {1, 1, 1}, .threads = 1};
  const std::string begin = "mbarrier.init.shared.b64 [%r3], 1;", end = R"(
    wait: mbarrier.try_wait.parity.shared.b64 %p4, [%r3], PARITY; @!%p4 bra wait;)";
  Run(begin + "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r3], 64; mbarrier.arrive.shared.b64 _, [%r3];" +
          absl::StrReplaceAll(end, {{"PARITY", "0"}}),
      shape);
  EXPECT_TRUE(absl::StrContains(error_, "by address, which has 64 bytes more than were expected)")) << error_;
  Run(begin + "mbarrier.arrive_drop.shared.b64 _, [%r3];" + absl::StrReplaceAll(end, {{"PARITY", "1"}}), shape);
  EXPECT_TRUE(absl::StrContains(error_, "by address, which expects no arrival any more)")) << error_;
}

/// The threads of warp 1 copy a word each, let the copy arrive at an mbarrier, and exit; warp 0 waits for it.
constexpr char kCopyAndExit[] = R"(
    setp.eq.u32 %p1, %r0, 0; setp.lt.u32 %p2, %r0, 32; @!%p1 bra ready; mbarrier.init.shared.b64 [%r3], 32;
    ready: bar.sync 0; mad.lo.u32 %r11, %r0, 4, %r3; @%p2 bra wait;
    mad.wide.u32 %rd4, %r0, 4, %rd1; cp.async.ca.shared.global [%r11+128], [%rd4], 4;
    cp.async.mbarrier.arrive.noinc.shared.b64 [%r3]; exit;
    wait: mbarrier.try_wait.parity.shared.b64 %p3, [%r3], 0; @!%p3 bra wait;
    ld.shared.u32 %r12, [%r11+256]; st.global.u32 [%rd2], %r12;)";

TEST_F(ClusterTest, CopiesOfThreadsThatHaveExitedArrive) {
  const Shape shape{.grid = {1, 1, 1}, .cluster = {1, 1, 1}, .threads = 64};
  ExpectRight(kCopyAndExit, shape, Words(1, 32, [](uint32_t, uint32_t t) { return t + 32; }));
  ExpectFound(kCopyAndExit, shape, "cp.async.mbarrier.arrive.noinc.shared.b64 [%r3];",
              "mbarrier.arrive.shared.b64 _, [%r3];", {"race"});
}

TEST_F(ClusterTest, OneBlockIsAClusterOfOne) {
  ExpectRight(
      "barrier.cluster.arrive; barrier.cluster.wait; mapa.shared::cluster.u32 %r9, %r3, 0;"
      "st.shared::cluster.u32 [%r9], %r1; ld.shared.u32 %r8, [%r3]; mov.u32 %r7, %cluster_nctarank;"
      "add.u32 %r8, %r8, %r7; st.global.u32 [%rd2], %r8;",
      {.grid = {2, 1, 1}, .cluster = {1, 1, 1}, .threads = 1}, {1, 1});
}

TEST_F(ClusterTest, LaunchesWithImpossibleClustersAreRefused) {
  const std::string body = "mov.u32 %r7, %cluster_nctarank; st.global.u32 [%rd2], %r7;";
  // The kernel's own size holds where the launch has none.
  EXPECT_EQ(Run(body, {.grid = {4, 1, 1}, .cluster = {1, 1, 1}, .directive = ".reqnctapercluster 4"})[0], 4);
  EXPECT_EQ(error_, "");
  Run(body, {.grid = {4, 1, 1}, .cluster = {2, 1, 1}, .directive = ".explicitcluster .reqnctapercluster 4"});
  EXPECT_NE(error_.find("clusters of (2,1,1) blocks, but the kernel demands (4,1,1)"), std::string::npos) << error_;
  Run(body, {.grid = {3, 1, 1}});
  EXPECT_NE(error_.find("clusters of (2,1,1) blocks do not divide a grid of (3,1,1)"), std::string::npos) << error_;
  Run(body, {.grid = {16, 1, 1}, .cluster = {16, 1, 1}});
  EXPECT_NE(error_.find("16 blocks, but a cluster may have at most 8"), std::string::npos) << error_;
  Run(body, {.arch = "sm_80"});
  EXPECT_NE(error_.find("clusters of (2,1,1) blocks: sm_80 does not support clusters"), std::string::npos) << error_;
}

}  // namespace
}  // namespace mmtune::ptx
