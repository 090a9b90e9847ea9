// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a `wgmma` schedule. Warpgroup 0 of a block is the producer, the others are consumers, each of which
// has 64 * mi rows of the block's tile. They pass the stages of a ring in shared memory to each other:
//
//   producer (one lane)                            consumer
//   for each tile of C, for each k step:           for each tile of C:
//     wait for empty[stage]                          for each k step:
//     expect the bytes of a stage at full[stage]       wait for full[stage]
//     load slabs of A and B, which complete it         sums += A * B, asynchronously
//     next stage                                       wait for the products of the step before, or of this one
//                                                      arrive at empty[its stage];  next stage
//                                                    add the sums of other blocks (ordered reduction)
//                                                    store the sums, straight or through shared memory
//
// Stage and phase run on from tile to tile, so that the producer loads the next tile while consumers store one.
//
// In a cluster, blocks of a row need the same rows of A, and blocks of a column the same columns of B. Each loads a
// slice of them into the same stage of all (multicast), and fills a stage when the consumers of all these blocks have
// released theirs. A producer ends when its last stages are released, so that no other block uses its barriers any
// more.
#include <algorithm>
#include <utility>

#include "kernels/builder/cluster.h"
#include "kernels/builder/mbarrier.h"
#include "kernels/builder/tensor_copy.h"
#include "kernels/builder/thread_group.h"
#include "kernels/builder/wgmma.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/common/fragment_epilogue_emitter.h"
#include "kernels/families/common/kernel_emitter.h"
#include "kernels/families/wgmma/wgmma_schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

/// A position in the ring: a stage, and the parity of the phase in which it is used.
struct RingPosition {
  Value stage, phase;
};

class WgmmaEmitter {
 public:
  WgmmaEmitter(KernelBuilder& builder, const WgmmaTiling& tiling, llvm::ArrayRef<Value> buffers)
      : builder(builder),
        tiling(tiling),
        s(tiling.schedule),
        buffers(buffers),
        shared(builder.sharedMemory()),
        warpgroup(warpgroupIndex(builder)) {
    if (tiling.cluster == 1) return;
    rank = blockRankInCluster(builder);
    rowInCluster = builder.div(rank, s.clusterN);
    columnInCluster = builder.rem(rank, s.clusterN);
  }

  void emit() {
    initializeBarriers();
    Value isProducer = builder.equal(warpgroup, 0);
    Value isConsumer = builder.exclusiveOr(isProducer, builder.trueConstant());
    builder.when(isProducer, [&] { produce(); });
    builder.when(isConsumer, [&] { consume(); });
  }

 private:
  Value barrierAt(int64_t first, Value stage) {
    Value barriers = builder.offsetBytes(shared, tiling.BarrierOffset() + first * kMbarrierBytes);
    return builder.offsetBytes(barriers, builder.mul(stage, kMbarrierBytes));
  }
  Value fullBarrier(Value stage) { return barrierAt(0, stage); }
  Value emptyBarrier(Value stage) { return barrierAt(s.stages, stage); }
  Value stageAt(Value stage) { return builder.offsetBytes(shared, builder.mul(stage, tiling.StageBytes())); }

  RingPosition next(const RingPosition& position) {
    Value following = builder.add(position.stage, 1), isLast = builder.equal(following, s.stages);
    Value first = builder.constant(0), otherPhase = builder.exclusiveOr(position.phase, builder.constant(1));
    Value stage = builder.select(isLast, first, following);
    return {stage, builder.select(isLast, otherPhase, position.phase)};
  }

  void initializeBarriers() {
    KernelBuilder::ScopedName at(builder, "initialise the barriers of the ring");
    builder.when(builder.equal(builder.threadX(), 0), [&] {
      for (Value map : buffers.take_front(2)) prefetchTensorMap(builder, map);
      for (int64_t stage = 0; stage < s.stages; ++stage) {
        Value number = builder.constant(stage);
        initMbarrier(builder, fullBarrier(number), 1);
        initMbarrier(builder, emptyBarrier(number), s.consumers * tiling.Partners());
      }
      fenceMbarrierInit(builder);
    });
    if (tiling.cluster == 1) return builder.barrier();
    arriveAtClusterBarrier(builder, /*isRelaxed=*/true);
    waitForClusterBarrier(builder);
  }

