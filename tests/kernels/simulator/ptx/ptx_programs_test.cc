// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small programs of PTX: control flow, calls, memory of every kind, atomics, and what warps and blocks do together.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"

namespace mmtune::ptx {
namespace {

/// Runs a kernel `k(.param .u64 out, .param .u64 in)` with race detection, and with what comes before it in the module.
class PtxProgramsTest : public ::testing::Test {
 protected:
  /// Returns the first words of `out`, 1024 zeros before; `in` has 0, 1, 2, …
  std::vector<uint32_t> Run(const std::string& body, uint32_t threads = 32, const std::string& before = "",
                            uint32_t blocks = 1) {
    const std::string text =
        ".version 8.6\n.target sm_90\n.address_size 64\n" + before +
        "\n.visible .entry k(.param .u64 out, .param .u64 in) {\n"
        ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<99>; .reg .b64 %rd<29>; .reg .f32 %f<9>;\n"
        "ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in]; mov.u32 %r0, %tid.x;\n"
        "mad.wide.u32 %rd2, %r0, 4, %rd0; mad.wide.u32 %rd3, %r0, 4, %rd1;\n" +
        body + "\n}\n";
    const auto compiled = compilePtx(text, {.name = "a.ptx", .race_detection = true});
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    if (!compiled.ok()) return std::vector<uint32_t>(1024);
    simt::SimtOptions options;
    options.arch = "sm_90";
    options.race_detector = true;
    auto device = *simt::SimtDevice::Create(options);
    auto module = *device->LoadModule(ImageFormat::kSimtObject, compiled->image);
    std::vector<uint32_t> words(1024), numbers(1024);
    for (uint32_t i = 0; i < 1024; ++i) numbers[i] = i;
    DevicePtr out = *device->Allocate(4096), in = *device->Allocate(4096);
    EXPECT_TRUE(device->CopyToDevice(out, words.data(), 4096).ok());
    EXPECT_TRUE(device->CopyToDevice(in, numbers.data(), 4096).ok());
    void* arguments[] = {&out, &in};
    LaunchShape shape;
    shape.block[0] = threads, shape.grid[0] = blocks;
    const absl::Status launched = device->Launch(*module->GetKernel("k"), shape, arguments);
    error_ = std::string(launched.message());
    for (const simt::Finding& finding : static_cast<simt::SimtDevice&>(*device).TakeFindings())
      error_ += "\n" + simt::FindingText(finding);
    EXPECT_TRUE(device->CopyToHost(words.data(), out, 4096).ok());
    return words;
  }

  std::string error_;
};

TEST_F(PtxProgramsTest, BranchesByIndexLoopsAndGuards) {
  const auto out = Run(R"(
    rem.u32 %r1, %r0, 3;
    ts: .branchtargets a, b, c;
    brx.idx %r1, ts;
    a: mov.u32 %r2, 100; bra.uni done;
    b: mov.u32 %r2, 0; mov.u32 %r3, 0;
    loop: add.u32 %r2, %r2, %r0; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 5; @%p1 bra loop;
    bra.uni done;
    c: setp.gt.u32 %p2, %r0, 10; mov.u32 %r2, 1; @%p2 mov.u32 %r2, 2; @!%p2 add.u32 %r2, %r2, 6;
    done: st.global.u32 [%rd2], %r2; ret;)");
  EXPECT_EQ(error_, "");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 3 == 0 ? 100 : i % 3 == 1 ? 5 * i : i > 10 ? 2 : 7) << i;
}

TEST_F(PtxProgramsTest, FnsFindsTheNthSetBitUpwardsAndDownwards) {
  constexpr uint32_t kBits = 0x8421F00F;
  constexpr int kCounts[] = {0, 1, 2, 5, 12, 32, 40, -1, -3, -12, -33};
  const std::string code = R"(
    mov.u32 %r1, 0x8421F00F; mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd5, %r2, 4; mov.u64 %rd6, counts;
    add.u64 %rd6, %rd6, %rd5; ld.global.s32 %r3, [%rd6]; fns.b32 %r4, %r1, %r0, %r3;
    mad.lo.u32 %r5, %r2, 32, %r0; mul.wide.u32 %rd7, %r5, 4; add.u64 %rd7, %rd7, %rd0; st.global.u32 [%rd7], %r4; ret;)";
  const auto out =
      Run(code, 32, ".global .s32 counts[11] = {0, 1, 2, 5, 12, 32, 40, -1, -3, -12, -33};", std::size(kCounts));
  EXPECT_EQ(error_, "");
  for (size_t i = 0; i < std::size(kCounts); ++i)
    for (int base = 0; base < 32; ++base) {
      const int step = kCounts[i] < 0 ? -1 : 1;
      uint32_t expected = ~0u;
      int left = std::abs(kCounts[i]);
      for (int at = base; at >= 0 && at < 32; at += step) {
        if (kBits >> at & 1 && --left <= 0) expected = static_cast<uint32_t>(at);
        if (expected != ~0u || kCounts[i] == 0) break;
      }
      EXPECT_EQ(out[32 * i + base], expected) << kCounts[i] << " from " << base;
    }
}

