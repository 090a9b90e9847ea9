// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune replay`: how fast strategies find the best of recorded landscapes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/report/landscape_csv.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

struct ReplayCommandOptions {
  std::vector<std::string> landscapes;
  std::vector<std::string> learnt;  ///< Landscapes that strategies may know.
  std::string strategies = "all";   ///< Names, with commas.
  int64_t seeds = 20;
  std::string budgets = "16,32,64,128,256";
  int in_flight = 1;
  double noise_percent = 0;
  double failure_percent = 0;
  std::string time_column;
  std::string parameter_columns;  ///< With commas.
  std::string description;        ///< Of the landscapes, a file; empty: those beside them, as for the learnt ones.
  OutputFormat format = OutputFormat::kTable;
};

absl::StatusOr<ExitCode> RunReplayCommand(const ReplayCommandOptions& options, const Console& console);

}  // namespace mmtune
