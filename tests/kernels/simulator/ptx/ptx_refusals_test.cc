// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text that is not PTX is refused with the place and what is wrong. ptxas refuses each text, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "tests/kernels/simulator/ptx/ptxas_errors.h"

namespace mmtune::ptx {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Refusal {
  std::string_view code;
  std::string_view message;
};

constexpr std::string_view kHeader = ".version 8.8\n.target sm_100a\n.address_size 64\n";
constexpr std::string_view kDeclarations = R"(.global .b32 table[8]; .const .b32 constants[8];
.func (.param .b32 o) twice(.param .b32 a) { ret; }
.visible .entry k(.param .u64 p0) {
.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<99>; .reg .u32 %u<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
.reg .f64 %fd<9>; .reg .b128 %q<9>; .shared .align 16 .b32 tile[64]; .local .align 16 .b32 own[4];
)";

std::string BodyOf(std::string_view code) {
  return absl::StrCat(std::string(kHeader), std::string(kDeclarations), std::string(code), "\nDONE: ret; }\n");
}

std::string MessageFor(const std::string& text) {
  return std::string(compilePtx(text, {.name = "a.ptx"}).status().message());
}

/// Statements of a body.
constexpr Refusal kStatements[] = {
    // Literals.
    {"mov.u32 %r1, 0f3F800000;", "a floating-point literal where the type is .u32"},
    {"mov.u32 %r1, 1.5;", "a floating-point literal where the type is .u32"},
    {"mov.b32 %r1, 1.5;", "a floating-point literal where the type is .b32"},
    {"mov.b64 %rd1, 0f3F800000;", "a floating-point literal where the type is .b64"},
    {"mov.u64 %rd1, 0d3FF0000000000000;", "a floating-point literal where the type is .u64"},
    {"mov.f32 %f1, 1;", "an integer where the type is .f32: write 0f or 0d and the bits"},
    {"add.f16 %h1, %h2, 0x3C00;", "an integer where the type is .f16, which has no literals"},
    {"add.f16 %h1, %h2, 1.0;", "a floating-point literal where the type is .f16"},
    {"fma.rn.bf16x2 %r1, %r2, %r3, 0;", "an integer where the type is .bf16x2, which has no literals"},
    {"add.u32 %r1, %r2, 1.0;", "a floating-point literal where the type is .u32"},
    {"add.f32 %f1, %f2, -0f3F800000;", "a minus sign before the bits of a floating-point number"},
    {"setp.eq.s32 %p1, %r1, 1.0;", "a floating-point literal where the type is .s32"},
    {"shl.b32 %r1, %r2, 1.0;", "a floating-point literal where the type is .u32"},
    {"st.global.f32 [%rd1], 5;", "an integer where the type is .f32"},
    {"st.global.u32 [%rd1], 0f3F800000;", "a floating-point literal where the type is .u32"},
    {"mov.u32 %r1, 08;", "'08' is no number of PTX"},

    // Numbers beyond the range of an operand.
    {"bfe.u32 %r1, %r2, 300, 5;", "operand 3 is 300, not a number from 0 to 255"},
    {"bfi.b32 %r1, %r2, %r3, 0, 300;", "operand 5 is 300, not a number from 0 to 255"},
    {"bar.sync 16;", "operand 1 is 16, not a number from 0 to 15"},
    {"bar.sync -1;", "operand 1 is -1, not a number from 0 to 15"},
    {"bar.sync 0, 33;", "operand 2 is 33, not a multiple of 32 from 0 to 4096"},
    {"bar.arrive 1, 33;", "operand 2 is 33, not a multiple of 32"},
    {"cp.async.ca.shared.global [%r1], [%rd1], 12;", "cp.async copies 4, 8 or 16 bytes"},
    {"cp.async.ca.shared.global [%r1], [%rd1], 16, 20;", "operand 4 is 20, not a number from 0 to 16"},
    {"setmaxnreg.inc.sync.aligned.u32 20;", "setmaxnreg takes a multiple of 8 from 24 to 256"},
    {"lop3.b32 %r1, %r2, %r3, %r4, %r5;", "operand 5 must be an integer literal"},
    {"ld.shared.u32 %r1, [0];", "only addresses of .local memory can be numbers"},

    // Destinations.
    {"add.u32 5, %r1, %r2;", "the destination is a number, and must be a register"},
    {"add.u32 tile, %r1, %r2;", "the destination 'tile' is no register"},
    {"add.u32 %tid.x, %r1, %r2;", "the destination '%tid.x' is no register"},
    {"add.u32 !%r1, %r2, %r3;", "'!' before a destination"},
    {"mov.u32 _, %r1;", "the destination is '_', and the instruction has no other result"},
    {"ld.global.u32 _, [%rd1];", "the destination is '_', and the instruction has no other result"},
    {"shfl.sync.idx.b32 _|%p1, %r2, 4, 31, -1;", "the destination is '_', which only the predicate behind it can be"},
    {"ld.global.v2.u32 {%r1, 5}, [%rd1];", "the destination is a number, and must be a register"},
    {"elect.sync %r1, -1;", "the destination of elect.sync is d|p"},

    // Names.
    {"add.u32 %r1, %r99, %r2;", "'%r99' is no register, variable or special register that is known here"},
    {"mov.u32 %r1, %nosuch;", "'%nosuch' is no register, variable or special register that is known here"},
    {"mov.u32 %r1, DONE;", "'DONE' is no register, variable or special register that is known here"},
    {"bra NOSUCH;", "there is no label 'NOSUCH' here"},
    {"bra 5;", "a branch takes the name of a label"},
    {"bra inner; { inner: ret; }", "there is no label 'inner' here"},
    {"{ .reg .b64 inner; } mov.b64 inner, 5;", "the destination 'inner' is no register"},
    {"@%p20 bra DONE;", "'%p20' is no register"},
    {"@%r1 bra DONE;", "'%r1' is a .b32, the instruction takes .pred"},
    {"ld.param.u64 %rd1, [nosuch];", "'nosuch' is no parameter"},
    {"call nosuch;", "'nosuch' is no function"},
    {"add.u32 %r1, tile, 4;", "'tile' is a variable: only mov, cvta and mapa take its address"},
    {"st.shared.u32 [tile], tile;", "'tile' is a variable: only mov, cvta and mapa take its address"},
    {"cvta.to.global.u64 %rd1, table;", "'table' is a variable"},
    {"mov.f32 %f1, tile;", "'tile' is a variable"},
    {"add.u32 %r1, %tid.x, 1;", "'%tid.x' is a special register: move it to a register first"},
    {"cvt.rn.f32.u32 %f1, %tid.x;", "'%tid.x' is a special register: move it to a register first"},
    {"mov.f32 %f1, %tid.x;", "'%tid.x' is a special register: move it to a register first"},
    {"mov.u64 %rd1, %tid.x;", "'%tid.x' has 32 bits, the instruction takes .u64"},
    {"mov.u32 %r1, %clock64;", "'%clock64' has 64 bits, the instruction takes .u32"},

    // Types of registers.
    {"add.u32 %r1, %rd1, %r2;", "'%rd1' has 64 bits, the instruction takes .u32"},
    {"add.u32 %rd1, %r1, %r2;", "'%rd1' has 64 bits, the instruction writes .u32"},
    {"add.u32 %r1, %f1, %r2;", "'%f1' is a .f32, the instruction takes .u32"},
    {"add.u32 %f1, %r1, %r2;", "'%f1' is a .f32, the instruction writes .u32"},
    {"add.f32 %f1, %u1, %f2;", "'%u1' is a .u32, the instruction takes .f32"},
    {"mov.f64 %fd1, %f1;", "'%f1' is a .f32, the instruction takes .f64"},
    {"add.bf16x2 %u1, %r1, %r2;", "'%u1' is a .u32, the instruction writes .bf16x2"},
    {"st.global.u32 [%rd1], %f1;", "'%f1' is a .f32, the instruction takes .u32"},
    {"ld.global.f32 %u1, [%rd1];", "'%u1' is a .u32, the instruction writes .f32"},
    {"ld.global.u32 %h1, [%rd1];", "'%h1' has 16 bits, the instruction writes .u32"},
    {"setp.eq.u32 %r1, %r1, %r2;", "'%r1' is a .b32, the instruction writes .pred"},
    {"setp.eq.and.u32 %p1, %r1, %r2, %r3;", "'%r3' is a .b32, the instruction takes .pred"},
    {"selp.u32 %r1, 1, 0, %r2;", "'%r2' is a .b32, the instruction takes .pred"},
    {"shl.b32 %r1, %r2, %h1;", "'%h1' has 16 bits, the instruction takes .u32"},
    {"mul.wide.u32 %r1, %r2, %r3;", "'%r1' has 32 bits, the instruction writes .u64"},
    {"popc.b64 %rd1, %rd2;", "'%rd1' has 64 bits, the instruction writes .u32"},
    {"mov.u32 %r1, -%r2;", "expected a number, got '%r2'"},
    {"mov.u32 %r1, !%r2;", "'!' is for predicates"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%u1, %u2, %u3, %u4}, {%r5, %r6}, {%r7}, {%f1, %f2, %f3, %f4};",
     "'%u1' is a .u32, the instruction writes .f32"},
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%f1, %f2}, {%r1}, {%r2}, {%r3, %r4};",
     "'%f1' is a .f32, the instruction writes .s32"},
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r1}, {%r2}, {%f3, %f4};",
     "'%f3' is a .f32, the instruction takes .s32"},

    // Numbers of operands, and lists.
    {"add.u32 %r1, %r2;", "expected 3 operands, got 2"},
    {"add.u32 %r1, %r2, %r3, %r4;", "expected 3 operands, got 4"},
    {"setp.eq.and.u32 %p1, %r1, %r2;", "expected 4 operands, got 3"},
    {"ret %r1;", "expected 0 operands, got 1"},
    {"bar.warp.sync;", "expected 1 operands, got 0"},
    {"mbarrier.arrive.shared.b64 [%r1];", "expected 2 to 3 operands, got 1"},
    {"add.u32 {%r1}, %r2, %r3;", "the destination '' is no register"},
    {"add.u32 %r1, {%r2}, %r3;", "expected a register or a number"},
    {"ld.global.v2.b32 %r1, [%rd1];", "the instruction takes 2 registers in braces, got 1"},
    {"ld.global.v2.b32 {%r1, %r2, %r3}, [%rd1];", "the instruction takes 2 registers in braces, got 3"},
    {"ld.global.b32 {%r1, %r2}, [%rd1];", "the instruction takes 1 registers in braces, got 2"},
    {"st.global.v4.b32 [%rd1], {%r1, %r2};", "the instruction takes 4 registers in braces, got 2"},
    {"ld.global.v2.u32 {%r1, %rd2}, [%rd1];", "the registers in braces have different widths"},
    {"ld.global.v8.b64 {%rd1, %rd2, %rd3, %rd4, %rd5, %rd6, %rd7, %rd8}, [%rd1];",
     "a vector of 8 elements with 512 bits"},
    {"ld.shared.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%r1];", "a vector of 4 elements with 256 bits"},
    {"ld.global.v2.b128 {%q1, %q2}, [%rd1];", "a vector of 2 elements with 256 bits"},
    {"st.v2.b128 [%rd1], {%q1, %q2};", "a vector of 2 elements with 256 bits"},
    {"mov.b64 {%r1, %r2, %r3}, %rd1;", "the list does not take .b64"},
    {"mov.b64 %rd1, {%r1, %rd2};", "'%rd2' has 64 bits, the instruction takes .b32"},
    {"mov.u64 %rd1, {%r1, %r2};", "a mov of a list has an untyped type, such as .b64"},
    {"mov.u32 %r1, {%r2};", "a mov of a list has an untyped type, such as .b64"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r1, [%r4];", "operand 1 must be a list in braces"},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3}, [%r4];", "the destination needs 4 registers"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r5, %r6}, %r7, {%f1, %f2, %f3, %f4};",
     "operand 3 must be a list in braces"},
    {"call (%r1), twice, (%r2, %r3);", "the arguments or results of the call do not match the declaration of 'twice'"},
    {"{ .param .b16 a; .param .b32 b; call (b), twice, (a); }", "'a' has 2 bytes, and 'a' has 4"},
    {"{ .param .b32 a; .param .b64 b; call (b), twice, (a); }", "'b' has 8 bytes, and 'o' has 4"},
    {"call k;", "'k' is a kernel (.entry), which cannot be called"},
    {"call twice, (%r2);", "the arguments or results of the call do not match the declaration of 'twice'"},

    // Addresses.
    {"ld.global.u32 %r1, %rd1;", "operand 2 must be an address in brackets"},
    {"prefetch.global.L1 %rd1;", "operand 1 must be an address in brackets"},
    {"ld.global.u32 %r1, [%fd1];", "the address register '%fd1' is a .f64"},
    {"ld.global.u32 %r1, [tile];", "'tile' lies in another space than the instruction's"},
    {"ld.global.u32 %r1, [own];", "'own' lies in another space than the instruction's"},
    {"ld.global.u32 %r1, [constants];", "'constants' lies in another space than the instruction's"},
    {"ld.const.u32 %r1, [table];", "'table' lies in another space than the instruction's"},
    {"ld.u64 %rd1, [p0];", "'p0' lies in another space than the instruction's"},
    {"cvta.shared.u64 %rd1, table;", "'table' lies in another space than the instruction's"},
    {"st.param.b64 [p0], %rd1;", "'p0' is a parameter of this function, which it cannot write"},
    {"{ .param .b32 p0; st.param.b32 [p0], %r1; }", "'p0' is a parameter of this function, which it cannot write"},
    {"ld.global.u32 %r1, [%rd1-4];", "expected '+' before an offset, as in [%rd1+-4], got '-'"},
    {"ld.global.u32 %r1, [%rd1+%rd2];", "expected an offset, got '%rd2'"},
    {"ld.global.u32 %r1, [%rd1, 4];", "expected '{' and coordinates, got '4'"},

    // Modifiers.
    {"fma.f32 %f1, %f2, %f3, %f4;", "the SIMT device has no such form of 'fma'"},
    {"setp.lt.b32 %p1, %r1, %r2;", "the SIMT device has no such form of 'setp'"},
    {"setp.lo.s32 %p1, %r1, %r2;", "the SIMT device has no such form of 'setp'"},
    {"set.eq.f32.f16 %f1, %h1, %h2;", "the SIMT device has no such form of 'set'"},
    {"mov %r1, %r2;", "the SIMT device has no such form of 'mov'"},
    {"cvt.f16.f32 %h1, %f1;", "the SIMT device has no such form of 'cvt'"},
    {"cvt.rn.f32.f16 %f1, %h1;", "the SIMT device has no such form of 'cvt'"},
    {"cvt.sat.s32.s16 %r1, %h1;", "'.sat' is for a type that lacks values of .s16"},
    {"ld.volatile.global.ca.u32 %r1, [%rd1];", "'ld.volatile.ca': these modifiers exclude each other"},
    {"ld.shared.L1::evict_last.u32 %r1, [%r2];", "'ld.shared.L1::evict_last': these modifiers exclude each other"},
    {"ld.global.cg.L1::no_allocate.u32 %r1, [%rd1];", "'ld.cg.L1::no_allocate': these modifiers exclude each other"},
    {"ld.global.L2::evict_last.u32 %r1, [%rd1];", "L2::evict hints are for .v8.b32 and .v4.b64"},
    {"ld.relaxed.gpu.local.u32 %r1, [%rd1];", "the SIMT device has no such form of 'ld'"},
    {"red.global.gpu.acquire.add.u32 [%rd1], 1;", "the SIMT device has no such form of 'red'"},
    {"mbarrier.arrive.release.shared.b64 %rd1, [%r1];", "the SIMT device has no such form of 'mbarrier'"},
    {"mbarrier.arrive.shared::cluster.b64 %rd1, [%r1];", "has no state but '_'"},
    {"wgmma.fence.sync.aligned;", "'wgmma' needs .target sm_90a, and the text has sm_100a"},

    // Syntax and declarations.
    {"mov.u32 %r1, %r2", "expected ';', got 'DONE'"},
    {"mov.u32 %r1 %r2;", "expected ';', got '%r2'"},
    {"mov.u32 %r1,, %r2;", "expected an operand, got ','"},
    {"DONE: ret;", "the label 'DONE' is defined twice"},
    {".reg .b32 %r3;", "'%r3' is declared twice"},
    {".reg .b32 %r<3>;", "'%r' is declared twice"},
    {".reg .b32 x, x;", "'x' is declared twice"},
    {".reg .b32 x3; .reg .b32 x<5>;", "'x3' is declared twice"},
    {".reg .b32 p0;", "'p0' is declared twice"},
    {".reg .b32 tile;", "'tile' is declared twice"},
    {".reg .b32 x; x: ret;", "'x' is declared twice"},
    {".reg .foo x;", "there are no registers or variables of type .foo"},
    {".reg .bf16 x;", "there are no registers or variables of type .bf16"},
    {".shared .pred x;", "only registers are predicates"},
    {".shared .b32 x = 5;", "shared memory has no initial value"},
    {".local .b32 x[];", "the variable has no size"},
    {".shared .align 3 .b32 x[4];", "an alignment is a power of two"},
    {".shared .v4 .b64 x;", "a vector has at most 128 bits"},
};

