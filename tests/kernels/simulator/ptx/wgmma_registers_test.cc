// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/wgmma_registers.h"

#include <gtest/gtest.h>

#include <string>

namespace mmtune::ptx {
namespace {

constexpr char kFence[] = "wgmma.fence.sync.aligned;\n", kCommit[] = "wgmma.commit_group.sync.aligned;\n";
constexpr char kUseOfD[] = "add.f32 %f9, %f0, %f1;\n";

std::string Wait(int groups) { return "wgmma.wait_group.sync.aligned " + std::to_string(groups) + ";\n"; }
/// A wgmma of accumulators `d`.
std::string Wgmma(const std::string& d = "{%f0, %f1, %f2, %f3}", const std::string& a = "%rd0") {
  return "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 " + d + ", " + a + ", %rd1, %p0, 1, 1, 0, 0;\n";
}

/// Returns the misuse of the first wgmma that has one. Lines count from the first of `body`, which is line 1.
WgmmaMisuse MisuseIn(const std::string& body) {
  const std::string text =
      ".version 8.3 .target sm_90a .address_size 64 .visible .entry k() { .reg .pred %p<9>; .reg .b32 %r<9>; "
      ".reg .f32 %f<19>; .reg .b64 %rd<9>; " +
      body + "ret; }\n";
  const Source source("k.ptx", text);
  absl::StatusOr<Module> module = parse(source);
  EXPECT_TRUE(module.ok()) << module.status();
  const auto misuses = findWgmmaMisuses(module->functions.front());
  return misuses.empty() ? WgmmaMisuse() : misuses.begin()->second;
}

void ExpectRight(const std::string& body) {
  const WgmmaMisuse misuse = MisuseIn(body);
  EXPECT_EQ(misuse.earlyAccess, 0) << body;
  EXPECT_EQ(misuse.unfencedAccess, 0) << body;
}

TEST(WgmmaRegistersTest, AccumulatorsAreReadAfterTheWait) {
  ExpectRight(kFence + Wgmma() + Wgmma() + kCommit + Wait(0) + kUseOfD);
  EXPECT_EQ(MisuseIn(kFence + Wgmma() + kCommit + kUseOfD).earlyAccess, 4);
  // A wait covers what was committed before it.
  EXPECT_EQ(MisuseIn(kFence + Wgmma() + Wait(0) + kUseOfD).earlyAccess, 4);
  EXPECT_EQ(MisuseIn(kFence + Wgmma() + kCommit + Wait(1) + kUseOfD).earlyAccess, 5);
  ExpectRight(kFence + Wgmma() + kCommit + kFence + Wgmma("{%f4, %f5, %f6, %f7}") + kCommit + Wait(1) + kUseOfD);
}

TEST(WgmmaRegistersTest, AccumulatorsAreNotWrittenInFlight) {
  EXPECT_EQ(MisuseIn(kFence + Wgmma() + kCommit + "mov.f32 %f2, 0f00000000;\n").earlyAccess, 4);
}

TEST(WgmmaRegistersTest, RegistersOfAStayInFlight) {
  const std::string wgmma = Wgmma("{%f0, %f1, %f2, %f3}", "{%r0, %r1, %r2, %r3}");
  EXPECT_EQ(MisuseIn(kFence + wgmma + kCommit + "mov.b32 %r2, 0;\n" + Wait(0)).earlyAccess, 4);
  ExpectRight(kFence + wgmma + kCommit + Wait(0) + "mov.b32 %r2, 0;\n");
}

TEST(WgmmaRegistersTest, AccessesNeedAFenceBeforeTheNextOperation) {
  EXPECT_EQ(MisuseIn("mov.f32 %f1, 0f00000000;\n" + Wgmma() + kCommit + Wait(0)).unfencedAccess, 1);
  EXPECT_EQ(MisuseIn(kFence + Wgmma() + kCommit + Wait(0) + kUseOfD + Wgmma()).unfencedAccess, 5);
  ExpectRight(kFence + Wgmma() + kCommit + Wait(0) + kUseOfD + kFence + Wgmma());
}

TEST(WgmmaRegistersTest, FollowsMoves) {
  const std::string moved = "mov.f32 %f10, %f0;\nmov.f32 %f11, %f10;\n", use = "add.f32 %f9, %f11, %f11;\n";
  EXPECT_EQ(MisuseIn(kFence + Wgmma() + kCommit + moved + use + Wait(0)).earlyAccess, 6);
  ExpectRight(kFence + Wgmma() + kCommit + moved + Wait(0) + use);
}

TEST(WgmmaRegistersTest, FollowsEveryPath) {
  // The loop's last wait leaves one group in flight, and the branch skips the wait behind the loop.
  const std::string loop = "LOOP:\n" + std::string(kFence) + Wgmma() + kCommit + Wait(1) + "@%p1 bra LOOP;\n";
  ExpectRight(loop + Wait(0) + kUseOfD);
  EXPECT_EQ(MisuseIn(loop + "@%p2 bra DONE;\n" + Wait(0) + "DONE:\n" + kUseOfD).earlyAccess, 10);
}

}  // namespace
}  // namespace mmtune::ptx
