// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedules among which the time model chooses where nobody has tuned.
#pragma once

#include <vector>

#include "kernels/families/fma_schedule.h"
#include "kernels/families/space_family.h"

namespace mmtune {

/// Every block tile that the problem fills, each with a few thread tiles, ways of copying and splits of k: rich enough
/// that the fastest of them is nearly the family's best, by the model (default_schedule_test).
std::vector<ByPreference<Schedule>> FmaDefaultSchedules(const MatmulProblem& problem);

/// The largest block tile that a problem has use for.
struct FmaTileLimits {
  explicit FmaTileLimits(const MatmulProblem& problem);
  int64_t bm, bn;
};

}  // namespace mmtune
