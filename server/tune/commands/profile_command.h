// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune profile`: shows what limits the speed of one schedule. It needs no GPU.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "proto/json/request_json.h"
#include "server/tune/commands/schedule_options.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// Returns the profile as text: first what bounds the speed, then sections for occupancy, times, the hot loop and
/// memory accesses. Numbers that come from a model are marked.
std::string ProfileText(const ProfileRequest& request, const KernelProfile& profile, const TableStyle& style = {});

/// Returns the request's problem and schedule, and the whole profile, as JSON.
std::string ProfileJson(const ProfileRequest& request, const KernelProfile& profile);

/// If none of `schedule`, `best` and `record` is given, the default schedule is profiled.
struct ProfileOptions : ScheduleOptions {
  std::string arch;  ///< Empty: the architecture of the record, or kDefaultProfileArch if no record is given.
  OutputFormat format = OutputFormat::kTable;
};
inline constexpr char kDefaultProfileArch[] = "sm_80";

absl::StatusOr<ExitCode> RunProfileCommand(const ProfileOptions& options, const Console& console);

}  // namespace mmtune
