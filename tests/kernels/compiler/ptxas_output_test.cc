// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/compiler/codegen/ptxas.h"

namespace mmtune {
namespace {

TEST(ParsePtxasOutput, ReadsEachKernel) {
  auto kernels = parsePtxasOutput(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'reduce_splits' for 'sm_90'\n"
      "ptxas info    : Function properties for reduce_splits\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 16 registers, used 0 barriers, 544 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'gemm_simt' for 'sm_90'\n"
      "ptxas info    : Function properties for gemm_simt\n"
      "    40 bytes stack frame, 36 bytes spill stores, 44 bytes spill loads\n"
      "ptxas info    : Used 128 registers, used 1 barriers, 40 bytes cumulative stack size, 1024 bytes smem\n");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels["reduce_splits"], (KernelUsage{16, 0, 0}));
  EXPECT_EQ(kernels["gemm_simt"], (KernelUsage{128, 80, 1024}));
}

TEST(ParsePtxasWarnings, AreLinesWithACodeAndWarningsEachOnce) {
  EXPECT_THAT(
      parsePtxasWarnings(
          "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register "
          "count "
          "at entry.\n"
          "ptxas info    : (C7517) warpgroup.wait is injected in around line 15 by compiler to allow use of registers "
          "defined by GMMA in function 'k'\n"
          "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register "
          "count "
          "at entry.\n"
          "ptxas kernel.ptx, line 7; warning : Alignment is lower than needed\n"
          "ptxas info    : 0 bytes gmem\n"
          "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"),
      testing::ElementsAre("C7508: Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register "
                           "count at entry.",
                           "C7517: warpgroup.wait is injected in around line 15 by compiler to allow use of registers "
                           "defined by GMMA in function 'k'",
                           "Alignment is lower than needed"));
}

TEST(ParsePtxasOutput, IsEmptyForOtherText) { EXPECT_TRUE(parsePtxasOutput("nothing\nUsed 3 registers\n").empty()); }

}  // namespace
}  // namespace mmtune
