// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A v1.JobSpec, checked and typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/types/device_info.h"
#include "proto/types/scheduling_policy.h"
#include "proto/types/kernel_family.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measure_options.h"
#include "proto/types/schedule.h"
#include "search/space/restricted_family.h"
#include "search/strategies/stop_condition.h"

namespace mmtune {

struct JobSpec {
  MatmulProblem problem;
  DeviceSelector device;
  SchedulingPolicy manners;
  std::string strategy;
  uint64_t seed = 0;
  StopLimits limits;
  std::vector<Schedule> schedules;  ///< Not empty: measure exactly these; no strategy then.
  bool remeasure = false;
  bool cold_start = false;                    ///< The search learns nothing from the log.
  bool no_skip = false;                       ///< What cannot win is measured, too.
  bool no_compile_ahead = false;              ///< Only what is measured is compiled.
  MeasureOptions measure;                     ///< As asked for; TuningJob::measure() has the device's defaults.
  std::optional<Schedule> rival;              ///< Each of `schedules` is compared with it.
  std::vector<const KernelFamily*> families;  ///< To search; never empty.
  std::vector<FamilyPart> only;               ///< Empty: all of them; else the part of each, in the same order.
};

/// InvalidArgument names the field and its valid values. `known` are all families there are; a job that names none
/// searches those that are SearchedByDefault() for its problem.
absl::StatusOr<JobSpec> ParseJobSpec(const v1::JobSpec& message, const std::vector<const KernelFamily*>& known);

/// How a job's candidates are measured. InvalidArgument as ParseJobSpec.
absl::StatusOr<MeasureOptions> MeasureOf(const v1::JobSpec& message);
/// False: schedules are timed without a proof.
bool WantsProofs(const v1::JobSpec& message);

/// Takes away whatever ends the search early.
void ClearLimits(v1::JobSpec& message);

/// The same bytes for the same message, whatever the order of its maps.
std::string SerializeJobSpec(const v1::JobSpec& message);

}  // namespace mmtune
