// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `tune profile` says of one schedule for one problem: counted on the SIMT device, read from machine code,
// modelled. docs/profile.md has the meaning and the source of each number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proto/types/device_info.h"
#include "proto/types/fields.h"

namespace mmtune {

/// A part of a whole, by its name.
struct NamedShare {
  std::string name;
  double share = 0;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("name", self.name);
    visit("share", self.share);
  }
};

struct InstructionCount {
  std::string name;
  int64_t count = 0;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("name", self.name);
    visit("count", self.count);
  }
};

/// Counted at one program point, of all warps of the product's kernel.
struct ProfiledPoint {
  std::string kind;        ///< "shared load", "shared store", "global load", …, "barrier", "branch".
  std::string operation;   ///< "llvm.load", "nvvm.ldmatrix", ….
  std::string location;    ///< As findings of watch mode cite it.
  int64_t lane_bytes = 0;  ///< Of a lane and instruction; 0 where lanes do not access memory.
  double executions = 0;   ///< Instructions of warps.
  double bytes = 0;        ///< That lanes ask for.
  double units = 0;        ///< Wavefronts of shared memory, sectors of global memory.
  double ideal = 0;        ///< Those units without conflicts, or of bytes side by side.
  double merged = 0;       ///< Wavefronts when parts of a warp merge; the model's.
  double divergent = 0;    ///< Branches that split their warp.

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind);
    visit("operation", self.operation);
    visit("location", self.location);
    visit("lane_bytes", self.lane_bytes);
    visit("executions", self.executions);
    visit("bytes", self.bytes);
    visit("units", self.units);
    visit("ideal", self.ideal);
    visit("merged", self.merged);
    visit("divergent", self.divergent);
  }
};

struct ProfiledCounters {
  /// The problems that were run: the one itself, or small ones with the same tiles, from which its counts follow.
  std::vector<std::string> run;
  bool extrapolated = false;
  bool whole_tiles = false;  ///< Of stream-k: counted with whole tiles, so that partial sums are not.
  std::vector<ProfiledPoint> points;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("run", self.run);
    visit("extrapolated", self.extrapolated);
    visit("whole_tiles", self.whole_tiles);
    visit("points", self.points);
  }
};

/// How the kernel fills the multiprocessors.
struct ProfiledOccupancy {
  int64_t threads = 0;  ///< Of a block.
  int64_t registers = 0;
  bool registers_estimated = false;  ///< The family's estimate: there was no assembler.
  int64_t spill_bytes = -1;          ///< -1: unknown.
  int64_t shared_bytes = 0;
  int64_t blocks = 0;
  int64_t resident_blocks = 0;  ///< Of a multiprocessor.
  std::string limit;            ///< "registers", "shared memory", "threads".
  double warps_share = 0;       ///< Resident warps / those that a multiprocessor can hold.
  double waves = 0;
  double spread = 0;  ///< Blocks / (those of the busiest multiprocessor * multiprocessors).

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("threads", self.threads);
    visit("registers", self.registers);
    visit("registers_estimated", self.registers_estimated);
    visit("spill_bytes", self.spill_bytes);
    visit("shared_bytes", self.shared_bytes);
    visit("blocks", self.blocks);
    visit("resident_blocks", self.resident_blocks);
    visit("limit", self.limit);
    visit("warps_share", self.warps_share);
    visit("waves", self.waves);
    visit("spread", self.spread);
  }
};

/// The hot loop of the machine code, of a warp.
struct ProfiledLoop {
  int64_t instructions = 0;  ///< Issue slots.
  int64_t code_bytes = 0;
  std::vector<InstructionCount> mix;  ///< By class, most frequent first.
  int64_t multiply_adds = 0;          ///< Of all lanes.
  int64_t multiplying = 0;            ///< Instructions that do them.
  int64_t alu = 0;                    ///< Instructions of SassUnit::kAlu (kernels/perf_model/profile/loop_facts.h).
  int64_t shared_read_bytes = 0;      ///< That all lanes get from shared memory.
  double wavefronts = 0;              ///< Of shared memory, as counted; 0 where they are not.
  int64_t local_accesses = 0;         ///< Of spilled registers.
  int64_t stalls = 0;                 ///< Sum of the stall counts: cycles of a warp that is alone and never waits.
  int64_t yields = 0;
  int64_t scoreboard_waits = 0;  ///< Instructions that wait for one of the six barriers.
  int64_t reused_operands = 0;
  int64_t register_bank_conflicts = 0;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("instructions", self.instructions);
    visit("code_bytes", self.code_bytes);
    visit("mix", self.mix);
    visit("multiply_adds", self.multiply_adds);
    visit("multiplying", self.multiplying);
    visit("alu", self.alu);
    visit("shared_read_bytes", self.shared_read_bytes);
    visit("wavefronts", self.wavefronts);
    visit("local_accesses", self.local_accesses);
    visit("stalls", self.stalls);
    visit("yields", self.yields);
    visit("scoreboard_waits", self.scoreboard_waits);
    visit("reused_operands", self.reused_operands);
    visit("register_bank_conflicts", self.register_bank_conflicts);
  }
};

/// The hot loop at full occupancy: shares of the peak of the units that multiply, and of a scheduler's cycles.
struct ModelledLoop {
  double share = 0, lowest = 0, highest = 0;
  double issue_limit = 0;   ///< The most that the issue slots allow.
  double alu_limit = 0;     ///< The most that integers, moves and logic allow.
  double shared_limit = 0;  ///< The most that shared memory allows.
  double issued = 0;
  std::vector<NamedShare> idle;  ///< Why no warp issues; most frequent first.

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("share", self.share);
    visit("lowest", self.lowest);
    visit("highest", self.highest);
    visit("issue_limit", self.issue_limit);
    visit("alu_limit", self.alu_limit);
    visit("shared_limit", self.shared_limit);
    visit("issued", self.issued);
    visit("idle", self.idle);
  }
};

/// Modelled times, in seconds.
struct ProfiledBounds {
  /// "issue", "ALU", "shared memory", "L1", "L2", "DRAM", "latency", "tail", "multiply", "launches".
  std::string bound;
  bool from_loop = false;  ///< The multiprocessors' time is from ModelledLoop; else from the family's formulas.
  double share_of_peak = 0;
  double total = 0;
  double multiply = 0;         ///< The products at peak, without padding.
  double multiprocessors = 0;  ///< What the busiest one takes.
  double tail = 0;             ///< Of that, what an even spread would save.
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

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("bound", self.bound);
    visit("from_loop", self.from_loop);
    visit("share_of_peak", self.share_of_peak);
    visit("total", self.total);
    visit("multiply", self.multiply);
    visit("multiprocessors", self.multiprocessors);
    visit("tail", self.tail);
    visit("issue", self.issue);
    visit("shared", self.shared);
    visit("l2", self.l2);
    visit("dram", self.dram);
    visit("others", self.others);
    visit("l2_bytes", self.l2_bytes);
    visit("dram_bytes", self.dram_bytes);
    visit("board_multiprocessors", self.board_multiprocessors);
    visit("board_hertz", self.board_hertz);
    visit("board_dram_rate", self.board_dram_rate);
    visit("board_l2_rate", self.board_l2_rate);
  }
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

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("arch", self.arch);
    visit("kernel", self.kernel);
    visit("bounds", self.bounds);
    visit("occupancy", self.occupancy);
    visit("loop", self.loop);
    visit("model", self.model);
    visit("counters", self.counters);
    visit("missing", self.missing);
  }
};

}  // namespace mmtune
