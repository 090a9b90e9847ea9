// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/builder/ring_kernel.h"

#include "kernels/builder/mbarrier.h"
#include "kernels/builder/tensor_copy.h"
#include "kernels/builder/thread_group.h"
#include "kernels/builder/wgmma.h"

namespace mmtune {
namespace {

using mlir::Value;
using Values = KernelBuilder::Values;

constexpr int64_t kTileBytes = kRingTile * kWgmmaRowBytes, kStageBytes = 2 * kTileBytes;
constexpr int64_t kStoredTile = kRingStages * kStageBytes, kFull = kStoredTile + kTileBytes;
constexpr int64_t kEmpty = kFull + kRingStages * kMbarrierBytes;
constexpr int64_t kStoreBarrier = 1;

class RingEmitter {
 public:
  RingEmitter(KernelBuilder& builder, const RingProblem& problem, RingMistake mistake)
      : builder_(builder), problem_(problem), mistake_(mistake) {}

  void Emit() {
    KernelSignature signature;
    signature.name = "ring";
    signature.buffers.assign(3, BufferUse::kTensorMap);
    signature.threads[0] = kRingThreads;
    maps_ = builder_.beginKernel(signature);
    shared_ = builder_.sharedMemory();
    InitBarriers();
    Value group = warpgroupIndex(builder_);
    builder_.when(builder_.equal(group, 0), [&] { CopyTiles(); });
    builder_.when(builder_.equal(group, 1), [&] { MultiplyTiles(); });
    builder_.finishKernel();
  }

 private:
  /// Position in the ring.
  struct Stage {
    Value index, phase;
  };

  bool Has(RingMistake mistake) const { return mistake_ == mistake; }
  Value At(int64_t offset) { return builder_.offsetBytes(shared_, offset); }
  Value BarrierAt(int64_t first, Value stage) {
    return builder_.offsetBytes(At(first), builder_.mul(stage, kMbarrierBytes));
  }
  Value TileAt(Value stage) { return builder_.offsetBytes(shared_, builder_.mul(stage, kStageBytes)); }
  Stage Next(const Stage& stage) {
    Value next = builder_.add(stage.index, 1), wraps = builder_.equal(next, kRingStages);
    Value zero = builder_.constant(0), other = builder_.exclusiveOr(stage.phase, builder_.constant(1));
    return {builder_.select(wraps, zero, next), builder_.select(wraps, other, stage.phase)};
  }

  void InitBarriers() {
    builder_.when(builder_.equal(builder_.threadX(), 0), [&] {
      for (Value map : maps_) prefetchTensorMap(builder_, map);
      for (int64_t i = 0; i < kRingStages; ++i) {
        initMbarrier(builder_, At(kFull + i * kMbarrierBytes), 1);
        initMbarrier(builder_, At(kEmpty + i * kMbarrierBytes), 1);
      }
      if (!Has(RingMistake::kNoInitFence)) fenceMbarrierInit(builder_);
    });
    if (!Has(RingMistake::kNoInitBarrier)) builder_.barrier();
  }

  /// Emits a loop over the block's tiles of C, and passes the row, the column, and carried values.
  void ForEachTile(Values carried, llvm::function_ref<Values(Value, Value, Values)> body) {
    const int64_t tiles_n = (problem_.n + kRingTile - 1) / kRingTile;
    const int64_t tiles = (problem_.m + kRingTile - 1) / kRingTile * tiles_n;
    Value left = builder_.sub(builder_.constant(tiles + kRingBlocks - 1), builder_.blockX());
    auto tile = [&](Value i, Values in) {
      Value number = builder_.add(builder_.mul(i, kRingBlocks), builder_.blockX());
      return body(builder_.mul(builder_.div(number, tiles_n), kRingTile),
                  builder_.mul(builder_.rem(number, tiles_n), kRingTile), in);
    };
    builder_.loop(builder_.div(left, kRingBlocks), 1, carried, tile, Unrolling::kNone);
  }

  Value StepsK() { return builder_.constant((problem_.k + kRingTile - 1) / kRingTile); }

