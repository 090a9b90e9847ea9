// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a few blocks of a schedule's own kernel at the problem's own size on the SIMT device, with race detection, and
// compares the tiles of C that they write with exact arithmetic. The constants of that code (extents, strides, numbers
// of k steps) are others than those of small shapes, and its offsets are as large as they will be. Memory is sparse, so
// the size of the problem does not matter; the cost is bounded by a number of multiply-adds.
//
// Which tile a block computes is not assumed. It is seen from what was written: every element that was written must be
// exact, and every tile that has such an element must be complete. Except with stream-k, a sample that writes no
// element of C is wrong.
//
//   whole tiles             the last, the first, and random blocks
//   split-k                 all blocks of each of these tiles, and the blocks of the second kernel that sum their rows
//   stream-k                so many neighbours that some tile is theirs alone; other tiles stay incomplete
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/simulator/race_detector/finding.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The multiply-adds up to which a sample has more than one tile, and has any. On the SIMT device race detection takes
/// about half a second for the first number.
inline constexpr int64_t kSampleMultiplyAdds = int64_t{1} << 24;
inline constexpr int64_t kMostSampleMultiplyAdds = int64_t{1} << 27;

/// The blocks to run.
struct BlockSample {
  std::vector<uint64_t> columns;  ///< Their positions in a layer of the grid (x fastest); all layers (z) run.
  uint64_t layers = 1;            ///< Layers of the grid.
  uint64_t in_layer = 1;          ///< Blocks of a layer.
  std::string why_none;           ///< Set if there are none.
};
/// Chooses blocks of the first launch of `plan`. Depends only on the arguments.
BlockSample ChooseBlocks(const MatmulProblem& problem, const ScheduleGeometry& geometry, const LaunchPlan& plan);

struct BlockSampleResult {
  std::string text;                     ///< "4 of 1024 blocks of 4096x4096x4096".
  bool has_host_failed = false;         ///< True where the host lacked what it takes; the text says what.
  std::vector<simt::Finding> findings;  ///< Findings of the race detector.
  std::string wrong;                    ///< Another failure, or the first wrong element; empty: there is none.
};
/// Runs a sample of the kernel, whose image is an object for race detection. Errors are failures of the host; a sample
/// that its memory does not allow is a result that says so.
absl::StatusOr<BlockSampleResult> RunBlockSample(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                                 const CompiledKernel& kernel, const std::string& arch);

}  // namespace mmtune
