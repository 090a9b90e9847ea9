// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request of a tuning job, after all its fields were checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/families/common/summation.h"
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

/// The most jobs of a model that count as one job of their client.
inline constexpr int64_t kMostModelParts = 256;

/// Set for a job that searches for one problem of a model: its part in the model (v1::ModelShare).
struct ModelPart {
  std::string id;                   ///< Identifies the model: the same for all its jobs.
  double calls = 1;                 ///< The number of times that the model computes the problem.
  double time_ns = 1;               ///< The estimated time of the problem in the model now.
  std::optional<Schedule> present;  ///< The schedule that the model uses now, measured first; absent: none is.
  int64_t trials = 0;               ///< The limit on the trials of all jobs of the model; 0 means no limit.
  int64_t parts = 0;                ///< The number of jobs of the model; 0 if it is not known.
};

/// A job's request after all its fields were checked.
struct JobSpec {
  MatmulProblem problem;
  DeviceSelector device;
  SchedulingPolicy policy;
  std::string strategy;
  uint64_t seed = 0;
  StopLimits limits;
  std::vector<Schedule> schedules;            ///< If not empty, exactly these are measured, without a search.
  bool remeasure = false;                     ///< Measures candidates even if the log has their results.
  bool cold_start = false;                    ///< The search gets no prior observations (prior_observations.h).
  bool no_skip = false;                       ///< Also measures schedules whose lower bound shows that they cannot win.
  bool no_compile_ahead = false;              ///< Compiles only schedules that are then measured.
  MeasureOptions measure;                     ///< The requested options; TuningJob::measure() adds defaults.
  std::optional<Schedule> reference;          ///< If set, each of `schedules` is timed side by side with it.
  std::vector<const KernelFamily*> families;  ///< The families to search; never empty.
  std::vector<FamilyPart> only;               ///< The part of each family to search; empty: all.
  Numerics numerics;                          ///< Restricts the search by the order of additions.
  std::optional<ModelPart> model;             ///< Set if the job shares its trials with others of a model.
};

/// Checks a request. Returns InvalidArgument with the wrong field and its valid values. `known` holds all kernel
/// families; a job that names none searches those that are searched by default for its problem.
absl::StatusOr<JobSpec> ParseJobSpec(const v1::JobSpec& message, const std::vector<const KernelFamily*>& known);

/// Returns how the job's candidates are measured. Returns InvalidArgument with the wrong field.
absl::StatusOr<MeasureOptions> MeasureOf(const v1::JobSpec& message);
/// True if the job verifies schedules before it times them, or if the message cannot be read.
bool WantsVerification(const v1::JobSpec& message);

/// Clears every field that limits the search: trials, seconds, and the conditions that end it early.
void ClearLimits(v1::JobSpec& message);

}  // namespace mmtune
