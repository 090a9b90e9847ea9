// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune-server: the coordinator as a daemon.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "db/log_exit_code.h"
#include "proto/base/clock.h"
#include "proto/base/exit_code.h"
#include "proto/base/log.h"
#include "proto/base/output_file.h"
#include "proto/base/process_guard.h"
#include "proto/base/status.h"
#include "proto/command_line/log_options.h"
#include "proto/command_line/option_table.h"
#include "proto/command_line/program.h"
#include "proto/command_line/validators.h"
#include "proto/tls/channel.h"
#include "proto/tls/server_endpoint.h"
#include "proto/tls/tls_options.h"
#include "server/metrics/server_metrics.h"
#include "server/rpc/server.h"

namespace mmtune {
namespace {

constexpr int kFailed = Number(ExitCode::kNoResult);
constexpr Duration kDrain = std::chrono::seconds(10);
// The longest time from a signal to the end of the process, which covers the drain, a commit and the checkpoint.
constexpr unsigned kStopSeconds = 15;
// A worker's calls take up to 5 s, its reports 10 s, and both are repeated: shorter leases would expire for healthy
// ones.
constexpr double kLeastLeaseSeconds = 15, kMostLeaseSeconds = 3600;
constexpr int kHeartbeatsPerLease = 6;
// Shorter than the timeout of Prometheus (10 s), so that counters are served even if the log writer is busy.
constexpr Duration kScrapeTimeout = std::chrono::seconds(2);

int ReportFatal(const absl::Status& status, ExitCode code) {
  mmtune::ReportFatal("mmtune-server", ToStd(status.message()));
  return Number(code);
}

int Fail(const absl::Status& status, const std::string& log) {
  if (IsBindFailure(status)) return ReportFatal(status, ExitCode::kServer);
  if (absl::IsUnauthenticated(status)) return ReportFatal(status, ExitCode::kCertificate);
  return ReportFatal(status, absl::IsInvalidArgument(status) ? ExitCode::kUsage : LogExitCode(log, status));
}

/// The addresses of the services beside the API; an empty address means that the service is off.
struct Listeners {
  std::string health;
  std::string metrics;
  bool metrics_anywhere = false;
};

int FailListening(const absl::Status& status) {
  return ReportFatal(status, absl::IsInvalidArgument(status) ? ExitCode::kUsage : ExitCode::kServer);
}

int Serve(ServerOptions options, const Listeners& listeners) {
  EndWhenOutOfMemory("mmtune-server", kFailed);  // first: the next line starts a thread
  StopSignals signals(kStopSeconds, kFailed);
  DisableDeadlockDetection();
  if (absl::Status files = AllowFilesAndThreads(); !files.ok()) return ReportFatal(files, ExitCode::kNoResult);
  auto metrics = std::make_shared<ServerMetrics>(MMTUNE_VERSION);
  std::unique_ptr<Server> server;  // outlives the listener that asks it
  std::promise<absl::Status> end;
  std::once_flag ended;
  const auto stop = [&end, &ended](const absl::Status& why) { std::call_once(ended, [&] { end.set_value(why); }); };
  options.on_log_lost = stop;
  // Every address is bound before a log is created, and before anything is printed.
  std::unique_ptr<MetricsListener> metrics_listener;
  if (!listeners.metrics.empty()) {
    auto listener = MetricsListener::Start(listeners.metrics, listeners.metrics_anywhere, metrics);
    if (!listener.ok()) return FailListening(listener.status());
    metrics_listener = *std::move(listener);
    options.on_commit = [metrics](const LogChanges& changes) { metrics->Committed(changes); };
  }
  std::unique_ptr<HealthListener> health;
  if (!listeners.health.empty()) {
    absl::StatusOr<std::unique_ptr<HealthListener>> listener = HealthListener::Start(listeners.health);
    if (!listener.ok()) return FailListening(listener.status());
    health = *std::move(listener);
  }
  absl::StatusOr<std::unique_ptr<Server>> started = Server::Start(options);
  if (!started.ok()) return Fail(started.status(), options.log_path);
  server = *std::move(started);
  metrics->SetSource([&server] { return server->Figures(kScrapeTimeout); },
                     [&server] { return server->QueuedRequests(); });
  if (metrics_listener) LogInfo("metrics", {{"address", metrics_listener->address()}});
  if (health) {
    health->SetServing(true);
    LogInfo("health", {{"address", health->address()}});
  }
  std::printf("listening on %s, log %s\n", server->address().c_str(), options.log_path.c_str());
  // An error does not matter here, because standard error has the same line.
  if (absl::Status said = FlushStandardOutput(); !said.ok())
    LogWarning("standard_output_failed", {{"why", said.message()}});
  signals.Start([&stop] { stop(absl::OkStatus()); }, [] {});
  const absl::Status why = end.get_future().get();
  if (why.ok()) LogInfo("draining");
  if (health) health->SetServing(false);
  server->Shutdown(why.ok() ? kDrain : Duration::zero());
  return why.ok() ? 0 : ReportFatal(why, ExitCode::kLog);
}

absl::Status CheckOptions(const ServerOptions& options) {
  if (!options.revoked.empty() && !options.tls.given()) {
    return InvalidArgument("--tls-revoked needs --tls-ca: give the certificate of the authority");
  }
  return CheckAllGiven(options.tls);
}

void AddQuota(CLI::App& app, ClientQuota& quota) {
  const auto add = [&app](const char* name, int64_t& value, const char* help) {
    app.add_option(name, value, help)->check(IntegerFrom<int64_t>(0))->type_name("N")->capture_default_str();
  };
  add("--max-jobs-per-client", quota.jobs,
      "Unfinished jobs that a client (the name in its certificate) may have; more are refused; 0: no limit");
  add("--max-candidates-per-client", quota.candidates,
      "Candidates of a client that workers may have at a time; more wait; 0: no limit");
  add("--max-trials-per-job", quota.trials, "Jobs that ask for more trials are refused; 0: no limit");
}

/// The values of options that are not in ServerOptions.
struct Flags {
  Listeners listeners;
  double max_wait = 24 * 3600;
  double lease_seconds = 0;
  bool verbose = false;
  LogFormat log_format = LogFormat::kText;
};

void AddOptions(CLI::App& app, ServerOptions& options, Flags& flags) {
  AsSetting(
      app.add_option("--log", options.log_path,
                     "The tuning log, a file or a postgres:// URL; created when absent, locked while the server runs"))
      ->type_name("FILE")
      ->required();
  app.add_option("--listen", options.listen,
                 "unix:/path, for this user alone, or ADDRESS:PORT (0.0.0.0: every address; port 0: a free one), for "
                 "whoever shows a certificate of the authority")
      ->type_name("ADDR")
      ->capture_default_str();
  AddTlsOptions(app, options.tls);
  app.add_option("--tls-revoked", options.revoked,
                 "Serials of certificates that are not taken any more, one a line; read again when it changes")
      ->type_name("FILE");
  CLI::Option* insecure =
      app.add_flag("--insecure-loopback", options.insecure_loopback,
                   "Serve a loopback address without TLS: every user of this host may call every method");
  for (const char* name : {"--tls-ca", "--tls-cert", "--tls-key"}) insecure->excludes(app.get_option(name));
  InGroup(app, kFleetGroup);
  AddQuota(app, options.quota);
  app.add_option(
         "--max-wait", flags.max_wait,
         "The longest time that a job waits for a device before it fails; for a job with --seconds, those seconds "
         "(at least 60) if that is less; 0: no limit")
      ->check(NumberFrom(0, 1e9))
      ->type_name("S")
      ->capture_default_str();
  flags.lease_seconds = Seconds(options.lease_ttl);
  app.add_option("--lease-seconds", flags.lease_seconds,
                 "The time without a heartbeat after which the leases of a worker expire, and go to others")
      ->check(NumberFrom(kLeastLeaseSeconds, kMostLeaseSeconds))
      ->type_name("S")
      ->capture_default_str();
  AddLogOptions(app, flags.verbose, flags.log_format);
  InGroup(app, kOutputGroup);
  app.add_option("--health", flags.listeners.health,
                 "ADDRESS:PORT for gRPC's health service alone, without TLS: for probes, such as Kubernetes'")
      ->type_name("ADDR");
  auto* metrics =
      app.add_option("--metrics", flags.listeners.metrics,
                     "ADDRESS:PORT, such as 127.0.0.1:9464, for metrics in Prometheus' format at /metrics, without TLS")
          ->type_name("ADDR");
  app.add_flag("--metrics-anywhere", flags.listeners.metrics_anywhere,
               "Serve them on an address that other hosts reach, too: whoever does reads the names of devices and "
               "workers")
      ->needs(metrics);
}

int Main(int argc, char** argv) {
  Program program(
      "The coordinator of mmtune: takes jobs, leases candidates to workers, and keeps every result.\n"
      "Jobs come from `tune`, the workers are `mmtune-worker`, and results are in the tuning log. SIGTERM or SIGINT "
      "stops it, within 15 s. It ends with 1 when it is to be started again: out of memory or files, or not stopped "
      "in time.",
      "mmtune-server");
  ServerOptions options;
  options.listen = "127.0.0.1:7077";
  Flags flags;
  AddOptions(program, options, flags);
  MakeFailedWritesErrors();
  // A user's configuration file is about the servers that the user calls, not about this one.
  if (std::optional<int> end = program.ParseMain(argc, argv, Settings())) return *end;
  options.max_wait = FromSeconds(flags.max_wait);
  options.lease_ttl = FromSeconds(flags.lease_seconds);
  // Workers learn from the answers what was cancelled: not later where leases are long.
  options.heartbeat = std::min<Duration>(options.lease_ttl / kHeartbeatsPerLease, options.heartbeat);
  SetLogStyle({flags.log_format, "server", ""});
  SetLogLevel(flags.verbose ? LogLevel::kDebug : LogLevel::kInfo);
  if (absl::Status checked = CheckOptions(options); !checked.ok()) return ReportFatal(checked, ExitCode::kUsage);
  return Serve(std::move(options), flags.listeners);
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) { return mmtune::Main(argc, argv); }
