// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/sass.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "kernels/perf_model/profile/loop_facts.h"
#include "tests/kernels/perf_model/fake_disassembler.h"
#include "tests/kernels/perf_model/listings.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ProfiledLoop FactsOfListing(const std::string& name, const std::string& kernel) {
  const SassListing listing = Listing(name);
  const SassFunction* function = listing.Find(kernel);
  EXPECT_NE(function, nullptr);
  if (function == nullptr) return {};
  const absl::StatusOr<SassLoop> loop = FindHotLoop(*function);
  EXPECT_TRUE(loop.ok()) << loop.status();
  return loop.ok() ? FactsOf(*function, *loop) : ProfiledLoop();
}

int64_t CountOf(const ProfiledLoop& facts, const std::string& name) {
  for (const InstructionCount& row : facts.mix) {
    if (row.name == name) return row.count;
  }
  return 0;
}

std::string Line(const std::string& code) {
  return absl::StrCat("/*0000*/ ", code, " ; /* 0x0000000000000000 */\n/* 0x000fc80000000000 */\n");
}

/// A loop of one block of these opcodes.
std::string LoopListing(const std::vector<std::string>& opcodes) {
  std::string text = ".section .text.k,\"ax\"\n.L_1:\n";
  for (const std::string& opcode : opcodes) absl::StrAppend(&text, Line(opcode + " R0, R2, R4, R0"));
  return text + Line("@P0 BRA `(.L_1)") + Line("EXIT");
}

/// A loop of one FFMA within one of another.
std::string NestedListing() {
  const std::string multiply = Line("FFMA R0, R2, R4, R0");
  return absl::StrCat(".section .text.k,\"ax\"\n.L_1:\n", Line("MOV R1, R2"), ".L_2:\n", multiply,
                      Line("@P0 BRA `(.L_2)"), multiply, Line("@P1 BRA `(.L_1)"), Line("EXIT"));
}

TEST(Sass, AnInstructionHasItsPartsAndItsControlBits) {
  const SassListing listing = Listing("fma_sm_90");
  EXPECT_EQ(listing.arch, "sm_90");
  ASSERT_EQ(listing.functions.size(), 1u);
  const std::vector<SassInstruction>& code = listing.functions[0].instructions;
  EXPECT_EQ(listing.functions[0].name, "gemm_simt");
  // /*0010*/ S2R R21, SR_TID.X ; /* 0x0000000000157919 */ /* 0x000e6e0000002100 */
  EXPECT_EQ(code[1].address, 0x10u);
  EXPECT_EQ(code[1].opcode, "S2R");
  EXPECT_THAT(code[1].operands, ElementsAre("R21", "SR_TID.X"));
  EXPECT_EQ(code[1].control.stall, 7);
  EXPECT_TRUE(code[1].control.yields == false);
  EXPECT_EQ(code[1].control.write_barrier, 1);
  EXPECT_EQ(code[1].control.read_barrier, SassControl::kNoBarrier);
  EXPECT_EQ(code[1].control.waits, 0);
  // Brackets hold an operand together.
  EXPECT_THAT(code[0].operands, ElementsAre("R1", "c[0x0][0x28]"));
}

TEST(Sass, TheHotLoopOfFmaIsCountedAsItStands) {
  for (const auto& [name, instructions, stalls] : {std::tuple{"fma_sm_80", 101, 204}, {"fma_sm_90", 102, 142}}) {
    SCOPED_TRACE(name);
    const ProfiledLoop facts = FactsOfListing(name, "gemm_simt");
    EXPECT_EQ(facts.instructions, instructions);
    EXPECT_EQ(facts.stalls, stalls);
    EXPECT_EQ(facts.code_bytes, 16 * instructions);
    EXPECT_EQ(facts.multiply_adds, 64 * 32);  // 4 x 4 x 4 of each lane.
    EXPECT_EQ(facts.multiplying, 64);
    EXPECT_EQ(facts.mix.front().name, "FFMA");
    EXPECT_EQ(CountOf(facts, "FFMA"), 64);
    EXPECT_EQ(CountOf(facts, "LDS.128"), 8);
    EXPECT_EQ(CountOf(facts, "LDGSTS.128"), 2);
    EXPECT_EQ(CountOf(facts, "padding"), 3);
    EXPECT_EQ(CountOf(facts, "ISETP"), 3);
    EXPECT_EQ(facts.shared_read_bytes, 8 * 512);
    EXPECT_EQ(facts.local_accesses, 0);
  }
}

