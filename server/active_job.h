// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A job in memory, with what it brought from before a restart and the devices that serve it.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/device_binding.h"
#include "server/tuning_job.h"

namespace mmtune {

struct ActiveJob {
  ActiveJob(JobRow row, v1::JobSpec message, JobSpec spec, const WorkerRegistry& workers, const Clock& clock)
      : job(std::move(row), std::move(message), std::move(spec), clock), binding(job, workers, clock) {}

  TuningJob job;
  DeviceBinding binding;
  /// What it proposed before a restart, or before it left a class of devices: its next plan proposes that first.
  std::vector<Schedule> proposed_before;
  /// Measured by this job before a restart and not yet proposed again, by digest of the schedule.
  std::unordered_map<std::string, TuningRecord> own_records;
  bool pump_again = false;  ///< There was more to propose than one go takes.
};

}  // namespace mmtune