TEST_F(PtxProgramsTest, CallsPassScalarsAndArrays) {
  const auto out = Run(R"(
    { .param .b32 a; .param .align 8 .b8 b[16]; .param .b32 result; .reg .b32 t;
      st.param.b32 [a], %r0; cvt.u64.u32 %rd5, %r0;
      st.param.v2.b64 [b], {%rd5, %rd5};
      call.uni (result), twice, (a, b);
      ld.param.b32 t, [result]; st.global.b32 [%rd2], t; }
    ret;)",
                       32, R"(
    .func (.param .b32 r) twice(.param .b32 x, .param .align 8 .b8 y[16]) {
      .reg .b32 %r<4>; ld.param.b32 %r1, [x]; ld.param.b32 %r2, [y+8]; mad.lo.s32 %r3, %r1, 10, %r2;
      st.param.b32 [r], %r3; ret; })");
  EXPECT_EQ(error_, "");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 11 * i);
}

TEST_F(PtxProgramsTest, FailedAssertionsEndTheLaunchWithTheirText) {
  Run(R"(
    setp.ne.u32 %p1, %r0, 5; @%p1 ret;
    { .param .b64 message; .param .b64 file; .param .b32 line; .param .b64 function; .param .b64 size;
      mov.u64 %rd5, text; cvta.global.u64 %rd5, %rd5; st.param.b64 [message], %rd5; st.param.b64 [file], %rd5;
      st.param.b32 [line], 7; st.param.b64 [function], %rd5; st.param.b64 [size], 1;
      call.uni __assertfail, (message, file, line, function, size); }
    ret;)",
      32,
      ".global .align 1 .b8 text[6] = {119, 114, 111, 110, 103, 0};\n"
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);");
  EXPECT_NE(error_.find("thread (5,0,0)"), std::string::npos) << error_;
  EXPECT_NE(error_.find("an assertion failed: wrong"), std::string::npos) << error_;
}

