// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune profile`: what holds one schedule back, without a GPU.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/cli/console.h"
#include "server/cli/exit_code.h"
#include "server/cli/problem_options.h"

namespace mmtune {

struct ProfileOptions {
  ProblemOptions problem;
  std::string schedule;  ///< At most one of schedule, best and record is given; else it is the default schedule.
  bool best = false;
  std::string record;
  std::string log;   ///< Empty: the default.
  std::string arch;  ///< Empty: that of the record, else kDefaultProfileArch.
  bool json = false;
};
inline constexpr char kDefaultProfileArch[] = "sm_80";

absl::StatusOr<ExitCode> RunProfileCommand(const ProfileOptions& options, const Console& console);

}  // namespace mmtune
