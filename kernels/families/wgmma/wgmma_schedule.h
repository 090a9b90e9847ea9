// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The family `wgmma`: matmuls on the tensor cores of sm_90a by wgmma, warp-specialised. One warpgroup of a block, the
// producer, copies tiles of A and B to shared memory by TMA, into several buffers (stages) that are used in turn (a
// ring). The others, the consumers, multiply these tiles, 64 rows of C per instruction. Mbarriers tell consumers that a
// stage is full, and the producer that it is empty:
//
//   producer:  for each k step:  wait until the stage is empty;  load A[bm x bk], B[bk x bn] into it
//   consumer:  for each k step:  wait until the stage is full;   C[64*mi x bn] += A * B;  release the previous stage
//
// This header has the parameters of a schedule and the tiling that they lead to for a problem. The validity rules, the
// launch plan and the emitter all use this tiling, so they agree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/schedule_fields.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The name of the main kernel. It is part of the compiled code. Records of measurements contain the digest of that
/// code, so changing the name makes them unusable.
inline constexpr char kWgmmaKernel[] = "gemm_wgmma";

/// The division of a block's tiles among its consumers. Cooperative: each tile is divided by rows among all consumers.
/// Ping-pong: each of the two consumers has whole tiles, and one stores its tile while the other multiplies.
enum WgmmaMode : int64_t { kCooperative = 0, kPingPong = 1 };

/// The way in which consumers get the addend, a matrix of C's size that the epilogue adds or subtracts: each thread
/// loads its elements, or tensor copies put them into the buffers from which C is stored.
enum WgmmaAddend : int64_t { kAddendByThreads = 0, kAddendByCopies = 1 };

/// Says how a full L2 cache treats the lines of an operand: as usual, or as those that it replaces first or last. An
/// operand that is read once may give way to one that is read again.
enum CachedOperand : int64_t { kKeepAsUsual = 0, kEvictFirst = 1, kEvictLast = 2 };

/// The parameters: PARAMETER(member, name, default, lowest value, highest value). Those that make most schedules
/// invalid come first, so that an enumeration can stop early.
#define MMTUNE_WGMMA_PARAMETERS(PARAMETER)                                                                             \
  PARAMETER(consumers, "consumers", 2, 1, 3)            /* Warpgroups that multiply; one more copies. */               \
  PARAMETER(mode, "mode", kCooperative, 0, 1)           /* A WgmmaMode. */                                             \
  PARAMETER(mi, "mi", 1, 1, 2)                          /* Blocks of 64 rows of C per consumer. */                     \
  PARAMETER(bn, "bn", 128, 8, 256)                      /* Columns of C per block. */                                  \
  PARAMETER(bk, "bk", 64, 32, 256)                      /* k values of a step: rows of 128 or 256 bytes. */            \
  PARAMETER(clusterM, "cluster_m", 1, 1, 4)             /* Blocks of a cluster along M, which share B by multicast. */ \
  PARAMETER(clusterN, "cluster_n", 1, 1, 4)             /* Blocks of a cluster along N, which share A by multicast. */ \
  PARAMETER(splitK, "split_k", 1, 1, 1024)              /* Blocks that share a tile, along k. */                       \
  PARAMETER(reduction, "reduction", kNoReduction, 0, 3) /* A SplitReduction. */                                        \
  PARAMETER(stages, "stages", 4, 2, 10)                 /* Stages of the ring. */                                      \
  PARAMETER(inFlight, "in_flight", 1, 0, 1)             /* k steps whose wgmma stay in flight. */                      \
  PARAMETER(blocks, "blocks", 0, 0, 1 << 16)            /* Number of persistent blocks; 0: one per tile. */            \
  PARAMETER(epiColumns, "epi_columns", 32, 0,                                                                          \
            64) /* Columns of C stored through shared memory at a time; 0: directly. */                                \
  PARAMETER(epiBuffers, "epi_buffers", 0, 0, 2)       /* Buffers for tensor copies to C; 0: threads store it. */       \
  PARAMETER(addend, "addend", kAddendByThreads, 0, 1) /* A WgmmaAddend. */                                             \
  PARAMETER(raster, "raster", kAlongN, 0, 2)          /* The order of clusters (Raster). */                            \
  PARAMETER(groupM, "group_m", 1, 1, 1024)        /* Threadblock swizzle: rows (kAlongM: columns) taken together. */   \
  PARAMETER(l2Promotion, "l2_promotion", 2, 0, 3) /* TiledTensorMap::l2_promotion of A and B. */                       \
  PARAMETER(hintA, "hint_a", kKeepAsUsual, 0, 2)  /* The CachedOperand of A. */                                        \
  PARAMETER(hintB, "hint_b", kKeepAsUsual, 0, 2)  /* The CachedOperand of B. */

