// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the registered devices a job measures on.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "server/job_spec.h"
#include "server/tuning_job.h"
#include "server/worker_registry.h"

namespace mmtune {

struct DeviceChoice {
  std::optional<JobTarget> target;
  std::string waits_for;   ///< When there is no target and no failure: "no worker with a CUDA device …".
  bool unmatched = false;  ///< It waits because no worker that serves is one that the job selects.
  absl::Status failure;    ///< No device will ever do: the arch is newer than the device, or the operands do not fit.
};

/// Which class of devices a job may be bound to, by class key.
struct ClassRule {
  std::string required;  ///< The class of a resumed job's records; empty: any.
  std::string avoided;   ///< Empty: none.
};

/// Chooses from the devices that serve (WorkerRegistry::Serves). Selector auto takes the first CUDA device and falls to
/// the SIMT device when there is none.
DeviceChoice ChooseDevice(const JobSpec& spec, const ClassRule& rule, const WorkerRegistry& workers);

/// Whether `device` of `worker` may measure for a job: labels, selector, arch and class agree.
bool DeviceServes(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec,
                  const JobTarget& target);

}  // namespace mmtune
