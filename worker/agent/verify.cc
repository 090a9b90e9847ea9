// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/verify.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "proto/base/owned_folder.h"
#include "proto/base/seconds.h"
#include "proto/base/status.h"
#include "worker/agent/device_selection.h"
#include "worker/children/child.h"
#include "worker/children/process_evaluator.h"
#include "worker/common/device_architecture.h"

namespace mmtune {
namespace {

/// Of the timing, which is only the last step of the road.
constexpr double kMeasureSeconds = 1e-3;
/// Of check mode, at a rate that no host falls under.
constexpr double kWatchedProductsPerSecond = 1e6;

absl::StatusOr<WorkerDevice> FindDevice(const Verification& options, const std::string& scratch_folder) {
  ASSIGN_OR_RETURN(worker::Probe probe, ProbeInChild(options.executable, options.device.arch, scratch_folder));
  ASSIGN_OR_RETURN(std::vector<WorkerDevice> all, ProbedDevices(probe));
  ASSIGN_OR_RETURN(std::vector<WorkerDevice> devices, SelectDevices({options.device}, all, probe.no_cuda_reason()));
  return devices.front();
}

}  // namespace

absl::StatusOr<VerifyAnswer> Verify(const Verification& options) {
  ASSIGN_OR_RETURN(OwnedFolder scratch, OwnedFolder::Temporary(kScratchPrefix));
  ASSIGN_OR_RETURN(WorkerDevice device, FindDevice(options, scratch.path()));
  Candidate candidate;
  candidate.problem = options.request.problem;
  candidate.schedule = options.request.schedule;
  candidate.watch_size = options.request.watch_size;
  candidate.stress_runs = static_cast<int>(options.request.stress_runs);
  ASSIGN_OR_RETURN(candidate.target, StandInFor(device.info, options.device.arch));
  candidate.assemble = device.native_arch.empty() || RunsCubin(device.native_arch, candidate.target.arch);
  candidate.measure.budget_seconds = kMeasureSeconds;

  ProcessEvaluatorOptions evaluator_options;
  evaluator_options.executable = options.executable;
  evaluator_options.devices = {{device.info, device.selector}};
  evaluator_options.scratch_folder = scratch.path();
  evaluator_options.device_wait = options.device_wait;
  if (candidate.watch_size) {
    const double seconds = candidate.problem.Flops() / 2 / kWatchedProductsPerSecond;
    evaluator_options.limits.compile += FromSeconds(seconds);
  }
  VerifyAnswer answer;
  answer.device = candidate.target;
  answer.toolchain = device.toolchain;
  absl::StatusOr<Measurement> measurement = absl::UnknownError("no measurement");
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
