// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune verify`: proves one schedule, and says what was proven.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "server/tune/commands/problem_options.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

struct VerifyOptions {
  ProblemOptions problem;
  std::string schedule;  ///< Exactly one of schedule, best and record is given.
  bool best = false;
  std::string record;
  std::string log;  ///< Empty: the default.
  std::string device = "auto";
  std::string arch;
  std::optional<double> wait;  ///< As in SessionOptions.
  int64_t stress = 3;
  bool watch = false;  ///< Watch for races also at the size of the problem.
  bool json = false;
};

/// kOk: proven. kNoResult: not proven, or nothing to prove.
absl::StatusOr<ExitCode> RunVerifyCommand(const VerifyOptions& options, const Console& console);

}  // namespace mmtune