/// Whole modules.
constexpr Refusal kModules[] = {
    {".target sm_80\n.entry k() { ret; }", "no .version: this is no PTX"},
    {".version 99.0\n.target sm_80\n.entry k() { ret; }",
     "there is no PTX version '99.0', or it is newer than those of CUDA 13"},
    {".version 8\n.target sm_80\n.entry k() { ret; }", "there is no PTX version '8'"},
    {".version 8.0\n.entry k() { ret; }", "expected .target behind .version"},
    {".version 8.0\n.version 8.0\n.target sm_80\n.entry k() { ret; }", "a second .version"},
    {".version 8.0\n.target sm_85\n.entry k() { ret; }", "there is no target 'sm_85'"},
    {".version 8.0\n.target sm_80, fast\n.entry k() { ret; }", "there is no target option 'fast'"},
    {".version 6.5\n.target sm_80\n.entry k() { ret; }", "sm_80 needs .version 7.0 or later, and the text has 6.5"},
    {".version 7.8\n.target sm_90a\n.entry k() { ret; }", "sm_90a needs .version 8.0 or later, and the text has 7.8"},
    {".version 8.0\n.target sm_75\n.entry k() { cp.async.wait_all; ret; }",
     "'cp.async' needs .target sm_80 or later, and the text has sm_75"},
    {".version 8.0\n.target sm_80\n.entry k() { wgmma.fence.sync.aligned; ret; }",
     "'wgmma' needs .target sm_90a, and the text has sm_80"},
    {".version 8.0\n.target sm_90\n.entry k() { setmaxnreg.inc.sync.aligned.u32 40; ret; }",
     "'setmaxnreg' needs .target sm_90a"},
    {".version 8.0\n.target sm_80\n.entry k() { .reg .b32 r; mov.u32 r, %cluster_ctarank; ret; }",
     "'%cluster_ctarank' needs .target sm_90 or later, and the text has sm_80"},
    {".version 8.2\n.target sm_80\n.entry k() { .reg .b128 q; ret; }",
     "'reg.b128' needs .version 8.3 or later, and the text has 8.2"},
    {".version 8.0\n.target sm_80\n.entry k() .reqnctapercluster 2 { ret; }",
     "'reqnctapercluster' needs .target sm_90 or later"},
    {".version 8.7\n.target sm_100\n.entry k() { .reg .f32 f<4>; max.f32 f0, f1, f2, f3; ret; }",
     "'max.f32.4-operands' needs .version 8.8 or later, and the text has 8.7"},
    {".version 8.0\n.target sm_80\n.entry k() .maxntid 32 .reqntid 32 { ret; }", "a kernel has .maxntid or .reqntid"},
    {".version 8.0\n.target sm_80\n.entry k() .maxntid 0 { ret; }", "expected a size of at least 1, got '0'"},
    {".version 8.0\n.target sm_80\n.entry k(.param .u64 a, .param .u32 a) { ret; }", "'a' is declared twice"},
    {".version 8.0\n.target sm_80\n.entry k(.param .b8 a[]) { ret; }", "the parameter has no size"},
    {".version 8.0\n.target sm_80\n.entry k(.param .v2 .b32 a) { ret; }", "a parameter is no vector"},
    {".version 8.0\n.target sm_80\n.entry k(.reg .b32 a) { ret; }", "expected .param, got '.reg'"},
    {".version 8.0\n.target sm_80\n.entry (.param .b32 r) k() { ret; }", "expected a function's name, got '('"},
    {".version 8.0\n.target sm_80\n.entry k() { ret; }\n.func k() { ret; }", "'k' is defined twice"},
    {".version 8.0\n.target sm_80\n.global .b32 g;\n.global .b32 g;\n.entry k() { ret; }", "'g' is defined twice"},
    {".version 8.0\n.target sm_80\n.global .f32 g = 5;\n.entry k() { ret; }", "an integer where the type is .f32"},
    {".version 8.0\n.target sm_80\n.global .u32 g = 1.0;\n.entry k() { ret; }",
     "a floating-point literal where the type is .u32"},
    {".version 8.0\n.target sm_80\n.global .u8 g[2] = {1, 2, 3};\n.entry k() { ret; }",
     "the initial value has more elements than the variable"},
    {".version 8.0\n.target sm_80\n.global .u8 g = {1};\n.entry k() { ret; }", "expected a number, got '{'"},
    {".version 8.0\n.target sm_80\n.global .u8 g[2] = 1;\n.entry k() { ret; }", "expected '{' and numbers, got '1'"},
    {".version 8.0\n.target sm_80\n.global .pred g;\n.entry k() { ret; }", "only registers are predicates"},
    {".version 8.0\n.target sm_80\n.reg .b32 r;\n.entry k() { ret; }", "'.reg' is not supported here"},
    {".version 8.0\n.target sm_80\n.entry k() { ret; } }", "expected a directive, got '}'"},
};