  /// Emits `body` for each tile that the block computes, with the range of k of its split. The values that `body`
  /// returns are carried to the next tile; the last ones are returned.
  Values forEachItem(Values carried, llvm::function_ref<Values(const BlockWork&, Values)> body) {
    const int64_t tiles = tiling.grid.Tiles();
    auto workOf = [&](Value item) {
      const bool isSplit = s.splitK > 1;
      Value split = isSplit ? builder.div(item, tiles) : Value(), tile = isSplit ? builder.rem(item, tiles) : item;
      BlockWork work =
          assignWork(builder, tiling.grid, tiling.problem.k, builder.constant(tiling.problem.m), tile, split);
      if (tiling.cluster > 1) {
        work.row = builder.add(work.row, builder.mul(rowInCluster, tiling.bm));
        work.column = builder.add(work.column, builder.mul(columnInCluster, s.bn));
      }
      return work;
    };
    Value first = tiling.cluster == 1 ? builder.blockX() : clusterX(builder);
    if (!tiling.IsPersistent()) {
      return body(workOf(first), std::move(carried));
    }
    Value clusters = tiling.cluster == 1 ? builder.gridX() : clusterCountX(builder),
          others = builder.sub(builder.constant(tiling.items() - 1), first);
    Value count = builder.add(builder.div(others, clusters), 1);
    return builder.loop(
        count, 1, std::move(carried),
        [&](Value number, Values in) {
          Value item = builder.add(first, builder.mul(number, clusters));
          return body(workOf(item), std::move(in));
        },
        Unrolling::kNone);
  }

  Values start() { return {builder.constant(0), builder.constant(0)}; }

  void produce() {
    if (tiling.MovesRegisters()) setMaxRegisters(builder, tiling.ProducerRegisters(), /*isIncrease=*/false);
    builder.when(builder.less(builder.threadX(), kWarpThreads), [&] {
      builder.when(isElectedLane(builder), [&] {
        Values last = forEachItem(start(), [&](const BlockWork& work, Values ring) {
          ring.push_back(work.firstK);
          Values end = builder.loop(
              work.tilesK, 1, ring,
              [&](Value, Values in) {
                RingPosition position{in[0], in[1]};
                loadStage(work, position, in[2]);
                position = next(position);
                return Values{position.stage, position.phase, builder.add(in[2], s.bk)};
              },
              Unrolling::kNone);
          return Values{end[0], end[1]};
        });
        if (tiling.cluster > 1) waitForRelease({last[0], last[1]});
      });
    });
  }

  /// Waits until all stages are released.
  void waitForRelease(RingPosition position) {
    KernelBuilder::ScopedName at(builder, "wait until all stages are released");
    for (int64_t stage = 0; stage < s.stages; ++stage) {
      waitUntilEmpty(position);
      position = next(position);
    }
  }

  void waitUntilEmpty(const RingPosition& position) {
    Value phase = builder.exclusiveOr(position.phase, builder.constant(1));
    waitMbarrier(builder, emptyBarrier(position.stage), phase);
  }

  void loadStage(const BlockWork& work, const RingPosition& position, Value k) {
    Value full = fullBarrier(position.stage), stage = stageAt(position.stage);
    {
      KernelBuilder::ScopedName at(builder, "wait until the stage is empty");
      waitUntilEmpty(position);
    }
    {
      KernelBuilder::ScopedName at(builder, "expect the bytes of the stage");
      arriveExpectingBytes(builder, full, builder.constant(tiling.StageBytes()));
    }
    {
      KernelBuilder::ScopedName at(builder, "load the A tile");
      loadTile(tiling.a, buffers[0], stage, work.row, k, work.matrix, full, columnInCluster, partnersInRow());
    }
    KernelBuilder::ScopedName at(builder, "load the B tile");
    Value tileB = builder.offsetBytes(stage, tiling.a.bytes());
    loadTile(tiling.b, buffers[1], tileB, work.column, k, work.matrix, full, rowInCluster, partnersInColumn());
  }

  Value shiftLeft(Value x, Value places) { return builder.create<mlir::arith::ShLIOp>(x, places); }

