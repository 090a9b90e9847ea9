// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of kernel families: what has a line here can be searched, described, proven, compared
// on the ladder and emitted.
//
// The kernel families, without a compiler: what search, server, worker and the programs ask.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/families/common/space_family.h"
#include "kernels/perf_model/schedule_geometry.h"

namespace mmtune {

class SpaceFamily;

/// One line a family: its name, in schedules as in logs, and its name in C++. In the order of the
/// documentation and of the ladder. For each there is
///   const SpaceFamily &GetDirectFamily();                                    kernels/families
///   void emitDirect(KernelBuilder &, const MatmulProblem &, const Schedule &);  kernels/families
/// and nothing links while one of them is missing.
#define MMTUNE_KERNEL_FAMILIES(FAMILY) \
  FAMILY(direct, Direct)               \
  FAMILY(fma, Fma)                     \
  FAMILY(mma, Mma)                     \
  FAMILY(gemv, Gemv)

#define MMTUNE_DECLARE_FAMILY(NAME, TITLE) const SpaceFamily& Get##TITLE##Family();
MMTUNE_KERNEL_FAMILIES(MMTUNE_DECLARE_FAMILY)
#undef MMTUNE_DECLARE_FAMILY


/// Every family of the table (registry.h), in its order. Static lifetime; thread-safe.
const std::vector<const SpaceFamily*>& SpaceFamilies();
/// The same, as search and server know them.
const std::vector<const KernelFamily*>& KernelFamilies();

/// By its name, or the one it had before. InvalidArgument listing the known names.
absl::StatusOr<const SpaceFamily*> FindKernelFamily(std::string_view name);

/// Validates with the schedule's family. InvalidArgument for an unknown family too.
absl::Status ValidateSchedule(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device);

/// What a schedule makes of a problem: SpaceFamily::Describe of its family. InvalidArgument for an
/// unknown family too.
absl::StatusOr<ScheduleGeometry> DescribeSchedule(const MatmulProblem& problem, const Schedule& schedule);

/// "direct=1 fma=1 mma=1": for Toolchain::families.
std::string KernelFamilyVersions();

/// The memsets and launches of a valid schedule.
absl::StatusOr<LaunchPlan> MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule);

/// The rungs of the teaching ladder for a problem on a device, slowest first, "tuned" excluded:
/// name and schedule. A rung of which no schedule is valid is left out.
std::vector<std::pair<std::string, Schedule>> LadderSchedules(const MatmulProblem& problem, const DeviceInfo& device);

/// The first that is valid; null when none is.
const Schedule* FirstValid(const ByPreference<Schedule>& schedules, const MatmulProblem& problem,
                           const DeviceInfo& device);

}  // namespace mmtune
