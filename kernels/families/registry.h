// The kernel families, without a compiler: what search and server link.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "proto/types/kernel_family.h"

namespace mmtune {

/// Every family, in the order of the documentation: "direct" (no shared memory; for the ladder),
/// "simt". Static lifetime; thread-safe.
const std::vector<const KernelFamily *> &KernelFamilies();

/// Validates with the schedule's family. InvalidArgument for an unknown family too.
absl::Status ValidateSchedule(const MatmulProblem &problem, const Schedule &schedule,
                              const DeviceInfo &device);

/// "direct=1 simt=1": for Toolchain::families.
std::string KernelFamilyVersions();

/// The memsets and launches of a valid schedule.
absl::StatusOr<LaunchPlan> MakeLaunchPlan(const MatmulProblem &problem, const Schedule &schedule);

/// The rungs of the teaching ladder for a problem on a device, slowest first, "tuned" excluded:
/// name and schedule.
std::vector<std::pair<std::string, Schedule>> LadderSchedules(const MatmulProblem &problem,
                                                              const DeviceInfo &device);

} // namespace mmtune
