// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The output of `tune explain`: text for people, JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "server/tune/explain/explanation.h"
#include "server/tune/report/table.h"

namespace mmtune {

/// Everything that is printed about one problem on one device.
struct ProblemExplanation {
  MatmulProblem problem;
  DeviceInfo device;
  bool device_of_log = false;  ///< True if the log has records of this device. Otherwise it stands for an architecture.
  SpaceSize space_size;
  std::vector<std::pair<Outcome, int64_t>> outcomes;  ///< The number of schedules in the log with each outcome.
  SkippedBounds skipped;                              ///< The number of schedules in the log that each bound skipped.
  /// The number of schedules, of the `sampled` ones that were drawn, that cannot be the fastest, by the hardware unit
  /// that alone takes too long.
  std::map<std::string, int64_t> cannot_win;
  int64_t sampled = 0;  ///< The number of schedules that were drawn from the search space.
  bool of_best = true;  ///< True if `schedule` is the best one; false if the user named it.
  ScheduleExplanation schedule;
  std::vector<Neighbour> neighbours;        ///< Schedules that differ from `schedule` in one parameter by one step.
  std::vector<FamilyExplanation> families;  ///< Empty if the user named a schedule.
};

/// Returns the explanation as lines and tables in the style.
std::string ExplanationText(const ProblemExplanation& explanation, const TableStyle& style);
/// Returns the explanation as one JSON object.
std::string ExplanationJson(const ProblemExplanation& explanation);

}  // namespace mmtune
