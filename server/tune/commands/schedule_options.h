// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of commands that take one schedule of a problem: by its text, or from the log.
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
  std::string schedule;  ///< At most one of schedule, best and record is given.
  bool best = false;
  std::string record;
  std::string log;  ///< Empty: the default.
};

/// Adds the options of the problem, --schedule, --best, --record and --log. `otherwise` tells which schedule is taken
/// without any; empty if one is required.
void AddScheduleOptions(CLI::App& command, ScheduleOptions& options, const std::string& otherwise);

struct ChosenSchedule {
  MatmulProblem problem;
  std::optional<Schedule> schedule;    ///< Absent if no option names one.
  std::optional<TuningRecord> record;  ///< The record that it is of, if any.
};

/// Returns the schedule that the options name. `prefer_simt` as in BestRecord(). InvalidArgument if several do, or none
/// and `required`; errors of the log have exit codes.
absl::StatusOr<ChosenSchedule> ChooseSchedule(const ScheduleOptions& options, bool required, bool prefer_simt);

}  // namespace mmtune