  /// Return the blocks of this block's row or column in the cluster, a bit for each rank; null if it is alone in it.
  Value partnersInRow() {
    if (s.clusterN == 1) return {};
    return shiftLeft(builder.constant((1 << s.clusterN) - 1), builder.mul(rowInCluster, s.clusterN));
  }
  Value partnersInColumn() {
    if (s.clusterM == 1) return {};
    int64_t firstColumn = 0;
    for (int64_t row = 0; row < s.clusterM; ++row) firstColumn |= int64_t{1} << (row * s.clusterN);
    return shiftLeft(builder.constant(firstColumn), columnInCluster);
  }

  /// Loads the slabs of a tile, or slice number `slice` of each of them into the stages of all `partners`. The first
  /// index of the tile in the dimension that is not k is `outer`.
  void loadTile(const WgmmaOperandTile& tile, Value map, Value target, Value outer, Value k, Value matrix, Value full,
                Value slice, Value partners) {
    Value along = tile.rowsAreK ? outer : k, across = tile.rowsAreK ? k : outer;
    if (partners) {
      across = builder.add(across, builder.mul(slice, tile.sliceRows));
      target = builder.offsetBytes(target, builder.mul(slice, tile.sliceRows * WgmmaOperandTile::kRowBytes));
    }
    for (int64_t slab = 0; slab < tile.slabs; ++slab)
      for (int64_t row = 0; row < tile.sliceRows; row += tile.copyRows) {
        Values coordinates = {builder.add(along, slab * tile.RowElements()), builder.add(across, row)};
        if (matrix) coordinates.push_back(matrix);
        const int64_t offset = slab * tile.SlabBytes() + row * WgmmaOperandTile::kRowBytes;
        loadTensor(builder, {builder.offsetBytes(target, offset), map, coordinates, full, partners});
      }
  }

  void consume() {
    if (tiling.MovesRegisters()) setMaxRegisters(builder, tiling.ConsumerRegisters(), /*isIncrease=*/true);
    consumer = builder.sub(warpgroup, builder.constant(1));
    thread = builder.rem(builder.threadX(), kWarpgroupThreads);
    if (tiling.cluster > 1) partner = rankOfPartner(thread);
    forEachItem(start(), [&](const BlockWork& work, Values ring) {
      Values sums = multiplyTile(work, ring);
      store(work, sums);
      return ring;
    });
  }

  /// Arrives at the barriers of the blocks that fill the stage, by a thread for each of them.
  void release(Value stage) {
    KernelBuilder::ScopedName at(builder, "release the stage");
    if (tiling.cluster == 1) {
      builder.when(builder.equal(thread, 0), [&] { arriveMbarrier(builder, emptyBarrier(stage)); });
      return;
    }
    builder.when(builder.less(thread, tiling.Partners()),
                 [&] { arriveMbarrierOf(builder, emptyBarrier(stage), partner); });
  }

  /// Returns the rank of partner number `number`: the blocks of this block's row in the cluster come first, then the
  /// others of its column.
  Value rankOfPartner(Value number) {
    Value inRow = builder.add(builder.mul(rowInCluster, s.clusterN), number);
    if (s.clusterM == 1) return inRow;
    Value other = builder.sub(number, builder.constant(s.clusterN)), one = builder.constant(1),
          none = builder.constant(0);
    Value row = builder.add(other, builder.select(builder.less(other, rowInCluster), none, one));
    Value inColumn = builder.add(builder.mul(row, s.clusterN), columnInCluster);
    return builder.select(builder.less(number, s.clusterN), inRow, inColumn);
  }

  WgmmaShape shape() const {
    return {tiling.problem.dtype, s.bn, /*isMnMajorA=*/tiling.a.rowsAreK, /*isMnMajorB=*/tiling.b.rowsAreK};
  }

