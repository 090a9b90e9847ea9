// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma_constraints.h"

#include <algorithm>

#include "kernels/families/constraint_list.h"
#include "kernels/families/mma_schedule.h"
#include "kernels/families/space_family.h"

namespace mmtune {
namespace {

using S = MmaSchedule;
using T = MmaTiling;
using Constraints = ConstraintList<S, T>;

/// Most warps of a block: beyond it, a warp has too few registers for a tile that is worth its loads.
constexpr int64_t kMaxThreads = 512;

/// Accumulators of a thread; fragments and addresses need the rest of 255 registers.
constexpr int64_t kMaxAccumulators = 192;

/// Instructions of the unrolled loop over k: beyond this the instruction cache thrashes and compiling takes seconds.
constexpr int64_t kMaxInstructions = 512;

/// Copies one thread makes for a tile; each is unrolled.
constexpr int64_t kMaxPiecesPerThread = 64;

/// Splitting K is for grids that leave multiprocessors idle: beyond this many blocks for each of
/// them it only adds traffic.
constexpr int64_t kMaxSplitBlocksPerMultiprocessor = 16;

/// Stands in where a device does not say how many multiprocessors it has.
constexpr int64_t kDefaultMultiprocessors = 128;

void addTypes(Constraints& list, const MatmulProblem& problem, const DeviceInfo& device) {
  bool known = problem.dtype != DataType::kF32 || problem.math == MathMode::kTf32;
  list.addFact("elements are f16 or bf16, or f32 multiplied as tf32", known);
  list.addFact("mma.sync of these types and cp.async need sm_80 or newer", device.ComputeCapability() >= 80);
}

void addTiles(Constraints& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.add(kMmaBm, "rows of C are counted in 31 bits (m + bm < 2^31)",
           [m = problem.m](const S& s) { return m + s.bm <= kMaxCoordinate; });
  list.add(kMmaBm, "bm is a multiple of 16", [](const S& s) { return s.bm % 16 == 0; });
  list.add(kMmaBn, "columns of C are counted in 31 bits (n + bn < 2^31)",
           [n = problem.n](const S& s) { return n + s.bn <= kMaxCoordinate; });
  list.add(kMmaBn, "bn is a multiple of 8", [](const S& s) { return s.bn % 8 == 0; });
  list.addTiling(kMmaBn, "block tiles of C are fewer than 2^31",
                 [](const T& t) { return t.grid.blocksPerMatrix() * t.grid.batch <= kMaxGridX; });
  list.add(kMmaWm, "wm is a multiple of 16 that divides bm",
           [](const S& s) { return s.wm % 16 == 0 && s.bm % s.wm == 0; });
  list.add(kMmaWn, "wn is a multiple of 8 that divides bn",
           [](const S& s) { return s.wn % 8 == 0 && s.bn % s.wn == 0; });
  list.addTiling(
      kMmaWn, "a block has no more threads than 512 and the device allow",
      [limit = std::min(kMaxThreads, device.max_threads_per_block)](const T& t) { return t.threads <= limit; });
  list.add(kMmaWn, "the warp tile fits the registers (wm*wn <= 32*192)",
           [](const S& s) { return s.wm * s.wn <= 32 * kMaxAccumulators; });
  list.addTiling(kMmaBk, "bk is a multiple of an instruction's k (16 of 16-bit elements, 8 of tf32)",
                 [](const T& t) { return t.schedule.bk % t.fragmentK == 0; });
  list.addTiling(kMmaBk, "the unrolled loop over k has at most 512 mma.sync",
                 [](const T& t) { return t.instructions() <= kMaxInstructions; });
  list.addTiling(kMmaBk, "a row of a tile is copied by whole threads (its pieces and threads divide one another)",
                 [](const T& t) { return t.a.dividesAmong(t.threads) && t.b.dividesAmong(t.threads); });
  list.addTiling(kMmaBk, "a thread copies at most 64 pieces of a tile", [](const T& t) {
    return std::max(t.piecesPerThread(t.a), t.piecesPerThread(t.b)) <= kMaxPiecesPerThread;
  });
}

void addSplits(Constraints& list, const MatmulProblem& problem, const DeviceInfo& device) {
  int64_t multiprocessors = device.multiprocessors > 0 ? device.multiprocessors : kDefaultMultiprocessors;
  list.addTiling(kMmaSplitK, "every split of k has a tile", [](const T& t) { return t.grid.everySplitHasWork(); });
  list.addTiling(kMmaSplitK,
                 "split-k is for small grids (at most 16 blocks for each "
                 "multiprocessor)",
                 [multiprocessors](const T& t) {
                   return t.schedule.splitK == 1 ||
                          t.grid.blocks() <= kMaxSplitBlocksPerMultiprocessor * multiprocessors;
                 });
  list.add(kMmaReduction, "split_k=1 with reduction=0, split_k>1 with 1 (atomic) or 2 (workspace)",
           [](const S& s) { return (s.splitK == 1) == (s.reduction == kNoReduction); });
  list.add(kMmaReduction, "atomics add f32 to a C without an epilogue (reduction=1)",
           [adds = problem.epilogue.empty() && problem.TypeOfC() == DataType::kF32](const S& s) {
             return adds || s.reduction != kAtomicReduction;
           });
  list.add(kMmaReduction, "operands and workspace fit the device's memory",
           [problem, memory = device.memory_bytes](const S& s) {
             int64_t workspace = workspaceBytes(problem, s.reduction, s.splitK);
             return memory <= 0 || problem.OperandBytes() + workspace <= memory;
           });
}

void addPipeline(Constraints& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.addTiling(kMmaStages, "no more stages than k has tiles",
                 [](const T& t) { return t.schedule.stages <= std::max<int64_t>(2, t.grid.tilesPerSplit + 1); });
  list.add(kMmaStages, "k steps are counted in 31 bits (k + (split_k + stages)*bk < 2^31)",
           [k = problem.k](const S& s) { return k + (s.splitK + s.stages) * s.bk <= kMaxCoordinate; });
  list.addTiling(kMmaStages, "stages fit the shared memory of a block",
                 [limit = device.shared_bytes_per_block](const T& t) { return t.sharedBytes() <= limit; });
  list.addTiling(kMmaPrefetch, "prefetch needs 2 stages or more, of 2 instructions along k or more",
                 [](const T& t) { return !t.schedule.prefetch || (t.schedule.stages >= 2 && t.stepsK >= 2); });
}

void addOccupancy(Constraints& list, const DeviceInfo& device) {
  list.addTiling(kMmaMinBlocks, "min_blocks fit the threads of a multiprocessor",
                 [limit = device.max_threads_per_multiprocessor](const T& t) {
                   return t.threads * t.schedule.minBlocks <= limit;
                 });
  list.addTiling(kMmaMinBlocks, "min_blocks fit the shared memory of a multiprocessor",
                 [limit = device.shared_bytes_per_multiprocessor](const T& t) {
                   // Each resident block costs 1 KiB beside its own.
                   return limit <= 0 || t.schedule.minBlocks == 1 ||
                          (t.sharedBytes() + 1024) * t.schedule.minBlocks <= limit;
                 });
  list.addTiling(kMmaMinBlocks, "the estimated registers fit without a spill", [device](const T& t) {
    return t.registerEstimate() <= registerLimit(device, t.threads, t.schedule.minBlocks);
  });
  list.addTiling(kMmaGroupM, "group_m > 1 needs as many rows and more than one column of blocks", [](const T& t) {
    return t.schedule.groupM == 1 || (t.grid.gridN > 1 && t.schedule.groupM <= t.grid.gridM);
  });
}

}  // namespace

std::vector<ScheduleConstraint> mmaConstraints(const MatmulProblem& problem, const DeviceInfo& device) {
  Constraints list(problem);
  addTypes(list, problem, device);
  addTiles(list, problem, device);
  addSplits(list, problem, device);
  addPipeline(list, problem, device);
  addOccupancy(list, device);
  return list.take();
}

}  // namespace mmtune
