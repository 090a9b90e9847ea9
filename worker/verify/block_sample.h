// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a few blocks of a schedule's own kernel at the problem's own size on the SIMT device (the CPU simulator), with
// race detection. The tiles of C that they write are compared with the exact result. This covers what small shapes do
// not: the constants in that code (extents, strides, numbers of k steps) and its large offsets. Memory is sparse
// (sparse_buffers.h), and the number of multiply-adds is limited, so that large problems are possible.
//
// The check does not assume which tile a block computes. Every element that was written must be exact, and every tile
// with a written element must be complete. A sample that writes no element of C is an error, except with stream-k.
//
//   whole tiles             the last, the first, and random blocks
//   split-k                 all blocks of each of these tiles, and the blocks of the second kernel that sum their rows
//   stream-k                consecutive blocks, so many that they compute some tile without other blocks; no block
//                           completes the tiles that they share with others, so those are not written
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/simulator/race_detector/finding.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The limits of a sample, in multiply-adds. A sample gets further tiles only up to kSampleMultiplyAdds, for which race
/// detection takes about half a second. If a single tile takes more than kMostSampleMultiplyAdds, there is no sample.
inline constexpr int64_t kSampleMultiplyAdds = int64_t{1} << 24;
inline constexpr int64_t kMostSampleMultiplyAdds = int64_t{1} << 27;

/// The blocks to run.
struct BlockSample {
  /// The indices of the blocks in a layer of the grid (x fastest). The blocks with these indices run in all layers (z).
  std::vector<uint64_t> columns;
  uint64_t layers = 1;    ///< The number of layers of the grid.
  uint64_t in_layer = 1;  ///< The number of blocks of a layer.
  std::string why_none;   ///< The reason why there are no blocks; else empty.
};
/// Chooses blocks of the first launch of `plan`. Depends only on the arguments.
BlockSample ChooseBlocks(const MatmulProblem& problem, const ScheduleGeometry& geometry, const LaunchPlan& plan);

struct BlockSampleResult {
  std::string text;  ///< "4 of 1024 blocks of 4096x4096x4096".
  /// True if the host could not run the sample, for example for lack of memory; `text` says why.
  bool has_host_failed = false;
  std::vector<simt::Finding> findings;  ///< Findings of the race detector.
  std::string wrong;                    ///< The first wrong element, or another failure; empty: none.
};
/// Runs a sample of the kernel, whose image must be compiled for race detection. If the host lacks the resources for
/// the sample (ResourceExhausted or Unavailable), has_host_failed is set. Other failures before the kernel runs, such
/// as an image that cannot be loaded, are returned as errors.
absl::StatusOr<BlockSampleResult> RunBlockSample(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                                 const CompiledKernel& kernel, const std::string& arch);

}  // namespace mmtune
