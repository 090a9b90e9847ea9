// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profile of one schedule (a kernel family with its parameters, such as tile sizes), as `tune profile` shows it. It
// has instruction and memory counters from the SIMT device (the CPU simulator), facts of the machine code, and
// predicted times. No GPU is needed. docs/profile.md defines each number and its source.
//
// All structs are plain values that the worker sends as JSON. A "share" is a fraction of a whole, 0 to 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proto/types/device_info.h"
#include "proto/types/fields.h"

namespace mmtune {

/// A fraction with a name, for example of the cycles lost to one cause.
struct NamedShare {
  std::string name;
  double share = 0;

  MMTUNE_FIELDS(name, share)
};

/// The number of instructions of one class.
struct InstructionCount {
  std::string name;
  int64_t count = 0;

  MMTUNE_FIELDS(name, count)
};

/// The counters of one instruction of the program, summed over all warps of the main kernel.
struct ProfiledPoint {
  std::string kind;        ///< "shared load", "shared store", "global load", …, "barrier", "branch".
  std::string operation;   ///< The MLIR operation: "llvm.load", "nvvm.ldmatrix".
  std::string location;    ///< Its source location.
  int64_t lane_bytes = 0;  ///< Bytes that one lane accesses; 0 if it does not access memory by lanes.
  double executions = 0;   ///< The number of times that a warp executed it.
  double bytes = 0;        ///< Bytes that all lanes asked for.
  double units = 0;        ///< Cost: wavefronts of shared memory, or sectors of global memory.
  double ideal = 0;        ///< The same cost without bank conflicts, or with contiguous addresses.
  double merged = 0;       ///< Predicted wavefronts if hardware merges the parts of a warp's request.
  double divergent = 0;    ///< The number of times that a branch split its warp.

  MMTUNE_FIELDS(kind, operation, location, lane_bytes, executions, bytes, units, ideal, merged, divergent)
};

/// All counters, and how they were obtained.
struct ProfiledCounters {
  /// The problems that were simulated: the given one or, if that is too large, smaller ones with the same tiles.
  std::vector<std::string> run;
  bool extrapolated = false;  ///< True if the counts of the given problem were computed from smaller ones.
  bool whole_tiles = false;   ///< True for a stream-k schedule: it was counted as if each block computed whole tiles.
  std::vector<ProfiledPoint> points;

  MMTUNE_FIELDS(run, extrapolated, whole_tiles, points)
};

/// How the kernel fills the multiprocessors.
struct ProfiledOccupancy {
  int64_t threads = 0;               ///< Per block.
  int64_t registers = 0;             ///< Per thread.
  bool registers_estimated = false;  ///< True if there was no assembler, and the family estimated them.
  int64_t spill_bytes = -1;          ///< -1: unknown.
  int64_t shared_bytes = 0;          ///< Per block.
  int64_t blocks = 0;                ///< Number of blocks of the grid.
  int64_t resident_blocks = 0;       ///< Blocks that fit on a multiprocessor at once.
  std::string limit;                 ///< The resource that limits this number: "registers", "shared memory", "threads".
  double warps_share = 0;            ///< Occupancy: resident warps / the most that a multiprocessor can hold.
  double waves = 0;                  ///< Blocks / blocks that are resident on the whole device at once.
  double spread = 0;                 ///< Evenness: blocks / (blocks of the busiest multiprocessor * multiprocessors).

  MMTUNE_FIELDS(threads, registers, registers_estimated, spill_bytes, shared_bytes, blocks, resident_blocks, limit,
                warps_share, waves, spread)
};

/// The main loop in machine code (SASS): counts for one warp and one iteration.
struct ProfiledLoop {
  int64_t instructions = 0;  ///< Issue slots.
  int64_t code_bytes = 0;
  std::vector<InstructionCount> mix;  ///< By class, most frequent first.
  int64_t multiply_adds = 0;          ///< Over all lanes.
  int64_t multiplying = 0;            ///< Instructions that multiply and add.
  /// Instructions for the integer and logic unit.
  int64_t alu = 0;
  int64_t shared_read_bytes = 0;  ///< Bytes that all lanes read from shared memory.
  double wavefronts = 0;          ///< Wavefronts of shared memory, from the counters; 0 if there are none.
  int64_t local_accesses = 0;     ///< Accesses to spilled registers.
  int64_t stalls = 0;  ///< Sum of the stall counts in the code: the cycles of a lone warp that never waits for memory.
  int64_t yields = 0;  ///< Instructions with the yield hint.
  int64_t scoreboard_waits = 0;         ///< Instructions that wait for one of the six scoreboard barriers.
  int64_t reused_operands = 0;          ///< Operands taken from the register reuse cache.
  int64_t register_bank_conflicts = 0;  ///< Instructions whose operands lie in the same register bank.