TEST_F(PtxProgramsTest, MemoryOfEverySpace) {
  const auto out = Run(R"(
    .shared .align 8 .b8 tile[256]; .local .align 8 .b32 own[4];
    mov.u32 %r1, tile; mad.lo.u32 %r2, %r0, 8, %r1; st.shared.v2.u32 [%r2], {%r0, 7};
    bar.sync 0;
    xor.b32 %r3, %r0, 31; cvt.u64.u32 %rd5, %r3; mov.u64 %rd6, tile; cvta.shared.u64 %rd6, %rd6;
    shl.b64 %rd5, %rd5, 3; add.s64 %rd6, %rd6, %rd5; ld.v2.u32 {%r4, %r5}, [%rd6];
    mov.u64 %rd7, own; st.local.u32 [%rd7+8], %r4; ld.local.u32 %r6, [%rd7+8];
    ld.const.u32 %r7, [table+4]; mov.u64 %rd8, values; cvta.global.u64 %rd8, %rd8; ld.global.s16 %r8, [%rd8+2];
    ld.global.nc.L1::no_allocate.L2::128B.u8 %h1, [%rd3]; cvt.u32.u16 %r9, %h1;
    add.u32 %r6, %r6, %r5; add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8; add.u32 %r6, %r6, %r9;
    st.global.u32 [%rd2], %r6; ret;)",
                       32, ".const .u32 table[2] = {5, 1000};\n.global .align 2 .s16 values[2] = {1, -20};");
  EXPECT_EQ(error_, "");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], (31 - i) + 7 + 1000 - 20 + i);
}

TEST_F(PtxProgramsTest, AtomicsReturnWhatWasThere) {
  const auto out = Run(R"(
    mov.f32 %f1, 1.0; mov.f32 %f2, 0.5;
    atom.global.add.u32 %r1, [%rd0], 2; red.global.max.s32 [%rd0+4], %r0; atom.global.inc.u32 %r2, [%rd0+8], 9;
    atom.relaxed.gpu.global.cas.b32 %r3, [%rd0+12], 0, 77; red.relaxed.gpu.global.add.v2.f32 [%rd0+16], {%f1, %f2};
    atom.global.gpu.acq_rel.or.b32 %r4, [%rd0+32], %r0; atom.global.exch.b64 %rd5, [%rd0+40], 5;
    cvt.u32.u64 %r5, %rd5; st.global.u32 [%rd2+256], %r1; st.global.u32 [%rd2+512], %r2;
    st.global.u32 [%rd2+768], %r3; st.global.u32 [%rd2+1024], %r4; st.global.u32 [%rd2+1280], %r5; ret;)");
  EXPECT_EQ(error_, "");
  EXPECT_EQ(out[0], 64u);
  EXPECT_EQ(out[1], 31u);
  EXPECT_EQ(out[2], 2u);  // 32 increments that wrap after 9.
  EXPECT_EQ(out[3], 77u);
  EXPECT_EQ(std::bit_cast<float>(out[4]), 32.0f);
  EXPECT_EQ(std::bit_cast<float>(out[5]), 16.0f);
  EXPECT_EQ(out[8], 31u);
  EXPECT_EQ(out[10], 5u);
  // The threads may come in any order, so what they saw is sorted.
  auto seen = [&](size_t first) {
    std::vector<uint32_t> words(out.begin() + first, out.begin() + first + 32);
    std::sort(words.begin(), words.end());
    return words;
  };
  std::vector<uint32_t> sums, counts, swapped(32, 77), exchanged(32, 5);
  for (uint32_t i = 0; i < 32; ++i) sums.push_back(2 * i), counts.push_back(i % 10);
  std::sort(counts.begin(), counts.end());
  swapped[0] = exchanged[0] = 0;
  EXPECT_EQ(seen(64), sums);
  EXPECT_EQ(seen(128), counts);
  EXPECT_EQ(seen(192), swapped);
  const std::vector<uint32_t> unions = seen(256);
  EXPECT_EQ(unions.front(), 0u);
  for (size_t i = 1; i < 32; ++i) EXPECT_EQ(unions[i - 1] & unions[i], unions[i - 1]) << i;
  EXPECT_GT(unions.back(), 0u);
  EXPECT_EQ(seen(320), exchanged);
}

