// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/local_worker.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <chrono>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"
#include "proto/wire/convert.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

// A socket's path holds 107 characters; ours are "<folder>/mmtune-XXXXXX/tuning.sock".
constexpr size_t kLongestParent = 70;
constexpr char kPrefix[] = "mmtune-";

std::vector<std::string> Parents() {
  std::vector<std::string> parents;
  for (const char* name : {"XDG_RUNTIME_DIR", "TMPDIR"}) {
    const char* value = getenv(name);
    if (value != nullptr && value[0] == '/' && strlen(value) <= kLongestParent) parents.emplace_back(value);
  }
  parents.emplace_back("/tmp");
  return parents;
}

constexpr char kName[] = "mmtune-worker";
constexpr size_t kLongestReason = 300;

/// True if a signal ended the worker, at once or cleanly. Other exit codes have reasons, such as no device, for which
/// the next worker would end, too.
bool WasKilled(const ExitStatus& exit) { return exit.signal != 0 || exit.code == Number(ExitCode::kOk); }

/// Returns the value of `key="value"` or `key=value` in a line of the log.
std::string Field(absl::string_view line, const std::string& key) {
  const std::string begin = absl::StrCat(" ", key, "=");
  size_t at = line.find(begin);
  if (at == line.npos) return "";
  absl::string_view value = line.substr(at + begin.size());
  if (value.empty() || value[0] != '"') return std::string(value.substr(0, value.find(' ')));
  value.remove_prefix(1);
  return std::string(value.substr(0, value.find('"')));
}

constexpr std::chrono::milliseconds kPoll{50};

/// Waits for the worker; nullopt after an interrupt.
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
  if (exit.code == Number(ExitCode::kUsage)) return ExitWith(ExitCode::kUsage, reason);
  return ExitWith(exit.code == Number(ExitCode::kDevice) ? ExitCode::kDevice : ExitCode::kNoResult, reason);
}

}  // namespace

absl::StatusOr<OwnedFolder> CreateRunFolder() {
  absl::Status why;
  for (const std::string& parent : Parents()) {
    OwnedFolder::RemoveAbandoned(parent, kPrefix);
    auto folder = OwnedFolder::Create(parent, kPrefix);
    if (folder.ok()) return folder;
    why = folder.status();
  }
  return why;
}

absl::StatusOr<std::string> FindWorkerExecutable() {
  absl::StatusOr<std::string> path = FindProgram(kName);
  if (path.ok()) return path;
  return ExitWith(ExitCode::kDevice, absl::StrCat(path.status().message(), ", or use --server"));
}

std::string LastReason(std::string_view output) {
  std::string reason;
  for (absl::string_view line : absl::StrSplit(ToAbsl(output), '\n')) {
    if (line.find_first_not_of(" \r\t") != absl::string_view::npos) reason = PlainText(ToStd(line));
  }
  const std::string prefix = absl::StrCat(kName, ": ");
  if (reason.starts_with(prefix)) reason.erase(0, prefix.size());
  if (reason.size() > kLongestReason) reason = PlainText(reason.substr(0, kLongestReason)) + " ...";
  return reason;
}

std::vector<std::string> WorkerDeviceFlags(const DeviceSelector& device, std::optional<double> wait) {
  DeviceSelector own = device;
  own.arch.clear();
  std::vector<std::string> flags = {"--device", DeviceSelectorText(own)};
  if (!device.arch.empty()) flags.insert(flags.end(), {"--arch", device.arch});
  if (wait) flags.insert(flags.end(), {"--wait", absl::StrCat(*wait)});
  return flags;
}

std::vector<std::string> WorkerNotes::Read() {
  std::string text = ReadWholeFile(path_, read_).value_or("");
  text.erase(text.rfind('\n') + 1);  // a line half written is read when it is whole
  read_ += static_cast<long>(text.size());
  std::vector<std::string> notes;
  const std::string event = absl::StrCat(" warning ", kWaitsForDevice, " ");
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (line.find(event) == line.npos) continue;
    notes.push_back(PlainText(absl::StrCat(kWaitNote, ": held by ", Field(line, "held_by"), ", lock ",
                                           Field(line, "lock"), "; --wait bounds this")));
  }
  return notes;
}

absl::StatusOr<LocalWorker> LocalWorker::Start(const std::string& server, const DeviceSelector& device,
                                               std::optional<double> wait, const std::string& folder) {
  ASSIGN_OR_RETURN(std::string executable, FindWorkerExecutable());
  SubprocessOptions options;
  // The spool gives a replacement the id and the results of the worker before it.
  options.argv = {executable, "--server", server, "--exit-with-server", "--spool", folder + "/spool"};
  for (std::string& flag : WorkerDeviceFlags(device, wait)) options.argv.push_back(std::move(flag));
  options.output_path = absl::StrCat(folder, "/worker.log");
  options.extra_environment = {absl::StrCat("TMPDIR=", folder)};  // its scratch files go when the folder does
  auto process = Subprocess::Spawn(options);
  if (!process.ok()) return ExitWith(ExitCode::kDevice, WithContext(process.status(), kName));
  return LocalWorker(std::move(options), *std::move(process));
}

absl::Status LocalWorker::Check() {
  if (process_.running()) return absl::OkStatus();
  const ExitStatus exit = process_.Wait(Duration::zero()).value_or(ExitStatus{});
  if (WasKilled(exit) && restarts_ < kMostRestarts) {
    std::error_code none;
    began_ = std::filesystem::file_size(options_.output_path, none);
    if (none) began_ = 0;
    auto process = Subprocess::Spawn(options_);
    if (!process.ok()) return ExitWith(ExitCode::kDevice, WithContext(process.status(), kName));
    process_ = *std::move(process);
    ++restarts_;
    told_.push_back(absl::StrCat("the worker was killed (", exit.Text(), "): started another"));
    return absl::OkStatus();
  }
  const std::string output = ReadWholeFile(options_.output_path, static_cast<int64_t>(began_)).value_or("");
  std::string reason = exit.signal != 0 ? "" : LastReason(output);
  if (reason.empty()) reason = exit.Text();
  return ExitWith(ExitCode::kDevice,
                  absl::StrCat("the worker ended: ", reason,
                               restarts_ > 0 ? absl::StrCat(", after it was started ", restarts_ + 1, " times") : ""));
}

std::vector<std::string> LocalWorker::Notes() {
  std::vector<std::string> notes = std::exchange(told_, {});
  for (std::string& note : notes_.Read()) notes.push_back(std::move(note));
  return notes;
}

void LocalWorker::Stop(Duration grace) {
  process_.Signal(SIGTERM);
  if (!process_.Wait(grace)) process_.Kill();
}

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
