// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The family `wgmma`: matmuls on the tensor cores of sm_90a by wgmma, warp-specialised. One warpgroup of a block, the
// producer, copies tiles of A and B to a ring of stages in shared memory by TMA. The others, the consumers, multiply
// them, 64 rows of C per instruction. Barriers in shared memory pass stages back and forth:
//
//   producer:  for each k step:  wait until the stage is empty;  load A[bm x bk], B[bk x bn] into it
//   consumer:  for each k step:  wait until the stage is full;   C[64*mi x bn] += A * B;  release the stage before
//
// This header has the parameters of a schedule and the tiling that they lead to for a problem. Rules, launch plan and
// emitter all read the tiling, so they agree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/schedule_fields.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The name of the main kernel. It is part of the code digest, so changing it makes recorded results unusable.
inline constexpr char kWgmmaKernel[] = "gemm_wgmma";

/// How consumers share the tiles of a block: all of them have rows of each tile, or each has whole tiles. Of the latter
/// one stores its tile while the other one multiplies.
enum WgmmaMode : int64_t { kCooperative = 0, kPingPong = 1 };

/// The parameters. Those that rule out most schedules come first, so that an enumeration stops early.
#define MMTUNE_WGMMA_PARAMETERS(PARAMETER)                                                                             \
  PARAMETER(consumers, "consumers", 2, 1, 3)            /* Warpgroups that multiply; one more copies. */               \
  PARAMETER(mode, "mode", kCooperative, 0, 1)           /* A WgmmaMode. */                                             \
  PARAMETER(mi, "mi", 1, 1, 2)                          /* Blocks of 64 rows of C per consumer. */                     \
  PARAMETER(bn, "bn", 128, 8, 256)                      /* Columns of C per block. */                                  \
  PARAMETER(bk, "bk", 64, 32, 256)                      /* k values of a step: rows of 128 or 256 bytes. */            \
  PARAMETER(clusterM, "cluster_m", 1, 1, 4)             /* Blocks of a cluster along M, which share B by multicast. */ \
  PARAMETER(clusterN, "cluster_n", 1, 1, 4)             /* Blocks of a cluster along N, which share A by multicast. */ \
  PARAMETER(splitK, "split_k", 1, 1, 1024)              /* Blocks that share a tile of C. */                           \
  PARAMETER(reduction, "reduction", kNoReduction, 0, 3) /* A SplitReduction. */                                        \
  PARAMETER(stages, "stages", 4, 2, 10)                 /* Stages of the ring. */                                      \
  PARAMETER(inFlight, "in_flight", 1, 0, 1)             /* k steps whose products are not waited for. */               \
  PARAMETER(blocks, "blocks", 0, 0, 1 << 16)            /* Most blocks; each has several tiles. 0: one each. */        \
  PARAMETER(epiColumns, "epi_columns", 32, 0,                                                                          \
            64) /* Columns of C stored through shared memory at a time; 0: directly. */                                \
  PARAMETER(epiBuffers, "epi_buffers", 0, 0, 2) /* Buffers for tensor copies to C; 0: threads store it. */             \
  PARAMETER(groupM, "group_m", 1, 1, 1024)      /* Threadblock swizzle: rows of clusters taken together. */

/// The parameters of a schedule.
struct WgmmaSchedule : ScheduleValues<WgmmaSchedule> {
  static constexpr char kFamily[] = "wgmma";
  MMTUNE_SCHEDULE_PARAMETERS(WgmmaSchedule, MMTUNE_WGMMA_PARAMETERS)
};

/// The tile of one operand in a stage. It consists of slabs: rows of 128 bytes whose 16-byte chunks TMA permutes
/// (swizzles), 8 rows at a time, as wgmma reads them. A row has consecutive values of k (K-major), or consecutive
/// elements of the other dimension, called outer (MN-major).
///
///   K-major    slab: all `outer` rows of 128 bytes of k;     slabs follow each other along k
///   MN-major   slab: bk rows of 128 bytes of outer;          slabs follow each other along outer
///
/// Blocks of a cluster that need the same tile each load a part of the rows of every slab, for all of them.
struct WgmmaOperandTile {
  WgmmaOperandTile(bool rowsAreK, int64_t outer, int64_t bk, int64_t elementBytes, int64_t sharers);