TEST_F(PtxProgramsTest, AtomicsMayHaveTheirOrderBehindTheOperation) {
  const auto out = Run(R"(
    atom.add.acquire.cta.u32 %r1, [%rd0], 1; atom.max.relaxed.gpu.s32 %r1, [%rd0+4], %r0;
    atom.exch.acq_rel.sys.b32 %r1, [%rd2+256], %r0; atom.cas.release.gpu.b32 %r1, [%rd2+256], %r0, 99; ret;)");
  EXPECT_EQ(error_, "");
  EXPECT_EQ(out[0], 32u);
  EXPECT_EQ(out[1], 31u);
  EXPECT_EQ(out[64 + 7], 99u);
}

TEST_F(PtxProgramsTest, ALoadMayGuessWhatACompareAndSwapFinds) {
  // Every thread of two blocks adds 3 to a float; `more` also uses the value that was loaded first.
  auto add = [](const std::string& more, const std::string& load = "ld.global.u32 %r1, [%rd0];") {
    return load + more + R"(
      again: mov.b32 %f1, %r1; add.f32 %f2, %f1, 0f40400000; mov.b32 %r2, %f2;
      atom.global.cas.b32 %r3, [%rd0], %r1, %r2; setp.ne.s32 %p1, %r3, %r1; mov.u32 %r1, %r3; @%p1 bra again; ret;)";
  };
  const auto out = Run(add(""), 32, "", 2);
  EXPECT_EQ(error_, "");
  EXPECT_EQ(std::bit_cast<float>(out[0]), 192.0f);
  // The value is stored, or decides a branch, or is the neighbour's; or an ordinary write may be between.
  for (const std::string& body :
       {add("st.global.u32 [%rd2+64], %r1;"), add("setp.gt.s32 %p2, %r1, 99; @%p2 ret;"),
        add("", "ld.global.u32 %r1, [%rd0]; add.u64 %rd0, %rd0, 0;"),
        add("", "ld.global.u32 %r4, [%rd0]; mov.u32 %r1, 0; add.u32 %r5, %r4, 1; st.global.u32 [%rd2+64], %r5;"),
        add("st.global.u32 [%rd0], 0;")}) {
    Run(body, 32, "", 2);
    EXPECT_NE(error_.find("global-race"), std::string::npos) << body << error_;
  }
}

TEST_F(PtxProgramsTest, InitialValuesAreOfTheirTypes) {
  const auto out = Run(R"(
    ld.global.b64 %rd5, [doubles+8]; st.global.b64 [%rd0], %rd5; ld.global.b64 %rd5, [doubles+16];
    st.global.b64 [%rd0+8], %rd5; ld.global.b32 %r1, [floats]; st.global.b32 [%rd0+16], %r1;
    ld.global.b32 %r1, [floats+4]; st.global.b32 [%rd0+20], %r1; ld.global.b64 %rd5, [wide+24];
    st.global.b64 [%rd0+24], %rd5; mov.f64 %rd5, 0fBF800000; st.global.b64 [%rd0+32], %rd5; ret;)",
                       1, R"(
    .global .f64 doubles[3] = {1.5, 0f3F800000, -0.5};
    .global .f32 floats[2] = {-1.0, 0d4000000000000000};
    .global .align 16 .b128 wide[2] = {7, -7};)");
  EXPECT_EQ(error_, "");
  auto number = [&](size_t word) { return std::bit_cast<double>(out[word] | uint64_t{out[word + 1]} << 32); };
  EXPECT_EQ(number(0), 1.0);
  EXPECT_EQ(number(2), -0.5);
  EXPECT_EQ(std::bit_cast<float>(out[4]), -1.0f);
  EXPECT_EQ(std::bit_cast<float>(out[5]), 2.0f);
  EXPECT_EQ(out[6] & out[7], 0xFFFFFFFF);
  EXPECT_EQ(number(8), -1.0);
}

