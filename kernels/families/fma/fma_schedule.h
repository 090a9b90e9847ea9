// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of a `fma` schedule and the geometry they give a problem: tiles, lanes, strides,
// vector widths, shared memory. Read by the space, the launch plan and the emitter, so that the
// three cannot disagree.
//
// What one k step of an `fma` kernel costs, counted from its tiling.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/schedule_fields.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/warp_request.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The parameters in the order in which constraints count them: structure first, nearly free last.
enum FmaParameter : size_t {
  kFmaBm,
  kFmaBn,
  kFmaTm,
  kFmaTn,
  kFmaLm,
  kFmaSliceK,
  kFmaBk,
  kFmaSplitK,
  kFmaStreamK,
  kFmaReduction,
  kFmaKmajorA,
  kFmaPadA,
  kFmaPadB,
  kFmaAsync,
  kFmaStages,
  kFmaUnrollK,
  kFmaFragments,
  kFmaMinBlocks,
  kFmaGroupM,
  kFmaOrder,
  kFmaParameterCount,
};

/// The order of a thread's multiply-adds of one k: row by row, or back and forth.
enum FmaOrder : int64_t { kFmaRowByRow = 1, kFmaSerpentine = 2 };

/// The name of the main kernel; part of its code's digest.
inline constexpr char kFmaKernel[] = "gemm_simt";

/// Plain values; fields not set hold a harmless default.
struct FmaSchedule : ScheduleValues<FmaSchedule> {
  static constexpr char kFamily[] = "fma";
  static constexpr int64_t kMostStreamK = 1 << 16;
  static std::span<const ScheduleField<FmaSchedule>> fields();

  int64_t bm = 1, bn = 1;  ///< Block tile.
  int64_t tm = 1, tn = 1;  ///< Thread tile.
  int64_t lm = 1;          ///< Lanes of a warp along M; 32/lm along N.
  int64_t sliceK = 1;      ///< Warps that share a warp tile, each with a slice of every tile's k.
  int64_t bk = 4;          ///< k step.
  int64_t splitK = 1;
  int64_t streamK = 1;  ///< Most blocks that share the k steps of all tiles evenly; 1 for none.
  int64_t reduction = kNoReduction;
  int64_t kmajorA = 0;    ///< A's tile in shared memory is [k][m] instead of [m][k].
  int64_t padA = 0;       ///< Floats added to each row of A's tile.
  int64_t padB = 0;       ///< Floats added to each row of B's tile.
  int64_t async = 0;      ///< cp.async instead of loads to registers and stores.
  int64_t stages = 1;     ///< Tiles in shared memory at once.
  int64_t minBlocks = 1;  ///< Resident blocks the registers must allow.
  int64_t unrollK = 4;    ///< k values unrolled in the inner loop.
  int64_t fragments = 1;  ///< Buffers of fragments in registers; with 2 the next ones are read while one is multiplied.
  int64_t order = kFmaRowByRow;
  int64_t groupM = 1;  ///< Rows of blocks walked together, for L2; 1 is row by row.
};

/// What a row has in one sector of global memory. A warp that reads as much of some rows and writes it along the other
/// extent, in shared memory with rows of 4 floats more than a multiple of 32, meets no bank twice.
inline constexpr int64_t kPanelFloats = 8;

/// The tile of one operand, in floats. `outer` is the dimension that is not k. The matrix is stored row by row, a row
/// for each k or for each of the others; and so is the tile in shared memory, for itself.
struct FmaOperandTile {
  /// `outer` is the block's extent, `matrixOuter` the problem's; `kMajor` and `pad` are of the tile in shared memory.
  FmaOperandTile(bool rowsAreK, bool kMajor, int64_t outer, int64_t pad, int64_t matrixOuter, int64_t matrixK,
                 const FmaSchedule& schedule, const OperandLayout& layout);

  bool rowsAreK;          ///< Of the matrix.
  bool kMajor;            ///< The tile in shared memory is [k][outer] instead of [outer][k].
  int64_t rows, columns;  ///< As it lies in the matrix.
  int64_t outer;          ///< Of the tile, along the other extent.
  int64_t matrixStride;   ///< From a row of the matrix to the next one.
  int64_t outerExtent;    ///< Of the matrix.
  bool atRunTime =
      false;          ///< The kernel gets that extent when it is launched; then this one is nothing it may rely on.
  int64_t stride;     ///< Rows in shared memory.
  int64_t elements;   ///< In shared memory.
  int64_t copyWidth;  ///< Floats one thread moves at once from global memory.