  MMTUNE_FIELDS(instructions, code_bytes, mix, multiply_adds, multiplying, alu, shared_read_bytes, wavefronts,
                local_accesses, stalls, yields, scoreboard_waits, reused_operands, register_bank_conflicts)
};

/// The predicted throughput of the main loop at full occupancy. The fields up to shared_limit are fractions of the peak
/// of the CUDA cores or tensor cores; issued and idle are fractions of a warp scheduler's cycles.
struct ModelledLoop {
  double share = 0, lowest = 0, highest = 0;  ///< The throughput: mean and range over the simulated runs.
  double issue_limit = 0;                     ///< The upper limit that instruction issue sets.
  double alu_limit = 0;                       ///< The upper limit that integer, move and logic instructions set.
  double shared_limit = 0;                    ///< The upper limit that shared memory sets.
  double issued = 0;                          ///< Cycles in which a warp issues.
  std::vector<NamedShare> idle;  ///< Why no warp issues in the other cycles; the most frequent cause first.

  MMTUNE_FIELDS(share, lowest, highest, issue_limit, alu_limit, shared_limit, issued, idle)
};

/// The predicted times of the whole kernel in seconds, and which resource limits it.
struct ProfiledBounds {
  /// The resource that limits the kernel: "issue", "ALU", "shared memory", "L1", "L2", "DRAM", "latency", "tail",
  /// "multiply" or "launches".
  std::string bound;
  /// True if the field `multiprocessors` was computed from ModelledLoop; false if it was computed from the family's
  /// formulas.
  bool from_loop = false;
  double share_of_peak = 0;    ///< Predicted speed / peak of the assumed board.
  double total = 0;            ///< The predicted time.
  double multiply = 0;         ///< Time of the multiply-adds at peak, without padding.
  double multiprocessors = 0;  ///< The time of the busiest multiprocessor.
  double tail = 0;             ///< The part of `multiprocessors` that an even distribution of blocks would save.
  double issue = 0;            ///< The time that instruction issue alone would take.
  double shared = 0;           ///< The time that shared memory alone would take.
  double l2 = 0;               ///< The time that L2 alone would take, for `l2_bytes`.
  double dram = 0;             ///< The time that device memory alone would take, for `dram_bytes`.
  double others = 0;           ///< Kernel launches, and the kernel that sums split-k partial results.
  double l2_bytes = 0;
  double dram_bytes = 0;
  /// The board that the prediction assumes: number of multiprocessors, clock in Hz, and bytes per second of DRAM and
  /// L2.
  double board_multiprocessors = 0;
  double board_hertz = 0;
  double board_dram_rate = 0;
  double board_l2_rate = 0;

  MMTUNE_FIELDS(bound, from_loop, share_of_peak, total, multiply, multiprocessors, tail, issue, shared, l2, dram,
                others, l2_bytes, dram_bytes, board_multiprocessors, board_hertz, board_dram_rate, board_l2_rate)
};

/// A whole profile. Parts that could not be made are nullopt, and `missing` says why.
struct KernelProfile {
  std::string arch;
  std::string kernel;  ///< Its name in the machine code.
  ProfiledBounds bounds;
  ProfiledOccupancy occupancy;
  std::optional<ProfiledLoop> loop;
  std::optional<ModelledLoop> model;
  std::optional<ProfiledCounters> counters;
  std::vector<std::string> missing;   ///< A line for each part that is nullopt: what is missing, and why.
  std::vector<std::string> warnings;  ///< Warnings of the assembler about the speed of the code, one line each.

  MMTUNE_FIELDS(arch, kernel, bounds, occupancy, loop, model, counters, missing, warnings)
};

}  // namespace mmtune
