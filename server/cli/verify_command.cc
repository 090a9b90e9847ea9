// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/verify_command.h"

#include <signal.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"
#include "server/cli/best_records.h"
#include "server/cli/format.h"
#include "server/cli/interrupt.h"
#include "server/cli/local_worker.h"
#include "server/cli/records_source.h"
#include "server/cli/run_folder.h"
#include "server/cli/verify_text.h"

namespace mmtune {
namespace {

constexpr int64_t kMaxStress = 100'000;
constexpr std::chrono::milliseconds kPoll{50};
// Exit codes of mmtune-worker.
constexpr int kWorkerUsage = 2;
constexpr int kWorkerNoDevice = 3;

absl::Status NoRecord(const MatmulProblem& problem) {
  return ExitWith(ExitCode::kNoResult, NotFound(absl::StrCat("the log has no valid record of ", ProblemText(problem),
                                                             ": run tune matmul, or give --schedule")));
}

/// The fastest valid record: of CUDA devices where there are any, unless the SIMT device is asked for. An unproven one
/// only where none is proven.
absl::StatusOr<TuningRecord> BestRecord(const MatmulProblem& problem, const VerifyOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  RecordFilter filter;
  filter.problem = problem;
  filter.outcome = Outcome::kOk;
  BestRecords cuda, simt, unproven_cuda(/*allow_unproven=*/true), unproven_simt(/*allow_unproven=*/true);
  for (bool proven : {true, false}) {
    filter.proven_only = proven;
    auto best = log->BestOfEach(filter, /*each=*/1);
    if (!best.ok()) return ExitWith(ExitCode::kLog, best.status());
    for (const TuningRecord& record : *best) {
      if (record.device.kind == DeviceKind::kCuda) (proven ? cuda : unproven_cuda).Add(record);
      if (record.device.kind == DeviceKind::kSimt) (proven ? simt : unproven_simt).Add(record);
    }
  }
  const BestRecords* order[] = {&cuda, &unproven_cuda, &simt, &unproven_simt};
  if (options.device == "simt") std::rotate(order, order + 2, order + 4);
  for (const BestRecords* records : order) {
    if (records->size() > 0) return records->Top(1).front();
  }
  return NoRecord(problem);
}

absl::StatusOr<TuningRecord> NamedRecord(const VerifyOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  absl::StatusOr<TuningRecord> record = log->Get(options.record);
  if (record.ok()) return record;
  return ExitWith(absl::IsNotFound(record.status()) ? ExitCode::kNoResult : ExitCode::kLog, record.status());
}

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
    absl::Status watchable = CheckWatchable(request->problem);
    if (!watchable.ok()) return WithContext(watchable, "--watch");
  }
  ASSIGN_OR_RETURN(*device, ParseDeviceSelector(options.device));
  device->arch = options.arch;
  if (!options.arch.empty()) RETURN_IF_ERROR(ArchitectureLimits(options.arch).status());
  if (!options.schedule.empty()) {
    ASSIGN_OR_RETURN(request->schedule, ParseSchedule(options.schedule));
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(TuningRecord record, options.best ? BestRecord(request->problem, options) : NamedRecord(options));
  request->schedule = record.schedule;
  if (device->arch.empty() && device->kind == DeviceSelector::Kind::kSimt) device->arch = record.device.arch;
  return absl::OkStatus();
}

/// Waits for the worker; nullopt when the user wanted to stop.
std::optional<ExitStatus> Wait(Subprocess& process, WorkerNotes notes, const Console& console) {
  for (;;) {
    if (std::optional<ExitStatus> exit = process.Wait(kPoll)) return exit;
    for (const std::string& note : notes.Read()) console.err << note << std::endl;
    if (InterruptGuard::Requested()) return std::nullopt;
  }
}

absl::Status WorkerError(const ExitStatus& exit, const std::string& output) {
  std::string reason = LastReason(output);
  if (reason.empty()) reason = absl::StrCat("the worker ended with ", exit.Text());
  if (exit.code == kWorkerUsage) return ExitWith(ExitCode::kUsage, reason);
  return ExitWith(exit.code == kWorkerNoDevice ? ExitCode::kDevice : ExitCode::kNoResult, reason);
}

}  // namespace

absl::StatusOr<ExitCode> RunVerifyCommand(const VerifyOptions& options, const Console& console) {
  VerifyRequest request;
  DeviceSelector device;
  RETURN_IF_ERROR(Choose(options, &request, &device));
  ASSIGN_OR_RETURN(std::string executable, FindWorkerExecutable());
  ASSIGN_OR_RETURN(OwnedFolder folder, CreateRunFolder());
  const std::string answer_path = absl::StrCat(folder.path(), "/answer.json");
  SubprocessOptions worker;
  worker.output_path = absl::StrCat(folder.path(), "/worker.log");
  worker.extra_environment = {absl::StrCat("TMPDIR=", folder.path())};
  worker.argv = {executable, "--verify", VerifyRequestToJson(request), "--answer", answer_path};
  for (std::string& flag : WorkerDeviceFlags(device, options.wait)) worker.argv.push_back(std::move(flag));
  InterruptGuard interrupt;
  absl::StatusOr<Subprocess> process = Subprocess::Spawn(worker);
  if (!process.ok()) return ExitWith(ExitCode::kDevice, process.status());
  const std::optional<ExitStatus> exit = Wait(*process, WorkerNotes(worker.output_path), console);
  if (!exit) return ExitCode::kInterrupted;
  if (!exit->ok()) return WorkerError(*exit, ReadWholeFile(worker.output_path).value_or(""));
  ASSIGN_OR_RETURN(VerifyAnswer answer, VerifyAnswerFromJson(ReadWholeFile(answer_path).value_or("")));
  if (answer.measurement.outcome == Outcome::kRejected) return InvalidArgument(answer.measurement.message);
  console.out << (options.json ? PrintableJson(VerdictJson(request, answer)) + "\n" : VerdictText(request, answer))
              << std::flush;
  return IsProven(answer) ? ExitCode::kOk : ExitCode::kNoResult;
}

}  // namespace mmtune
