// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/daemon.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "proto/base/clock.h"
#include "proto/base/folders.h"
#include "proto/base/log.h"
#include "proto/base/process_guard.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "worker/agent/device_selection.h"
#include "worker/children/timing_gate.h"

namespace mmtune {
namespace {

/// The budget of the timing, which nobody asks for here: it is the last step of an evaluation.
constexpr double kMeasureSeconds = 1e-3;
/// A rate of race detection that every host reaches.
constexpr double kRaceDetectionMultiplyAddsPerSecond = 1e6;

ExitCode ExitCodeOf(const absl::Status& end) {
  if (IsDeviceBusy(end)) return ExitCode::kDevice;
  if (absl::IsUnauthenticated(end)) return ExitCode::kCertificate;
  return absl::IsPermissionDenied(end) ? ExitCode::kForbidden : ExitCode::kServer;
}

/// The server knows it as "<name of the certificate>/<id>".
absl::Status CheckWorkerId(const std::string& id, const ServerEndpoint& server, const std::string& folder) {
  size_t size = id.size();
  if (server.tls.given()) {
    ASSIGN_OR_RETURN(const Certificate own, CheckTlsFiles(server.tls, CertificateUse::kClient));
    if (own.identity.ok()) size += own.identity->name.size() + 1;
  }
  if (size <= kMaxName) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("the worker's name, made of its certificate's name (if it has one) and the id ",
                                      id, ", has ", size, " characters; at most ", kMaxName,
                                      " are allowed. The id is from the name of a file in ", folder,
                                      ": give another folder with --spool to get a new id, or use a certificate with "
                                      "a shorter name"));
}

/// Holds what a worker needs for one coordinator.
struct Service {
  std::unique_ptr<ServerConnection> server;
  std::unique_ptr<ReportSpool> spool;
  std::unique_ptr<Agent> agent;
  absl::Status end;
};

absl::StatusOr<std::vector<Service>> OpenServices(const ServerEndpoint& servers, const std::string& spool_folder) {
  std::vector<Service> services;
  for (const ServerEndpoint& endpoint : servers.Each()) {
    const auto addresses = std::make_shared<ServerAddresses>(endpoint);
    for (size_t i = 0; i < addresses->size(); ++i) {
      Service& service = services.emplace_back();
      ASSIGN_OR_RETURN(service.spool, ReportSpool::Open(spool_folder, endpoint.address));
      RETURN_IF_ERROR(CheckWorkerId(service.spool->worker_id(), endpoint, spool_folder));
      service.server = std::make_unique<ServerConnection>(endpoint, addresses, i);
    }
  }
  return services;
}

/// Runs all agents. When one is drained, or the device is busy for too long, the others end, too. One whose coordinator
/// refuses it ends alone. Returns why the worker ends.
absl::Status RunAgents(std::vector<Service>& services) {
  std::vector<std::thread> threads;
  for (Service& service : services) {
    threads.emplace_back([&services, &service] {
      service.end = service.agent->Run();
      if (service.end.ok() || IsDeviceBusy(service.end)) {
        for (Service& other : services) other.agent->Drain();
      } else if (services.size() > 1) {
        LogError("coordinator_lost", {{"server", service.server->address()}, {"why", ToStd(service.end.message())}});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto busy = std::ranges::find_if(services, [](const Service& service) { return IsDeviceBusy(service.end); });
  if (busy != services.end()) return busy->end;
  const bool drained = std::ranges::any_of(services, [](const Service& service) { return service.end.ok(); });
  return drained ? absl::OkStatus() : services.front().end;
}

int Serve(const DaemonOptions& options, std::vector<WorkerDevice> devices, const std::string& scratch_folder,
          StopSignals& signals) {
  absl::StatusOr<std::vector<Service>> services =
      OpenServices(options.server, options.spool_folder.empty() ? scratch_folder + "/spool" : options.spool_folder);
  if (!services.ok()) return ReportFatal(services.status(), ExitCode::kUsage);
  LogStyle style = GetLogStyle();
  style.worker = services->front().spool->worker_id();
  SetLogStyle(std::move(style));
  ProcessEvaluatorOptions evaluator_options = options.evaluator;
  evaluator_options.devices = devices;
  evaluator_options.scratch_folder = scratch_folder;
  ProcessEvaluator evaluator(std::move(evaluator_options));
  for (Service& service : *services) {
    AgentOptions agent_options = options.agent;
    agent_options.devices = devices;
    for (const Service& other : *services) {
      if (&other != &service) agent_options.others.push_back(other.server.get());
    }
    service.agent =
        std::make_unique<Agent>(std::move(agent_options), service.server.get(), service.spool.get(), &evaluator);
  }
  signals.Start(
      [&services] {
        for (Service& service : *services) service.agent->Drain();
      },
      [&scratch_folder] {
        // The children die with this process: each asked the kernel for it.
        std::error_code ignored;
        std::filesystem::remove_all(scratch_folder, ignored);
        _exit(Number(ExitCode::kNoResult));
      });
  const absl::Status end = RunAgents(*services);
  signals.Stop();
  for (Service& service : *services) service.agent.reset();  // before the connections of the others
  return end.ok() ? Number(ExitCode::kOk) : ReportFatal(end, ExitCodeOf(end));
}

}  // namespace

int ReportFatal(const absl::Status& status, ExitCode code) {
  ReportFatal("mmtune-worker", ToStd(status.message()));
  return Number(code);
}

int RunDaemon(const DaemonOptions& options) {
  // From a signal to the end, whatever hangs: the drain, and a moment for the farewell.
  const auto drain_seconds = std::chrono::ceil<std::chrono::seconds>(options.agent.drain_limit).count();
  StopSignals signals(static_cast<unsigned>(drain_seconds) + 5, Number(ExitCode::kNoResult));
  if (absl::Status files = AllowFilesAndThreads(); !files.ok()) return ReportFatal(files, ExitCode::kNoResult);
  OwnedFolder::RemoveAbandoned(TemporaryParent(), kScratchPrefix);
  absl::StatusOr<OwnedFolder> scratch = OwnedFolder::Temporary(kScratchPrefix);
  if (!scratch.ok()) return ReportFatal(scratch.status(), ExitCode::kUsage);
  absl::StatusOr<std::vector<WorkerDevice>> devices =
      FindDevices(options.devices, options.evaluator.executable, options.arch, scratch->path());
  if (!devices.ok()) return ReportFatal(devices.status(), ExitCode::kDevice);
  for (const WorkerDevice& device : *devices) {
    LogInfo("device", {{"device", device.selector}, {"name", device.info.name}, {"arch", device.info.arch}});
  }
  return Serve(options, *std::move(devices), scratch->path(), signals);
}

absl::StatusOr<VerifyAnswer> Verify(const DaemonOptions& options, const VerifyRequest& request) {
  ASSIGN_OR_RETURN(OwnedFolder scratch, OwnedFolder::Temporary(kScratchPrefix));
  ProcessEvaluatorOptions evaluator_options = options.evaluator;
  evaluator_options.compile_jobs = 1;
  evaluator_options.scratch_folder = scratch.path();
  evaluator_options.verification_folder.clear();
  ASSIGN_OR_RETURN(std::vector<WorkerDevice> devices,
                   FindDevices({options.devices.front()}, evaluator_options.executable, options.arch,
                               evaluator_options.scratch_folder));
  devices.resize(1);
  evaluator_options.devices = devices;
  const WorkerDevice& device = devices.front();
  Candidate candidate;
  candidate.problem = request.problem;
  candidate.schedule = request.schedule;
  candidate.check_full_size_races = request.check_full_size_races;
  candidate.fuzzing_runs = static_cast<int>(request.fuzzing_runs);
  ASSIGN_OR_RETURN(candidate.target, TargetOn(device, options.arch));
  candidate.assemble = RunsCubin(device.native_arch, candidate.target.arch);
  candidate.measure.budget_seconds = kMeasureSeconds;
  if (candidate.check_full_size_races) {
    const double seconds = candidate.problem.Flops() / 2 / kRaceDetectionMultiplyAddsPerSecond;
    evaluator_options.limits.compute += FromSeconds(seconds);
  }
  VerifyAnswer answer;
  answer.device = candidate.target;
  answer.toolchain = device.toolchain;
  absl::StatusOr<Measurement> measurement = absl::UnknownError("the evaluator returned no measurement");
  absl::Notification done;
  ProcessEvaluator evaluator(std::move(evaluator_options));
  evaluator.Start(std::move(candidate), std::make_shared<StopToken>(), [&](absl::StatusOr<Measurement> result) {
    measurement = std::move(result);
    done.Notify();
  });
  done.WaitForNotification();
  ASSIGN_OR_RETURN(answer.measurement, std::move(measurement));
  return answer;
}

}  // namespace mmtune
