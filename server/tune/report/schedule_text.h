// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short texts for schedules. A schedule has about twenty parameters, most of which are the same in all schedules that a
// table shows. People read the tiles of a schedule, and the parameters in which it differs from the others.
#pragma once

#include <string>
#include <vector>

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Returns the words that tables show of a schedule; all "-" if this program's families do not know it.
ScheduleLabels WordsOf(const TuningRecord& record);

/// Returns "fma, block tile 64x256x64, thread tile 8x8, 2 stages, split-k 4": what matters most of a schedule. Returns
/// the whole schedule if this program's families do not know it.
std::string ScheduleSummary(const MatmulProblem& problem, const Schedule& schedule);

/// Returns for each record the parameters in which it differs from the first one, with its values: "lm=8 stages=2"; for
/// the first one, those in which any differs. Parameters are compared within a family and written in its order, after
/// the family's name if there are several. Leaves out those that ScheduleLabels::blockTile spells. Different schedules
/// have different texts or block tiles.
std::vector<std::string> DifferencesOf(const std::vector<TuningRecord>& records);

}  // namespace mmtune
