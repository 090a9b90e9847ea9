// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profile that `tune profile` makes of one schedule for one problem: counters of the SIMT device, facts of the
// machine code, and modelled times. docs/profile.md has the meaning and the source of each number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proto/types/device_info.h"
#include "proto/types/fields.h"

namespace mmtune {

/// A named fraction of a whole.
struct NamedShare {
  std::string name;
  double share = 0;

  MMTUNE_FIELDS(name, share)
};

struct InstructionCount {
  std::string name;
  int64_t count = 0;

  MMTUNE_FIELDS(name, count)
};

/// Counters of one program point, over all warps of the main kernel.
struct ProfiledPoint {
  std::string kind;        ///< "shared load", "shared store", "global load", …, "barrier", "branch".
  std::string operation;   ///< "llvm.load", "nvvm.ldmatrix", ….
  std::string location;    ///< Source location, in the form of race reports.
  int64_t lane_bytes = 0;  ///< Bytes of one lane and instruction; 0 where lanes do not access memory.
  double executions = 0;   ///< Warp instructions executed.
  double bytes = 0;        ///< Bytes that lanes ask for.
  double units = 0;        ///< Wavefronts of shared memory, sectors of global memory.
  double ideal = 0;        ///< Units without bank conflicts, or for contiguous bytes.
  double merged = 0;       ///< Modelled wavefronts when parts of a warp merge.
  double divergent = 0;    ///< Branches that split their warp.

  MMTUNE_FIELDS(kind, operation, location, lane_bytes, executions, bytes, units, ideal, merged, divergent)
};

struct ProfiledCounters {
  /// The problems that were run: the one itself, or small ones with the same tiles, from which its counts follow.
  std::vector<std::string> run;
  bool extrapolated = false;
  bool whole_tiles = false;  ///< For stream-k: counted with whole tiles, without partial sums.
  std::vector<ProfiledPoint> points;

  MMTUNE_FIELDS(run, extrapolated, whole_tiles, points)
};

/// How the kernel fills the multiprocessors.
struct ProfiledOccupancy {
  int64_t threads = 0;  ///< Per block.
  int64_t registers = 0;
  bool registers_estimated = false;  ///< Estimated by the family: there was no assembler.
  int64_t spill_bytes = -1;          ///< -1: unknown.
  int64_t shared_bytes = 0;
  int64_t blocks = 0;
  int64_t resident_blocks = 0;  ///< Per multiprocessor.
  std::string limit;            ///< "registers", "shared memory", "threads".
  double warps_share = 0;       ///< Resident warps / those that a multiprocessor can hold.
  double waves = 0;
  double spread = 0;  ///< Blocks / (those of the busiest multiprocessor * multiprocessors).

  MMTUNE_FIELDS(threads, registers, registers_estimated, spill_bytes, shared_bytes, blocks, resident_blocks, limit,
                warps_share, waves, spread)
};

/// The main loop of the machine code, for one warp and iteration.
struct ProfiledLoop {
  int64_t instructions = 0;  ///< Issue slots.
  int64_t code_bytes = 0;
  std::vector<InstructionCount> mix;  ///< By class, most frequent first.
  int64_t multiply_adds = 0;          ///< Over all lanes.
  int64_t multiplying = 0;            ///< Multiply-add instructions.
  int64_t alu = 0;                    ///< Instructions of SassUnit::kAlu (kernels/perf_model/profile/loop_facts.h).
  int64_t shared_read_bytes = 0;      ///< Bytes that all lanes read from shared memory.
  double wavefronts = 0;              ///< Counted wavefronts of shared memory; 0 where they are not counted.
  int64_t local_accesses = 0;         ///< Accesses to spilled registers.
  int64_t stalls = 0;                 ///< Sum of the stall counts: cycles of a warp that is alone and never waits.
  int64_t yields = 0;
  int64_t scoreboard_waits = 0;  ///< Instructions that wait for one of the six barriers.
  int64_t reused_operands = 0;
  int64_t register_bank_conflicts = 0;

  MMTUNE_FIELDS(instructions, code_bytes, mix, multiply_adds, multiplying, alu, shared_read_bytes, wavefronts,
                local_accesses, stalls, yields, scoreboard_waits, reused_operands, register_bank_conflicts)
};

/// The main loop at full occupancy: fractions of the peak of the units that multiply, and of a scheduler's cycles.
struct ModelledLoop {
  double share = 0, lowest = 0, highest = 0;
  double issue_limit = 0;   ///< The most that the issue slots allow.
  double alu_limit = 0;     ///< The most that integers, moves and logic allow.
  double shared_limit = 0;  ///< The most that shared memory allows.
  double issued = 0;
  std::vector<NamedShare> idle;  ///< Why no warp issues; most frequent first.

  MMTUNE_FIELDS(share, lowest, highest, issue_limit, alu_limit, shared_limit, issued, idle)
};

/// Modelled times, in seconds.
struct ProfiledBounds {
  /// "issue", "ALU", "shared memory", "L1", "L2", "DRAM", "latency", "tail", "multiply", "launches".
  std::string bound;
  bool from_loop = false;  ///< The multiprocessors' time is from ModelledLoop; else from the family's formulas.
  double share_of_peak = 0;
  double total = 0;
  double multiply = 0;         ///< The multiply-adds at peak, without padding.
  double multiprocessors = 0;  ///< Time of the busiest one.
  double tail = 0;             ///< Part of it that an even spread would save.
  double issue = 0;
  double shared = 0;
  double l2 = 0;
  double dram = 0;
  double others = 0;  ///< Launches, and the kernel that sums a workspace.
  double l2_bytes = 0;
  double dram_bytes = 0;
  double board_multiprocessors = 0;  ///< The board that is assumed.
  double board_hertz = 0;
  double board_dram_rate = 0;  ///< Bytes a second.
  double board_l2_rate = 0;

  MMTUNE_FIELDS(bound, from_loop, share_of_peak, total, multiply, multiprocessors, tail, issue, shared, l2, dram,
                others, l2_bytes, dram_bytes, board_multiprocessors, board_hertz, board_dram_rate, board_l2_rate)
};

struct KernelProfile {
  std::string arch;
  std::string kernel;  ///< Its name in the machine code.
  ProfiledBounds bounds;
  ProfiledOccupancy occupancy;
  std::optional<ProfiledLoop> loop;
  std::optional<ModelledLoop> model;
  std::optional<ProfiledCounters> counters;
  std::vector<std::string> missing;  ///< A line for each part that could not be had, and why.

  MMTUNE_FIELDS(arch, kernel, bounds, occupancy, loop, model, counters, missing)
};

}  // namespace mmtune
