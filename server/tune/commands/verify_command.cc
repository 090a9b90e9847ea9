// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/verify_command.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "server/tune/commands/chosen_record.h"
#include "server/tune/report/format.h"
#include "server/tune/report/verify_text.h"
#include "server/tune/session/local_worker.h"
#include "server/tune/session/worker_answer.h"

namespace mmtune {
namespace {

constexpr int64_t kMaxStress = 100'000;

/// What to verify, and on what: a record says for which architecture its schedule was.
absl::Status Choose(const VerifyOptions& options, VerifyRequest* request, DeviceSelector* device) {
  const int given = !options.schedule.empty() + options.best + !options.record.empty();
  if (given != 1) return InvalidArgument("give one of --schedule, --best and --record");
  if (options.stress < 0 || options.stress > kMaxStress) {
    return InvalidArgument(absl::StrCat("--stress must be 0 to ", kMaxStress));
  }
  ASSIGN_OR_RETURN(request->problem, MakeProblem(options.problem));
  request->stress_runs = options.stress;
  request->watch_size = options.watch;
  if (options.watch) {
    absl::Status watchable = CheckRaceDetectionSize(request->problem);
    if (!watchable.ok()) return WithContext(watchable, "--watch");
  }
  ASSIGN_OR_RETURN(*device, ParseDeviceSelector(options.device));
  device->arch = options.arch;
  if (!options.arch.empty()) RETURN_IF_ERROR(ArchitectureLimits(options.arch).status());
  if (!options.schedule.empty()) {
    ASSIGN_OR_RETURN(request->schedule, ParseSchedule(options.schedule));
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(TuningRecord record, options.best
                                            ? BestRecord(request->problem, options.log, options.device == "simt")
                                            : NamedRecord(request->problem, options.record, options.log));
  request->schedule = record.schedule;
  if (device->arch.empty() && device->kind == DeviceSelector::Kind::kSimt) device->arch = record.device.arch;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ExitCode> RunVerifyCommand(const VerifyOptions& options, const Console& console) {
  VerifyRequest request;
  DeviceSelector device;
  RETURN_IF_ERROR(Choose(options, &request, &device));
  std::vector<std::string> flags{"--verify", VerifyRequestToJson(request)};
  for (std::string& flag : WorkerDeviceFlags(device, options.wait)) flags.push_back(std::move(flag));
  ASSIGN_OR_RETURN(const std::optional<std::string> text, AskWorker(std::move(flags), console));
  if (!text) return ExitCode::kInterrupted;
  ASSIGN_OR_RETURN(VerifyAnswer answer, VerifyAnswerFromJson(*text));
  if (answer.measurement.outcome == Outcome::kRejected) return InvalidArgument(answer.measurement.message);
  console.out << (options.json ? PrintableJson(VerdictJson(request, answer)) + "\n" : VerdictText(request, answer))
              << std::flush;
  return IsProven(answer) ? ExitCode::kOk : ExitCode::kNoResult;
}

}  // namespace mmtune
