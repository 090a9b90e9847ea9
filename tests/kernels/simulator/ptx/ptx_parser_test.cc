// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The syntax of PTX: what a module's tree has, and how bad text is refused.
#include "kernels/simulator/ptx/module.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace mmtune::ptx {
namespace {

constexpr char kHeader[] = ".version 8.3\n.target sm_80, debug\n.address_size 64\n";

absl::StatusOr<Module> Parse(const std::string& text) {
  const Source source("a.ptx", text);
  return parse(source);
}

std::string ErrorOf(std::string_view text) {
  return std::string(Parse(kHeader + std::string(text)).status().message());
}

TEST(PtxParserTest, ReadsDirectivesVariablesAndFunctions) {
  const auto module = Parse(std::string(kHeader) + R"(
    .file 1 "/home/me/matmul.cu", 1700000000, 12
    .extern .shared .align 16 .b8 dynamic[];
    .global .align 4 .b8 table[2][3] = {{1, 2, 3}, {-4, 0x5, 06}};
    .const .f32 scale = 0f3F800000;
    .extern .func (.param .b32 result) vprintf(.param .b64 a, .param .b64 b);
    .visible .entry kernel(.param .u64 .ptr .global .align 16 kernel_a, .param .align 64 .b8 map[128])
    .maxntid 128, 2
    .minnctapersm 2
    .pragma "nounroll";
    {
      .reg .pred %p<3>;
      .reg .b32 %r<4>, count;
      .shared .align 8 .b64 barrier;
      .loc 1 7 3
      ld.param.u64 %rd1, [kernel_a+8];
      @!%p1 bra $done;
      /* a comment */ mov.b64 {%r1, %r2}, %rd1;  // another
      {.reg.b32 t; add.s32 t, %r1, -3; }
    $targets: .branchtargets $done, $more;
    $more:
      setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p0;
      cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd2, {%r2, %r3}], [barrier];
    $done:
      ret;
    }
    .section .debug_str { .b8 0 }
    .entry other() .reqntid 64 { ret; }
  )");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(module->target, "sm_80");
  EXPECT_EQ(module->files.at(1), "/home/me/matmul.cu");
  ASSERT_EQ(module->variables.size(), 3u);
  EXPECT_TRUE(module->variables[0].isExternal);
  EXPECT_EQ(module->variables[0].elements, 0u);
  EXPECT_EQ(module->variables[1].elements, 6u);
  EXPECT_EQ(module->variables[1].initializer[3].bits, static_cast<uint64_t>(-4));
  ASSERT_EQ(module->functions.size(), 3u);
  EXPECT_FALSE(module->functions[0].isDefined);
  const Function& kernel = module->functions[1];
  EXPECT_TRUE(kernel.isKernel);
  EXPECT_EQ(kernel.parameters[1].elements, 128u);
  EXPECT_EQ(kernel.scopes[0].numbered.at("%r").second, 4u);
  EXPECT_EQ(kernel.scopes[1].registers.at("t"), "b32");
  EXPECT_EQ(kernel.scopes[0].branchTargets.at("$targets").size(), 2u);
  EXPECT_EQ(module->functions[2].requiredThreads, (std::array<uint64_t, 3>{64, 1, 1}));
  EXPECT_EQ(kernel.maxThreads, (std::array<uint64_t, 3>{128, 2, 1}));
  ASSERT_EQ(kernel.instructions.size(), 7u);
  EXPECT_EQ(kernel.instructions[0].operands[1].offset, 8);
  EXPECT_EQ(kernel.instructions[0].source.line, 7u);
  EXPECT_TRUE(kernel.instructions[1].guard->negated);
  EXPECT_EQ(kernel.instructions[3].scope, 1u);
  EXPECT_EQ(static_cast<int64_t>(kernel.instructions[3].operands[2].bits), -3);
  EXPECT_EQ(kernel.instructions[4].operands[0].kind, Operand::Kind::kPair);
  EXPECT_EQ(kernel.instructions[5].operands[1].items.size(), 2u);
  EXPECT_EQ(kernel.scopes[0].labels.at("$done"), 6u);
}