  void CopyTiles() {
    setMaxRegisters(builder_, 40, /*isIncrease=*/false);
    Value warp = builder_.div(builder_.threadX(), kWarpThreads);
    builder_.when(builder_.equal(warp, 0), [&] {
      builder_.when(isElectedLane(builder_), [&] {
        Values start = {builder_.constant(0), builder_.constant(0)};
        ForEachTile(start, [&](Value row, Value column, Values at_tile) {
          return builder_.loop(
              StepsK(), 1, at_tile,
              [&](Value step, Values in) {
                Stage stage{in[0], in[1]};
                CopyStep(row, column, builder_.mul(step, kRingTile), stage);
                stage = Next(stage);
                return Values{stage.index, stage.phase};
              },
              Unrolling::kNone);
        });
      });
    });
  }

  void CopyStep(Value row, Value column, Value k, const Stage& stage) {
    Value full = BarrierAt(kFull, stage.index), tiles = TileAt(stage.index);
    if (!Has(RingMistake::kNoEmptyWait)) {
      KernelBuilder::ScopedName at(builder_, "wait for an empty stage");
      Value before = builder_.exclusiveOr(stage.phase, builder_.constant(1));
      waitMbarrier(builder_, BarrierAt(kEmpty, stage.index),
                   Has(RingMistake::kWrongEmptyParity) ? stage.phase : before);
    }
    KernelBuilder::ScopedName at(builder_, "load a stage");
    const int64_t bytes = Has(RingMistake::kTooFewBytes)    ? kTileBytes
                          : Has(RingMistake::kTooManyBytes) ? kStageBytes + 16
                                                            : kStageBytes;
    arriveExpectingBytes(builder_, full, builder_.constant(bytes));
    loadTensor(builder_, {tiles, maps_[0], {k, row}, full, {}, L2Hint::kEvictFirst});
    Values place = problem_.isMnMajorB ? Values{column, k} : Values{k, column};
    loadTensor(builder_, {builder_.offsetBytes(tiles, kTileBytes), maps_[1], place, full});
  }

  void MultiplyTiles() {
    setMaxRegisters(builder_, 232, /*isIncrease=*/true);
    group_ = {kWarpgroupThreads, builder_.constant(kStoreBarrier), builder_.constant(kWarpgroupThreads)};
    thread_ = group_.thread(builder_);
    Value warp = builder_.div(thread_, kWarpThreads);
    leads_ = builder_.logicalAnd(builder_.equal(warp, 0), isElectedLane(builder_));
    Values start = {builder_.constant(0), builder_.constant(0)};
    ForEachTile(start, [&](Value row, Value column, Values in) {
      Stage stage{in[0], in[1]};
      Value sums = MultiplyTile(stage);
      StoreTile(sums, row, column);
      return Values{stage.index, stage.phase};
    });
    if (Has(RingMistake::kNoFinalStoreWait)) return;
    KernelBuilder::ScopedName at(builder_, "wait for the last store");
    builder_.when(leads_, [&] { waitForStores(builder_, 0, /*readOnly=*/true); });
  }

  void Release(Value stage, Value condition) {
    if (Has(RingMistake::kNoRelease)) return;
    KernelBuilder::ScopedName at(builder_, "release a stage");
    builder_.when(builder_.logicalAnd(leads_, condition), [&] { arriveMbarrier(builder_, BarrierAt(kEmpty, stage)); });
  }

  /// Returns the accumulators, and advances `stage`.
  Value MultiplyTile(Stage& stage) {
    WgmmaShape shape{DataType::kBf16, kRingTile, false, problem_.isMnMajorB};
    Values carried = {undefinedAccumulators(builder_, shape), stage.index, stage.phase, stage.index};
    carried = builder_.loop(
        StepsK(), 1, carried,
        [&](Value step, Values in) {
          Stage now{in[1], in[2]};
          Value isLater = builder_.greater(step, 0);
          Value sums = MultiplyStep(shape, in[0], now, isLater);
          {
            KernelBuilder::ScopedName at(builder_, "wait for the group before");
            sums = waitWgmma(builder_, Has(RingMistake::kNoGroupWait) ? 2 : 1, {sums})[0];
          }
          if (Has(RingMistake::kEarlyRelease))
            Release(now.index, {});
          else
            Release(in[3], isLater);
          Stage next = Next(now);
          return Values{sums, next.index, next.phase, now.index};
        },
        Unrolling::kNone);
    stage = {carried[1], carried[2]};
    if (Has(RingMistake::kNoLastWait)) {
      Release(carried[3], {});
      return carried[0];
    }
    KernelBuilder::ScopedName at(builder_, "wait for the last group");
    Value sums = waitWgmma(builder_, 0, {carried[0]})[0];
    if (!Has(RingMistake::kEarlyRelease)) Release(carried[3], {});
    return sums;
  }

