// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune profile`: what limits the speed of one schedule, without a GPU.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "proto/json/request_json.h"
#include "server/tune/commands/schedule_options.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// Returns the bound, then a section for each kind of number. Modelled numbers are marked.
std::string ProfileText(const ProfileRequest& request, const KernelProfile& profile, const TableStyle& style = {});

/// Returns the request's problem and schedule, and the whole profile.
std::string ProfileJson(const ProfileRequest& request, const KernelProfile& profile);

struct ProfileOptions : ScheduleOptions {  // none of schedule, best and record: the default schedule
  std::string arch;                        ///< Empty: that of the record, else kDefaultProfileArch.
  bool json = false;
};
inline constexpr char kDefaultProfileArch[] = "sm_80";

absl::StatusOr<ExitCode> RunProfileCommand(const ProfileOptions& options, const Console& console);

}  // namespace mmtune
