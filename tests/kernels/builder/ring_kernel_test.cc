// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel of the builder's operations of Hopper on the SIMT device: exact and free of findings in every order,
// from PTX and from the NVVM dialect. Each mistake that is planted in it is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/builder/built_module.h"
#include "tests/kernels/builder/ring_kernel.h"
#include "tests/kernels/typed_operands.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

constexpr int kSeeds = 3;

class RingKernelTest : public ::testing::Test {
 protected:
  static std::string Compile(const RingProblem& problem, bool is_ptx, RingMistake mistake = RingMistake::kNone) {
    CompileTarget target = DeviceCodeFor("sm_90a", DeviceKind::kSimt);
    target.shipped_ptx = is_ptx;
    target.race_detection = true;
    absl::StatusOr<std::string> code =
        CompileBuiltModule(target, [&](KernelBuilder& builder) { EmitRingKernel(builder, problem, mistake); });
    EXPECT_TRUE(code.ok()) << code.status();
    return code.ok() ? *code : "";
  }

  /// Returns the findings, or the error, of a run with the race detector; empty for a right one. With schedule fuzzing
  /// if `seed` is not 0.
  static std::string Findings(const RingProblem& p, bool is_ptx, const std::string& code, uint64_t seed) {
    simt::SimtOptions options;
    options.arch = "sm_90";
    options.race_detector = true;
    if (seed != 0) options.fuzzing_seed = seed;
    auto device = ptx::createPtxDevice(options).value();
    auto module = device->LoadModule(is_ptx ? ImageFormat::kPtx : ImageFormat::kSimtObject, code);
    if (!module.ok()) return std::string(module.status().message());
    MatmulProblem matmul = *ParseMatmulShape("1x1x1", DataType::kBf16);
    matmul.m = p.m, matmul.n = p.n, matmul.k = p.k;
    matmul.transpose_b = !p.isMnMajorB;
    const Operands operands(matmul, /*seed=*/7);
    DevicePtr a = Upload(*device, operands.a.bytes), b = Upload(*device, operands.b.bytes);
    std::vector<char> bytes(p.m * p.n * 2, '\xff');
    DevicePtr c = Upload(*device, bytes);
    TensorMapBytes maps[] = {Map(*device, a, p.k, p.m),
                             p.isMnMajorB ? Map(*device, b, p.n, p.k) : Map(*device, b, p.k, p.n),
                             Map(*device, c, p.n, p.m)};
    void* arguments[] = {&maps[0], &maps[1], &maps[2]};
    LaunchShape launch;
    launch.grid[0] = kRingBlocks, launch.block[0] = kRingThreads;
    launch.dynamic_shared_bytes = kRingShared;
    std::string text(device->Launch((*module)->GetKernel("ring").value(), launch, arguments).message());
    for (const simt::Finding& finding : static_cast<simt::SimtDevice&>(*device).TakeFindings())
      text += "\n" + simt::FindingText(finding);
    if (!text.empty()) return text;
    EXPECT_TRUE(device->CopyToHost(bytes.data(), c, bytes.size()).ok());
    const std::vector<float> expected = RoundedResult(matmul, operands);
    std::vector<float> got(expected.size());
    TraitsOf(DataType::kBf16).decode(bytes.data(), static_cast<int64_t>(got.size()), got.data());
    for (size_t i = 0; i < got.size(); ++i)
      if (got[i] != expected[i])
        return "wrong: row " + std::to_string(i / p.n) + ", column " + std::to_string(i % p.n) + " is " +
               std::to_string(got[i]) + ", not " + std::to_string(expected[i]);
    return "";
  }

 private:
  static DevicePtr Upload(Device& device, const std::vector<char>& bytes) {
    DevicePtr memory = device.Allocate(bytes.size()).value();
    EXPECT_TRUE(device.CopyToDevice(memory, bytes.data(), bytes.size()).ok());
    return memory;
  }

  /// Returns a map of a row-major matrix of bf16, in swizzled boxes.
  static TensorMapBytes Map(Device& device, DevicePtr address, int64_t columns, int64_t rows) {
    constexpr int kBf16 = 9, kSwizzle128 = 3;
    TiledTensorMap map{.address = address,
                       .data_type = kBf16,
                       .extents = {static_cast<uint64_t>(columns), static_cast<uint64_t>(rows)},
                       .strides_bytes = {static_cast<uint64_t>(2 * columns)},
                       .box = {kRingTile, kRingTile},
                       .swizzle = kSwizzle128};
    return device.EncodeTensorMap(map).value();
  }
};

TEST_F(RingKernelTest, ExactAndRaceFreeThroughPtxAndNvvm) {
  for (bool is_mn_major : {true, false}) {
    RingProblem problem;
    problem.isMnMajorB = is_mn_major;
    for (bool is_ptx : {true, false}) {
      SCOPED_TRACE(std::string(is_ptx ? "PTX" : "NVVM") + (is_mn_major ? ", MN-major B" : ", K-major B"));
      const std::string code = Compile(problem, is_ptx);
      if (is_ptx) EXPECT_EQ(AssemblerOutput(code, "sm_90a"), "");
      for (uint64_t seed = 0; seed <= kSeeds; ++seed)
        EXPECT_EQ(Findings(problem, is_ptx, code, seed), "") << "seed " << seed;
    }
  }
}

/// A mistake, and the finding that names it.
struct Planted {
  RingMistake mistake;
  std::string_view finding;
};
constexpr std::string_view kDeadlock = "deadlock: ", kNotWaitedFor = "that the thread has not waited for";
constexpr std::string_view kPending = "to which an asynchronous copy is pending";
constexpr std::string_view kStillRead = "which an asynchronous operation is still reading";
constexpr Planted kPlanted[] = {
    {RingMistake::kNoInitFence, "an asynchronous copy may not see the mbarrier"},
    {RingMistake::kNoInitBarrier, "race-raw: "},
    {RingMistake::kNoEmptyWait, "1 arrivals at the mbarrier"},
    {RingMistake::kWrongEmptyParity, kDeadlock},
    {RingMistake::kNoFullWait, kPending},
    {RingMistake::kWrongFullParity, kPending},
    {RingMistake::kTooFewBytes, kNotWaitedFor},
    {RingMistake::kTooManyBytes, kDeadlock},
    {RingMistake::kNoRelease, kDeadlock},
    {RingMistake::kEarlyRelease, "race-war: "},
    {RingMistake::kNoWgmmaFence, "needs wgmma.fence before it"},
    {RingMistake::kNoCommit, kStillRead},
    {RingMistake::kNoGroupWait, kStillRead},
    {RingMistake::kNoLastWait, "accesses one of its registers before wgmma.wait_group"},
    {RingMistake::kNoStoreFence, "fence.proxy.async is missing"},
    {RingMistake::kNoStoreBarrier, "race-raw: "},
    {RingMistake::kNoStoreReadWait, kStillRead},
    {RingMistake::kNoReuseBarrier, "race-war: "},
    {RingMistake::kNoFinalStoreWait, "exits while its bulk copies may still read"},
};

TEST_F(RingKernelTest, FindsEachMistake) {
  static_assert(std::size(kPlanted) + 1 == static_cast<size_t>(RingMistake::kCount));
  const RingProblem problem;
  for (const Planted& planted : kPlanted) {
    const std::string code = Compile(problem, /*is_ptx=*/true, planted.mistake);
    EXPECT_THAT(Findings(problem, /*is_ptx=*/true, code, /*seed=*/1), HasSubstr(planted.finding))
        << "mistake " << static_cast<int>(planted.mistake);
  }
}

}  // namespace
}  // namespace mmtune
