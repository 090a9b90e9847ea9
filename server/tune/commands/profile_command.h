// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune profile`: what holds one schedule back, without a GPU.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/tune/commands/problem_options.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

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