  /// On the way into shared memory.
  bool transposes() const { return rowsAreK != kMajor; }
  /// Whether the tile is, or may be, larger than the matrix along the other extent: what lies beyond is nothing of the
  /// result.
  bool IsLarger() const { return atRunTime || outer > outerExtent; }
  /// Whether the matrix is no whole number of tiles along the other extent: the last one begins earlier, to end with
  /// the matrix, and has rows or columns that the one before has, too. Of those of C that one stores them.
  bool Overlaps() const { return !IsLarger() && outerExtent % outer != 0; }
  /// Tiles that are transposed are copied in panels of kPanelFloats, where threads divide those evenly. Rows come in an
  /// order in which lanes that shared memory serves at once meet no bank twice, where there is one.
  TileChunks ChunksFor(int64_t threads) const;

 private:
  /// That order for panels of so many pieces of a row.
  RowOrder OrderFor(int64_t panel) const;
};

/// The place of a lane within its warp.
struct FmaLane {
  int64_t m, n;
};

/// Everything a schedule implies for a problem. Sizes in elements unless named bytes.
struct FmaTiling {
  FmaTiling(const MatmulProblem& problem, const FmaSchedule& schedule, RunTimeSizes sizes = {},
            const MatmulLayout& layout = {});

  MatmulProblem problem;
  FmaSchedule schedule;
  RunTimeSizes sizes;
  BlockGrid grid;

  int64_t ln;              ///< Lanes along N.
  int64_t warpM, warpN;    ///< Tile of a warp.
  int64_t warpsM, warpsN;  ///< Warps of a slice of a block.
  int64_t threads;         ///< Of a block.
  FmaOperandTile a, b;     ///< In shared memory, B follows A.
  int64_t fragmentM;       ///< Consecutive rows of A a thread reads at once from a k-major tile.
  int64_t fragmentN;       ///< Consecutive columns of B a thread reads at once.
  int64_t rowStrideC;      ///< Floats from a row of C to the next one.
  int64_t storeC;          ///< Floats of C stored at once.

  /// Where both extents have lanes, pairs of them share columns, and the next pair takes the next ones: the order in
  /// which the loads of a quarter warp merge into the fewest shared-memory transactions.
  bool LanesInPairs() const { return schedule.lm >= 2 && ln >= 2; }
  FmaLane LaneAt(int64_t lane) const {
    if (LanesInPairs()) return {lane / (2 * ln) * 2 + lane % 2, lane / 2 % ln};
    return {lane / ln, lane % ln};
  }
  /// Whether fragments are read one k ahead, across the barrier too.
  bool IsAhead() const { return schedule.fragments == 2; }
  int64_t StageElements() const { return a.elements + b.elements; }
  /// k values of a tile that a thread multiplies.
  int64_t KOfSlice() const { return schedule.bk / schedule.sliceK; }
  int64_t ThreadsOfSlice() const { return threads / schedule.sliceK; }
  /// Pieces of fragmentN neighbours in a row of C that a thread tile has, row by row. Where there are slices, a thread
  /// ends with the sums over all of them of every sliceK-th piece, from the number of its slice on.
  int64_t PiecesOfC() const { return schedule.tm * schedule.tn / fragmentN; }
  /// Bytes of shared memory for the slices' sums, which reuse the tiles' space.
  int64_t SliceSumBytes() const { return schedule.sliceK == 1 ? 0 : 4 * schedule.sliceK * schedule.bm * schedule.bn; }
  int64_t SharedBytes() const { return std::max(4 * schedule.stages * StageElements(), SliceSumBytes()); }
  /// Registers of a thread, chosen so that schedules within the limit do not spill
  /// (tests/bench/spill_table measures it).
  int64_t RegisterEstimate() const;
};

/// The validity of schedules: the one list.
using FmaRules = ConstraintList<FmaSchedule, FmaTiling>;
FmaRules FmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device, const MatmulLayout& layout = {});

/// As search prunes with it and Validate() applies it, sorted by `ready`.
std::vector<ScheduleConstraint> FmaConstraints(const MatmulProblem& problem, const DeviceInfo& device,
                                               const MatmulLayout& layout = {});


/// For time_model.h. Instructions are those that ptxas makes of the loop, to about 2%.
LoopCost FmaLoopCost(const FmaTiling& tiling);

/// The same cost as if shared memory took no time, and what it adds. To find the wavefronts costs most of all, and a
/// schedule that is too slow without them need not be asked for them.
LoopCost FmaLoopCostBarShared(const FmaTiling& tiling);
void AddSharedMemory(const FmaTiling& tiling, LoopCost& cost);

/// Returns the geometry with the whole FmaLoopCost(), and with words.
ScheduleGeometry FmaGeometry(const FmaTiling& tiling);

/// Where the lanes of a block's first warp write the first float of their first piece of an operand's tile.
LaneOffsets FmaCopyOffsets(const FmaOperandTile& tile, int64_t threads);

}  // namespace mmtune
