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
//                                                    store the sums (wgmma_store_emitter.h)
//
// Stage and phase run on from tile to tile, so that the producer loads the next tile while consumers store one. In
// ping-pong mode each of two consumers has every second tile, and skips the stages of the others.
//
// In a cluster, blocks of a row need the same rows of A, and blocks of a column the same columns of B. Each loads a
// slice of them into the same stage of all (multicast), and fills a stage when the consumers of all these blocks have
// released theirs. A producer ends when its last stages are released, so that no other block uses its barriers any
// more.
#include <algorithm>
#include <utility>

#include "kernels/builder/cluster.h"
#include "kernels/builder/kernel_names.h"
#include "kernels/builder/mbarrier.h"
#include "kernels/builder/tensor_copy.h"
#include "kernels/builder/thread_group.h"
#include "kernels/builder/wgmma.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/kernel_emitter.h"
#include "kernels/families/wgmma/wgmma_schedule.h"
#include "kernels/families/wgmma/wgmma_store_emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

/// Named barriers: of all consumers, of the first consumer, and the one at which the first waits for its turn. Those of
/// the other consumers follow.
constexpr int64_t kConsumersBarrier = 1, kConsumerBarrier = 2, kOrderBarrier = 5;

constexpr int64_t kWarpsOfGroup = kWarpgroupThreads / kWarpThreads;

/// A position in the ring: a stage, and the parity of the phase in which it is used.
struct RingPosition {
  Value stage, phase;
};

class WgmmaEmitter {
 public:
  WgmmaEmitter(KernelBuilder& builder, const WgmmaTiling& tiling, llvm::ArrayRef<Value> parameters)
      : builder(builder),
        tiling(tiling),
        s(tiling.schedule),
        buffers(parameters),
        shared(builder.sharedMemory()),
        warpgroup(warpgroupIndex(builder)) {
    if (tiling.cluster == 1) return;
    rank = blockRankInCluster(builder);
    rowInCluster = builder.div(rank, s.clusterN);
    columnInCluster = builder.rem(rank, s.clusterN);
  }

  void emit() {
    nameForReports();
    initializeBarriers();
    Value isProducer = builder.equal(warpgroup, 0);
    Value isConsumer = builder.exclusiveOr(isProducer, builder.trueConstant());
    // Consumers come first: behind the producer's branches of single lanes, ptxas would not know that their branches
    // are uniform, and keep addresses in registers that wgmma cannot read.
    builder.when(isConsumer, [&] { consume(); });
    builder.when(isProducer, [&] { produce(); });
  }

 private:
  /// Returns the address of a stage's barriers, but for a constant. That is added last, as a part of instructions.
  Value slotOf(Value stage) { return builder.offsetBytes(shared, builder.mul(stage, kMbarrierBytes)); }
  Value fullBarrierAt(Value slot) { return builder.offsetBytes(slot, tiling.BarrierOffset()); }
  Value emptyBarrierAt(Value slot) {
    return builder.offsetBytes(slot, tiling.BarrierOffset() + s.stages * kMbarrierBytes);
  }
  Value fullBarrier(Value stage) { return fullBarrierAt(slotOf(stage)); }
  Value emptyBarrier(Value stage) { return emptyBarrierAt(slotOf(stage)); }

  /// True if stage and phase are bits of one number, that of the stages before, which saves instructions.
  bool countsStages() const { return llvm::isPowerOf2_64(static_cast<uint64_t>(s.stages)); }
  /// Returns the values that a loop carries of the ring's first position: number of stages before, or stage and phase.
  Values start() { return Values(countsStages() ? 1 : 2, builder.constant(0)); }
  RingPosition positionOf(llvm::ArrayRef<Value> ring) {
    if (!countsStages()) return {ring[0], ring[1]};
    Value stage = builder.rem(ring[0], s.stages);
    return {stage, builder.rem(builder.div(ring[0], s.stages), 2)};
  }
  Values next(llvm::ArrayRef<Value> ring) {
    Value following = builder.add(ring[0], 1);
    if (countsStages()) return {following};
    Value isLast = builder.equal(following, s.stages), none = builder.constant(0);
    Value otherPhase = builder.exclusiveOr(ring[1], builder.constant(1)),
          stage = builder.select(isLast, none, following);
    return {stage, builder.select(isLast, otherPhase, ring[1])};
  }
  /// Returns `ring` behind `stages` more stages.
  Values advance(llvm::ArrayRef<Value> ring, Value stages) {
    Value sum = builder.add(ring[0], stages);
    if (countsStages()) return {sum};
    Value rounds = builder.div(sum, s.stages), phase = builder.exclusiveOr(ring[1], builder.rem(rounds, 2));
    return {builder.rem(sum, s.stages), phase};
  }