TEST(PtxRefusalsTest, StatementsAreRefusedWithTheirLine) {
  EXPECT_EQ(MessageFor(BodyOf("mov.u32 %r1, %tid.x;")), "");
  for (const auto& [code, message] : kStatements) {
    const std::string found = MessageFor(BodyOf(code));
    EXPECT_THAT(found, HasSubstr(std::string(message))) << code;
    // A statement without its semicolon ends in the next line, which also has the second label DONE.
    const bool isNextLine = (code.back() != ';' && code.back() != '}') || code.starts_with("DONE");
    EXPECT_THAT(found, StartsWith(isNextLine ? "a.ptx:10:" : "a.ptx:9:")) << code;
    EXPECT_EQ(found.find('\n'), std::string::npos) << found;
  }
}

TEST(PtxRefusalsTest, ModulesAreRefused) {
  for (const auto& [code, message] : kModules) {
    const std::string found = MessageFor(std::string(code));
    EXPECT_THAT(found, HasSubstr(std::string(message))) << code;
    EXPECT_THAT(found, StartsWith("a.ptx:")) << code;
  }
}

TEST(PtxRefusalsTest, PtxasRefusesTheSameTexts) {
  if (const std::string why = WhyNoPtxas(); !why.empty()) GTEST_SKIP() << why;
  EXPECT_EQ(PtxasErrors(BodyOf(""), "sm_100a").size(), 0u);
  for (const Refusal& refusal : kStatements)
    EXPECT_NE(PtxasErrors(BodyOf(refusal.code), "sm_100a").size(), 0u) << refusal.code;
  for (const Refusal& refusal : kModules)
    EXPECT_NE(PtxasErrors(std::string(refusal.code), "sm_100a").size(), 0u) << refusal.code;
}

