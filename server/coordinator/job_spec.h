// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request of a job, checked and typed; the limits of one client; and the states of jobs on the wire.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/types/device_info.h"
#include "proto/types/kernel_family.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measure_options.h"
#include "proto/types/schedule.h"
#include "proto/types/scheduling_policy.h"
#include "search/space/restricted_family.h"
#include "search/strategies/stop_condition.h"

namespace mmtune {

/// The limits of one client: the name in its certificate. All clients without a certificate are one. 0: no limit.
struct ClientQuota {
  int64_t jobs = 0;        ///< Unfinished jobs; more are refused.
  int64_t candidates = 0;  ///< Leases held at once by all jobs of the client; further candidates wait.
  int64_t trials = 0;      ///< Trials of one job; a job that asks for more, or for no limit, is refused.

  /// Returns how many of `most` candidates a client with `live` leases may have now.
  int LeasesLeft(int64_t live, int most) const {
    return candidates == 0 ? most : static_cast<int>(std::clamp<int64_t>(candidates - live, 0, most));
  }
};

inline constexpr ClientQuota kDefaultQuota = {.jobs = 256};

v1::JobState ToWire(JobState state);
/// Returns the JobStateName of the state; "unknown" for a value that this program does not know.
std::string_view JobStateName(v1::JobState state);
/// True if nothing more will happen; false for a value that this program does not know.
bool IsFinal(v1::JobState state);

struct JobSpec {
  MatmulProblem problem;
  DeviceSelector device;
  SchedulingPolicy policy;
  std::string strategy;
  uint64_t seed = 0;
  StopLimits limits;
  std::vector<Schedule> schedules;  ///< Not empty: measure exactly these; no strategy then.
  bool remeasure = false;
  bool cold_start = false;                    ///< The search gets no prior observations.
  bool no_skip = false;                       ///< Schedules that cannot win are measured, too.
  bool no_compile_ahead = false;              ///< Only schedules that are measured are compiled.
  MeasureOptions measure;                     ///< TuningJob::measure() adds the defaults.
  std::optional<Schedule> reference;          ///< Each of `schedules` is compared with it.
  std::vector<const KernelFamily*> families;  ///< The families to search; never empty.
  std::vector<FamilyPart> only;               ///< The part of each family to search; empty: all.
};

/// Checks a request. InvalidArgument names the field and its valid values. `known` are all families there are; a job
/// that names none searches those that are SearchedByDefault() for its problem.
absl::StatusOr<JobSpec> ParseJobSpec(const v1::JobSpec& message, const std::vector<const KernelFamily*>& known);

/// Returns how a job's candidates are measured; also reads messages of older logs. InvalidArgument names the field.
absl::StatusOr<MeasureOptions> MeasureOf(const v1::JobSpec& message);
/// True if schedules are verified before they are timed.
bool WantsVerification(const v1::JobSpec& message);

/// Clears everything that ends the search early.
void ClearLimits(v1::JobSpec& message);

/// Serializes the message to the same bytes whatever the order of its maps.
std::string SerializeJobSpec(const v1::JobSpec& message);

}  // namespace mmtune
