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
  std::string waits_for;  ///< When there is no target and no failure: "a worker with a CUDA device".
  absl::Status failure;   ///< No device could ever do: the arch is newer than the device, the operands do not fit.
};

/// Selector auto takes the first CUDA device and falls to the SIMT device when the live workers have none.
/// `required_class` (a class key) binds a resumed job to the devices its records came from; empty: any.
DeviceChoice ChooseDevice(const JobSpec& spec, const std::string& required_class, const WorkerRegistry& workers);

/// True when `device` may measure for a job: selector, arch and class agree.
bool DeviceServes(const RegisteredDevice& device, const JobSpec& spec, const JobTarget& target);

}  // namespace mmtune
