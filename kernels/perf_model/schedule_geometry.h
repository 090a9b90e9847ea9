// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads and registers a block may have. Source: CUDA C++ Programming Guide, "Compute Capabilities".
//
// What a schedule makes of a problem, in the terms that all families share.
//
// What compiling a schedule tells of its geometry.
//
// What a search learns the speed of a schedule from, beside its parameters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "proto/base/whole_numbers.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

inline constexpr int64_t kMaxThreadRegisters = 255;  ///< Of a thread.
inline constexpr int64_t kMaxBlockThreads = 1024;   ///< Of a block.

/// Returns how many registers a thread may have when `blocks` blocks of `threads` threads are to be resident at once.
/// The registers of a warp are allocated 256 at a time.
inline int64_t RegisterLimit(const DeviceInfo& device, int64_t threads, int64_t blocks) {
  const int64_t warps = CeilDiv(threads, 32) * blocks;
  const int64_t per_thread = device.registers_per_multiprocessor / (warps * 32);
  return std::min(kMaxThreadRegisters, per_thread / 8 * 8);
}


/// In elements.
struct BlockTile {
  int64_t m = 1, n = 1;  ///< Of C, that one block computes.
  int64_t k = 1;         ///< Of one k step; 1 for a kernel without steps.
};

/// What one k step of a kernel costs, for time_model.h. Instructions are those of a warp, the rest is of a block.
struct LoopCost {
  double steps = 1;          ///< k steps of a block.
  double tiles = 1;          ///< Of C, whose k steps these are: each begins its pipeline anew and is stored.
  double multiplyAdds = 0;   ///< Elements' products of a warp.
  bool tensorCores = false;  ///< Multiply them.
  double instructions = 0;   ///< Of a warp, those that multiply included.
  double wavefronts = 0;     ///< Shared memory's, or L1's for what is read from there.
  double bytes = 0;          ///< Read from global memory.
  double perByte = 1;        ///< Bytes that L2 and device memory move for each of them.
  double ahead = 0;          ///< Steps from the read of a tile to its use; 0: what is read does not come in tiles.
  double latency = 0;        ///< Clocks that the step takes at least, however little it does.
  double exposed = 0;        ///< Clocks in which a warp that is alone on its scheduler waits.
  double share = 0;          ///< Of the peak rate of multiply-adds, by its machine code (CodeFacts); 0: not known.
};

/// The work of a schedule's plan beside its product.
struct ReductionCost {
  int64_t kernels = 0;   ///< Memsets and kernels.
  double bytes = 0;      ///< They read and write, and the product writes beyond one C.
  double atomics = 0;    ///< Sums that are added to C atomically.
  double neighbors = 1;  ///< Of those, that a thread adds to one piece of C: one access, where HasVectorAtomics().
};

/// What the tables say of a schedule; "-" where its family has no such thing.
struct ScheduleWords {
  std::string blockTile = "-";  ///< "128x128x16": M by N by k step.
  std::string threadTile = "-";
  std::string stages = "-";
  std::string splitK = "-";
};

/// Of the kernel that makes the products, where there are several. Plain values.
struct ScheduleGeometry {
  BlockTile tile;
  int64_t threads = 1;      ///< Of a block.
  int64_t stages = 1;       ///< k steps in flight.
  int64_t splitK = 1;       ///< Blocks that share a tile of C.
  int64_t leastShare = 0;   ///< Where blocks share the k steps of all tiles (stream-k), least of one; else 0.
  int64_t sharedK = 0;      ///< k values that a block multiplies for sums that others have parts of; 0: there are none.
  int64_t groupM = 1;       ///< Rows of blocks walked together.
  int64_t blocks = 1;       ///< Of the whole batch and every split.
  int64_t sharedBytes = 0;  ///< Of a block.
  int64_t registers = 0;    ///< Of a thread; an estimate.
  /// Read and written in global memory by all kernels, if a block reads nothing twice and no cache
  /// helps. 64 bits could not count it for the largest problems.
  double bytesMoved = 0;
  int64_t minBlocks = 1;  ///< Resident blocks that the registers allow for sure.
  LoopCost loop;
  ReductionCost reduction;
  ScheduleWords words;

  int64_t warps() const { return CeilDiv(threads, 32); }
  /// Times that a device is filled by one block for each multiprocessor; 0 where it does not say
  /// how many it has.
  double waves(const DeviceInfo& device) const {
    return device.multiprocessors > 0 ? static_cast<double>(blocks) / static_cast<double>(device.multiprocessors) : 0;
  }
};


/// `geometry` with the registers, shared memory and threads that the kernel has, instead of what its family estimates;
/// registers that are unknown (-1) stay, and so does all where it was not compiled (0 threads). What a thread spills
/// counts as if it stood in its loop, once a k step, 4 bytes an access: a judgement.
inline ScheduleGeometry WithCompiledResources(ScheduleGeometry geometry, const KernelResources& real) {
  if (real.threads <= 0) return geometry;  // It was never compiled.
  geometry.threads = real.threads;
  geometry.sharedBytes = real.shared_bytes;
  if (real.registers >= 0) geometry.registers = real.registers;
  if (real.spill_bytes > 0) {
    const double accesses = static_cast<double>(real.spill_bytes) / 4;  // a wavefront of 128 bytes each, of a warp
    geometry.loop.instructions += accesses;
    geometry.loop.wavefronts += accesses * static_cast<double>(geometry.warps());
  }
  return geometry;
}

/// WithCompiledResources(), and what the model of its machine code says of its loop; spilled accesses are part of that.
inline ScheduleGeometry WithCodeFacts(const ScheduleGeometry& geometry, const CodeFacts& facts) {
  ScheduleGeometry real = WithCompiledResources(geometry, facts.resources);
  if (facts.predicted_peak_fraction > 0) real.loop.share = facts.predicted_peak_fraction;
  return real;
}


/// Always as many, finite; counts and ratios as logarithms. Of the schedule: threads of a block, elements of C per
/// thread, registers, shared memory. On the device: blocks resident at once, the share of a multiprocessor's warps that
/// they are, registers beyond what a thread may have, waves, and how much of the last one is empty. Per multiply-add:
/// instructions, wavefronts, bytes of global memory. And the time that PredictTime() gives.
std::vector<double> GeometryFeatures(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                     const DeviceInfo& device);

}  // namespace mmtune
