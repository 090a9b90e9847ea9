// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The geometry of a schedule: what it makes of a problem, in the terms that all families share, and how it fills a
// multiprocessor. The limits of blocks are those of the CUDA C++ Programming Guide, "Compute Capabilities".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proto/base/whole_numbers.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

inline constexpr int64_t kMaxThreadRegisters = 255;
inline constexpr int64_t kMaxBlockThreads = 1024;

/// Extents of the tile of a block, in elements.
struct BlockTile {
  int64_t m = 1, n = 1;
  int64_t k = 1;  ///< k values of one step; 1 for a kernel without steps.
};

/// The cost of one k step of a kernel, for time_model.h. Counts are for the block, unless a warp is named.
struct LoopCost {
  double steps = 1;             ///< k steps of a block.
  double tiles = 1;             ///< Tiles of C per block: each fills the pipeline anew and is stored.
  double multiplyAdds = 0;      ///< Multiply-adds of elements, for a warp.
  bool tensorCores = false;     ///< Tensor cores execute them.
  double instructions = 0;      ///< Instructions of a warp, multiply-adds included.
  double wavefronts = 0;        ///< Wavefronts of shared memory, or of L1 for operands that are read through it.
  double bytes = 0;             ///< Bytes read from global memory.
  double perByte = 1;           ///< Bytes that L2 and device memory move for each byte that is read.
  double prefetchDistance = 0;  ///< Steps from the read of a tile to its use; 0: operands are not read in tiles.
  double latency = 0;           ///< Least clocks of the step, whatever it executes.
  double exposed = 0;           ///< Clocks in which a warp that is alone on its scheduler waits.
  double peakFraction = 0;      ///< CodeFacts::predicted_peak_fraction; 0: not known.
};

/// The work of a launch plan beside its main kernel.
struct ReductionCost {
  int64_t kernels = 0;   ///< Memsets and kernels.
  double bytes = 0;      ///< Bytes that they move, and that the main kernel writes beyond one C.
  double atomics = 0;    ///< Sums that are added to C atomically.
  double neighbors = 1;  ///< Contiguous sums that a thread adds by one access, where HasVectorAtomics().
};

/// The columns of tables that describe a schedule; "-" where its family has no such parameter.
struct ScheduleWords {
  std::string blockTile = "-";  ///< "128x128x16": M by N by k step.
  std::string threadTile = "-";
  std::string stages = "-";
  std::string splitK = "-";
};

/// The geometry of the main kernel of a launch plan. A plain value.
struct ScheduleGeometry {
  BlockTile tile;
  int64_t threads = 1;      ///< Threads of a block.
  int64_t stages = 1;       ///< k steps in flight.
  int64_t splitK = 1;       ///< Blocks that share a tile of C.
  int64_t leastShare = 0;   ///< With stream-k, the least number of k steps of a block; else 0.
  int64_t sharedK = 0;      ///< k values of a block whose sums other blocks complete; 0: blocks share no tile.
  int64_t groupM = 1;       ///< Rows of blocks traversed together (threadblock swizzle).
  int64_t blocks = 1;       ///< Blocks of the whole batch and of all splits.
  int64_t sharedBytes = 0;  ///< Shared memory of a block.
  int64_t registers = 0;    ///< Registers of a thread; an estimate.
  /// Bytes of global memory that all kernels access if no block reads an element twice and no cache helps. A double,
  /// because 64 bits overflow for the largest problems.
  double bytesMoved = 0;
  int64_t minBlocks = 1;  ///< Resident blocks that the register allocation guarantees.
  LoopCost loop;
  ReductionCost reduction;
  ScheduleWords words;

  int64_t warps() const { return CeilDiv(threads, 32); }
  /// Returns the blocks per multiprocessor; 0 where the device does not say how many it has.
  double waves(const DeviceInfo& device) const {
    return device.multiprocessors > 0 ? static_cast<double>(blocks) / static_cast<double>(device.multiprocessors) : 0;
  }
};

/// Returns how many registers a thread may have when `blocks` blocks of `threads` threads are to be resident at once.
/// The registers of a warp are allocated 256 at a time.
int64_t RegisterLimit(const DeviceInfo& device, int64_t threads, int64_t blocks);

/// Returns how many blocks fit a multiprocessor by registers, shared memory and threads; at least 1.
int64_t ResidentBlocks(const ScheduleGeometry& geometry, const DeviceInfo& device);

/// Returns `geometry` with the registers, shared memory and threads of the compiled kernel in place of the family's
/// estimates. Unknown registers (-1) keep the estimate; with 0 threads it was not compiled, and nothing changes. Each
/// spilled word counts as one access to memory in every k step, which is a judgement.
ScheduleGeometry WithCompiledResources(ScheduleGeometry geometry, const KernelResources& compiled);

/// Like WithCompiledResources(), but also takes the predicted peak fraction of the loop, which covers spilled accesses.
ScheduleGeometry WithCodeFacts(const ScheduleGeometry& geometry, const CodeFacts& facts);

/// Returns what a search learns the speed of a schedule from, beside its parameters. Always the same number of finite
/// features; counts and ratios as logarithms. docs/search.md lists them under "Features".
std::vector<double> GeometryFeatures(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                     const DeviceInfo& device);

}  // namespace mmtune
