// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma_constraints.h"

#include <algorithm>

#include "kernels/families/constraint_list.h"
#include "kernels/families/fma_schedule.h"
#include "kernels/families/space_family.h"

namespace mmtune {
namespace {

/// The largest thread tile whose accumulators leave room for fragments and addresses.
constexpr int64_t kMaxThreadTile = 128;

/// Fused multiply-adds of the unrolled inner loop: beyond this the instruction cache thrashes and
/// compiling takes seconds.
constexpr int64_t kMaxUnrolledFmas = 4096;

/// Copies one thread makes for a tile; each is unrolled.
constexpr int64_t kMaxCopiesPerThread = 64;

/// Splitting K is for grids that leave multiprocessors idle: beyond this many blocks for each of
/// them it only adds traffic.
constexpr int64_t kMaxSplitBlocksPerMultiprocessor = 16;

/// Stands in where a device does not say how many multiprocessors it has.
constexpr int64_t kDefaultMultiprocessors = 128;

using Constraints = ConstraintList<FmaSchedule, FmaTiling>;

void addStructure(Constraints& list, const MatmulProblem& problem, const DeviceInfo& device) {
  using S = FmaSchedule;
  using T = FmaTiling;
  list.addFact(kMultipliesF32, multipliesF32(problem));
  list.addFact(kReadsRowsOfA, !problem.transpose_a);
  list.add(kFmaBm, "rows of C are counted in 31 bits (m + bm < 2^31)",
           [m = problem.m](const S& s) { return m + s.bm <= kMaxCoordinate; });
  list.add(kFmaBn, "columns of C are counted in 31 bits (n + bn < 2^31)",
           [n = problem.n](const S& s) { return n + s.bn <= kMaxCoordinate; });
  list.add(kFmaBn, "block tiles of C are fewer than 2^31", [problem](const S& s) {
    return ceilDiv(problem.m, s.bm) * ceilDiv(problem.n, s.bn) * problem.batch <= kMaxGridX;
  });
  list.add(kFmaTm, "tm divides bm", [](const S& s) { return s.bm % s.tm == 0; });
  list.add(kFmaTn, "tn divides bn", [](const S& s) { return s.bn % s.tn == 0; });
  list.add(kFmaTn, "the thread tile fits the registers (tm*tn <= 128)",
           [](const S& s) { return s.tm * s.tn <= kMaxThreadTile; });
  list.add(kFmaTn, "a block has at least one warp (bm/tm * bn/tn >= 32)",
           [](const S& s) { return s.bm / s.tm * (s.bn / s.tn) >= 32; });
  list.add(kFmaTn, "a block has no more threads than the device allows",
           [limit = device.max_threads_per_block](const S& s) { return s.bm / s.tm * (s.bn / s.tn) <= limit; });
  list.add(kFmaLm, "lm divides 32", [](const S& s) { return 32 % s.lm == 0; });
  list.add(kFmaLm, "the warp tile divides the block tile (bm % (lm*tm), bn % (32/lm*tn))",
           [](const S& s) { return s.bm % (s.lm * s.tm) == 0 && s.bn % (32 / s.lm * s.tn) == 0; });
  list.add(kFmaBk, "bk is a multiple of 4", [](const S& s) { return s.bk % 4 == 0; });
  // How a transposed B is copied depends on `async`.
  FmaParameter copyB = problem.transpose_b ? kFmaAsync : kFmaBk;
  list.addTiling(copyB,
                 "a row of B's tile is copied by whole threads (bn/vector and threads "
                 "divide one another)",
                 [](const T& t) { return t.threads % t.chunksPerRowB == 0 || t.chunksPerRowB % t.threads == 0; });
  list.addTiling(copyB, "a thread copies at most 64 pieces of B's tile",
                 [](const T& t) { return t.copiesPerThreadB() <= kMaxCopiesPerThread; });
}

void addSplits(Constraints& list, const MatmulProblem& problem, const DeviceInfo& device) {
  using S = FmaSchedule;
  using T = FmaTiling;
  int64_t multiprocessors = device.multiprocessors > 0 ? device.multiprocessors : kDefaultMultiprocessors;
  list.addTiling(kFmaSplitK, "every split of k has a tile",
                 [](const T& t) { return (t.schedule.splitK - 1) * t.tilesPerSplit < t.kTiles; });
  list.addTiling(kFmaSplitK,
                 "split-k is for small grids (at most 16 blocks for each "
                 "multiprocessor)",
                 [multiprocessors](const T& t) {
                   return t.schedule.splitK == 1 || t.blocks() <= kMaxSplitBlocksPerMultiprocessor * multiprocessors;
                 });
  list.add(kFmaReduction, "split_k=1 with reduction=0, split_k>1 with 1 (atomic) or 2 (workspace)",
           [](const S& s) { return (s.splitK == 1) == (s.reduction == kNoReduction); });
  list.add(kFmaReduction, "an epilogue takes whole sums (reduction=1, atomic, is for problems without one)",
           [plain = problem.epilogue.empty()](const S& s) { return plain || s.reduction != kAtomicReduction; });
  list.add(kFmaReduction, "operands and workspace fit the device's memory",
           [problem, memory = device.memory_bytes](const S& s) {
             int64_t workspace = workspaceBytes(problem, s.reduction, s.splitK);
             return memory <= 0 || problem.OperandBytes() + workspace <= memory;
           });
}

void addCopies(Constraints& list, const MatmulProblem& problem, const DeviceInfo& device) {
  using S = FmaSchedule;
  using T = FmaTiling;
  list.add(kFmaPadA, "pad_a is a multiple of 4", [](const S& s) { return s.padA % 4 == 0; });
  list.add(kFmaPadB, "pad_b is a multiple of 4", [](const S& s) { return s.padB % 4 == 0; });
  list.add(kFmaAsync, "cp.async needs sm_80 or newer (async=0 below it)",
           [capability = device.ComputeCapability()](const S& s) { return s.async == 0 || capability >= 80; });
  list.addTiling(kFmaAsync,
                 "a row of A's tile is copied by whole threads (bk/vector and threads "
                 "divide one another)",
                 [](const T& t) { return t.threads % t.chunksPerRowA == 0 || t.chunksPerRowA % t.threads == 0; });
  list.addTiling(kFmaAsync, "a thread copies at most 64 pieces of A's tile",
                 [](const T& t) { return t.copiesPerThreadA() <= kMaxCopiesPerThread; });
  list.add(kFmaStages, "async=1 needs 2 stages or more, async=0 takes 1 or 2",
           [](const S& s) { return s.async ? s.stages >= 2 : s.stages <= 2; });
  list.addTiling(kFmaStages, "no more stages than k has tiles", [](const T& t) {
    int64_t useful = t.schedule.async ? t.tilesPerSplit + 1 : t.tilesPerSplit;
    return t.schedule.stages <= std::max<int64_t>(useful, t.schedule.async ? 2 : 1);
  });
  list.add(kFmaStages, "k steps are counted in 31 bits (k + (split_k + stages)*bk < 2^31)",
           [k = problem.k](const S& s) { return k + (s.splitK + s.stages) * s.bk <= kMaxCoordinate; });
  list.addTiling(kFmaStages, "stages fit the shared memory of a block",
                 [limit = device.shared_bytes_per_block](const T& t) { return t.sharedBytes() <= limit; });
}

void addOccupancy(Constraints& list, const DeviceInfo& device) {
  using S = FmaSchedule;
  using T = FmaTiling;
  list.add(kFmaUnrollK, "unroll_k is a multiple of 4 that divides bk",
           [](const S& s) { return s.unrollK % 4 == 0 && s.bk % s.unrollK == 0; });
  list.add(kFmaUnrollK, "the unrolled inner loop has at most 4096 multiply-adds",
           [](const S& s) { return s.tm * s.tn * s.unrollK <= kMaxUnrolledFmas; });
  list.addTiling(kFmaMinBlocks, "min_blocks fit the threads of a multiprocessor",
                 [limit = device.max_threads_per_multiprocessor](const T& t) {
                   return t.threads * t.schedule.minBlocks <= limit;
                 });
  list.addTiling(kFmaMinBlocks, "min_blocks fit the shared memory of a multiprocessor",
                 [limit = device.shared_bytes_per_multiprocessor](const T& t) {
                   // Each resident block costs 1 KiB beside its own.
                   return limit <= 0 || t.schedule.minBlocks == 1 ||
                          (t.sharedBytes() + 1024) * t.schedule.minBlocks <= limit;
                 });
  list.addTiling(kFmaMinBlocks, "the estimated registers fit without a spill", [device](const T& t) {
    return t.registerEstimate() <= registerLimit(device, t.threads, t.schedule.minBlocks);
  });
  list.addTiling(kFmaGroupM, "group_m > 1 needs as many rows and more than one column of blocks",
                 [](const T& t) { return t.schedule.groupM == 1 || (t.gridN > 1 && t.schedule.groupM <= t.gridM); });
}

}  // namespace

std::vector<ScheduleConstraint> fmaConstraints(const MatmulProblem& problem, const DeviceInfo& device) {
  Constraints list(problem);
  addStructure(list, problem, device);
  addSplits(list, problem, device);
  addCopies(list, problem, device);
  addOccupancy(list, device);
  return list.take();
}

}  // namespace mmtune