/// Returns the error of a kernel with these statements.
std::string ErrorOf(const std::string& statements) {
  const auto compiled = compilePtx(
      ".version 8.3\n.target sm_90a\n.address_size 64\n.entry k(.param .u64 p) { .reg .b32 %r<4>; .reg .b64 %rd<4>; "
      ".reg .pred %p1;\n" +
          statements + "\n}",
      {.name = "a.ptx"});
  return std::string(compiled.status().message());
}

TEST(PtxRefusalsTest, RefusesWhatTheTableLacks) {
  EXPECT_EQ(ErrorOf("frobnicate.u32 %r1;"),
            "a.ptx:5:1: the SIMT device has no instruction 'frobnicate': 'frobnicate.u32 %r1;'");
  EXPECT_NE(ErrorOf("tcgen05.commit.cta_group::1.b64 [%rd1];").find("the tensor memory of sm_100 is not there yet"),
            std::string::npos);
  EXPECT_EQ(ErrorOf("fma.rn.f32.f64 %r1, %r1, %r1, %r1;").substr(0, 54),
            "a.ptx:5:1: the SIMT device has no such form of 'fma'; ");
  EXPECT_EQ(ErrorOf("add.s64 %rd1, %r1, %rd2;"),
            "a.ptx:5:1: '%r1' has 32 bits, the instruction takes .s64: 'add.s64 %rd1, %r1, %rd2;'");
  EXPECT_EQ(ErrorOf("add.s32 %r9, %r1, 1;"), "a.ptx:5:1: the destination '%r9' is no register: 'add.s32 %r9, %r1, 1;'");
  EXPECT_EQ(ErrorOf("add.s32 %r1, %r2;"), "a.ptx:5:1: expected 3 operands, got 2: 'add.s32 %r1, %r2;'");
  EXPECT_EQ(ErrorOf("bra nowhere;"), "a.ptx:5:1: there is no label 'nowhere' here: 'bra nowhere;'");
  EXPECT_EQ(ErrorOf("@%r1 ret;"), "a.ptx:5:1: '%r1' is a .b32, the instruction takes .pred: '@%r1 ret;'");
  EXPECT_EQ(ErrorOf("ld.global.b32 %r1, [%r2];"),
            "a.ptx:5:1: the address register '%r2' has 32 bits, expected 64: 'ld.global.b32 %r1, [%r2];'");
  EXPECT_EQ(ErrorOf("ret;"), "");
}

