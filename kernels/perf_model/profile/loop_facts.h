// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts of the instructions of a loop: their units, register bank conflicts, and wavefronts of shared memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/perf_model/profile/sass.h"
#include "proto/types/kernel_profile.h"

namespace mmtune {

/// The units that the model distinguishes.
enum class SassUnit {
  kFma,     ///< FFMA, FHFMA, FADD, FMUL.
  kDouble,  ///< DFMA, DADD, DMUL.
  kTensor,  ///< HMMA, IMMA, DMMA.
  kIntegerMultiply,
  kHalf,  ///< HADD2, which also converts f16 to f32.
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
/// Returns the unit and name of an instruction. Padding is "padding", of kOther: it takes an issue slot and no more.
SassClass ClassOf(const SassInstruction& instruction);

/// Returns the bytes that a lane of a memory instruction moves (LDSM: 4 for each tile); 0 for other instructions.
int64_t LaneBytes(const SassInstruction& instruction);

/// Returns for each instruction of the loop whether it is an FFMA whose three operands all come from the same one of
/// the two register banks (even and odd numbers), without those in the reuse cache: it takes one cycle more. Source:
/// that of SassControl, 3.3; that there are two 64-bit banks is observed.
std::vector<bool> RegisterBankConflicts(const SassFunction& function, const SassLoop& loop);

/// Returns all facts of the loop but the wavefronts of shared memory, which the code does not determine.
ProfiledLoop FactsOf(const SassFunction& function, const SassLoop& loop);

/// Returns the wavefronts of each instruction of the loop; 1 for those that do not access shared memory. Accesses of
/// the same kind and width, else of the same kind, that were counted give the factor by which conflicts multiply them.
/// Where `counters` is null or has no such access, accesses are assumed to be bank-conflict-free, and loads of 16 bytes
/// a lane to take half, because pairs of lanes share an address in a matmul of tiles (docs/profile.md).
std::vector<double> WavefrontsOf(const SassFunction& function, const SassLoop& loop, const ProfiledCounters* counters);

/// Returns the sum of `wavefronts` over the instructions that access shared memory.
double SharedWavefronts(const SassFunction& function, const SassLoop& loop, const std::vector<double>& wavefronts);

}  // namespace mmtune
