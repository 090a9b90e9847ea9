// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that is common to families whose blocks may share tiles, by split-k or stream-k.
#pragma once

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/run_time_sizes.h"
#include "kernels/families/common/schedule_fields.h"
#include "kernels/families/common/space_family.h"
#include "kernels/families/common/split_reduction.h"
#include "kernels/perf_model/schedule_geometry.h"

namespace mmtune {

/// Returns what the tiling of such a family makes of its problem, without words; `loop` is what a k step of it costs.
template <typename Tiling>
ScheduleGeometry GeometryOf(const Tiling& t, const LoopCost& loop) {
  const auto& s = t.schedule;
  ScheduleGeometry geometry;
  geometry.tile = {s.bm, s.bn, s.bk};
  geometry.threads = t.threads;
  geometry.stages = s.stages;
  geometry.splitK = s.splitK;
  if (t.grid.IsStream()) geometry.leastShare = t.grid.leastShare;
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

/// Returns the words for it; `threadTile` is the family's.
template <typename Tiling>
ScheduleWords WordsOf(const Tiling& t, std::string threadTile) {
  const auto& s = t.schedule;
  return {absl::StrCat(s.bm, "x", s.bn, "x", s.bk), std::move(threadTile), absl::StrCat(s.stages),
          t.grid.IsStream() ? absl::StrCat("stream-", t.grid.blocks()) : absl::StrCat(s.splitK)};
}

/// A family of `Values` that has splitK, streamK and reduction.
template <typename Values>
class TileSharingFamilyOf : public FamilyOf<Values> {
 public:
  /// They can where blocks do not share tiles (a workspace would depend on the sizes), and of rows where A is stored
  /// row by row (else its alignment would).
  std::string WhyNotAtRunTime(const MatmulProblem& problem, const Schedule& schedule,
                              RunTimeSizes sizes) const override {
    const Values values = Values::FromSchedule(schedule);
    if (values.splitK > 1 || values.streamK > 1) return "its blocks share tiles";
    if (sizes.rows && problem.transpose_a) return "A is transposed";
    return "";
  }

  Schedule WithWholeTiles(const Schedule& schedule) const override {
    Values values = Values::FromSchedule(schedule);
    values.splitK = 1;
    values.reduction = kNoReduction;
    values.streamK = 1;
    return values.ToSchedule();
  }
};

}  // namespace mmtune