TEST(PtxRefusalsTest, RefusesWhatItWouldDrop) {
  EXPECT_EQ(ErrorOf("selp.b32 %r1, %r2, %r3, !1;"), "a.ptx:5:1: '!' is for predicates: 'selp.b32 %r1, %r2, %r3, !1;'");
  EXPECT_EQ(ErrorOf("setp.eq.u32 !%p1, %r1, 1;"), "a.ptx:5:1: '!' before a destination: 'setp.eq.u32 !%p1, %r1, 1;'");
  EXPECT_NE(ErrorOf("lop3.b32 %r1, %r2, %r3, %r0, !1;").find("must be an integer literal"), std::string::npos);
  for (const char* statement : {"ld.global.b32 %r1, [%rd1, {%r2}];", "ld.param.b32 %r1, [p, {%r2}];"})
    EXPECT_NE(ErrorOf(statement).find("coordinates are for copies by tensor maps"), std::string::npos) << statement;
  for (const char* name : {"trap", "exit", "membar.gl", "fence.proxy.async", "fence.mbarrier_init.release.cluster",
                           "barrier.cluster.arrive", "barrier.cluster.wait", "griddepcontrol.wait",
                           "cp.async.commit_group", "cp.async.wait_all", "cp.async.bulk.commit_group",
                           "wgmma.fence.sync.aligned", "wgmma.commit_group.sync.aligned"}) {
    EXPECT_NE(ErrorOf(std::string(name) + " %r1;").find("expected 0 operands, got 1"), std::string::npos) << name;
    EXPECT_EQ(ErrorOf(std::string(name) + ";"), "");
  }
  for (const char* label : {"!L", "L+4", "7", "[L]"})
    EXPECT_NE(ErrorOf(std::string("L: bra ") + label + ";").find("a branch takes the name of a label"),
              std::string::npos)
        << label;
  EXPECT_NE(ErrorOf("prefetch.global.L2;").find("expected 1 operands, got 0"), std::string::npos);
  EXPECT_NE(ErrorOf("createpolicy.fractional.L2::evict_last.b64 %rd1, 0f3F800000, 1;").find("expected 1 to 2 operands"),
            std::string::npos);
}