  /// Names the barriers, and the warps by their roles.
  void nameForReports() {
    nameWarps(builder, 0, kWarpsOfGroup, "producer");
    for (int64_t i = 0; i < s.consumers; ++i)
      nameWarps(builder, (i + 1) * kWarpsOfGroup, kWarpsOfGroup, "consumer " + std::to_string(i));
    nameMbarriers(builder, tiling.BarrierOffset(), s.stages, "full");
    nameMbarriers(builder, tiling.BarrierOffset() + s.stages * kMbarrierBytes, s.stages, "empty");
    if (tiling.AddendBarriers() > 0)
      nameMbarriers(builder, tiling.AddendBarrierOffset(), tiling.AddendBarriers(), "addend");
    nameBarriers(builder, kConsumersBarrier, 1, "all consumers");
    nameBarriers(builder, kConsumerBarrier, s.consumers, "consumer");
    if (s.mode == kPingPong) nameBarriers(builder, kOrderBarrier, s.consumers, "order");
  }

  void initializeBarriers() {
    KernelBuilder::ScopedName at(builder, "initialise the barriers of the ring");
    builder.when(builder.equal(builder.threadX(), 0), [&] {
      for (Value map : buffers.take_front(tiling.StoresByCopies() ? 3 : 2)) prefetchTensorMap(builder, map);
      if (s.addend == kAddendByCopies) prefetchTensorMap(builder, buffers[tiling.AddendArgument()]);
      for (int64_t stage = 0; stage < s.stages; ++stage) {
        Value number = builder.constant(stage);
        initMbarrier(builder, fullBarrier(number), 1);
        initMbarrier(builder, emptyBarrier(number), tiling.ConsumersOfTile() * tiling.MulticastPeers());
      }
      for (int64_t i = 0; i < tiling.AddendBarriers(); ++i)
        initMbarrier(builder, builder.offsetBytes(shared, tiling.AddendBarrierOffset() + i * kMbarrierBytes), 1);
      fenceMbarrierInit(builder);
    });
    if (tiling.cluster == 1) return builder.barrier();
    arriveAtClusterBarrier(builder, /*isRelaxed=*/true);
    waitForClusterBarrier(builder);
  }

  /// Returns the tile of C and range of k with number `number` among those that the block computes.
  BlockWork workOf(Value number) {
    const int64_t tiles = tiling.grid.Tiles();
    const bool isSplit = s.splitK > 1;
    Value item = firstItem();
    if (number) item = builder.add(item, builder.mul(number, clusterCount()));
    Value split = isSplit ? builder.div(item, tiles) : Value(), tile = isSplit ? builder.rem(item, tiles) : item;
    Value rows = rowsOf(builder, tiling.problem, tiling.sizes, buffers);
    BlockWork work = assignWork(builder, tiling.grid, tiling.problem.k, rows, tile, split);
    if (tiling.cluster > 1) {
      work.row = builder.add(work.row, builder.mul(rowInCluster, tiling.bm));
      work.column = builder.add(work.column, builder.mul(columnInCluster, s.bn));
    }
    return work;
  }
  Value firstItem() { return tiling.cluster == 1 ? builder.blockX() : clusterX(builder); }
  Value clusterCount() { return tiling.cluster == 1 ? builder.gridX() : clusterCountX(builder); }
  /// Returns how many tiles a persistent block computes.
  Value itemCount() {
    Value others = builder.sub(builder.constant(tiling.items() - 1), firstItem());
    return builder.add(builder.div(others, clusterCount()), 1);
  }

  /// Emits `body` for each tile that the block computes, with the range of k of its split and its number. The values
  /// that `body` returns are carried to the next tile; the last ones are returned.
  Values forEachItem(Values carried, llvm::function_ref<Values(const BlockWork&, Value, Values)> body) {
    if (!tiling.IsPersistent()) return body(workOf(Value()), builder.constant(0), std::move(carried));
    return builder.loop(
        itemCount(), 1, std::move(carried),
        [&](Value number, Values in) { return body(workOf(number), number, std::move(in)); }, Unrolling::kNone);
  }

