// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the registered devices a job measures on.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "server/coordinator/job_spec.h"
#include "server/coordinator/tuning_job.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

struct DeviceChoice {
  std::optional<JobTarget> target;
  std::string waits_for;   ///< When there is no target and no failure: "no worker with a CUDA device …".
  bool unmatched = false;  ///< It waits because no worker that serves is one that the job selects.
  /// No registered device will ever do: each is older than the arch, or has too little memory for the operands.
  absl::Status failure;
};

/// Which class of devices a job may be bound to, by class key.
struct ClassRule {
  std::string required;  ///< The class of a resumed job's records; empty: any.
  std::string avoided;   ///< Empty: none.
};

/// Chooses from the devices that serve (WorkerRegistry::Serves). Selector auto takes the first CUDA device and falls to
/// the SIMT device when there is none.
DeviceChoice ChooseDevice(const JobSpec& spec, const ClassRule& rule, const WorkerRegistry& workers);

/// True if `device` of `worker` may measure for a job: labels, selector, arch and class agree, and its memory holds the
/// operands, however much others of its class have.
bool DeviceServes(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec,
                  const JobTarget& target);

}  // namespace mmtune
