// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "kernels/families/common/block_rules.h"
#include "kernels/families/fma/fma_schedule.h"

namespace mmtune {
namespace {

/// The largest thread tile whose accumulators leave room for fragments and addresses.
constexpr int64_t kMaxThreadTile = 128;

/// Fused multiply-adds of the unrolled inner loop: beyond this the instruction cache thrashes and
/// compiling takes seconds.
constexpr int64_t kMaxUnrolledFmas = 4096;

/// Copies one thread makes for a tile; each is unrolled.
constexpr int64_t kMaxCopiesPerThread = 64;

constexpr BlockParameters kAt = {kFmaBm,     kFmaBn,        kFmaSplitK, kFmaReduction,
                                 kFmaStages, kFmaMinBlocks, kFmaGroupM, kFmaStreamK};

void AddStructure(FmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  using S = FmaSchedule;
  using T = FmaTiling;
  list.AddFact("elements are f32, multiplied as they are (dtype f32, math ieee)", problem.IsPlainF32());
  AddGridRules(list, kAt, problem);
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
  list.add(kFmaSliceK, "slice_k is 1, 2 or 4", [](const S& s) { return s.sliceK != 3; });
  list.add(
      kFmaSliceK, "a block has no more threads than the device allows, with those of all slices of k",
      [limit = device.max_threads_per_block](const S& s) { return s.sliceK * (s.bm / s.tm) * (s.bn / s.tn) <= limit; });
  list.AddTiling(kFmaSliceK, "slices of k share the pieces of a thread tile evenly (tm*tn/gcd(tn,4) % slice_k)",
                 [](const T& t) { return t.PiecesOfC() % t.schedule.sliceK == 0; });
  list.add(kFmaBk, "bk is a multiple of 4, for each slice of k (bk % (4*slice_k))",
           [](const S& s) { return s.bk % (4 * s.sliceK) == 0; });
  // How a tile is copied that may be transposed on the way depends on `async`.
  FmaParameter copyB = problem.transpose_b ? kFmaAsync : kFmaBk;
  list.AddTiling(copyB, "a row of B's tile is copied by whole threads (its vectors and threads divide one another)",
                 [](const T& t) { return t.b.PiecesFor(t.threads).AreAConstantApart(); });
  list.AddTiling(copyB, "a thread copies at most 64 pieces of B's tile",
                 [](const T& t) { return t.b.PiecesFor(t.threads).PerThread() <= kMaxCopiesPerThread; });
}

void AddCopies(FmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  using S = FmaSchedule;
  using T = FmaTiling;
  list.add(kFmaPadA, "pad_a is a multiple of 4", [](const S& s) { return s.padA % 4 == 0; });
  list.add(kFmaPadB, "pad_b is a multiple of 4", [](const S& s) { return s.padB % 4 == 0; });
  list.add(kFmaAsync, "cp.async needs sm_80 or newer (async=0 below it)",
           [capability = device.ComputeCapability()](const S& s) { return s.async == 0 || capability >= 80; });
  list.AddTiling(kFmaAsync, "a row of A's tile is copied by whole threads (its vectors and threads divide one another)",
                 [](const T& t) { return t.a.PiecesFor(t.threads).AreAConstantApart(); });
  list.AddTiling(kFmaAsync, "a thread copies at most 64 pieces of A's tile",
                 [](const T& t) { return t.a.PiecesFor(t.threads).PerThread() <= kMaxCopiesPerThread; });
  list.add(kFmaStages, "async=1 needs 2 stages or more, async=0 takes 1 or 2",
           [](const S& s) { return s.async ? s.stages >= 2 : s.stages <= 2; });
  list.AddTiling(kFmaStages, "no more stages than k has tiles", [](const T& t) {
    int64_t useful = t.schedule.async ? t.grid.tilesPerSplit + 1 : t.grid.tilesPerSplit;
    return t.schedule.stages <= std::max<int64_t>(useful, t.schedule.async ? 2 : 1);
  });
  AddStageRules(list, kAt, problem, device);
}

void AddUnrolling(FmaRules& list) {
  using S = FmaSchedule;
  list.add(kFmaUnrollK, "unroll_k is a multiple of 4 that divides bk/slice_k",
           [](const S& s) { return s.unrollK % 4 == 0 && s.bk % (s.unrollK * s.sliceK) == 0; });
  list.add(kFmaUnrollK, "the unrolled inner loop has at most 4096 multiply-adds",
           [](const S& s) { return s.tm * s.tn * s.unrollK <= kMaxUnrolledFmas; });
  list.add(kFmaFragments,
           "fragments=2 needs a k-major A and an inner loop without trips (kmajor_a=1, unroll_k=bk/slice_k)",
           [](const S& s) { return s.fragments == 1 || (s.kmajorA && s.unrollK * s.sliceK == s.bk); });
}

}  // namespace

FmaRules FmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device, const ProductLayout& layout) {
  FmaRules list(problem, layout);
  AddStructure(list, problem, device);
  AddSplitRules(list, kAt, problem, device);
  AddStreamRules(list, kAt, device);
  AddCopies(list, problem, device);
  AddUnrolling(list);
  AddResidencyRules(list, kAt, problem, device);
  return list;
}

std::vector<ScheduleConstraint> FmaConstraints(const MatmulProblem& problem, const DeviceInfo& device,
                                               const ProductLayout& layout) {
  return FmaRulesOf(problem, device, layout).take();
}

}  // namespace mmtune
