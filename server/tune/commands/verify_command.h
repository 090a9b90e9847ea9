// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune verify`: verifies one schedule, and prints the verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "proto/json/request_json.h"
#include "server/tune/commands/schedule_options.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// True if the schedule was verified at small shapes, and its result at the full size is right.
bool IsVerified(const VerifyAnswer& answer);
/// Returns the verdict, what was verified and, after a failure, the finding. In Markdown and CSV, the verdict is a
/// table (FieldList).
std::string VerdictText(const VerifyRequest& request, const VerifyAnswer& answer, const TableStyle& style = {});
/// Returns one JSON object on one line.
std::string VerdictJson(const VerifyRequest& request, const VerifyAnswer& answer);

/// The options of `tune verify`. One of `schedule`, `best` and `record` is required.
struct VerifyOptions : ScheduleOptions {
  std::string device = "auto";
  std::string arch;            ///< Empty: the device's own.
  std::optional<double> wait;  ///< Seconds to wait for a device that another process holds; absent: no limit.
  int64_t fuzzing_runs = 3;    ///< The number of runs of each small shape with schedule fuzzing.
  bool detect_races = false;   ///< Also runs the race detector at the full size of the problem.
  OutputFormat format = OutputFormat::kTable;
};

/// Returns kOk if the schedule is verified, and kNoResult if it is not, or if it could not be run.
absl::StatusOr<ExitCode> RunVerifyCommand(const VerifyOptions& options, const Console& console);

}  // namespace mmtune