TEST(PtxParserTest, ReadsWarpSizeAsANumber) {
  const auto module = Parse(std::string(kHeader) + ".entry k() { add.s64 %rd1, WARP_SZ, -WARP_SZ; }");
  ASSERT_TRUE(module.ok()) << module.status();
  const std::vector<Operand>& operands = module->functions[0].instructions[0].operands;
  EXPECT_EQ(operands[1].bits, 32u);
  EXPECT_EQ(static_cast<int64_t>(operands[2].bits), -32);
}

TEST(PtxParserTest, RefusesBadTextWithPlaceAndLine) {
  EXPECT_EQ(Parse("").status().message(), "a.ptx:1:1: no .version: this is no PTX: ''");
  EXPECT_EQ(ErrorOf(".entry k() {\n  add.s32 %r1, %r2\n}"), "a.ptx:6:1: expected ';', got '}': '}'");
  EXPECT_EQ(ErrorOf(".entry k() {\n  ret;\n"), "a.ptx:4:12: this brace is not closed: '.entry k() {'");
  EXPECT_EQ(ErrorOf("  .texref t;"), "a.ptx:4:3: '.texref' is not supported here: '.texref t;'");
  EXPECT_EQ(ErrorOf(".global .b32 x = (1);"), "a.ptx:4:18: expected a number, got '(': '.global .b32 x = (1);'");
  EXPECT_EQ(ErrorOf(".entry k() { mov.u32 %r1, 0x12G; }"),
            "a.ptx:4:27: '0x12G' is no number of PTX: '.entry k() { mov.u32 %r1, 0x12G; }'");
  EXPECT_EQ(ErrorOf(".entry k() { a: ret; a: ret; }"),
            "a.ptx:4:22: the label 'a' is defined twice: '.entry k() { a: ret; a: ret; }'");
  EXPECT_EQ(ErrorOf(".entry k() { mov.u32 %r1, ?; }"),
            "a.ptx:4:27: unexpected character '?': '.entry k() { mov.u32 %r1, ?; }'");
  EXPECT_EQ(ErrorOf("/* no end"), "a.ptx:4:1: this comment has no end: '/* no end'");
  EXPECT_EQ(ErrorOf(".file 1 \"x"), "a.ptx:4:9: this string has no end: '.file 1 \"x'");
}

TEST(PtxParserTest, RefusesDeepNestingWithoutOverflowingTheStack) {
  const std::string deep = ".entry k() { mov.u32 %r1, " + std::string(100000, '{') + "; }";
  EXPECT_NE(ErrorOf(deep).find("operands are nested too deeply"), std::string::npos);
  std::string pairs = ".entry k() { mov.u32 %r1, ";
  for (int i = 0; i < 100000; ++i) pairs += "p|{";
  EXPECT_NE(ErrorOf(pairs).find("operands are nested too deeply"), std::string::npos);
  auto scopes = [](size_t depth) { return ".entry k() " + std::string(depth, '{') + std::string(depth, '}'); };
  EXPECT_EQ(ErrorOf(scopes(64)), "");
  EXPECT_NE(ErrorOf(scopes(65)).find("a.ptx:4:76: braces are nested more than 64 deep"), std::string::npos);
  EXPECT_NE(ErrorOf(scopes(100000)).find("a.ptx:4:76: braces are nested more than 64 deep"), std::string::npos);
  std::string beside;
  for (int i = 0; i < 100; ++i) beside += "{}";
  EXPECT_EQ(ErrorOf(".entry k() {" + beside + "}"), "");
}

TEST(PtxParserTest, AnyPrefixOfAModuleIsAnErrorOrAModule) {
  const std::string text = std::string(kHeader) +
                           ".visible .entry k(.param .u64 p) {\n .reg .b32 %r<2>;\n L: @%p1 bra L;\n"
                           " mov.b32 %r1, 0f3F800000;\n ld.global.v2.b32 {%r0, %r1}, [%rd1+-4];\n}\n";
  for (size_t length = 0; length < text.size(); ++length) (void)Parse(text.substr(0, length));
  EXPECT_TRUE(Parse(text).ok());
}

}  // namespace
}  // namespace mmtune::ptx