TEST(Sass, TheHotLoopOfMmaHasTensorInstructions) {
  const ProfiledLoop facts = FactsOfListing("mma_sm_80", "gemm_mma");
  EXPECT_EQ(facts.instructions, 32);
  EXPECT_EQ(facts.stalls, 91);
  EXPECT_EQ(CountOf(facts, "HMMA"), 4);
  EXPECT_EQ(facts.multiply_adds, 4 * 16 * 8 * 16);
  EXPECT_EQ(facts.shared_read_bytes, 4 * 512);
}

TEST(Sass, WhateverMultipliesHasAUnitAndALoop) {
  struct Kind {
    std::string opcode;
    SassUnit unit;
    int64_t multiply_adds;
  };
  for (const Kind& kind : {Kind{"DFMA", SassUnit::kDouble, 32}, Kind{"DMMA.8x8x4", SassUnit::kTensor, 256},
                           Kind{"DMMA.884", SassUnit::kTensor, 256}, Kind{"IMMA.16832.S8.S8", SassUnit::kTensor, 4096},
                           Kind{"HGMMA.64x256x16.F32.BF16", SassUnit::kTensor, 65536},
                           Kind{"IGMMA.64x64x32.S8.S8", SassUnit::kTensor, 32768}, Kind{"FHFMA", SassUnit::kFma, 32},
                           Kind{"FHFMA.BF16", SassUnit::kFma, 32}, Kind{"IMAD", SassUnit::kIntegerMultiply, 32}}) {
    SCOPED_TRACE(kind.opcode);
    const auto listing = ParseSass(LoopListing({kind.opcode}));
    ASSERT_TRUE(listing.ok()) << listing.status();
    const SassFunction& function = listing->functions[0];
    const absl::StatusOr<SassLoop> loop = FindHotLoop(function);
    ASSERT_TRUE(loop.ok()) << loop.status();
    const ProfiledLoop facts = FactsOf(function, *loop);
    EXPECT_EQ(facts.multiply_adds, kind.multiply_adds);
    EXPECT_EQ(facts.mix.front().name, kind.opcode.substr(0, kind.opcode.find('.')));
    EXPECT_EQ(ClassOf(function.instructions[loop->first]).unit, kind.unit);
  }
}

TEST(Sass, MultiplyAddsFollowTheShape) {
  EXPECT_EQ(MultiplyAdds(Instruction("HMMA.16816.F32.BF16", {}, {})), 2048);
  EXPECT_EQ(MultiplyAdds(Instruction("HMMA.1688.F32.TF32", {}, {})), 1024);
  EXPECT_EQ(MultiplyAdds(Instruction("HFMA2.MMA", {"R57", "-RZ", "RZ", "0", "2"}, {})), 0);
  EXPECT_EQ(MultiplyAdds(Instruction("HFMA2", {"R57", "R1", "R2", "R57"}, {})), 64);
  SassInstruction padding = Instruction("FFMA", {"R1", "R2", "R3", "R1"}, {});
  EXPECT_EQ(MultiplyAdds(padding), 32);
  padding.predicate = "!PT";
  EXPECT_EQ(MultiplyAdds(padding), 0);
}

