// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/profile_command.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "server/tune/commands/chosen_record.h"
#include "server/tune/report/format.h"
#include "server/tune/report/profile_text.h"
#include "server/tune/session/worker_answer.h"

namespace mmtune {
namespace {

/// A GPU that was measured is the one that is modelled; else the architecture's limits, and its typical board.
absl::StatusOr<ProfileRequest> Choose(const ProfileOptions& options) {
  if (!options.schedule.empty() + options.best + !options.record.empty() > 1) {
    return InvalidArgument("give one of --schedule, --best and --record, or none for the default schedule");
  }
  ProfileRequest request;
  ASSIGN_OR_RETURN(request.problem, MakeProblem(options.problem));
  std::optional<TuningRecord> record;
  if (options.best) {
    ASSIGN_OR_RETURN(record, BestRecord(request.problem, options.log, /*prefer_simt=*/false));
  } else if (!options.record.empty()) {
    ASSIGN_OR_RETURN(record, NamedRecord(request.problem, options.record, options.log));
  }
  const std::string arch = !options.arch.empty() ? options.arch : record ? record->device.arch : kDefaultProfileArch;
  if (record && record->device.kind == DeviceKind::kCuda && record->device.arch == arch) {
    request.device = record->device;
  } else {
    ASSIGN_OR_RETURN(request.device, ArchitectureLimits(arch));
    request.device.kind = DeviceKind::kCuda;
    request.device.multiprocessors = static_cast<int64_t>(RatesOf(request.device).multiprocessors);
  }
  if (record) {
    request.schedule = record->schedule;
  } else if (!options.schedule.empty()) {
    ASSIGN_OR_RETURN(request.schedule, ParseSchedule(options.schedule));
  } else {
    ASSIGN_OR_RETURN(request.schedule, DefaultSchedule(request.problem, request.device));
  }
  absl::Status valid = ValidateSchedule(request.problem, request.schedule, request.device);
  if (!valid.ok()) return valid;
  return request;
}

}  // namespace

absl::StatusOr<ExitCode> RunProfileCommand(const ProfileOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const ProfileRequest request, Choose(options));
  ASSIGN_OR_RETURN(const std::optional<std::string> text,
                   AskWorker({"--profile", ProfileRequestToJson(request)}, console));
  if (!text) return ExitCode::kInterrupted;
  ASSIGN_OR_RETURN(const KernelProfile profile, KernelProfileFromJson(*text));
  console.out << (options.json ? PrintableJson(ProfileJson(request, profile)) + "\n" : ProfileText(request, profile))
              << std::flush;
  return ExitCode::kOk;
}

}  // namespace mmtune
