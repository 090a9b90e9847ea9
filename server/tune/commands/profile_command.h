// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune profile`: what limits the speed of one schedule, without a GPU.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "proto/json/request_json.h"
#include "server/tune/commands/problem_options.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// Returns the bound, then a section for each kind of number. Modelled numbers are marked.
std::string ProfileText(const ProfileRequest& request, const KernelProfile& profile, const TableStyle& style = {});

/// Returns the request's problem and schedule, and the whole profile.
std::string ProfileJson(const ProfileRequest& request, const KernelProfile& profile);

struct ProfileOptions {
  ProblemOptions problem;
  std::string schedule;  ///< At most one of schedule, best and record is given; none: the default schedule.
  bool best = false;
  std::string record;
  std::string log;   ///< Empty: the default.
  std::string arch;  ///< Empty: that of the record, else kDefaultProfileArch.
  bool json = false;
};
inline constexpr char kDefaultProfileArch[] = "sm_80";

absl::StatusOr<ExitCode> RunProfileCommand(const ProfileOptions& options, const Console& console);

}  // namespace mmtune