TEST_F(PtxProgramsTest, LanesExchangeVoteAndReduce) {
  const auto out = Run(R"(
    shfl.sync.down.b32 %r1|%p1, %r0, 4, 31, -1; @!%p1 mov.u32 %r1, 1000;
    setp.lt.u32 %p2, %r0, 3; vote.sync.ballot.b32 %r2, %p2, -1; vote.sync.any.pred %p3, %p2, -1; selp.b32 %r3, 100, 0, %p3;
    redux.sync.add.s32 %r4, %r0, -1; and.b32 %r5, %r0, 1; match.any.sync.b32 %r6, %r5, -1; popc.b32 %r6, %r6;
    elect.sync _|%p4, -1; selp.b32 %r7, 10000, 0, %p4;
    add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4; add.u32 %r1, %r1, %r6; add.u32 %r1, %r1, %r7;
    st.global.u32 [%rd2], %r1; ret;)");
  EXPECT_EQ(error_, "");
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], (i + 4 < 32 ? i + 4 : 1000) + 7 + 100 + 496 + 16 + (i == 0 ? 10000 : 0)) << i;
}

TEST_F(PtxProgramsTest, ThreadsThatHaveExitedAreNotWaitedFor) {
  // 40 threads, of which the even ones exit: in the second warp 4 of 8 are left.
  const auto out = Run(R"(
    and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; @%p1 exit;
    bar.warp.sync 0xffffffff; bar.sync 0; barrier.sync 1, 64;
    vote.sync.ballot.b32 %r2, 1, 0xffffffff; redux.sync.add.u32 %r3, %r0, 0xffffffff;
    shfl.sync.bfly.b32 %r4, %r0, 2, 31, 0xffffffff; bar.red.popc.u32 %r5, 0, %p1;
    add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5; st.global.u32 [%rd2], %r2; ret;)",
                       40);
  EXPECT_EQ(error_, "");
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[5], 0xaaaaaaaa + 256 + 7);
  EXPECT_EQ(out[33], 0xaa + 33 + 35 + 37 + 39 + 35);

  // The last ones exit while others wait.
  Run(R"(
    setp.lt.u32 %p1, %r0, 8; @%p1 bra wait; exit;
    wait: bar.warp.sync 0xffffffff; vote.sync.any.pred %p2, %p1, 0xffffffff; bar.sync 0; ret;)",
      96);
  EXPECT_EQ(error_, "");

  // A lane is active in its own right.
  EXPECT_EQ(Run("activemask.b32 %r1; st.global.u32 [%rd2], %r1; ret;")[7], 128u);
  Run("setp.eq.u32 %p1, %r0, 9; @%p1 exit; shfl.sync.idx.b32 %r4, %r0, 9, 31, 0xffffffff; ret;");
  EXPECT_NE(error_.find("reads lane 9, which is not in its mask, or has exited"), std::string::npos) << error_;
  // Whoever has exited has not synchronised.
  Run("setp.ne.u32 %p1, %r0, 0; @%p1 bra wait; st.global.u32 [%rd0], 1; exit;"
      "wait: bar.sync 0; ld.global.u32 %r1, [%rd0]; ret;");
  EXPECT_NE(error_.find("global-race"), std::string::npos) << error_;
  // A number of threads that is given is waited for, also if it is that of the block.
  for (const char* barrier : {"barrier.sync 1, 64;", "barrier.sync 1, 96;", "bar.sync 0, 96;"}) {
    Run(std::string("setp.ge.u32 %p1, %r0, 32; @%p1 exit; ") + barrier + " ret;", 96);
    EXPECT_NE(error_.find("deadlock"), std::string::npos) << barrier << error_;
  }
}

/// Numbers of a matrix of a wmma, by the index of the element in memory.
int64_t WmmaNumber(int64_t index, const std::string& type) { return index * 7 % 11 - (type == "u8" ? 0 : 5); }

