// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `tune explain` prints: text for people, JSON for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/tune/explain/explanation.h"

namespace mmtune {

/// All that is said of one problem on one device.
struct ProblemExplanation {
  MatmulProblem problem;
  DeviceInfo device;
  bool device_of_log = false;  ///< Else it is what stands for an architecture.
  SpaceSize space_size;
  std::vector<std::pair<Outcome, int64_t>> outcomes;  ///< Of schedules that the log has.
  SkippedBounds skipped;                              ///< Explainer::skipped.
  std::map<std::string, int64_t> cannot_win;          ///< Explainer::cannot_win, of `sampled`.
  int64_t sampled = 0;
  bool of_best = true;  ///< The schedule is the best one; else it was asked for.
  ScheduleExplanation schedule;
  std::vector<Neighbour> neighbours;
  std::vector<FamilyExplanation> families;  ///< Empty where one schedule was asked for.
};

/// Lines of at most `width` characters where that can be had (Table); 0: any.
std::string ExplanationText(const ProblemExplanation& explanation, size_t width);
/// One object.
std::string ExplanationJson(const ProblemExplanation& explanation);

}  // namespace mmtune