  /// Returns the sums of a tile, those of each 64 rows, and advances `ring`.
  Values multiplyTile(const BlockWork& work, Values& ring) {
    Values carried(s.mi, undefinedAccumulators(builder, shape()));
    carried.append(ring);
    carried.push_back(ring[0]);  // The stage before; of the first step it is not read.
    carried = builder.loop(
        work.tilesK, 1, carried,
        [&](Value step, Values in) {
          Values sums(in.begin(), in.begin() + s.mi);
          RingPosition position{in[s.mi], in[s.mi + 1]};
          Value before = in[s.mi + 2], isLater = builder.greater(step, 0);
          {
            KernelBuilder::ScopedName at(builder, "wait until the stage is full");
            waitMbarrier(builder, fullBarrier(position.stage), position.phase);
          }
          multiplyStage(stageAt(position.stage), isLater, sums);
          if (s.inFlight == 0) {
            sums = waitForProducts(0, sums);
            release(position.stage);
          } else {
            waitForProducts(1, {});
            builder.when(isLater, [&] { release(before); });
          }
          RingPosition following = next(position);
          sums.append({following.stage, following.phase, position.stage});
          return sums;
        },
        Unrolling::kNone);
    Values sums(carried.begin(), carried.begin() + s.mi);
    ring = {carried[s.mi], carried[s.mi + 1]};
    if (s.inFlight > 0) {
      sums = waitForProducts(0, sums);
      release(carried[s.mi + 2]);
    }
    return sums;
  }

  Values waitForProducts(int64_t groups, const Values& sums) {
    KernelBuilder::ScopedName at(builder, "wait for products");
    return waitWgmma(builder, groups, sums);
  }

  void multiplyStage(Value stage, Value accumulates, Values& sums) {
    KernelBuilder::ScopedName at(builder, "multiply the tiles");
    Value rows = builder.offsetBytes(stage, builder.mul(consumer, s.mi * tiling.a.BytesOf64()));
    Value a = descriptorOf(tiling.a, rows), b = descriptorOf(tiling.b, builder.offsetBytes(stage, tiling.a.bytes()));
    fenceWgmma(builder);
    for (int64_t step = 0; step < tiling.stepsK; ++step)
      for (int64_t i = 0; i < s.mi; ++i) {
        Value stepA = advanceDescriptor(builder, a, i * tiling.a.BytesOf64() + tiling.a.OffsetOfStep(step));
        Value stepB = advanceDescriptor(builder, b, tiling.b.OffsetOfStep(step));
        sums[i] = wgmma(builder, shape(), sums[i], stepA, stepB, step == 0 ? accumulates : Value());
      }
    commitWgmma(builder);
  }

  Value descriptorOf(const WgmmaOperandTile& tile, Value address) {
    if (tile.rowsAreK) return mnMajorDescriptor(builder, address, tile.SlabBytes());
    return kMajorDescriptor(builder, address);
  }

  /// Adds the sums of other blocks, if blocks share the tile, and stores it.
  void store(BlockWork work, const Values& structures) {
    Values sums;
    for (Value structure : structures) sums.append(builder.structFields(structure, shape().accumulators()));
    OrderedReductionResult finished{sums, Value()};
    if (s.reduction == kOrderedReduction) {
      Value number = builder.constant(1), first = builder.constant(kWarpgroupThreads);
      const ThreadGroup consumers{s.consumers * kWarpgroupThreads, number, first};
      Value word = builder.offsetBytes(shared, tiling.BarrierOffset() + 2 * s.stages * kMbarrierBytes);
      if (tiling.cluster > 1) work.counter = builder.add(builder.mul(work.counter, tiling.cluster), rank);
      finished = reduceInOrder(builder, tiling.GridOfBlocks(), work, consumers, buffers.back(), word, sums);
    }
    builder.when(finished.isComplete, [&] {
      if (s.epiColumns == 0)
        storeDirectly(work, finished.sums);
      else
        storeThroughShared(work, finished.sums);
    });
  }

  /// Stores some columns after others: what FragmentEpilogue does with those of the consumers' warps.
  void storeThroughShared(const BlockWork& work, llvm::ArrayRef<Value> sums) {
    ResultWriter result = resultOf(builder, tiling.problem, s.reduction, work, buffers);
    FragmentTile tile;
    tile.sumType = tiling.problem.AccumulatorType();
    tile.rowsM = s.mi;
    tile.rowStep = kWgmmaRows;
    tile.warpTiles = 4 * s.consumers;
    tile.vector = tiling.storeC;
    tile.pitch = tiling.StorePitch();
    tile.rowStrideC = tile.columnsC = tiling.problem.n;
    tile.mayOverhangRows = isRaggedM();
    tile.mayOverhangColumns = isRaggedN();
    FragmentWarp warp;
    Value inConsumer = builder.div(thread, kWarpThreads);
    warp.lane = builder.rem(thread, kWarpThreads);
    warp.number = warp.tile = builder.add(builder.mul(consumer, 4), inConsumer);
    warp.row = builder.add(builder.mul(consumer, kWgmmaRows * s.mi), builder.mul(inConsumer, 16));
    Value rows = builder.offsetBytes(shared, tiling.StoreOffset());
    for (int64_t first = 0; first < s.bn; first += s.epiColumns) {
      tile.columns = std::min(s.epiColumns, s.bn - first);
      warp.column = builder.constant(first);
      Values ofColumns;
      for (int64_t i = 0; i < s.mi; ++i)
        llvm::append_range(ofColumns, sums.slice(i * shape().accumulators() + first / 2, tile.columns / 2));
      {
        KernelBuilder::ScopedName at(builder, "wait until finished rows are read");
        builder.warpBarrier();
      }
      FragmentEpilogue(builder, tile, ThreadGroup(), warp, rows).store(ofColumns, result, work);
    }
  }