TEST_F(PtxProgramsTest, WmmaMultipliesMatricesInEveryShapeAndLayout) {
  struct Types {
    std::string operand, sum, ofMma, store;  ///< The types in the opcode of wmma.mma; how %r2 is stored as an operand.
    int64_t bits;
  };
  const Types types[] = {
      {"f16", "f32", "f32.f32", "cvt.rn.f16.s32 %h1, %r2; st.shared.b16 [%r4], %h1;", 16},
      {"f16", "f16", "f16.f16", "cvt.rn.f16.s32 %h1, %r2; st.shared.b16 [%r4], %h1;", 16},
      {"bf16", "f32", "f32.bf16.bf16.f32",
       "cvt.rn.f32.s32 %f1, %r2; cvt.rn.bf16.f32 %h1, %f1; st.shared.b16 [%r4], %h1;", 16},
      {"tf32", "f32", "f32.tf32.tf32.f32", "cvt.rn.f32.s32 %f1, %r2; st.shared.f32 [%r4], %f1;", 32},
      {"s8", "s32", "s32.s8.s8.s32", "st.shared.u8 [%r4], %r2;", 8},
      {"u8", "s32", "s32.u8.u8.s32", "st.shared.u8 [%r4], %r2;", 8},
  };
  auto registers = [](int first, int64_t count) {
    std::string list = "{";
    for (int64_t i = 0; i < count; ++i) list += (i == 0 ? "%r" : ", %r") + std::to_string(first + i);
    return list + "}";
  };
  const std::array<int64_t, 3> shapes[] = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}, {16, 16, 8}};
  for (const Types& t : types)
    for (const auto& [m, n, k] : shapes) {
      if ((t.operand == "tf32") != (k == 8)) continue;
      for (int layouts = 0; layouts < 8; ++layouts) {
        auto isRow = [&](int matrix) { return (layouts >> matrix & 1) == 0; };
        auto layout = [&](int matrix) -> std::string { return isRow(matrix) ? ".row" : ".col"; };
        const std::string shape = ".m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
        const int64_t perWord = 32 / t.bits, sums = m * n / 32 / (t.sum == "f16" ? 2 : 1);
        const int64_t inA = t.operand == "f16" ? 8 : m * k / 32 / perWord,
                      inB = t.operand == "f16" ? 8 : k * n / 32 / perWord;
        const std::string bytes = std::to_string(t.bits / 8), offset = std::to_string(m * k * t.bits / 8);
        const std::string body =
            "mov.u32 %r1, %r0; mov.u32 %r3, mem; fill: mul.lo.u32 %r2, %r1, 7; rem.u32 %r2, %r2, 11; sub.s32 %r2, "
            "%r2, " +
            std::string(t.operand == "u8" ? "0" : "5") + "; mad.lo.u32 %r4, %r1, " + bytes + ", %r3; " + t.store +
            "add.u32 %r1, %r1, 32; setp.lt.u32 %p1, %r1, " + std::to_string((m + n) * k) + "; @%p1 bra fill;" +
            "bar.sync 0; wmma.load.a.sync.aligned" + layout(0) + shape + ".shared." + t.operand + " " +
            registers(10, inA) + ", [mem], " + std::to_string(isRow(0) ? k : m) + ";\nwmma.load.b.sync.aligned" +
            layout(1) + shape + ".shared." + t.operand + " " + registers(20, inB) + ", [mem+" + offset + "];\n" +
            // C is what is in `out` before: zeros; then D, which is added again.
            "wmma.load.c.sync.aligned" + layout(2) + shape + ".global." + t.sum + " " + registers(30, sums) +
            ", [%rd0];\n" + "wmma.mma.sync.aligned" + layout(0) + layout(1) + shape + "." + t.ofMma + " " +
            registers(30, sums) + ", " + registers(10, inA) + ", " + registers(20, inB) + ", " + registers(30, sums) +
            ";\nwmma.store.d.sync.aligned" + layout(2) + shape + ".global." + t.sum + " [%rd0], " +
            registers(30, sums) + ", " + std::to_string(isRow(2) ? n : m) + ";\nbar.sync 0; wmma.load.c.sync.aligned" +
            layout(2) + shape + "." + t.sum + " " + registers(40, sums) + ", [%rd0];\nwmma.mma.sync.aligned" +
            layout(0) + layout(1) + shape + "." + t.ofMma + " " + registers(50, sums) + ", " + registers(10, inA) +
            ", " + registers(20, inB) + ", " + registers(40, sums) + ";\nwmma.store.d.sync.aligned" + layout(2) +
            shape + "." + t.sum + " [%rd0+2048], " + registers(50, sums) + ";\nret;";
        const auto out = Run(body, 32, ".shared .align 32 .b8 mem[4096];");
        ASSERT_EQ(error_, "") << shape << t.ofMma;
        for (int64_t row = 0; row < m; ++row)
          for (int64_t column = 0; column < n; ++column) {
            int64_t sum = 0;
            for (int64_t i = 0; i < k; ++i)
              sum += WmmaNumber(isRow(0) ? row * k + i : i * m + row, t.operand) *
                     WmmaNumber(m * k + (isRow(1) ? i * n + column : column * k + i), t.operand);
            const int64_t at = isRow(2) ? row * n + column : column * m + row;
            auto number = [&](int64_t first) -> double {
              if (t.sum == "s32") return static_cast<int32_t>(out[first + at]);
              if (t.sum == "f32") return std::bit_cast<float>(out[first + at]);
              return static_cast<double>(
                  std::bit_cast<_Float16>(static_cast<uint16_t>(out[first + at / 2] >> (at % 2 == 0 ? 0 : 16))));
            };
            ASSERT_EQ(number(0), sum) << shape << t.ofMma << layouts << " " << row << "," << column;
            ASSERT_EQ(number(512), 2 * sum) << shape << t.ofMma << layouts << " " << row << "," << column;
          }
      }
    }
}