TEST(PtxRefusalsTest, RefusesLiteralsOfAnotherType) {
  auto errorOf = [](const std::string& variable) {
    const std::string text = ".version 8.3\n.target sm_80\n.address_size 64\n" + variable;
    return std::string(compilePtx(text, {.name = "a.ptx"}).status().message());
  };
  EXPECT_EQ(errorOf(".global .f32 x[2] = {0f3F800000, 1};"),
            "a.ptx:4:34: an integer where the type is .f32: write 0f or 0d and the bits: '.global .f32 x[2] = "
            "{0f3F800000, 1};'");
  EXPECT_EQ(errorOf(".global .b16 x = 1.0;"),
            "a.ptx:4:18: a floating-point literal where the type is .b16: '.global .b16 x = 1.0;'");
  for (const char* statement : {"mov.f32 %r1, 1;", "selp.f32 %r1, 1, %r2, %p1;", "slct.f32.s32 %r1, 1, %r2, %r3;",
                                "st.global.f32 [%rd1], 1;", "st.global.v2.f32 [%rd1], {%r1, 1};"})
    EXPECT_NE(ErrorOf(statement).find("an integer where the type is .f32"), std::string::npos) << statement;
  EXPECT_NE(ErrorOf("cvt.u32.u16 %r1, 1.0;").find("a floating-point literal where the type is .u16"),
            std::string::npos);
}

