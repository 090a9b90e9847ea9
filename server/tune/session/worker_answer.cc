// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/worker_answer.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"
#include "server/tune/session/exit_code.h"
#include "server/tune/session/interrupt.h"
#include "server/tune/session/local_worker.h"
#include "server/tune/session/run_folder.h"

namespace mmtune {
namespace {

constexpr std::chrono::milliseconds kPoll{50};
// Exit codes of mmtune-worker.
constexpr int kWorkerUsage = 2;
constexpr int kWorkerNoDevice = 3;

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

absl::StatusOr<std::optional<std::string>> AskWorker(std::vector<std::string> flags, const Console& console) {
  ASSIGN_OR_RETURN(std::string executable, FindWorkerExecutable());
  ASSIGN_OR_RETURN(OwnedFolder folder, CreateRunFolder());
  const std::string answer_path = absl::StrCat(folder.path(), "/answer.json");
  SubprocessOptions worker;
  worker.output_path = absl::StrCat(folder.path(), "/worker.log");
  worker.extra_environment = {absl::StrCat("TMPDIR=", folder.path())};
  worker.argv = std::move(flags);
  worker.argv.insert(worker.argv.begin(), executable);
  worker.argv.insert(worker.argv.end(), {"--answer", answer_path});
  InterruptGuard interrupt;
  absl::StatusOr<Subprocess> process = Subprocess::Spawn(worker);
  if (!process.ok()) return ExitWith(ExitCode::kDevice, process.status());
  const std::optional<ExitStatus> exit = Wait(*process, WorkerNotes(worker.output_path), console);
  if (!exit) return std::nullopt;
  if (!exit->ok()) return WorkerError(*exit, ReadWholeFile(worker.output_path).value_or(""));
  return ReadWholeFile(answer_path).value_or("");
}

}  // namespace mmtune