  /// True if tiles may lie beyond the rows or columns of C.
  bool isRaggedM() const { return tiling.problem.m % tiling.grid.bm != 0; }
  bool isRaggedN() const { return tiling.problem.n % tiling.grid.bn != 0; }

  /// Stores the sums of the consumer's rows straight from registers. A thread has two neighbours of each 8 columns, in
  /// row lane / 4 of its warp's 16 rows and in the row eight below.
  void storeDirectly(const BlockWork& work, llvm::ArrayRef<Value> sums) {
    ResultWriter result = resultOf(builder, tiling.problem, s.reduction, work, buffers);
    Value lane = builder.rem(thread, kWarpThreads), warp = builder.div(thread, kWarpThreads);
    Value rowOfConsumer = builder.add(builder.mul(warp, 16), builder.div(lane, 4));
    Value row = builder.add(work.row, builder.add(builder.mul(consumer, 64 * s.mi), rowOfConsumer));
    Value column = builder.add(work.column, builder.mul(builder.rem(lane, 4), 2));
    const int64_t n = tiling.problem.n;
    Value firstOfRow = builder.mul(builder.extendToI64(row), n);
    result = result.at(builder.add(firstOfRow, builder.extendToI64(column)), column);
    Value rowsLeft = builder.sub(work.rows, row), columnsLeft = builder.sub(builder.constant(n), column);
    for (int64_t i = 0; i < s.mi; ++i)
      for (int64_t half : {0, 1}) {
        const int64_t below = 64 * i + 8 * half;
        builder.when(isRaggedM() ? builder.greater(rowsLeft, below) : Value(), [&] {
          for (int64_t j = 0; j < s.bn / 8; ++j)
            for (int64_t first = 0; first < 2; first += tiling.storeC) {
              const int64_t right = 8 * j + first;
              builder.when(isRaggedN() ? builder.greater(columnsLeft, right) : Value(), [&] {
                auto at = sums.begin() + i * shape().accumulators() + 4 * j + 2 * half + first;
                result.at(below * n + right, right).store(builder.concatenate(Values(at, at + tiling.storeC)));
              });
            }
        });
      }
  }

  KernelBuilder& builder;
  const WgmmaTiling& tiling;
  const WgmmaSchedule& s;
  llvm::ArrayRef<Value> buffers;
  Value shared, warpgroup;
  Value rank, rowInCluster, columnInCluster;  ///< The block's place in its cluster; null without clusters.
  Value consumer, thread;                     ///< Numbers of the consumer and of the thread in it; within consume().
  Value partner;  ///< Rank of the block whose barriers this thread arrives at; within consume().
};

}  // namespace

void emitWgmma(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes,
               const MatmulLayout&) {
  const WgmmaTiling tiling(problem, WgmmaSchedule::FromSchedule(schedule));
  const WgmmaSchedule& s = tiling.schedule;
  KernelSignature signature = mainKernelSignature(problem, kWgmmaKernel, tiling.threads, 1, s.reduction, sizes);
  signature.buffers[0] = signature.buffers[1] = BufferUse::kTensorMap;
  signature.cluster[0] = static_cast<int32_t>(tiling.cluster);
  Values buffers = builder.beginKernel(signature);
  WgmmaEmitter(builder, tiling, buffers).emit();
  builder.finishKernel();
  if (s.reduction == kWorkspaceReduction) emitSplitReduction(builder, problem, s.splitK);
}

}  // namespace mmtune
