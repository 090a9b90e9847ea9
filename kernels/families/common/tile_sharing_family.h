// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What families have in common whose blocks may share tiles, by split-k or stream-k.
#pragma once

#include <string>

#include "kernels/families/common/run_time_sizes.h"
#include "kernels/families/common/schedule_fields.h"
#include "kernels/families/common/split_reduction.h"

namespace mmtune {

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
