#include "server/cli/local_worker.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"
#include "server/cli/exit_code.h"
#include "server/cli/format.h"

namespace mmtune {
namespace {

constexpr char kName[] = "mmtune-worker";
constexpr size_t kLongestReason = 300;

}  // namespace

absl::StatusOr<std::string> FindWorkerExecutable() {
  std::string beside = absl::StrCat(ExecutableFolder(), "/", kName);
  if (access(beside.c_str(), X_OK) == 0) return beside;
  const char* path = getenv("PATH");
  for (absl::string_view folder : absl::StrSplit(path == nullptr ? "" : path, ':', absl::SkipEmpty())) {
    std::string candidate = absl::StrCat(folder, "/", kName);
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return ExitWith(ExitCode::kDevice, NotFound(absl::StrCat("there is no ", kName, " in ", ExecutableFolder(),
                                                           " or on PATH: install it beside tune, or use --server")));
}

std::string LastReason(std::string_view output) {
  std::string reason;
  for (absl::string_view line : absl::StrSplit(ToAbsl(output), '\n')) {
    if (line.find_first_not_of(" \r\t") != absl::string_view::npos) reason = PlainText(ToStd(line));
  }
  const std::string prefix = absl::StrCat(kName, ": ");
  if (reason.compare(0, prefix.size(), prefix) == 0) reason.erase(0, prefix.size());
  if (reason.size() > kLongestReason) reason = PlainText(reason.substr(0, kLongestReason)) + " ...";
  return reason;
}

absl::StatusOr<LocalWorker> LocalWorker::Start(const std::string& server, const DeviceSelector& device,
                                               const std::string& folder) {
  ASSIGN_OR_RETURN(std::string executable, FindWorkerExecutable());
  DeviceSelector own = device;
  own.arch.clear();
  SubprocessOptions options;
  options.argv = {executable, "--server", server, "--device", DeviceSelectorText(own), "--exit-with-server"};
  if (!device.arch.empty()) options.argv.insert(options.argv.end(), {"--arch", device.arch});
  options.output_path = absl::StrCat(folder, "/worker.log");
  options.extra_environment = {absl::StrCat("TMPDIR=", folder)};  // its scratch files go when the folder does
  auto process = Subprocess::Spawn(options);
  if (!process.ok()) return ExitWith(ExitCode::kDevice, WithContext(process.status(), kName));
  return LocalWorker(*std::move(process), options.output_path);
}

absl::Status LocalWorker::Check() {
  if (process_.running()) return absl::OkStatus();
  std::ifstream file(output_path_);
  const std::string output((std::istreambuf_iterator<char>(file)), {});
  const ExitStatus exit = process_.Wait(Duration::zero()).value_or(ExitStatus{});
  const std::string reason = LastReason(output);
  return ExitWith(ExitCode::kDevice, absl::StrCat("the worker ended", reason.empty() ? " with " : ": ",
                                                  reason.empty() ? exit.Text() : reason));
}

void LocalWorker::Stop(Duration grace) {
  process_.Signal(SIGTERM);
  if (!process_.Wait(grace)) process_.Kill();
}

}  // namespace mmtune
