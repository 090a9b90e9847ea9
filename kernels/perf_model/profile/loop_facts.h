// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the instructions of a loop are, and what they ask of a multiprocessor.
//
// What the instructions of a loop take of shared memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/perf_model/profile/sass.h"
#include "proto/types/kernel_profile.h"

namespace mmtune {

/// The unit that executes an instruction, as far as the model tells units apart.
enum class SassUnit {
  kFma,     ///< FFMA, FHFMA, FADD, FMUL.
  kDouble,  ///< DFMA, DADD, DMUL.
  kTensor,  ///< HMMA, IMMA, DMMA.
  kIntegerMultiply,
  kHalf,  ///< HADD2, which makes f32 of f16, too.
  kAlu,   ///< 16 lanes a cycle and scheduler: integers, moves, logic, comparisons.
  kUniform,
  kSharedLoad,   ///< LDS, LDSM.
  kSharedStore,  ///< STS.
  kAsyncCopy,    ///< LDGSTS: from global to shared memory.
  kGlobal,       ///< LDG, STG, RED, ATOM, and local memory.
  kCommit,       ///< LDGDEPBAR: ends a group of copies.
  kWaitCopies,   ///< DEPBAR.
  kBarrier,
  kOther,
};

struct SassClass {
  SassUnit unit = SassUnit::kOther;
  std::string name;  ///< For tables: "FFMA", "LDS.128", "ISETP".
};
/// Padding is "padding", of kOther: it takes an issue slot and nothing else.
SassClass ClassOf(const SassInstruction& instruction);

/// Bytes that a lane of a memory instruction moves (of LDSM 4 for each tile); 0 of others.
int64_t LaneBytes(const SassInstruction& instruction);

/// For each instruction, whether it is an FFMA whose three operands have to come from one of the two register banks
/// (even and odd numbers), those in the reuse cache excepted: it takes a cycle more. Source of banks and reuse cache:
/// as of SassControl, 3.3; that of two 64-bit banks, observed.
std::vector<bool> RegisterBankConflicts(const SassFunction& function, const SassLoop& loop);

/// All but the wavefronts of shared memory, which the code does not tell.
ProfiledLoop FactsOf(const SassFunction& function, const SassLoop& loop);


/// The wavefronts of each instruction of the loop; 1 of those that do not access shared memory. As many times those
/// without conflicts as were counted for accesses of its kind and width, else of its kind. Where `counters` is null or
/// has no such access, they are assumed: no lane meets another in a bank, and of loads of 16 bytes a lane pairs of
/// lanes share an address, as in products of tiles, so that they take half (docs/profile.md).
std::vector<double> WavefrontsOf(const SassFunction& function, const SassLoop& loop, const ProfiledCounters* counters);

/// The sum of those of the instructions that access shared memory.
double SharedWavefronts(const SassFunction& function, const SassLoop& loop, const std::vector<double>& wavefronts);

}  // namespace mmtune