  void produce() {
    if (tiling.MovesRegisters()) setMaxRegisters(builder, tiling.ProducerRegisters(), /*isIncrease=*/false);
    builder.when(builder.less(builder.threadX(), kWarpThreads), [&] {
      builder.when(isElectedLane(builder), [&] {
        Values last = forEachItem(start(), [&](const BlockWork& work, Value, Values ring) {
          ring.push_back(work.firstK);
          Values end = builder.loop(
              work.tilesK, 1, ring,
              [&](Value, Values in) {
                Value k = in.pop_back_val();
                loadStage(work, positionOf(in), k);
                Values following = next(in);
                following.push_back(builder.add(k, s.bk));
                return following;
              },
              Unrolling::kNone);
          end.pop_back();
          return end;
        });
        if (tiling.cluster > 1) waitForRelease(last);
      });
    });
  }

  /// Waits until all stages are released.
  void waitForRelease(Values ring) {
    KernelBuilder::ScopedName at(builder, "wait until all stages are released");
    for (int64_t stage = 0; stage < s.stages; ++stage) {
      waitUntilEmpty(positionOf(ring));
      ring = next(ring);
    }
  }

  void waitUntilEmpty(const RingPosition& position) {
    Value phase = builder.exclusiveOr(position.phase, builder.constant(1));
    waitMbarrier(builder, emptyBarrier(position.stage), phase);
  }

