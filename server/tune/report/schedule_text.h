// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes short texts for schedules. A schedule has about twenty parameters, most of which are the same in all schedules
// of a table. So a text gives the tile sizes, and the parameters in which the schedule differs from the others.
#pragma once

#include <string>
#include <vector>

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Returns the labels of a schedule for tables, such as its block tile. All are "-" if no kernel family of this program
/// has such a schedule.
ScheduleLabels WordsOf(const TuningRecord& record);

/// Returns the most important parameters: "fma, block tile 64x256x64, thread tile 8x8, 2 stages, split-k 4". Returns
/// the whole schedule if no kernel family of this program has such a schedule.
std::string ScheduleSummary(const MatmulProblem& problem, const Schedule& schedule);

/// Returns a text for each record: the parameters in which it differs from the first record, with its own values, such
/// as "lm=8 stages=2". The text of the first record has all parameters in which any record differs from it. Records are
/// compared with the first one of the same family. If there are several families, each text begins with the family's
/// name. Parameters whose values can be read from ScheduleLabels::blockTile are left out. Different schedules differ in
/// this text or in the block tile.
std::vector<std::string> DifferencesOf(const std::vector<TuningRecord>& records);

}  // namespace mmtune
