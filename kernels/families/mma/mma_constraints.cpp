// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "kernels/families/common/block_rules.h"
#include "kernels/families/mma/mma_schedule.h"

namespace mmtune {
namespace {

using S = MmaSchedule;
using T = MmaTiling;

constexpr BlockParameters kAt = {kMmaBm,     kMmaBn,        kMmaSplitK, kMmaReduction,
                                 kMmaStages, kMmaMinBlocks, kMmaGroupM, kMmaStreamK};

/// Most warps of a block: beyond it, a warp has too few registers for a tile that is worth its loads.
constexpr int64_t kMaxThreads = 512;

/// Accumulators of a thread; fragments and addresses need the rest of 255 registers.
constexpr int64_t kMaxAccumulators = 192;

/// Instructions of the unrolled loop over k: beyond this the instruction cache thrashes and compiling takes seconds.
constexpr int64_t kMaxInstructions = 512;

/// Copies one thread makes for a tile; each is unrolled.
constexpr int64_t kMaxPiecesPerThread = 64;

/// Whether the distance of a thread's rows says what that of their k is.
bool CopiesRowsInOrder(const MmaOperandTile& tile, int64_t threads) {
  int64_t rows = threads / tile.PiecesFor(threads).perRow;
  return !tile.TransposesBytes() || rows % 16 == 0 || (rows & (rows - 1)) == 0;
}

void AddTypes(MmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  bool sm80 = device.ComputeCapability() >= 80;
  list.AddFact("elements are f16, bf16, s8 or f64, or f32 multiplied as tf32, tf32x3 or bf16x6", !problem.IsPlainF32());
  list.AddFact("mma.sync of these types needs sm_80 or newer, of f16 sm_75",
               sm80 || (problem.dtype == DataType::kF16 && device.ComputeCapability() >= 75));
  list.add(kMmaAsync, "async=1 from sm_80 on, 0 before it", [sm80](const S& s) { return (s.async != 0) == sm80; });
}

void AddTiles(MmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  AddGridRules(list, kAt, problem);
  list.add(kMmaBm, "bm is a multiple of 16", [](const S& s) { return s.bm % 16 == 0; });
  list.add(kMmaBn, "bn is a multiple of 8", [](const S& s) { return s.bn % 8 == 0; });
  list.add(kMmaWm, "wm is a multiple of 16 that divides bm",
           [](const S& s) { return s.wm % 16 == 0 && s.bm % s.wm == 0; });
  list.add(kMmaWn, "wn is a multiple of 8 that divides bn",
           [](const S& s) { return s.wn % 8 == 0 && s.bn % s.wn == 0; });
  list.add(kMmaSliceK, "slice_k is 1, 2 or 4", [](const S& s) { return s.sliceK != 3; });
  list.AddTiling(
      kMmaSliceK, "a block has no more threads than 512 and the device allow",
      [limit = std::min(kMaxThreads, device.max_threads_per_block)](const T& t) { return t.threads <= limit; });
  list.add(kMmaWn, "wn is a multiple of 16 where 8-bit elements of B are transposed",
           [bytes = DataTypeBytes(problem.dtype), plain = !problem.transpose_b](const S& s) {
             return bytes > 1 || !plain || s.wn % 16 == 0;
           });
  list.add(kMmaWn, "the warp tile fits the registers (wm*wn <= 32*192, of f64 half of it)",
           [words = DataTypeBytes(problem.AccumulatorType()) / 4](const S& s) {
             return words * s.wm * s.wn <= 32 * kMaxAccumulators;
           });
  list.AddTiling(kMmaBk, "bk is slice_k times a multiple of an instruction's k (32 bytes of elements, or of planes)",
                 [](const T& t) { return t.schedule.bk % (t.fragmentK * t.schedule.sliceK) == 0; });
  list.AddTiling(kMmaBk, "the unrolled loop over k has at most 512 mma.sync",
                 [](const T& t) { return t.instructions() <= kMaxInstructions; });
  list.AddTiling(kMmaBk, "a row of a tile is copied by whole threads (its pieces and threads divide one another)",
                 [](const T& t) {
                   return t.a.PiecesFor(t.threads).AreAConstantApart() && t.b.PiecesFor(t.threads).AreAConstantApart();
                 });
  list.AddTiling(kMmaBk, "rows of k of 8-bit elements are copied a power of two, or a multiple of 16, at a time",
                 [](const T& t) { return CopiesRowsInOrder(t.a, t.threads) && CopiesRowsInOrder(t.b, t.threads); });
  list.AddTiling(kMmaBk, "a thread copies at most 64 pieces of a tile", [](const T& t) {
    return std::max(t.a.PiecesFor(t.threads).PerThread(), t.b.PiecesFor(t.threads).PerThread()) <= kMaxPiecesPerThread;
  });
}

void AddPipeline(MmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.AddTiling(kMmaStages, "no more stages than k has tiles",
                 [](const T& t) { return t.schedule.stages <= std::max<int64_t>(2, t.grid.tilesPerSplit + 1); });
  AddStageRules(list, kAt, problem, device);
  list.AddTiling(kMmaPrefetch, "prefetch needs 2 stages or more, of 2 instructions along k or more for a warp",
                 [](const T& t) { return !t.schedule.prefetch || (t.schedule.stages >= 2 && t.stepsK >= 2); });
}

}  // namespace

MmaRules MmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device, const ProductLayout& layout) {
  MmaRules list(problem, layout);
  AddTypes(list, problem, device);
  AddTiles(list, problem, device);
  AddSplitRules(list, kAt, problem, device);
  AddStreamRules(list, kAt, device);
  AddPipeline(list, problem, device);
  AddResidencyRules(list, kAt, problem, device);
  return list;
}

std::vector<ScheduleConstraint> MmaConstraints(const MatmulProblem& problem, const DeviceInfo& device,
                                               const ProductLayout& layout) {
  return MmaRulesOf(problem, device, layout).take();
}

}  // namespace mmtune