// ptxas of CUDA 13.0 crashes at these loads and assembles these stores, although PTX has neither.
TEST(PtxRefusalsTest, RefusesVectorsOf8NarrowElements) {
  const std::string items = "{%h1, %h2, %h3, %h4, %h5, %h6, %h7, %h8}";
  for (const char* type : {"b8", "u16"})
    for (const std::string& statement : {absl::StrCat("ld.global.v8.", type, " ", items, ", [%rd1];"),
                                         absl::StrCat("st.shared.v8.", type, " [%r1], ", items, ";")})
      EXPECT_THAT(MessageFor(BodyOf(statement)), HasSubstr("a vector of 8 elements with")) << statement;
}

TEST(PtxRefusalsTest, WarpSizeIsAnIntegerLiteralOfAnyWidth) {
  for (const char* statement : {"add.s64 %rd1, %rd2, WARP_SZ;", "st.global.u8 [%rd1], WARP_SZ;",
                                "mov.u16 %h1, WARP_SZ;", "bar.sync 0, WARP_SZ;", "ld.global.b32 %r1, [%rd1+WARP_SZ];"})
    EXPECT_EQ(MessageFor(BodyOf(statement)), "") << statement;
  EXPECT_THAT(MessageFor(BodyOf("add.f32 %f1, %f2, WARP_SZ;")), HasSubstr("an integer where the type is .f32"));
}