/// The parameters of a schedule.
struct WgmmaSchedule : ScheduleValues<WgmmaSchedule> {
  static constexpr char kFamily[] = "wgmma";
  MMTUNE_SCHEDULE_PARAMETERS(WgmmaSchedule, MMTUNE_WGMMA_PARAMETERS)
};

/// The tile of one operand in a stage. It consists of slabs, which have rows of 128 bytes. TMA permutes the 16-byte
/// chunks of each row as wgmma reads them (128-byte swizzle); the pattern repeats every 8 rows. The dimension that is
/// not k (M for A, N for B) is called outer. There are two layouts:
///
///   K-major    a slab has a row for each index of outer, of 128 bytes along k;   slabs follow each other along k
///   MN-major   a slab has a row for each k of bk, of 128 bytes along outer;      slabs follow each other along outer
///
/// If several blocks of a cluster need the same tile, each of them loads some rows of every slab and multicasts them to
/// all.
struct WgmmaOperandTile {
  /// `outer` and `bk` are the sizes of the tile in the two dimensions, in elements.
  WgmmaOperandTile(bool rowsAreK, int64_t outer, int64_t bk, int64_t elementBytes, int64_t sharers);

  /// Bytes of a row of a slab, and bytes along k of one wgmma instruction.
  static constexpr int64_t kRowBytes = 128, kInstructionBytes = 32;
  /// The rows after which the swizzle repeats. Slabs are aligned to the bytes of that many rows.
  static constexpr int64_t kPermutedRows = 8;

  bool rowsAreK;  ///< True if there is a row for each k (MN-major), false if there is one for each outer index
                  ///< (K-major).
  int64_t elementBytes;
  int64_t slabs, slabRows;  ///< Number of slabs, and rows of each.
  int64_t sharers;          ///< Number of blocks of a cluster that need the tile.
  int64_t sliceRows;        ///< Rows of a slab that each block loads for all sharers.
  int64_t copyRows;         ///< Rows of a slab that one tensor copy loads; a copy has at most 256.

  int64_t RowElements() const { return kRowBytes / elementBytes; }
  int64_t SlabBytes() const { return slabRows * kRowBytes; }
  /// Returns the bytes of the tile.
  int64_t bytes() const { return slabs * SlabBytes(); }
  /// Returns the distance in bytes between elements whose outer indices differ by 64.
  int64_t BytesOf64() const { return rowsAreK ? 64 * elementBytes / kRowBytes * SlabBytes() : 64 * kRowBytes; }
  /// Returns the offset in the tile, in bytes, of the k values that wgmma instruction number `step` of a k step
  /// multiplies.
  int64_t OffsetOfStep(int64_t step) const;
};

/// The buffers in shared memory from which tensor copies store C: 64 rows of `columns` elements each. A buffer is
/// divided by columns into slabs, one after another in memory, whose rows have at most 128 bytes. The 16-byte chunks of
/// a row are permuted (swizzled), so that threads write them without bank conflicts.
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
  /// The swizzle stores chunk c of row r of a slab at the position of chunk c ^ (r / RowsOfLine() % ChunksOfRow()).
  /// Only if there are columns.
  int64_t RowsOfLine() const { return 128 / rowBytes; }
  int64_t ChunksOfRow() const { return rowBytes / kChunkBytes; }
};