// Beside FFMA it computes addresses; alone its plain form multiplies s8, the other forms move and shift.
TEST(Sass, IntegersMultiplyWhereNothingElseDoes) {
  auto products = [](const std::vector<std::string>& opcodes) {
    const auto listing = ParseSass(LoopListing(opcodes));
    const SassFunction& function = listing->functions[0];
    const absl::StatusOr<SassLoop> loop = FindHotLoop(function);
    return loop.ok() ? FactsOf(function, *loop).multiply_adds : -1;
  };
  EXPECT_EQ(products({"IMAD", "FFMA", "IMAD"}), 32);
  EXPECT_EQ(products({"IMAD", "IMAD.MOV.U32", "IMAD.WIDE", "IMAD.SHL.U32", "IMAD"}), 64);
  EXPECT_EQ(products({"IMAD.WIDE", "IMAD.X"}), -1);
  const auto addresses = ParseSass(LoopListing({"IMAD.WIDE"}));
  EXPECT_EQ(FindHotLoop(addresses->functions[0]).status().message(),
            "k has no loop of FFMA, FHFMA, HFMA2, DFMA, HMMA, IMMA, DMMA or HGMMA, nor of IMAD");
}

TEST(Sass, InstructionsOfHopperHaveNames) {
  const auto name = [](const std::string& opcode) { return ClassOf(Instruction(opcode, {}, {})).name; };
  EXPECT_EQ(name("UTMALDG.3D"), "UTMALDG");
  EXPECT_EQ(name("UTMALDG.2D.MULTICAST"), "UTMALDG.MULTICAST");
  EXPECT_EQ(name("UTMASTG.2D"), "UTMASTG");
  EXPECT_EQ(name("UTMACMDFLUSH"), "UTMA");
  EXPECT_EQ(name("SYNCS.PHASECHK.TRANS64.TRYWAIT"), "SYNCS");
  EXPECT_EQ(name("USETMAXREG.DEALLOC.CTAPOOL"), "USETMAXREG");
  EXPECT_EQ(name("WARPGROUP.ARRIVE"), "WARPGROUP.ARRIVE");
  EXPECT_EQ(name("WARPGROUP.DEPBAR.LE"), "WARPGROUP.DEPBAR");
  EXPECT_EQ(name("UMOV"), "uniform");
}

TEST(Sass, HalvesHaveAUnit) {
  const SassClass half = ClassOf(Instruction("HADD2.F32", {"R42", "-RZ", "R8.H0_H0"}, {}));
  EXPECT_EQ(half.unit, SassUnit::kHalf);
  EXPECT_EQ(half.name, "HADD2");
}

TEST(Sass, ThreeOperandsOfOneBankAreAConflictUnlessOneIsCached) {
  SassFunction function{"f", {}};
  auto add = [&](std::vector<std::string> operands, int reuse) {
    function.instructions.push_back(Instruction("FFMA", std::move(operands), {.reuse = reuse}));
  };
  add({"R0", "R2", "R4", "R6"}, 0);        // All even.
  add({"R0", "R2", "R5", "R6"}, 0);        // One is odd.
  add({"R0", "R2", "R2", "R6"}, 0);        // Two registers only.
  add({"R0", "R2.reuse", "R4", "R5"}, 1);  // R2 stays.
  add({"R0", "R2", "R4", "R6"}, 0);        // So it need not be fetched.
  add({"R0", "-R3", "R5", "|R7|"}, 0);     // All odd.
  EXPECT_THAT(RegisterBankConflicts(function, {0, 5}), ElementsAre(true, false, false, false, false, true));
}

TEST(Sass, TheShortestLoopWithMostWorkIsHot) {
  SassFunction function{"f", {}};
  const SassInstruction multiply = Instruction("FFMA", {"R0", "R1", "R2", "R0"}, {});
  const SassInstruction other = Instruction("MOV", {"R0", "R1"}, {});
  SassInstruction back = Instruction("BRA", {}, {});
  // 0: MOV, 1: FFMA, 2: FFMA, 3: back to 1, 4: MOV, 5: back to 0, 6: MOV, 7: back to 6.
  function.instructions = {other, multiply, multiply, back, other, back, other, back};
  function.instructions[3].target = 1;
  function.instructions[5].target = 0;
  function.instructions[7].target = 6;
  const absl::StatusOr<SassLoop> loop = FindHotLoop(function);
  ASSERT_TRUE(loop.ok());
  EXPECT_EQ(loop->first, 1u);
  EXPECT_EQ(loop->last, 3u);
  function.instructions[3].target = function.instructions[5].target = -1;
  const absl::Status none = FindHotLoop(function).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(none.message(), "f has no loop of FFMA, FHFMA, HFMA2, DFMA, HMMA, IMMA, DMMA or HGMMA");
  function.instructions[7].target = 7;  // How kernels end.
  EXPECT_EQ(FindHotLoop(function).status().message(), "f has no loop: it was unrolled entirely");
}

