// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The geometry of a schedule: the tiles, blocks, threads and memory that it leads to for one problem, in terms that all
// kernel families share. A family computes it. The time model, the lower bound and the features of the search read it,
// so that they need not know the parameters of each family.
//
//   fma with bm=128 bn=128 bk=16 on 1024x1024x1024:
//     tile 128x128x16, 256 threads, 64 blocks, 64 k steps per block
//
// A block computes a tile of C. It runs through K in steps of `tile.k`; such a k step loads one tile of A and one of B.
// The limits of threads and registers are from the CUDA C++ Programming Guide, "Compute Capabilities".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proto/base/whole_numbers.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The limits of every supported architecture: registers per thread, threads per block.
inline constexpr int64_t kMaxThreadRegisters = 255;
inline constexpr int64_t kMaxBlockThreads = 1024;

/// Sizes of the tile that a block computes, in elements.
struct BlockTile {
  int64_t m = 1, n = 1;
  int64_t k = 1;  ///< k values of one k step; 1 for a kernel without such steps.
};

/// The cost of one k step of a kernel; the input of time_model.h. Counts are per block unless a warp is named.
struct LoopCost {
  double steps = 1;          ///< k steps of a block.
  double tiles = 1;          ///< Tiles of C per block. Each one fills the pipeline anew and is stored.
  double multiplyAdds = 0;   ///< Multiply-adds of matrix elements, per warp.
  bool tensorCores = false;  ///< True if tensor cores execute the multiply-adds.
  bool warpgroups = false;   ///< True if tensor cores are used by wgmma; false for mma.sync, which is slower on sm_90.
  double instructions = 0;   ///< Instructions per warp, including multiply-adds.
  double wavefronts = 0;     ///< Wavefronts of shared memory, or of L1 if operands are read through it.
  double bytes = 0;          ///< Bytes of A and B that a block reads from L2.
  double perByte = 1;        ///< Bytes that L2 and device memory transfer for each byte that is read.
  double prefetchDistance = 0;  ///< k steps from the load of a tile to its use; 0 if operands are not loaded as tiles.
  double latency = 0;           ///< Minimum clocks of a k step, whatever it executes.
  double exposed = 0;           ///< Clocks of a k step for which a warp stalls if it is alone on its scheduler.
  double peakFraction = 0;      ///< Predicted fraction of peak from the machine code (CodeFacts); 0 if unknown.
};

/// The cost of everything in a launch plan but the main kernel's loop: clearing C and summing partial results.
struct ReductionCost {
  int64_t kernels = 0;  ///< Memsets and further kernels.
  /// Bytes that these kernels transfer, and bytes that the main kernel writes in addition to C.
  double bytes = 0;
  double atomics = 0;    ///< Partial sums that are added to C atomically.
  double neighbors = 1;  ///< Adjacent sums that one atomic instruction adds, if the device has vector atomics.
};

/// Texts for the columns of tables that list schedules; "-" if the family has no such parameter.
struct ScheduleLabels {
  std::string blockTile = "-";   ///< "128x128x16": M by N by k step.
  std::string threadTile = "-";  ///< "8x8": M by N of a thread; "64x32/warp": of a warp.
  std::string stages = "-";
  std::string splitK = "-";  ///< The number of splits or, with stream-k, of blocks: "stream-264".
  std::string roles = "";    ///< The tasks of the warps of a block, for `tune explain`; empty if all have the same.
};

/// The geometry of the main kernel of a launch plan. A plain value.
struct ScheduleGeometry {
  BlockTile tile;
  int64_t threads = 1;           ///< Threads of a block.
  int64_t stages = 1;            ///< Tiles of each operand that are loaded or in use at once (pipeline stages).
  int64_t splitK = 1;            ///< Blocks that share a tile of C, each with a part of K.
  int64_t minStepsPerBlock = 0;  ///< Minimum k steps of a block with stream-k; 0 without stream-k.
  /// The number of k values that a block computes if other blocks compute the rest of its tile; 0 if no blocks share a
  /// tile.
  int64_t sharedK = 0;
  int64_t groupM = 1;  ///< Rows of blocks that are traversed together (threadblock swizzle, for L2 hits).
  /// Columns of blocks that are traversed together; 0 if rows of blocks are (groupM). If this is above 0 and groupM
  /// above 1, squares of blocks are traversed, along a Hilbert curve.
  int64_t groupN = 0;
  int64_t clusterM = 1, clusterN = 1;  ///< Blocks of a cluster along M and N.
  int64_t blocks = 1;                  ///< Blocks of the launch, including the batch and all splits.
  int64_t sharedBytes = 0;             ///< Shared memory per block.
  int64_t registers = 0;               ///< Registers per thread; an estimate until the kernel is compiled.
  /// Bytes that all kernels read from and write to global memory, assuming that no block reads an element twice and no
  /// cache helps. It is a double, because the value can exceed 64 bits for the largest problems.
  double bytesMoved = 0;
  int64_t minBlocks = 1;  ///< Resident blocks per multiprocessor that the register allocation guarantees.
  LoopCost loop;
  ReductionCost reduction;
  ScheduleLabels labels;

  /// Returns the warps per block.
  int64_t warps() const { return CeilDiv(threads, 32); }
  /// Returns blocks / multiprocessors, or 0 if the device does not report its multiprocessors.
  double waves(const DeviceInfo& device) const {
    return device.multiprocessors > 0 ? static_cast<double>(blocks) / static_cast<double>(device.multiprocessors) : 0;
  }
};

/// Returns the most registers a thread may have if `blocks` blocks of `threads` threads are to be resident at once.
/// Hardware allocates registers per warp, in units of 256.
int64_t RegisterLimit(const DeviceInfo& device, int64_t threads, int64_t blocks);

/// Returns how many blocks fit on a multiprocessor by registers, shared memory and threads; at least 1.
int64_t ResidentBlocks(const ScheduleGeometry& geometry, const DeviceInfo& device);

/// Returns `geometry` with the registers, shared memory and threads of the compiled kernel instead of the estimates.
/// Unknown registers (-1) keep the estimate. If `compiled` has 0 threads, nothing was compiled, and `geometry` is
/// returned unchanged. Each spilled word counts as one memory access in every k step, which is a rough assumption.
ScheduleGeometry WithCompiledResources(ScheduleGeometry geometry, const KernelResources& compiled);

/// Like WithCompiledResources(), but also sets the predicted fraction of peak, which already accounts for spills.
ScheduleGeometry WithCodeFacts(const ScheduleGeometry& geometry, const CodeFacts& facts);

/// Returns the features from which a search learns the speed of a schedule, in addition to its parameters. There is
/// always the same number of features, all finite; counts and ratios are given as logarithms. docs/search.md lists them
/// under "Features".
std::vector<double> GeometryFeatures(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                     const DeviceInfo& device);

}  // namespace mmtune