/// The tiling that a schedule leads to for a problem. Sizes are in elements unless named bytes. If the number of rows
/// or matrices is known at run time only, members that depend on it have the values for `problem`, whose sizes are
/// representative.
struct WgmmaTiling {
  WgmmaTiling(const MatmulProblem& problem, const WgmmaSchedule& schedule, RunTimeSizes sizes = {});

  /// Threads of a warpgroup, and an estimate of the registers that a consumer's thread needs besides its accumulators.
  static constexpr int64_t kWarpgroup = 128, kOtherRegisters = 40;

  MatmulProblem problem;
  WgmmaSchedule schedule;
  RunTimeSizes sizes;
  int64_t bm;       ///< Rows of C per block.
  int64_t cluster;  ///< Blocks of a cluster.
  int64_t threads;  ///< Threads of a block.
  BlockGrid grid;   ///< The grid of clusters: each of its tiles is that of a whole cluster.
  WgmmaOperandTile a, b;
  WgmmaStaging staging;
  int64_t stepsK;  ///< wgmma instructions along k in a k step.
  int64_t storeC;  ///< Elements of C that a thread stores at once; 1 or 2 if it stores directly from registers.

  /// Returns the number of work items that are divided among the clusters: the number of cluster tiles times split_k.
  int64_t items() const { return grid.Tiles() * grid.splitK; }
  /// True if blocks compute several tiles, one after another.
  bool IsPersistent() const { return schedule.blocks > 0; }
  /// Return the number of clusters of the launch, which is at least one, and of blocks.
  int64_t clusters() const {
    return IsPersistent() ? std::max<int64_t>(1, std::min(schedule.blocks / cluster, items())) : items();
  }
  int64_t blocks() const { return clusters() * cluster; }
  /// Returns the number of blocks that receive multicast copies from a block, or send such copies to it: the blocks in
  /// its row and in its column of the cluster, including itself.
  int64_t MulticastPeers() const { return schedule.clusterM + schedule.clusterN - 1; }
  /// Returns the number of consumers among which one tile is divided.
  int64_t ConsumersOfTile() const { return schedule.mode == kPingPong ? 1 : schedule.consumers; }
  /// True if tiles may extend beyond the rows of C.
  bool IsRaggedM() const { return sizes.rows || problem.m % grid.bm != 0; }
  /// True if tensor copies store C.
  bool StoresByCopies() const { return schedule.epiBuffers > 0; }
  /// Returns the index of the addend, if there is one, among the arguments of the kernel.
  size_t AddendArgument() const { return problem.HasBias() ? 4 : 3; }
  /// Returns the type of the stored elements: that of C or, with a workspace, that of partial sums.
  DataType StoredType() const {
    return schedule.reduction == kWorkspaceReduction ? problem.AccumulatorType() : problem.TypeOfC();
  }
  /// Returns the number of parts in which a consumer's tile passes through shared memory, one after another. Only for
  /// an epiColumns other than 0.
  int64_t PartsOfTile() const { return schedule.mi * schedule.bn / schedule.epiColumns; }
  /// Returns the bytes of one stage of the ring.
  int64_t StageBytes() const { return a.bytes() + b.bytes(); }
  /// Returns the grid with the tiles of blocks instead of clusters. An ordered reduction (kOrderedReduction) keeps its
  /// partial sums by tiles of blocks.
  BlockGrid GridOfBlocks() const;
  /// Returns the distance, in accumulators, between the 16 rows that a warp of a consumer stores through shared memory.
  /// It is an odd multiple of 8, which avoids bank conflicts.
  int64_t StorePitch() const { return (schedule.epiColumns / 8 | 1) * 8; }
  /// Returns the offset in shared memory of the area through which consumers store C: the 16 rows of each warp, warp
  /// after warp, or the buffers of tensor copies.
  int64_t StoreOffset() const { return schedule.stages * StageBytes(); }
  int64_t StoreBytesOfWarp() const { return schedule.epiColumns == 0 ? 0 : 16 * StorePitch() * 4; }
  /// Returns the bytes of the area at StoreOffset() for each consumer: its buffers for tensor copies, or its warps'
  /// rows.
  int64_t StoreBytes() const {
    return StoresByCopies() ? schedule.epiBuffers * staging.bytes() : 4 * StoreBytesOfWarp();
  }
  /// Returns the offset in shared memory of the ring's mbarriers, 8 bytes each: first one for each stage that tells
  /// that it is full, then one for each stage that tells that it is empty. Words of 4 bytes follow, one for each
  /// consumer, which ordered reductions use.
  int64_t BarrierOffset() const { return StoreOffset() + schedule.consumers * StoreBytes(); }
  /// Returns the offset in shared memory of the mbarriers that tell that a part of the addend has arrived, one for each
  /// buffer of each consumer.
  int64_t AddendBarrierOffset() const { return BarrierOffset() + 16 * schedule.stages + 16; }
  /// Returns the number of mbarriers at AddendBarrierOffset().
  int64_t AddendBarriers() const {
    return schedule.addend == kAddendByCopies ? schedule.consumers * schedule.epiBuffers : 0;
  }
  /// Returns the bytes of shared memory of a block.
  int64_t SharedBytes() const { return AddendBarrierOffset() + 8 * AddendBarriers(); }
  /// Returns the number of accumulators of a consumer's thread.
  int64_t Accumulators() const { return schedule.mi * schedule.bn / 2; }
  /// True if warpgroups move registers from the producer to the consumers (setmaxnreg). It is not needed with one
  /// consumer, as every thread can then have as many registers as it can address.
  bool MovesRegisters() const { return schedule.consumers > 1; }
  /// Returns the registers per thread at kernel entry, which are the same for all threads of the block.
  int64_t EntryRegisters() const;
  int64_t ProducerRegisters() const { return schedule.consumers == 3 ? 32 : 40; }
  int64_t ConsumerRegisters() const;
  /// Returns an estimate of the registers per thread that ptxas will report. If warpgroups move registers, ptxas
  /// reports those at kernel entry.
  int64_t RegisterEstimate() const;
  /// Returns the cost of the main loop's k steps, for time_model.h.
  LoopCost Cost() const;
  /// Returns the geometry, without ScheduleGeometry::labels (the texts for tables).
  ScheduleGeometry Geometry() const;
};

