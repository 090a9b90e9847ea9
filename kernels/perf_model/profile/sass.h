// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads machine code of NVIDIA GPUs (SASS) from the output of nvdisasm: instructions, their scheduling control bits,
// and loops. The profile and the prediction of peak fraction analyse a kernel's hot loop with it.
//
//   listing = Disassemble(cubin, "sm_90");  loop = FindHotLoop(*listing.Find("gemm_simt"));
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// The control bits of an instruction, which the assembler sets for the warp scheduler, from compute capability 7.0 on.
/// NVIDIA does not document them. Source: Jia, Maggioni, Staiger, Scarpazza, "Dissecting the NVIDIA Volta GPU
/// Architecture via Microbenchmarking" (arXiv:1804.06826), 2.1: bits 105-125 of the 128-bit instruction.
struct SassControl {
  static constexpr int kNoBarrier = 7;

  int stall = 0;                   ///< Cycles before the warp may issue its next instruction.
  bool yields = false;             ///< True if the scheduler should prefer another warp (the yield bit is 0).
  int write_barrier = kNoBarrier;  ///< The scoreboard barrier (0 to 5) that is set until the result is written.
  int read_barrier = kNoBarrier;   ///< The scoreboard barrier (0 to 5) that is set until the operands are read.
  int waits = 0;                   ///< Mask of the barriers that must be clear before the instruction is issued.
  int reuse = 0;                   ///< Mask of the operands that are kept in the reuse cache.
};

/// One instruction.
struct SassInstruction {
  uint32_t address = 0;
  std::string predicate;  ///< "P0", "!PT"; empty if there is none.
  std::string opcode;     ///< "LDS.128".
  std::vector<std::string> operands;
  SassControl control;
  int target = -1;  ///< For a branch to a label, the index of the instruction there; otherwise -1.

  /// True if the instruction has no effect; the assembler pads loops with such instructions.
  bool IsPadding() const { return predicate == "!PT" || opcode == "NOP"; }
};

/// A function (kernel) of a cubin.
struct SassFunction {
  std::string name;
  std::vector<SassInstruction> instructions;
};

/// The disassembly of a cubin.
struct SassListing {
  std::string arch;  ///< "sm_90".
  std::vector<SassFunction> functions;

  /// Returns the function of this name, or null.
  const SassFunction* Find(std::string_view name) const;
};

/// Parses the output of `nvdisasm -c -hex`. Returns InvalidArgument if it has no instructions, or instructions without
/// their encoding.
absl::StatusOr<SassListing> ParseSass(std::string_view text);

/// A loop: the instructions from index `first` to the backward branch at index `last`.
struct SassLoop {
  size_t first = 0, last = 0;
  /// True if the loop multiplies by IMAD, because no other instruction of the kernel multiplies.
  bool of_integers = false;

  size_t size() const { return last - first + 1; }
};

/// Returns the multiply-adds that a warp's instruction performs; 0 for other instructions.
///
///   FFMA, DFMA                         32
///   FHFMA                              32   (multiplies one f16 or bf16 of each register, and adds in f32)
///   DMMA.8x8x4                        256
///   HMMA.16816                       2048
///   IMMA.16832                       4096
///   HGMMA.64x256x16                 65536   (a quarter of what the four warps do together)
///   IMAD, only with `of_integers`      32   (otherwise it computes addresses)
int64_t MultiplyAdds(const SassInstruction& instruction, bool of_integers = false);

/// Returns the innermost loop with the most multiply-adds; if there are several, the shortest of them. IMAD counts only
/// if no other instruction of the function multiplies. Returns NotFound if no loop multiplies.
absl::StatusOr<SassLoop> FindHotLoop(const SassFunction& function);

/// Returns the path of NVIDIA's disassembler nvdisasm, or an empty string if there is none. It is $MMTUNE_NVDISASM if
/// that is set and not empty (`none` disables it), otherwise the first in $PATH, $CUDA_HOME/bin and
/// /usr/local/cuda/bin. Thread-safe.
std::string FindDisassembler();

/// Disassembles a cubin in a child process. Returns FailedPrecondition if there is no disassembler. Returns
/// InvalidArgument, with the first line of nvdisasm's error, if it rejects the cubin, or if the cubin is not for
/// `arch`.
absl::StatusOr<SassListing> Disassemble(std::string_view cubin, std::string_view arch);

}  // namespace mmtune
