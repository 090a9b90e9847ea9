// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune replay`: measures how fast strategies find the best schedule of recorded landscapes, the times of all schedules
// of a problem (search/replay/landscape.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/report/landscape_table.h"
#include "server/tune/session/console.h"

namespace mmtune {

struct ReplayCommandOptions {
  std::vector<std::string> landscapes;       ///< The files of the landscapes (ReadLandscapeFile()).
  std::vector<std::string> train;            ///< The landscapes from which strategies learn before they start.
  std::string strategies = "all";            ///< Names of strategies, separated by commas.
  int64_t seeds = 20;                        ///< The number of searches of each strategy, each with another seed.
  std::string budgets = "16,32,64,128,256";  ///< The numbers of trials after which the result is shown.
  int in_flight = 1;           ///< The number of schedules that are proposed before the first of them has a result.
  double noise_percent = 0;    ///< The standard deviation of the noise of a time, in percent of the time; 0: none.
  double failure_percent = 0;  ///< The percentage of schedules that fail, chosen at random by the seed.
  std::string time_column;     ///< The column of a CSV file with the times or rates; empty: found by its name.
  /// The columns of a CSV file with the parameters: names, separated by commas. Empty: see LandscapeColumns.
  std::string parameter_columns;
  /// A file that describes the landscapes (kernel_description.h); empty: the files beside them.
  std::string description;
  OutputFormat format = OutputFormat::kTable;
};

absl::StatusOr<ExitCode> RunReplayCommand(const ReplayCommandOptions& options, const Console& console);

}  // namespace mmtune