TEST(PtxRefusalsTest, RefusesCombinationsOfWordsThatPtxLacks) {
  for (const char* statement : {"min.xorsign.f32 %r1, %r2, %r3;", "max.abs.xorsign.f32 %r1, %r2, %r3;",
                                "min.abs.f16x2 %r1, %r2, %r3;", "slct.ftz.s32.s32 %r1, %r2, %r3, %r0;",
                                "set.lt.ftz.u32.f64 %r1, %rd1, %rd2;", "set.lt.ftz.u32.bf16x2 %r1, %r2, %r3;"})
    EXPECT_NE(ErrorOf(statement).find("the SIMT device has no such form of"), std::string::npos) << statement;
  EXPECT_EQ(ErrorOf("min.abs.f32 %r1, %r2, %r3;"),
            "a.ptx:5:1: expected 4 operands, got 3: 'min.abs.f32 %r1, %r2, %r3;'");
  for (const char* statement : {"min.f64 %rd1, %rd2, %rd3, %rd0;", "max.xorsign.abs.f16x2 %r1, %r2, %r3, %r0;",
                                "min.f16x2 %r1, %r2, %r3, %r0;"})
    EXPECT_NE(ErrorOf(statement).find("expected 3 operands, got 4"), std::string::npos) << statement;
}

}  // namespace
}  // namespace mmtune::ptx
