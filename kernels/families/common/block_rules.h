// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Validity rules, geometry and table labels that the families fma, mma and gemv share, because all of them use a
// BlockGrid (block_grid.h), which divides C into tiles, and K into splits, for the blocks. gemv uses only
// AddSplitRules().
//
// Template parameters: S is a family's struct of schedule parameters, with the members bm, bn, bk, splitK, streamK,
// reduction, stages, minBlocks and groupM. T is its tiling: the sizes that follow from S and a problem, with the
// members `schedule`, `grid`, `threads`, SharedBytes() and RegisterEstimate(). add() adds a rule that reads parameters,
// AddTiling() one that reads the tiling. Their first argument is the last parameter, in the order of the family's
// struct, on which the rule depends; an enumeration checks the rule once the parameters up to that one have values:
//
//   list.add(&S::groupM, "text shown if the rule is broken", [](const S& s) { return s.groupM <= 8; });
#pragma once

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/family_base.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/schedule_fields.h"
#include "kernels/perf_model/schedule_geometry.h"

namespace mmtune {

/// The maximum number of blocks per multiprocessor for split-k and stream-k. That many keep a multiprocessor busy; more
/// only add memory traffic.
inline constexpr int64_t kMaxSplitBlocksPerMultiprocessor = 16;

/// Adds the rules that keep rows, columns and tiles of C within 31 bits.
template <typename S, typename T>
void AddGridRules(ConstraintList<S, T>& list, const MatmulProblem& problem) {
  list.add(&S::bm, "row indices of C fit 31 bits (m + bm < 2^31)",
           [m = problem.m](const S& s) { return m + s.bm <= kMaxCoordinate; });
  list.add(&S::bn, "column indices of C fit 31 bits (n + bn < 2^31)",
           [n = problem.n](const S& s) { return n + s.bn <= kMaxCoordinate; });
  list.add(&S::bn, "block tiles of C are fewer than 2^31", [problem](const S& s) {
    return CeilDiv(problem.m, s.bm) * CeilDiv(problem.n, s.bn) * problem.batch <= kMaxGridX;
  });
}

/// Adds the rules of split-k and of the reduction of partial sums.
template <typename S, typename T>
void AddSplitRules(ConstraintList<S, T>& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.AddTiling(&S::splitK, "every split of k has at least one k step",
                 [](const T& t) { return t.grid.EverySplitHasWork(); });
  list.AddTiling(&S::splitK, "with split-k there are at most 16 blocks per multiprocessor",
                 [multiprocessors = MultiprocessorsOf(device)](const T& t) {
                   return t.schedule.splitK == 1 ||
                          t.grid.blocks() <= kMaxSplitBlocksPerMultiprocessor * multiprocessors;
                 });
  list.AddTiling(&S::reduction, "reduction is 0 exactly if no blocks share tiles (split_k=1 and no stream-k)",
                 [](const T& t) {
                   return (t.schedule.splitK == 1 && !t.grid.IsStreamK()) == (t.schedule.reduction == kNoReduction);
                 });
  list.add(&S::reduction, "reduction=1 (atomics) needs a C of f32 without an epilogue",
           [allowed = AllowsAtomics(problem)](const S& s) { return allowed || s.reduction != kAtomicReduction; });
  list.AddTiling(&S::reduction, "operands and workspace fit the device's memory",
                 [problem, memory = device.memory_bytes](const T& t) {
                   int64_t workspace = WorkspaceBytes(problem, t.grid, t.schedule.reduction);
                   return memory <= 0 || problem.OperandBytes() + workspace <= memory;
                 });
}

/// Adds the rules of stream-k.
template <typename S, typename T>
void AddStreamRules(ConstraintList<S, T>& list, const DeviceInfo& device) {
  list.add(&S::streamK, "stream-k and split-k exclude each other",
           [](const S& s) { return s.streamK == 1 || s.splitK == 1; });
  list.add(&S::streamK, "with stream-k there are at most 16 blocks per multiprocessor",
           [multiprocessors = MultiprocessorsOf(device)](const S& s) {
             return s.streamK <= kMaxSplitBlocksPerMultiprocessor * multiprocessors;
           });
  list.AddTiling(&S::streamK, "the k steps of all tiles that stream-k divides are fewer than 2^31",
                 [](const T& t) { return !t.grid.IsStreamK() || t.grid.StreamKSteps() <= kMaxCoordinate; });
  list.AddTiling(&S::stages, "stream-k has enough k steps for two blocks",
                 [](const T& t) { return !t.grid.IsStreamK() || t.grid.Shares().blocks > 1; });
  list.AddTiling(&S::reduction, "stream-k needs reduction=3 (ordered)",
                 [](const T& t) { return !t.grid.IsStreamK() || t.schedule.reduction == kOrderedReduction; });
}

/// Adds the rules of the k steps: their number, and the shared memory of the pipeline stages.
template <typename S, typename T>
void AddStageRules(ConstraintList<S, T>& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.add(&S::stages, "k indices fit 31 bits (k + (split_k + stages)*bk < 2^31)",
           [k = problem.k](const S& s) { return k + (s.splitK + s.stages) * s.bk <= kMaxCoordinate; });
  list.AddTiling(&S::stages, "stages fit the shared memory of a block",
                 [limit = device.shared_bytes_per_block](const T& t) { return t.SharedBytes() <= limit; });
}

/// Adds the rules of registers, threads and shared memory of the resident blocks, and of the threadblock swizzle.
template <typename S, typename T>
void AddResidencyRules(ConstraintList<S, T>& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.AddTiling(&S::minBlocks, "min_blocks blocks fit the threads of a multiprocessor",
                 [limit = device.max_threads_per_multiprocessor](const T& t) {
                   return t.threads * t.schedule.minBlocks <= limit;
                 });
  list.AddTiling(&S::minBlocks, "min_blocks blocks fit the shared memory of a multiprocessor",
                 [limit = device.shared_bytes_per_multiprocessor](const T& t) {
                   // The driver reserves 1 KiB for each resident block.
                   return limit <= 0 || t.schedule.minBlocks == 1 ||
                          (t.SharedBytes() + 1024) * t.schedule.minBlocks <= limit;
                 });
  list.AddTiling(&S::minBlocks, "the estimated registers fit without spills", [device](const T& t) {
    return t.RegisterEstimate() <= RegisterLimit(device, t.threads, t.schedule.minBlocks);
  });
  // This rule is evaluated for every schedule, so it reads the parameters only, which is faster than a tiling.
  list.add(&S::groupM, "group_m > 1 needs at least group_m rows and two columns of blocks",
           [m = problem.m, n = problem.n](const S& s) {
             return s.groupM == 1 || (s.bn < n && s.groupM <= CeilDiv(m, s.bm));
           });
}

/// Returns the geometry of a tiling without its labels, the texts for tables. `loop` is the cost of a k step.
template <typename Tiling>
ScheduleGeometry GeometryOf(const Tiling& t, const LoopCost& loop) {
  const auto& s = t.schedule;
  ScheduleGeometry geometry;
  geometry.tile = {s.bm, s.bn, s.bk};
  geometry.threads = t.threads;
  geometry.stages = s.stages;
  geometry.splitK = s.splitK;
  if (t.grid.IsStreamK()) geometry.minStepsPerBlock = t.grid.minStepsPerBlock;
  geometry.sharedK = t.grid.SharedK();
  geometry.groupM = s.groupM;
  geometry.blocks = t.grid.blocks();
  geometry.sharedBytes = t.SharedBytes();
  geometry.registers = t.RegisterEstimate();
  geometry.bytesMoved =
      OperandBytesRead(t.problem, t.grid.gridM, t.grid.gridN) + BytesOfResult(t.problem, t.grid, s.reduction);
  geometry.minBlocks = s.minBlocks;
  geometry.loop = loop;
  geometry.reduction = CostOfReduction(t.problem, t.grid, s.reduction, t.storeC);
  return geometry;
}

/// Returns the texts that tables show for a tiling. The family provides `threadTile`.
template <typename Tiling>
ScheduleLabels LabelsOf(const Tiling& t, std::string threadTile) {
  const auto& s = t.schedule;
  return {absl::StrCat(s.bm, "x", s.bn, "x", s.bk), std::move(threadTile), absl::StrCat(s.stages),
          t.grid.IsStreamK() ? absl::StrCat("stream-", t.grid.blocks()) : absl::StrCat(s.splitK)};
}

/// Base class of families whose blocks can share tiles of C, by the parameters splitK, streamK and reduction.
template <typename Values>
class TileSharingFamily : public ScheduleFamily<Values> {
 public:
  /// Returns the reason why the schedule does not support sizes that are known only at run time, or an empty string if
  /// it does. Blocks that share tiles do not, because the size of the workspace depends on the problem's sizes. If the
  /// number of rows is a run-time size, a transposed A is not supported either, because the alignment of its rows would
  /// be unknown.
  std::string WhyRunTimeSizesUnsupported(const MatmulProblem& problem, const Schedule& schedule,
                                         RunTimeSizes sizes) const override {
    const Values values = Values::FromSchedule(schedule);
    if (values.splitK > 1 || values.streamK > 1) return "its blocks share tiles";
    if (sizes.rows && problem.transpose_a) return "A is transposed";
    return "";
  }

  /// Returns the schedule without split-k and stream-k.
  Schedule WithWholeTiles(const Schedule& schedule) const override {
    Values values = Values::FromSchedule(schedule);
    values.splitK = 1;
    values.reduction = kNoReduction;
    values.streamK = 1;
    return values.ToSchedule();
  }
};

}  // namespace mmtune
