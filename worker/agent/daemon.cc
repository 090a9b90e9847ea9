// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/daemon.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "proto/base/log.h"
#include "proto/base/owned_folder.h"
#include "proto/base/process_guard.h"
#include "proto/base/status.h"
#include "worker/agent/agent.h"
#include "worker/agent/device_selection.h"
#include "worker/children/child.h"
#include "worker/children/process_evaluator.h"
#include "worker/common/timing_gate.h"

namespace mmtune {
namespace {

int Complain(const absl::Status& status, int code) {
  fprintf(stderr, "mmtune-worker: %s\n", std::string(status.message()).c_str());
  return code;
}

/// From a signal to the end, whatever hangs: the drain, and a moment for the farewell.
unsigned StopSeconds(const DaemonOptions& options) {
  return static_cast<unsigned>(std::chrono::ceil<std::chrono::seconds>(options.drain_limit).count()) + 5;
}

absl::StatusOr<std::vector<WorkerDevice>> FindDevices(const DaemonOptions& options, const std::string& scratch_folder) {
  ASSIGN_OR_RETURN(worker::Probe probe, ProbeInChild(options.executable, options.arch, scratch_folder));
  ASSIGN_OR_RETURN(std::vector<WorkerDevice> devices, ProbedDevices(probe));
  return SelectDevices(options.devices, devices, probe.no_cuda_reason());
}

ProcessEvaluatorOptions EvaluatorOptions(const DaemonOptions& options, const std::vector<WorkerDevice>& devices,
                                         const std::string& scratch_folder) {
  ProcessEvaluatorOptions evaluator;
  evaluator.executable = options.executable;
  evaluator.compile_jobs = options.compile_jobs;
  evaluator.scratch_folder = scratch_folder;
  evaluator.proof_folder = options.proof_folder;
  evaluator.device_wait = options.device_wait;
  evaluator.limits = options.limits;
  for (const WorkerDevice& device : devices) evaluator.devices.push_back({device.info, device.selector});
  return evaluator;
}

int Serve(const DaemonOptions& options, std::vector<WorkerDevice> devices, const std::string& scratch_folder,
          StopSignals& signals) {
  const std::string spool_folder = options.spool_folder.empty() ? scratch_folder + "/spool" : options.spool_folder;
  absl::StatusOr<std::unique_ptr<ReportSpool>> spool = ReportSpool::Open(spool_folder, options.server);
  if (!spool.ok()) return Complain(spool.status(), 2);
  ServerConnection server(options.server);
  ProcessEvaluator evaluator(EvaluatorOptions(options, devices, scratch_folder));
  AgentOptions agent_options;
  agent_options.version = options.version;
  agent_options.devices = std::move(devices);
  agent_options.give_up_after = options.give_up_after;
  agent_options.end_without_socket = options.exit_with_server;
  agent_options.drain_limit = options.drain_limit;
  Agent agent(std::move(agent_options), &server, spool->get(), &evaluator);
  signals.Start([&agent] { agent.Drain(); },
                [&scratch_folder] {
                  // The children die with this process: each asked the kernel for it.
                  std::error_code ignored;
                  std::filesystem::remove_all(scratch_folder, ignored);
                  _exit(kExitInterrupted);
                });
  absl::Status end = agent.Run();
  signals.Stop();
  return end.ok() ? kExitDrained : Complain(end, IsDeviceBusy(end) ? kExitNoDevice : kExitNoServer);
}

}  // namespace

int RunDaemon(const DaemonOptions& options) {
  StopSignals signals(StopSeconds(options), kExitInterrupted);
  signal(SIGPIPE, SIG_IGN);
  if (absl::Status files = AllowOpenFiles(); !files.ok()) return Complain(files, kExitInterrupted);
  OwnedFolder::RemoveAbandoned(TemporaryParent(), kScratchPrefix);
  absl::StatusOr<OwnedFolder> scratch = OwnedFolder::Temporary(kScratchPrefix);
  if (!scratch.ok()) return Complain(scratch.status(), 2);
  // What a killed child leaves in its temporary folder goes with the scratch folder.
  setenv("TMPDIR", scratch->path().c_str(), 1);
  absl::StatusOr<std::vector<WorkerDevice>> devices = FindDevices(options, scratch->path());
  if (!devices.ok()) return Complain(devices.status(), kExitNoDevice);
  for (const WorkerDevice& device : *devices) {
    LogInfo("device", {{"device", device.selector}, {"name", device.info.name}, {"arch", device.info.arch}});
  }
  return Serve(options, *std::move(devices), scratch->path(), signals);
}

}  // namespace mmtune