TEST_F(PtxProgramsTest, CopiesByMbarriersArrive) {
  const auto out = Run(R"(
    .shared .align 16 .b8 tile[256]; .shared .align 8 .b64 barrier;
    setp.eq.u32 %p1, %r0, 0; mov.u32 %r1, barrier; mov.u32 %r2, tile;
    @%p1 mbarrier.init.shared::cta.b64 [%r1], 1;
    fence.mbarrier_init.release.cluster; bar.sync 0;
    @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 128;
    @%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 128, [%r1];
    wait: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r1], 0; @!%p2 bra wait;
    mad.lo.u32 %r3, %r0, 4, %r2; ld.shared.u32 %r4, [%r3];
    add.u32 %r5, %r3, 128; cp.async.ca.shared.global [%r5], [%rd3], 4; cp.async.commit_group; cp.async.wait_group 0;
    ld.shared.u32 %r6, [%r5]; mad.lo.u32 %r4, %r6, 100, %r4; st.global.u32 [%rd2], %r4; ret;)");
  EXPECT_EQ(error_, "");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 101 * i);
}

TEST_F(PtxProgramsTest, FindsARaceAndNamesBothLines) {
  Run(R"(.shared .b32 tile[64]; mov.u32 %r1, tile; mad.lo.u32 %r2, %r0, 4, %r1;
    st.shared.u32 [%r2], %r0;
    xor.b32 %r3, %r2, 128;
    ld.shared.u32 %r4, [%r3];
    st.global.u32 [%rd2], %r4; ret;)",
      64);
  EXPECT_NE(error_.find("a.ptx:10"), std::string::npos) << error_;
  EXPECT_NE(error_.find("a.ptx:12"), std::string::npos) << error_;
}

