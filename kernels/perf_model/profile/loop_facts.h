// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classifies the instructions of a SASS loop: the unit that executes each, bytes per lane, register bank conflicts, and
// wavefronts of shared memory. The scheduler model and the tables of `tune profile` read these facts.
//
//   FFMA R4, R8, R12, R4      unit kFma,        no memory
//   LDS.128 R8, [R20]         unit kSharedLoad, 16 bytes per lane
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
  kTensor,  ///< HMMA, IMMA, DMMA, HGMMA, IGMMA.
  kIntegerMultiply,
  kHalf,  ///< HADD2, which also converts f16 to f32.
  kAlu,   ///< Integer arithmetic, moves, logic, comparisons. Each scheduler's unit has 16 lanes.
  kUniform,
  kSharedLoad,   ///< LDS, LDSM.
  kSharedStore,  ///< STS.
  kAsyncCopy,    ///< LDGSTS: from global to shared memory.
  kGlobal,       ///< LDG, STG, RED, ATOM, and local memory.
  kCommit,       ///< LDGDEPBAR: ends a group of copies.
  kWaitCopies,   ///< DEPBAR: waits for groups of copies.
  kBarrier,
  kOther,
};

/// The unit of an instruction, and a name for tables.
struct SassClass {
  SassUnit unit = SassUnit::kOther;
  std::string name;  ///< "FFMA", "LDS.128", "ISETP".
};
/// Returns the unit and name of an instruction. Padding has the name "padding" and the unit kOther, because it only
/// takes an issue slot.
SassClass ClassOf(const SassInstruction& instruction);

/// Returns the bytes that a memory instruction moves per lane (for LDSM, 4 per tile); 0 for other instructions.
int64_t LaneBytes(const SassInstruction& instruction);

/// Returns, for each instruction of the loop, true if it is an FFMA with a register bank conflict, which costs one more
/// cycle. The two banks are the even and the odd registers. A conflict means that all three operands come from one
/// bank, not counting operands in the reuse cache. Source: the paper cited at SassControl (sass.h), 3.3. The two banks
/// of 64 bits are an observation, not documented.
std::vector<bool> RegisterBankConflicts(const SassFunction& function, const SassLoop& loop);

/// Returns all facts of the loop except the wavefronts of shared memory, which depend on addresses, not on the code.
ProfiledLoop FactsOf(const SassFunction& function, const SassLoop& loop);

/// Returns the wavefronts of each instruction of the loop; 1 for those that do not access shared memory. The factor by
/// which bank conflicts multiply wavefronts is taken from the counters of accesses of the same kind and width or, if
/// there are none, of the same kind. If `counters` is null or has no such access, accesses are assumed to be
/// bank-conflict-free, and loads of 16 bytes per lane to take half of the usual wavefronts, because in a tiled matmul
/// pairs of lanes share an address (docs/profile.md).
std::vector<double> WavefrontsOf(const SassFunction& function, const SassLoop& loop, const ProfiledCounters* counters);

/// Returns the sum of `wavefronts` over the instructions that access shared memory.
double SharedWavefronts(const SassFunction& function, const SassLoop& loop, const std::vector<double>& wavefronts);

}  // namespace mmtune
