// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of kernel families, without a compiler: search, server, worker and the programs find families here. A
// family with a line in the table can be searched, described, verified, compared on the ladder and emitted.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/families/common/space_family.h"
#include "kernels/perf_model/schedule_geometry.h"

namespace mmtune {

/// One line a family: its name in schedules and logs, and its name in C++, in the order of the documentation and of the
/// ladder. For each there are
///   const SpaceFamily& GetDirectFamily();
///   void emitDirect(KernelBuilder&, const MatmulProblem&, const Schedule&, ...);    kernel_emitter.h
/// and nothing links while one of them is missing.
#define MMTUNE_KERNEL_FAMILIES(FAMILY) \
  FAMILY(direct, Direct)               \
  FAMILY(fma, Fma)                     \
  FAMILY(mma, Mma)                     \
  FAMILY(gemv, Gemv)

#define MMTUNE_DECLARE_FAMILY(NAME, TITLE) const SpaceFamily& Get##TITLE##Family();
MMTUNE_KERNEL_FAMILIES(MMTUNE_DECLARE_FAMILY)
#undef MMTUNE_DECLARE_FAMILY

/// Returns every family of the table, in its order. Static lifetime; thread-safe.
const std::vector<const SpaceFamily*>& SpaceFamilies();
/// Returns the same families by the interface that search and server use.
const std::vector<const KernelFamily*>& KernelFamilies();

/// Finds a family by its name. InvalidArgument with the known names where there is none.
absl::StatusOr<const SpaceFamily*> FindKernelFamily(std::string_view name);

/// Validates with the schedule's family. InvalidArgument where the family is unknown, too.
absl::Status ValidateSchedule(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device);

/// Returns SpaceFamily::Describe() of the schedule's family. InvalidArgument where the family is unknown, too.
absl::StatusOr<ScheduleGeometry> DescribeSchedule(const MatmulProblem& problem, const Schedule& schedule);

/// Returns "direct=1 fma=1 mma=1", for Toolchain::families.
std::string KernelFamilyVersions();

/// Returns the memsets and launches of a valid schedule.
absl::StatusOr<LaunchPlan> MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule);

/// Returns name and schedule of the rungs of the teaching ladder for a problem on a device, slowest first, without
/// "tuned". A rung without a valid schedule is left out.
std::vector<std::pair<std::string, Schedule>> LadderSchedules(const MatmulProblem& problem, const DeviceInfo& device);

/// Returns the first schedule that is valid; null where none is.
const Schedule* FirstValid(const ByPreference<Schedule>& schedules, const MatmulProblem& problem,
                           const DeviceInfo& device);

}  // namespace mmtune