TEST_F(PtxProgramsTest, EqualStoresAtOneInstructionDoNotRace) {
  // All threads, or pairs of them, store to one place.
  const std::string shared = ".shared .align 16 .b8 mem[512];";
  for (const std::string& what :
       {"st.global.u32 [%rd0], 7;", "mov.u32 %r3, mem; st.shared.v2.u32 [%r3], {%r9, %r9};",
        "and.b32 %r1, %r0, 15; mad.wide.u32 %rd3, %r1, 4, %rd0; st.global.u32 [%rd3], %r1;"}) {
    Run("mov.u32 %r9, 5;" + what + "ret;", 64, shared, 2);
    EXPECT_EQ(error_, "") << what;
  }
  for (const std::string& what :
       {"st.global.u32 [%rd0], %r0;", "mov.u32 %r3, mem; st.shared.v2.u32 [%r3], {%r9, %r0};",
        "and.b32 %r1, %r0, 15; mad.wide.u32 %rd3, %r1, 4, %rd0; shr.u32 %r1, %r0, 5; st.global.u32 [%rd3], %r1;",
        // The same value, but by two instructions.
        "setp.eq.u32 %p1, %r0, 0; @%p1 st.global.u32 [%rd0], 7;\n@!%p1 st.global.u32 [%rd0], 7;"}) {
    Run("mov.u32 %r9, 5;" + what + "ret;", 64, shared, 1);
    EXPECT_NE(error_.find("rac"), std::string::npos) << what;
  }
}

TEST_F(PtxProgramsTest, FindsMisalignedAccesses) {
  for (const char* access :
       {"st.global.u32 [%rd0+2], %r0;", "ld.global.v2.u32 {%r1, %r2}, [%rd0+4];", "st.shared.b16 [tile+1], %h0;",
        "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [tile+8];", "atom.global.add.u64 %rd4, [%rd0+4], 1;"}) {
    Run(std::string(".shared .align 16 .b8 tile[64]; mov.b16 %h0, 0;\n") + access + " ret;");
    EXPECT_NE(error_.find("misaligned"), std::string::npos) << access << error_;
    EXPECT_NE(error_.find("a.ptx:10"), std::string::npos) << access << error_;
    EXPECT_NE(error_.find("not a multiple of"), std::string::npos) << access << error_;
  }
  // Aligned by what they access, not by more.
  Run("ld.global.v2.u32 {%r1, %r2}, [%rd0+8]; st.global.u8 [%rd0+1], %r1; st.global.u16 [%rd0+6], %r1; ret;", 1);
  EXPECT_EQ(error_, "");
}

TEST_F(PtxProgramsTest, FindsAnAccessBeyondABuffer) {
  Run("st.global.u32 [%rd2+4092], %r0; ret;");
  EXPECT_NE(error_.find("a.ptx:9"), std::string::npos) << error_;
}

TEST(PtxLaunchTest, BlocksMustBeThoseThatTheKernelDeclares) {
  const auto launch = [](const std::string& directives, uint32_t x, uint32_t y) {
    simt::SimtOptions options;
    auto device = *createPtxDevice(options);
    auto module = device->LoadModule(
        ImageFormat::kPtx, ".version 8.3\n.target sm_80\n.address_size 64\n.entry k()\n" + directives + " { ret; }\n");
    EXPECT_TRUE(module.ok()) << module.status();
    LaunchShape shape;
    shape.block[0] = x, shape.block[1] = y;
    return std::string(device->Launch(*(*module)->GetKernel("k"), shape, nullptr).message());
  };
  EXPECT_EQ(launch(".reqntid 64", 64, 1), "");
  EXPECT_EQ(launch(".reqntid 64", 32, 2),
            "Launch of k: a block of (32,2,1) threads; the kernel requires (64,1,1) (.reqntid)");
  EXPECT_EQ(launch(".reqntid 32, 2", 32, 2), "");
  EXPECT_EQ(launch(".maxntid 64, 2", 128, 1), "");
  EXPECT_EQ(launch(".maxntid 64, 2", 129, 1),
            "Launch of k: a block of 129 threads; the kernel allows at most 128 (.maxntid)");
  EXPECT_EQ(launch("", 129, 1), "");
}

}  // namespace
}  // namespace mmtune::ptx