  /// Bytes of a row of a slab, and of an instruction's k.
  static constexpr int64_t kRowBytes = 128, kInstructionBytes = 32;
  /// Rows that the permutation repeats after; their bytes are the alignment of slabs.
  static constexpr int64_t kPermutedRows = 8;

  bool rowsAreK;  ///< True if the tile is MN-major: the matrix is stored with a row for each k.
  int64_t elementBytes;
  int64_t slabs, slabRows;
  int64_t sharers;    ///< Blocks of a cluster that need the tile.
  int64_t sliceRows;  ///< Rows of a slab that a block loads for all sharers.
  int64_t copyRows;   ///< Rows of a slab that one tensor copy loads; a copy has at most 256.

  int64_t RowElements() const { return kRowBytes / elementBytes; }
  int64_t SlabBytes() const { return slabRows * kRowBytes; }
  /// Returns the bytes of the tile.
  int64_t bytes() const { return slabs * SlabBytes(); }
  /// Returns the distance in bytes of 64 indices of the outer dimension.
  int64_t BytesOf64() const { return rowsAreK ? 64 * elementBytes / kRowBytes * SlabBytes() : 64 * kRowBytes; }
  /// Returns the offset in bytes of the k values of instruction `step`.
  int64_t OffsetOfStep(int64_t step) const;
};

/// The buffers in shared memory from which tensor copies store C: 64 rows of `columns` elements each. A buffer consists
/// of slabs side by side, whose rows have at most 128 bytes. Their 16-byte chunks are permuted (swizzled), so that
/// writing them is bank-conflict-free.
struct WgmmaStaging {
  WgmmaStaging(int64_t columns, int64_t elementBytes)
      : elementBytes(elementBytes),
        rowBytes(std::min<int64_t>(128, columns * elementBytes)),
        slabs(columns * elementBytes / std::max<int64_t>(1, rowBytes)) {}

  static constexpr int64_t kRows = 64, kChunkBytes = 16;

  int64_t elementBytes;
  int64_t rowBytes;  ///< 32, 64 or 128; 0 if there are no columns.
  int64_t slabs;

  int64_t RowElements() const { return rowBytes / elementBytes; }
  int64_t SlabBytes() const { return kRows * rowBytes; }
  int64_t bytes() const { return slabs * SlabBytes(); }
  /// Chunk c of row r of a slab lies where c ^ (r / RowsOfLine() % ChunksOfRow()) is without the permutation.
  int64_t RowsOfLine() const { return 128 / rowBytes; }
  int64_t ChunksOfRow() const { return rowBytes / kChunkBytes; }
};

/// The tiling that a schedule leads to for a problem. Sizes are in elements unless named bytes.
struct WgmmaTiling {
  WgmmaTiling(const MatmulProblem& problem, const WgmmaSchedule& schedule);

  /// Threads of a warpgroup, and registers of a thread that are no accumulators.
  static constexpr int64_t kWarpgroup = 128, kOtherRegisters = 40;

  MatmulProblem problem;
  WgmmaSchedule schedule;
  int64_t bm;       ///< Rows of C per block.
  int64_t cluster;  ///< Blocks of a cluster.
  int64_t threads;  ///< Threads of a block.
  BlockGrid grid;   ///< The grid of clusters: its tiles are those of a whole cluster.
  WgmmaOperandTile a, b;
  WgmmaStaging staging;
  int64_t stepsK;  ///< Instructions along k in a k step.
  int64_t storeC;  ///< Elements of C that a thread stores at once; directly from registers 1 or 2.

