// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of commands that take one schedule of a problem, which is given by its text or taken from the log.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "proto/types/measurement.h"
#include "server/tune/commands/problem_options.h"

namespace mmtune {

struct ScheduleOptions {
  ProblemOptions problem;
  // At most one of the next three may be given.
  std::string schedule;  ///< The text of the schedule (Schedule::Text()).
  bool best = false;     ///< True for the best schedule of the problem in the log.
  std::string record;    ///< The id of the record that has the schedule, or its uuid or a prefix of that.
  std::string log;       ///< Empty: the default.
};

/// Adds the options of the problem, --schedule, --best, --record and --log. `otherwise` is the text for the help that
/// says which schedule is used by default; empty if one must be given.
void AddScheduleOptions(CLI::App& command, ScheduleOptions& options, const std::string& otherwise);

struct ChosenSchedule {
  MatmulProblem problem;
  std::optional<Schedule> schedule;    ///< Absent if none of the options is given.
  std::optional<TuningRecord> record;  ///< The record from which the schedule was taken, if any.
};

/// Returns the schedule that the options select. `prefer_simt` has the meaning of BestRecord(). Returns InvalidArgument
/// if more than one of `schedule`, `best` and `record` is given, or if none is given and `required` is set. Errors of
/// the log have exit codes.
absl::StatusOr<ChosenSchedule> ChooseSchedule(const ScheduleOptions& options, bool required, bool prefer_simt);

}  // namespace mmtune