  Value MultiplyStep(const WgmmaShape& shape, Value sums, const Stage& stage, Value isLater) {
    if (!Has(RingMistake::kNoFullWait)) {
      KernelBuilder::ScopedName at(builder_, "wait for a full stage");
      Value before = builder_.exclusiveOr(stage.phase, builder_.constant(1));
      waitMbarrier(builder_, BarrierAt(kFull, stage.index), Has(RingMistake::kWrongFullParity) ? before : stage.phase);
    }
    KernelBuilder::ScopedName at(builder_, "multiply");
    Value tiles = TileAt(stage.index), b = builder_.offsetBytes(tiles, kTileBytes);
    Value descriptorA = kMajorDescriptor(builder_, tiles);
    Value descriptorB =
        problem_.isMnMajorB ? mnMajorDescriptor(builder_, b, kTileBytes) : kMajorDescriptor(builder_, b);
    const int64_t step_b = problem_.isMnMajorB ? shape.k() * kWgmmaRowBytes : kWgmmaBytesK;
    if (!Has(RingMistake::kNoWgmmaFence)) fenceWgmma(builder_);
    for (int64_t i = 0; i < kRingTile / shape.k(); ++i)
      sums = wgmma(builder_, shape, sums, advanceDescriptor(builder_, descriptorA, i * kWgmmaBytesK),
                   advanceDescriptor(builder_, descriptorB, i * step_b), i == 0 ? isLater : Value());
    if (!Has(RingMistake::kNoCommit)) commitWgmma(builder_);
    return sums;
  }

  void StoreTile(Value sums, Value row, Value column) {
    Value tile = At(kStoredTile);
    {
      KernelBuilder::ScopedName at(builder_, "wait until the last tile is read");
      if (!Has(RingMistake::kNoStoreReadWait))
        builder_.when(leads_, [&] { waitForStores(builder_, 0, /*readOnly=*/true); });
      if (!Has(RingMistake::kNoReuseBarrier)) group_.synchronize(builder_);
    }
    {
      KernelBuilder::ScopedName at(builder_, "write the tile to shared memory");
      WriteTile(sums, tile);
      if (!Has(RingMistake::kNoStoreFence)) fenceAsyncProxy(builder_);
    }
    KernelBuilder::ScopedName at(builder_, "store the tile");
    if (!Has(RingMistake::kNoStoreBarrier)) group_.synchronize(builder_);
    builder_.when(leads_, [&] {
      storeTensor(builder_, maps_[2], tile, {column, row});
      commitStores(builder_);
    });
  }

  /// Writes 16 rows and 16 columns with each stmatrix, swizzled like the tensor map of C.
  void WriteTile(Value sums, Value tile) {
    Values elements = builder_.structFields(sums, kRingTile / 2);
    Value warp = builder_.div(thread_, kWarpThreads), lane = builder_.rem(thread_, kWarpThreads);
    Value row = builder_.add(builder_.mul(warp, 16), builder_.rem(lane, 16));
    Value of_row = builder_.offsetBytes(tile, builder_.mul(row, kWgmmaRowBytes));
    for (int64_t columns = 0; columns < kRingTile / 16; ++columns) {
      Value chunk = builder_.add(builder_.div(lane, 16), 2 * columns);
      Value swizzled = builder_.exclusiveOr(chunk, builder_.rem(lane, 8));
      Values words;
      for (int64_t i = 0; i < 4; ++i) {
        // Rows 0 to 7 and 8 to 15 of columns 0 to 7, then of columns 8 to 15.
        const int64_t first = (2 * columns + i / 2) * 4 + i % 2 * 2;
        Value pair = builder_.concatenate({elements[first], elements[first + 1]});
        words.push_back(builder_.bitcast(builder_.convert(pair, builder_.typeOf(DataType::kBf16)), builder_.i32()));
      }
      storeMatrices(builder_, builder_.offsetBytes(of_row, builder_.mul(swizzled, 16)), words);
    }
  }

  KernelBuilder& builder_;
  const RingProblem& problem_;
  const RingMistake mistake_;
  Values maps_;
  Value shared_, thread_, leads_;
  ThreadGroup group_;
};

}  // namespace

void EmitRingKernel(KernelBuilder& builder, const RingProblem& problem, RingMistake mistake) {
  RingEmitter(builder, problem, mistake).Emit();
}

}  // namespace mmtune