  void loadStage(const BlockWork& work, const RingPosition& position, Value k) {
    Value full = fullBarrier(position.stage);
    Value stage = builder.offsetBytes(shared, builder.mul(position.stage, tiling.StageBytes()));
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
      loadTile(tiling.a, buffers[0], stage, work.row, k, work.matrix, full, columnInCluster, partnersInRow(), s.hintA);
    }
    KernelBuilder::ScopedName at(builder, "load the B tile");
    Value tileB = builder.offsetBytes(stage, tiling.a.bytes());
    loadTile(tiling.b, buffers[1], tileB, work.column, k, work.matrix, full, rowInCluster, partnersInColumn(), s.hintB);
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
                Value slice, Value partners, int64_t hint) {
    const L2Hint cache = hint == kEvictFirst  ? L2Hint::kEvictFirst
                         : hint == kEvictLast ? L2Hint::kEvictLast
                                              : L2Hint::kNone;
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
        loadTensor(builder, {builder.offsetBytes(target, offset), map, coordinates, full, partners, cache});
      }
  }

  void consume() {
    if (tiling.MovesRegisters()) setMaxRegisters(builder, tiling.ConsumerRegisters(), /*isIncrease=*/true);
    consumer.number = builder.sub(warpgroup, builder.constant(1));
    consumer.tileNumber = s.mode == kPingPong ? builder.constant(0) : consumer.number;
    consumer.thread = builder.rem(builder.threadX(), kWarpgroupThreads);
    Value barrier = builder.add(consumer.number, kConsumerBarrier);
    consumer.group = {kWarpgroupThreads, barrier, builder.mul(warpgroup, kWarpgroupThreads)};
    if (tiling.cluster > 1) {
      // Other threads, which do not arrive, have a rank of the cluster, too: LLVM may map its address for all threads.
      Value last = builder.constant(tiling.MulticastPeers() - 1);
      partner = rankOfPartner(builder.min(consumer.thread, last));
    }
    WgmmaStore store(builder, tiling, buffers, shared, consumer);
    if (s.mode == kPingPong) {
      consumeEverySecond(store);
    } else {
      forEachItem(start(), [&](const BlockWork& work, Value number, Values ring) {
        store.begin(work, number);
        Values sums = multiplyTile(work, ring, [] {});
        finishTile(store, work, sums);
        return ring;
      });
    }
    store.finish();
  }

  /// Emits the tiles of a consumer that alternates with another one. A named barrier of each lets it begin to multiply
  /// when the other one has issued its products; it waits and arrives once for each change between existing tiles.
  void consumeEverySecond(WgmmaStore& store) {
    Value count = itemCount(), left = builder.sub(count, consumer.number);
    Value turn = builder.add(consumer.number, kOrderBarrier);
    Value turnOfOther = builder.sub(builder.constant(2 * kOrderBarrier + 1), turn);
    // The second consumer begins behind the first tile.
    const Values first = start(), second = skipTile(first, builder.constant(0));
    Value isFirst = builder.equal(consumer.number, 0);
    Values begin;
    for (size_t i = 0; i < first.size(); ++i) begin.push_back(builder.select(isFirst, first[i], second[i]));
    builder.loop(
        left, 2, begin,
        [&](Value before, Values ring) {
          Value number = builder.add(before, consumer.number), following = builder.add(number, 1);
          const BlockWork work = workOf(number);
          store.begin(work, builder.div(before, 2));
          builder.when(builder.greater(number, 0), [&] {
            KernelBuilder::ScopedName at(builder, "wait for the other consumer's products");
            waitAtBarrier(builder, turn, 2 * kWarpgroupThreads);
          });
          Values sums = multiplyTile(work, ring, [&] {
            builder.when(builder.less(following, count), [&] {
              KernelBuilder::ScopedName at(builder, "let the other consumer multiply");
              arriveAtBarrier(builder, turnOfOther, 2 * kWarpgroupThreads);
            });
          });
          finishTile(store, work, sums);
          return skipTile(ring, following);
        },
        Unrolling::kNone);
  }

  /// Returns `ring` behind the stages of tile number `number` of the block.
  Values skipTile(const Values& ring, Value number) { return advance(ring, workOf(number).tilesK); }

  /// Arrives at the barriers of the blocks that fill the stage, by a thread for each of them.
  void release(Value slot) {
    KernelBuilder::ScopedName at(builder, "release the stage");
    if (tiling.cluster == 1) {
      builder.when(builder.equal(consumer.thread, 0), [&] { arriveMbarrier(builder, emptyBarrierAt(slot)); });
      return;
    }
    builder.when(builder.less(consumer.thread, tiling.MulticastPeers()),
                 [&] { arriveMbarrierOf(builder, emptyBarrierAt(slot), partner); });
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

  /// Returns the sums of a tile, those of each 64 rows, and advances `ring`. Emits `whenIssued` behind the last
  /// product.
  Values multiplyTile(const BlockWork& work, Values& ring, llvm::function_ref<void()> whenIssued) {
    Values sums(s.mi, undefinedAccumulators(builder, shape()));
    const WgmmaHighWords high = highWordsForLoop(builder, tiling.IsPersistent() ? ring[0] : Value());
    // The first step replaces the accumulators, and has no step before.
    Value slot = multiplyStep(ring, sums, /*accumulates=*/false, {});
    Values carried = sums;
    carried.append(next(ring));
    carried.push_back(slot);
    carried = builder.loop(
        builder.sub(work.tilesK, builder.constant(1)), 1, carried,
        [&](Value, Values in) {
          Value before = in.pop_back_val();
          Values results(in.begin(), in.begin() + s.mi), position(in.begin() + s.mi, in.end());
          Value current = multiplyStep(position, results, /*accumulates=*/true, high);
          if (s.inFlight > 0) {
            waitForProducts(1, {});
            release(before);
          }
          results.append(next(position));
          results.push_back(current);
          return results;
        },
        Unrolling::kNone);
    Value last = carried.pop_back_val();
    sums.assign(carried.begin(), carried.begin() + s.mi);
    ring.assign(carried.begin() + s.mi, carried.end());
    whenIssued();
    if (s.inFlight > 0) {
      sums = waitForProducts(0, sums);
      release(last);
    }
    return sums;
  }

  /// Multiplies a stage when it is full, and returns the address of its barriers (slotOf()). Without products in flight
  /// it waits for them, and releases the stage.
  Value multiplyStep(llvm::ArrayRef<Value> ring, Values& sums, bool accumulates, const WgmmaHighWords& high) {
    RingPosition position = positionOf(ring);
    Value slot = slotOf(position.stage);
    {
      KernelBuilder::ScopedName at(builder, "wait until the stage is full");
      waitMbarrier(builder, fullBarrierAt(slot), position.phase);
    }
    multiplyStage(position.stage, accumulates, high, sums);
    if (s.inFlight == 0) {
      sums = waitForProducts(0, sums);
      release(slot);
    }
    return slot;
  }

  Values waitForProducts(int64_t groups, const Values& sums) {
    KernelBuilder::ScopedName at(builder, "wait for products");
    return waitWgmma(builder, groups, sums);
  }

  void multiplyStage(Value stage, bool accumulates, const WgmmaHighWords& high, Values& sums) {
    KernelBuilder::ScopedName at(builder, "multiply the tiles");
    // The descriptors of the first stage are loop invariants.
    Value rows = builder.offsetBytes(shared, builder.mul(consumer.tileNumber, s.mi * tiling.a.BytesOf64()));
    Value columns = builder.offsetBytes(shared, tiling.a.bytes()), offset = builder.mul(stage, tiling.StageBytes());
    Value a = advanceDescriptor(builder, descriptorOf(tiling.a, rows), offset);
    Value b = advanceDescriptor(builder, descriptorOf(tiling.b, columns), offset);
    Value replaces = accumulates ? Value() : builder.equal(builder.constant(0), 1);
    fenceWgmma(builder);
    for (int64_t step = 0; step < tiling.stepsK; ++step)
      for (int64_t i = 0; i < s.mi; ++i) {
        Value stepA = advanceDescriptor(builder, a, i * tiling.a.BytesOf64() + tiling.a.OffsetOfStep(step));
        Value stepB = advanceDescriptor(builder, b, tiling.b.OffsetOfStep(step));
        sums[i] = wgmma(builder, shape(), sums[i], stepA, stepB, step == 0 ? replaces : Value(), high);
      }
    commitWgmma(builder);
  }

  Value descriptorOf(const WgmmaOperandTile& tile, Value address) {
    if (tile.rowsAreK) return mnMajorDescriptor(builder, address, tile.SlabBytes());
    return kMajorDescriptor(builder, address);
  }

  /// Adds the sums of other blocks, if blocks share the tile, and stores it.
  void finishTile(WgmmaStore& store, BlockWork work, const Values& structures) {
    Values sums;
    for (Value structure : structures) sums.append(builder.structFields(structure, shape().accumulators()));
    OrderedReductionResult finished{sums, Value()};
    if (s.reduction == kOrderedReduction) {
      const ThreadGroup all{s.consumers * kWarpgroupThreads, builder.constant(kConsumersBarrier),
                            builder.constant(kWarpgroupThreads)};
      const ThreadGroup& group = s.mode == kPingPong ? consumer.group : all;
      Value words = builder.offsetBytes(shared, tiling.BarrierOffset() + 2 * s.stages * kMbarrierBytes);
      Value word = s.mode == kPingPong ? builder.offsetBytes(words, builder.mul(consumer.number, 4)) : words;
      if (tiling.cluster > 1) work.counter = builder.add(builder.mul(work.counter, tiling.cluster), rank);
      finished = reduceInOrder(builder, tiling.GridOfBlocks(), work, group, buffers.back(), word, sums);
    }
    builder.when(finished.isComplete, [&] { store.store(work, finished.sums); });
  }

  KernelBuilder& builder;
  const WgmmaTiling& tiling;
  const WgmmaSchedule& s;
  llvm::ArrayRef<Value> buffers;  ///< The kernel's parameters: behind the buffers may be the number of rows.
  Value shared, warpgroup;
  Value rank, rowInCluster, columnInCluster;  ///< The block's place in its cluster; null without clusters.
  WgmmaConsumer consumer;                     ///< Within consume().
  Value partner;  ///< Rank of the block whose barriers this thread arrives at; within consume().
};

}  // namespace

void emitWgmma(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes,
               const MatmulLayout&) {
  const WgmmaTiling tiling(problem, WgmmaSchedule::FromSchedule(schedule), sizes);
  const WgmmaSchedule& s = tiling.schedule;
  KernelSignature signature = mainKernelSignature(problem, kWgmmaKernel, tiling.threads, 1, s.reduction, sizes);
  signature.buffers[0] = signature.buffers[1] = BufferUse::kTensorMap;
  if (tiling.StoresByCopies()) signature.buffers[2] = BufferUse::kTensorMap;
  if (s.addend == kAddendByCopies) signature.buffers[tiling.AddendArgument()] = BufferUse::kTensorMap;
  signature.cluster[0] = static_cast<int32_t>(tiling.cluster);
  Values buffers = builder.beginKernel(signature);
  WgmmaEmitter(builder, tiling, buffers).emit();
  builder.finishKernel();
  if (s.reduction == kWorkspaceReduction) emitSplitReduction(builder, problem, s.splitK);
}

}  // namespace mmtune