// One more multiply-add behind the inner loop, as where a tile of C ends.
TEST(Sass, AnOuterLoopIsNotHotterForWhatItMultipliesItself) {
  const auto listing = ParseSass(NestedListing());
  ASSERT_TRUE(listing.ok()) << listing.status();
  const absl::StatusOr<SassLoop> loop = FindHotLoop(listing->functions[0]);
  ASSERT_TRUE(loop.ok());
  EXPECT_EQ(loop->first, 1u);
  EXPECT_EQ(loop->last, 2u);
}

TEST(Sass, WhatIsNoListingIsAnErrorOfOneLine) {
  for (const auto& [text, message] :
       {std::pair{
            "", "nvdisasm printed no instructions; its version may not be supported: name another by MMTUNE_NVDISASM"},
        {"nvdisasm fatal: no such file",
         "nvdisasm printed no instructions; its version may not be supported: name another by MMTUNE_NVDISASM"},
        {".section .text.k,\"ax\"\n/*0000*/ EXIT ;\n",
         "cannot read what nvdisasm printed: '/*0000*/ EXIT ;'; its version may not be supported: name another by "
         "MMTUNE_NVDISASM"},
        {".section .text.k,\"ax\"\n/*0000*/ EXIT ; /* 0x000000000000794d */\n",
         "the output of nvdisasm ends within an instruction"},
        {".section .text.k,\"ax\"\n/*xyz*/ EXIT ; /* 0x000000000000794d */\n",
         "cannot read what nvdisasm printed: '/*xyz*/ EXIT ; /* 0x000000000000794d */'; its version may not be "
         "supported: name another by MMTUNE_NVDISASM"}}) {
    const absl::Status status = ParseSass(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_EQ(status.message(), message);
  }
}

TEST(Disassembler, WhatItPrintsIsRead) {
  FakeDisassembler fake(absl::StrCat("cat ", LISTINGS, "/fma_sm_90.sass"));
  const auto listing = Disassemble("cubin", "sm_90");
  ASSERT_TRUE(listing.ok()) << listing.status();
  EXPECT_NE(listing->Find("gemm_simt"), nullptr);
  EXPECT_EQ(listing->Find("other"), nullptr);
  const absl::Status other = Disassemble("cubin", "sm_80").status();
  EXPECT_EQ(other.message(), "the cubin is for sm_90, not for sm_80");
}

TEST(Disassembler, WhatItRefusesIsToldInItsWords) {
  FakeDisassembler fake("echo \"nvdisasm fatal   : unknown arch SM120\"; echo more; exit 255");
  const absl::Status status = Disassemble("cubin", "sm_120").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("nvdisasm fatal   : unknown arch SM120"));
  EXPECT_EQ(status.message().find('\n'), status.message().npos);
}

TEST(Disassembler, WhatEndsWithoutAWordIsToldSo) {
  FakeDisassembler fake("exit 3");
  EXPECT_EQ(Disassemble("cubin", "sm_90").status().message(), "nvdisasm: exit code 3 and no output");
}

TEST(Disassembler, WhereThereIsNoneIsOneLine) {
  setenv("MMTUNE_NVDISASM", "none", 1);
  const absl::Status status = Disassemble("cubin", "sm_90").status();
  unsetenv("MMTUNE_NVDISASM");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no nvdisasm in MMTUNE_NVDISASM, PATH"));
}

}  // namespace
}  // namespace mmtune
