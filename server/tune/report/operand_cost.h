// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a block pays for one operand of its tile, where each thread multiplies a part of it that lies side by side.
//
// Requests to shared memory are counted as banks serve them (kernels/perf_model/warp_request.h). A request to global
// memory is split as one of 8 or 16 bytes a lane is to shared memory, and each part into the lines of 128 bytes that it
// touches, which L1 gives one after another: CUDA C++ Programming Guide, "Global Memory" of compute capability 2.x
// and 3.x, in its editions up to 11.
#pragma once

#include <cstdint>

#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/warp_request.h"

namespace mmtune {

/// Of floats.
struct BlockOperand {
  int64_t width;       ///< Of the block's tile.
  int64_t per_thread;  ///< Of the thread's part.
  LaneOffsets parts;   ///< Which part each lane of a warp has, from 0.
  int64_t vector;      ///< Floats that are moved at once: 1, 2 or 4.
  bool shared;         ///< Staged in shared memory.
  int64_t
      copy_threads;  ///< Threads that copy one row of it, each a piece that lies side by side; 0: without conflicts.
};

/// Adds what reading it and copying it costs in a k step of `geometry`, of which tile and threads count.
void AddOperand(const BlockOperand& operand, const ScheduleGeometry& geometry, LoopCost& cost);

}  // namespace mmtune
