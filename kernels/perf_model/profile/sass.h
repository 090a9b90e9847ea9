// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code of NVIDIA GPUs as nvdisasm prints it: instructions, their control bits, loops.
//
// NVIDIA's disassembler, run as a process of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// What the assembler tells the scheduler in each instruction of 128 bits, from compute capability 7.0 on. NVIDIA does
/// not document it. Source: Jia, Maggioni, Staiger, Scarpazza, "Dissecting the NVIDIA Volta GPU Architecture via
/// Microbenchmarking" (arXiv:1804.06826), 2.1: bits 105-125 of the word.
struct SassControl {
  static constexpr int kNoBarrier = 7;

  int stall = 0;                   ///< Cycles until the warp may issue its next instruction.
  bool yields = false;             ///< The scheduler should prefer another warp (the bit is 0).
  int write_barrier = kNoBarrier;  ///< Of the six: set until the result is written.
  int read_barrier = kNoBarrier;   ///< Set until the operands are read.
  int waits = 0;                   ///< Mask of the barriers that must be clear.
  int reuse = 0;                   ///< Mask of the operands that stay in the reuse cache.
};

struct SassInstruction {
  uint32_t address = 0;
  std::string predicate;  ///< "P0", "!PT"; empty without.
  std::string opcode;     ///< "LDS.128".
  std::vector<std::string> operands;
  SassControl control;
  int target = -1;  ///< Of a branch to a label: the index of the instruction there.

  /// Never executed: what the assembler pads loops with.
  bool IsPadding() const { return predicate == "!PT" || opcode == "NOP"; }
};

struct SassFunction {
  std::string name;
  std::vector<SassInstruction> instructions;
};

struct SassListing {
  std::string arch;  ///< "sm_90".
  std::vector<SassFunction> functions;

  /// Null when there is none of that name.
  const SassFunction* Find(std::string_view name) const;
};

/// Reads what `nvdisasm -c -hex` prints. InvalidArgument for text that has no instructions, or instructions without
/// their encoding.
absl::StatusOr<SassListing> ParseSass(std::string_view text);

/// Instructions from `first` to the branch back at `last`.
struct SassLoop {
  size_t first = 0, last = 0;
  bool of_integers = false;  ///< Its products are IMAD: nothing else in the kernel multiplies.

  size_t size() const { return last - first + 1; }
};

/// Multiply-adds that a warp does with the instruction: 32 of FFMA, FHFMA (which multiplies one half of each register)
/// and DFMA, 2048 of HMMA.16816, 4096 of IMMA.16832, 256 of DMMA.8x8x4; 0 of any other kind. IMAD computes addresses as
/// well: it counts, as 32, where `of_integers` says that the products are its.
int64_t MultiplyAdds(const SassInstruction& instruction, bool of_integers = false);

/// Of the loops that multiply and have no other such loop within them, that with the most multiply-adds, and of several
/// the shortest. Where nothing but IMAD multiplies, its are the products. NotFound when no loop has any.
absl::StatusOr<SassLoop> FindHotLoop(const SassFunction& function);


/// The path of nvdisasm: $MMTUNE_NVDISASM where that is set and not empty (`none`: there is none), else in $PATH,
/// $CUDA_HOME/bin or /usr/local/cuda/bin; empty when there is none. Thread-safe.
std::string FindDisassembler();

/// The machine code of a cubin. FailedPrecondition when there is no disassembler; InvalidArgument with its first line
/// when it refuses the cubin, as one of an architecture that it does not know, and when the cubin is of another one
/// than `arch`.
absl::StatusOr<SassListing> Disassemble(std::string_view cubin, std::string_view arch);

}  // namespace mmtune