/// The validity rules of the family.
using WgmmaRules = ConstraintList<WgmmaSchedule, WgmmaTiling>;
WgmmaRules WgmmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device);

/// True if the family has schedules for the problem's types and layouts.
bool WgmmaSupports(const MatmulProblem& problem);

/// Returns one valid schedule for each tile size, the fastest by the time model first. `axes` has the values to try of
/// each parameter. The clusters, pipeline and number of blocks of a schedule are the best by that model among a few
/// combinations, which for the first few tile sizes include splits of k.
ByPreference<Schedule> WgmmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                             const std::vector<ScheduleParameter>& axes);

/// Returns at most 16 schedules that a search measures first. The first ones are the best default schedules. The others
/// use features whose gain the time model cannot predict, because no GPU has been timed, but which NVIDIA's libraries
/// use: tensor copies to C, a Hilbert curve, ping-pong, clusters of four. For each feature, they are the one or two
/// with the lowest predicted time.
std::vector<Schedule> WgmmaFirstSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                          const std::vector<ScheduleParameter>& axes);

/// Returns the family's steps (rungs) in the ladder, the sequence of schedules from naive to tuned that `tune ladder`
/// shows. The slowest comes first; wgmma_ladder.cpp names them.
std::vector<LadderRung> WgmmaLadder(const MatmulProblem& problem);

}  // namespace mmtune
