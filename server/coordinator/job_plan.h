// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepares the search of a job: its search space, its strategy, and what the log has that the search can begin with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "proto/types/device_info.h"
#include "proto/types/kernel_family.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"
#include "search/cost_model/prior_observations.h"
#include "search/space/search_space.h"
#include "search/strategies/strategy.h"
#include "server/coordinator/job_spec.h"

namespace mmtune {

/// The search of a job on its device.
struct JobPlan {
  std::vector<std::unique_ptr<KernelFamily>> restricted;  ///< Owns the families of `space` if only parts are searched.
  std::unique_ptr<SearchSpace> space;                     ///< Null if the job names its schedules.
  std::unique_ptr<Strategy> strategy;                     ///< Chooses the schedules; it refers to `space`.
  SpaceSize space_size;  ///< Exact if the strategy needs that, otherwise estimated; 0 without a space.
  /// If the job is part of a model: how many schedules are proposed again because it proposed them before a restart,
  /// the log has their results, or the model uses them now.
  int64_t repeated = 0;
  /// The number of prior observations (prior_observations.h) that were read from the log.
  size_t prior_observations = 0;
  std::string log_error;  ///< The reason why the log could not be read; empty if there was no error.
};

/// The arguments of MakeJobPlan.
struct JobPlanRequest {
  JobSpec spec;
  DeviceInfo device;
  Toolchain toolchain;
  std::vector<Schedule> initial;  ///< Proposed before all others: the proposals of the same job before a restart.
  int lanes = 1;                  ///< The number of devices that measure for the job.
  int compile_lanes = 0;          ///< The most schedules compiled at once for each of `lanes`; 0: none ahead.
  /// The time at which the job was submitted, in Unix milliseconds. Only older records become prior observations (times
  /// from which the search learns), so that they are the same after a restart.
  int64_t created_unix_millis = 0;
  ReaderFactory open_log;  ///< Opens the log for prior observations; null if there are to be none.
};

/// Prepares the search of a job. Counting a space and reading the log may take minutes, so it must not run on the log
/// writer's thread; it may run on any other. A log that cannot be read is reported in JobPlan::log_error. Returns
/// InvalidArgument if no schedule is valid on the device, or if the search is to end at a percentage of a peak
/// throughput that is not known.
absl::StatusOr<JobPlan> MakeJobPlan(JobPlanRequest request);

/// The problem, device and toolchain for whose search prior observations are read.
struct WarmStartTarget {
  MatmulProblem problem;
  DeviceInfo device;
  Toolchain toolchain;
  TimesFilter times;  ///< Selects the times that may be used, such as those of the device's kind.
};

/// True if both problems have the same types of elements and the same math mode.
bool SameTypes(const MatmulProblem& a, const MatmulProblem& b);
/// Returns the distance between the sizes of two problems: by how many doublings M, N, K and the batch differ together.
double SizeDistance(const MatmulProblem& a, const MatmulProblem& b);

/// Reads the prior observations for a search from the log.
///
/// All times of one problem on one class of devices are a source. Sources are read in the order of their similarity:
/// the target's own problem on other devices, then other problems on the target's class of devices, then problems with
/// the target's types, then problems of similar size. Reading ends after kMostSources sources, after
/// kMaxPriorObservations observations, or after kMostRead times. Of each source at most kMostOfSource schedules are
/// read, fast and slow ones; for each schedule its newest record counts. Sources with fewer than kFewestOfSource usable
/// times are left out. So are times of the target's own problem, class and toolchain: the log answers these when they
/// are proposed, and a repeated job thus proposes the same schedules.
///
/// Observations made with the target's toolchain have weight 1; those of other toolchains have 1/2, 1/3 and so on, the
/// last used first. The same records always give the same result, which is empty if there are too few. Returns the
/// errors of the log.
absl::StatusOr<std::vector<PriorObservation>> ReadPriorObservations(TuningLogReader& log, const WarmStartTarget& target,
                                                                    const SearchSpace& space);

inline constexpr size_t kMostOfSource = 512;
inline constexpr size_t kMaxPriorObservations = 2048;
inline constexpr size_t kFewestOfSource = 8;
inline constexpr size_t kMostSources = 512;
/// The most times that are read; it limits how long a job's start takes if few of the log's schedules are in its space.
inline constexpr size_t kMostRead = 2 * kMaxPriorObservations;

}  // namespace mmtune
