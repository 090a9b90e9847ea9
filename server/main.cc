// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune-server: the coordinator as a daemon.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <future>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "proto/base/log.h"
#include "proto/base/process_guard.h"
#include "proto/base/program_options.h"
#include "proto/base/standard_output.h"
#include "server/server.h"

namespace mmtune {
namespace {

constexpr int kFailed = 1;
constexpr int kUsageError = 2;
constexpr int kLogError = 3;
constexpr int kBindError = 4;
constexpr Duration kDrain = std::chrono::seconds(10);
// From a signal to the end of the process, whatever hangs: the drain, a commit and the checkpoint.
constexpr unsigned kStopSeconds = 15;

int Complain(const absl::Status& status, int code) {
  std::fprintf(stderr, "mmtune-server: %s\n", std::string(status.message()).c_str());
  return code;
}

int Fail(const absl::Status& status) {
  if (IsBindFailure(status)) return Complain(status, kBindError);
  return Complain(status, absl::IsInvalidArgument(status) ? kUsageError : kLogError);
}

int Serve(const ServerOptions& options) {
  StopSignals signals(kStopSeconds, kFailed);
  signal(SIGPIPE, SIG_IGN);
  EndWhenOutOfMemory("mmtune-server", kFailed);
  if (absl::Status files = AllowOpenFiles(); !files.ok()) return Complain(files, kFailed);
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options);
  if (!server.ok()) return Fail(server.status());
  std::printf("listening on %s, log %s\n", (*server)->address().c_str(), options.log_path.c_str());
  // An error here is no harm: the same line is in the log on standard error.
  if (absl::Status said = FlushStandardOutput(); !said.ok()) LogWarning("no line", {{"why", said.message()}});
  std::promise<void> stop;
  signals.Start([&stop] { stop.set_value(); }, [] {});
  stop.get_future().wait();
  LogInfo("draining");
  (*server)->Shutdown(kDrain);
  return 0;
}

int Main(int argc, char** argv) {
  CLI::App app(
      "The coordinator of mmtune: takes jobs from `tune`, leases candidates to `mmtune-worker`, and keeps every "
      "result in the tuning log.\nExit codes: 0 stopped by SIGTERM or SIGINT, 1 out of memory or files, help that "
      "cannot be written, or not stopped within 15 s of the signal, 2 usage, 3 the log cannot be used, 4 the address "
      "cannot be bound.",
      "mmtune-server");
  ServerOptions options;
  options.listen = "127.0.0.1:7077";
  bool verbose = false;
  app.add_option("--listen", options.listen, "Loopback HOST:PORT (port 0: a free one) or unix:/path")
      ->type_name("ADDR")
      ->capture_default_str();
  app.add_option("--log", options.log_path, "The tuning log; created when absent, locked while the server runs")
      ->type_name("FILE")
      ->required();
  app.add_flag("--verbose", verbose, "Log every event to standard error");
  app.set_version_flag("--version", MMTUNE_VERSION);
  RefuseEmptyValues(app);
  signal(SIGPIPE, SIG_IGN);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return ExitAfterOutput("mmtune-server", app.exit(error), kFailed);
    std::fprintf(stderr, "mmtune-server: %s; try --help\n", error.what());
    return kUsageError;
  }
  SetLogLevel(verbose ? LogLevel::kDebug : LogLevel::kInfo);
  return Serve(options);
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) { return mmtune::Main(argc, argv); }