  /// Returns the number of tiles of clusters times their splits: what the clusters divide among themselves.
  int64_t items() const { return grid.Tiles() * grid.splitK; }
  /// True if blocks compute several tiles, one after another.
  bool IsPersistent() const { return schedule.blocks > 0; }
  /// Returns the clusters of the launch, at least one, and their blocks.
  int64_t clusters() const {
    return IsPersistent() ? std::max<int64_t>(1, std::min(schedule.blocks / cluster, items())) : items();
  }
  int64_t blocks() const { return clusters() * cluster; }
  /// Returns the blocks whose copies a block receives, or that receive its own: those of its row and of its column in
  /// the cluster, itself among them.
  int64_t Partners() const { return schedule.clusterM + schedule.clusterN - 1; }
  /// Returns the consumers that have rows of one tile.
  int64_t ConsumersOfTile() const { return schedule.mode == kPingPong ? 1 : schedule.consumers; }
  /// True if tensor copies store C.
  bool StoresByCopies() const { return schedule.epiBuffers > 0; }
  /// Returns the type of what is stored: that of C, or of partial sums.
  DataType StoredType() const {
    return schedule.reduction == kWorkspaceReduction ? problem.AccumulatorType() : problem.TypeOfC();
  }
  /// Returns the parts of a consumer's tile that pass through shared memory one after another.
  int64_t PartsOfTile() const { return schedule.mi * schedule.bn / schedule.epiColumns; }
  /// Returns the bytes of a stage.
  int64_t StageBytes() const { return a.bytes() + b.bytes(); }
  /// Returns the grid with the tiles of blocks instead of clusters, which is how ordered sums are kept.
  BlockGrid GridOfBlocks() const;
  /// Returns the distance in accumulators of the 16 rows that a consumer's warp stores through shared memory, which
  /// avoids bank conflicts: an odd multiple of 8.
  int64_t StorePitch() const { return (schedule.epiColumns / 8 | 1) * 8; }
  /// Returns the offset in shared memory of these rows, those of one warp after those of another.
  int64_t StoreOffset() const { return schedule.stages * StageBytes(); }
  int64_t StoreBytesOfWarp() const { return schedule.epiColumns == 0 ? 0 : 16 * StorePitch() * 4; }
  /// Returns the bytes that a consumer stores through: its buffers for tensor copies, or its warps' rows.
  int64_t StoreBytes() const {
    return StoresByCopies() ? schedule.epiBuffers * staging.bytes() : 4 * StoreBytesOfWarp();
  }
  /// Returns the offset of the ring's barriers in shared memory: first those that tell that a stage is full, then those
  /// that tell that it is empty, 8 bytes each. A word for each consumer follows.
  int64_t BarrierOffset() const { return StoreOffset() + schedule.consumers * StoreBytes(); }
  /// Returns the shared memory of a block.
  int64_t SharedBytes() const { return BarrierOffset() + 16 * schedule.stages + 16; }
  /// Returns the accumulators of a consumer's thread.
  int64_t Accumulators() const { return schedule.mi * schedule.bn / 2; }
  /// True if warpgroups move registers from the producer to the consumers (setmaxnreg). With one consumer every thread
  /// may have as many as it can address.
  bool MovesRegisters() const { return schedule.consumers > 1; }
  /// Returns the registers of a thread at entry: of each thread of the block the same.
  int64_t EntryRegisters() const;
  int64_t ProducerRegisters() const { return schedule.consumers == 3 ? 32 : 40; }
  int64_t ConsumerRegisters() const;
  /// Returns an estimate of the registers per thread, as ptxas reports them: those at entry if warpgroups move them.
  int64_t RegisterEstimate() const;
  /// Returns the cost of a k step, for time_model.h.
  LoopCost Cost() const;
  /// Returns the geometry without its labels.
  ScheduleGeometry Geometry() const;
};

/// The validity rules of the family.
using WgmmaRules = ConstraintList<WgmmaSchedule, WgmmaTiling>;
WgmmaRules WgmmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device);

/// True if the family has schedules for the problem's types and layouts.
bool WgmmaSupports(const MatmulProblem& problem);

/// Returns a valid schedule of each tile, with the best by the time model of some clusters, pipelines and numbers of
/// blocks, the fastest first. Splits of k are tried for the first of them.
ByPreference<Schedule> WgmmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                             const std::vector<ScheduleParameter>& axes);

}  // namespace mmtune
