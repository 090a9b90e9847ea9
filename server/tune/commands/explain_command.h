// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune explain`: why schedules were run, or were not.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "server/tune/commands/problem_options.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

struct ExplainOptions {
  ProblemOptions problem;
  std::string schedule;  ///< Empty: the best one.
  std::string log;       ///< Empty: the default, which need not be there.
  std::string device;    ///< As RecordFilter::device; empty: any.
  std::string arch;      ///< Empty: that of the records, else kDefaultProfileArch.
  std::string regime = "warm";
  bool json = false;
};

/// Declares them; `options` outlives `command`.
void AddExplainOptions(CLI::App& command, ExplainOptions& options);

absl::StatusOr<ExitCode> RunExplainCommand(const ExplainOptions& options, const Console& console);

}  // namespace mmtune
