// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code of NVIDIA GPUs (SASS) as nvdisasm prints it: instructions, their control bits, loops.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// The control bits that the assembler sets for the scheduler in each instruction of 128 bits, from compute capability
/// 7.0 on. NVIDIA does not document them. Source: Jia, Maggioni, Staiger, Scarpazza, "Dissecting the NVIDIA Volta GPU
/// Architecture via Microbenchmarking" (arXiv:1804.06826), 2.1: bits 105-125 of the word.
struct SassControl {
  static constexpr int kNoBarrier = 7;

  int stall = 0;                   ///< Cycles until the warp may issue its next instruction.
  bool yields = false;             ///< The scheduler should prefer another warp (the bit is 0).
  int write_barrier = kNoBarrier;  ///< One of the six barriers: set until the result is written.
  int read_barrier = kNoBarrier;   ///< One of them: set until the operands are read.
  int waits = 0;                   ///< Mask of the barriers that must be clear.
  int reuse = 0;                   ///< Mask of the operands that stay in the reuse cache.
};

struct SassInstruction {
  uint32_t address = 0;
  std::string predicate;  ///< "P0", "!PT"; empty where there is none.
  std::string opcode;     ///< "LDS.128".
  std::vector<std::string> operands;
  SassControl control;
  int target = -1;  ///< For a branch to a label: the index of the instruction there; else -1.

  /// True if the instruction is never executed: the assembler pads loops with such.
  bool IsPadding() const { return predicate == "!PT" || opcode == "NOP"; }
};

struct SassFunction {
  std::string name;
  std::vector<SassInstruction> instructions;
};

struct SassListing {
  std::string arch;  ///< "sm_90".
  std::vector<SassFunction> functions;

  /// Returns the function of this name; null where there is none.
  const SassFunction* Find(std::string_view name) const;
};

/// Reads what `nvdisasm -c -hex` prints. InvalidArgument for text that has no instructions, or instructions without
/// their encoding.
absl::StatusOr<SassListing> ParseSass(std::string_view text);

/// Instructions from `first` to the branch back at `last`.
struct SassLoop {
  size_t first = 0, last = 0;
  bool of_integers = false;  ///< It multiplies by IMAD, as nothing else in the kernel multiplies.

  size_t size() const { return last - first + 1; }
};

/// Returns the multiply-adds of a warp's instruction: 32 for FFMA, FHFMA (which multiplies one half of each register)
/// and DFMA, 2048 for HMMA.16816, 4096 for IMMA.16832, 256 for DMMA.8x8x4; 0 for any other kind. IMAD also computes
/// addresses: it counts, as 32, only with `of_integers`.
int64_t MultiplyAdds(const SassInstruction& instruction, bool of_integers = false);

/// Returns the innermost multiplying loop with the most multiply-adds, the shortest of several. IMAD counts where
/// nothing else multiplies. NotFound where no loop has any.
absl::StatusOr<SassLoop> FindHotLoop(const SassFunction& function);

/// Returns the path of NVIDIA's disassembler, nvdisasm: $MMTUNE_NVDISASM where that is set and not empty (`none`: there
/// is none), else in $PATH, $CUDA_HOME/bin or /usr/local/cuda/bin; empty where there is none. Thread-safe.
std::string FindDisassembler();

/// Disassembles a cubin in a process of its own. FailedPrecondition where there is no disassembler. InvalidArgument
/// where it rejects the cubin, with its first line, and where the cubin is for another architecture than `arch`.
absl::StatusOr<SassListing> Disassemble(std::string_view cubin, std::string_view arch);

}  // namespace mmtune
