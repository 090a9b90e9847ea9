// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of kernel families. A family is a kind of kernel with its space of schedules: direct, fma, mma, wgmma,
// gemv. Search, server, worker and the programs find families here. This header does not depend on MLIR. A family with
// a line in the table can be searched, described, verified and emitted, and takes part in `tune ladder`, which shows
// schedules from naive to tuned (FamilyBase::ladder).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/families/common/family_base.h"
#include "kernels/perf_model/schedule_geometry.h"

namespace mmtune {

/// The table, in the order of the documentation: the name in schedules and logs, and the name in C++. Each family must
/// define
///
///   const FamilyBase& GetDirectFamily();
///   void emitDirect(KernelBuilder&, const MatmulProblem&, const Schedule&, ...);    // kernel_emitter.h
///
/// Programs do not link while one of them is missing.
#define MMTUNE_KERNEL_FAMILIES(FAMILY) \
  FAMILY(direct, Direct)               \
  FAMILY(fma, Fma)                     \
  FAMILY(mma, Mma)                     \
  FAMILY(wgmma, Wgmma)                 \
  FAMILY(gemv, Gemv)

#define MMTUNE_DECLARE_FAMILY(NAME, TITLE) const FamilyBase& Get##TITLE##Family();
MMTUNE_KERNEL_FAMILIES(MMTUNE_DECLARE_FAMILY)
#undef MMTUNE_DECLARE_FAMILY

/// Returns all families, in the order of the table. They live until the process ends. Thread-safe.
const std::vector<const FamilyBase*>& AllFamilies();
/// Returns the same families by the interface that search and server use.
const std::vector<const KernelFamily*>& KernelFamilies();

/// Returns the families whose code for the device also runs on devices of newer architectures, because it needs no
/// architecture-specific features (FamilyBase::Architecture()).
std::vector<const FamilyBase*> PortableFamilies(const DeviceInfo& device);

/// Returns the family of this name, or InvalidArgument with the known names.
absl::StatusOr<const FamilyBase*> FindKernelFamily(std::string_view name);

/// Returns KernelFamily::Validate() of the schedule's family, or InvalidArgument if the family is unknown.
absl::Status ValidateSchedule(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device);

/// Returns ValidateSchedule() for every number of rows of C from `from` to `to`; the error names the first number that
/// breaks a rule. In a long range, only numbers at both ends are tested, as many at each end as the largest tile has
/// rows. That is sufficient because rules depend on the number of rows only through remainders, all of which occur at
/// each end, and through upper or lower limits, which one of the ends breaks first.
absl::Status ValidateForRows(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                             int64_t from, int64_t to);

/// Returns FamilyBase::Describe() of the schedule's family, or InvalidArgument if the family is unknown.
absl::StatusOr<ScheduleGeometry> DescribeSchedule(const MatmulProblem& problem, const Schedule& schedule);

/// Returns the families' versions, such as "direct=1 fma=1 mma=1", for Toolchain::families.
std::string KernelFamilyVersions();

/// Returns the memsets and launches of a valid schedule, or InvalidArgument if its family is unknown.
absl::StatusOr<LaunchPlan> MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule);

/// Returns the names and schedules of the ladder: from a naive kernel to the best default one, for teaching. The
/// slowest comes first. A step of the ladder without a valid schedule for the problem and device is left out.
std::vector<std::pair<std::string, Schedule>> LadderSchedules(const MatmulProblem& problem, const DeviceInfo& device);

/// Returns the first valid schedule, or null.
const Schedule* FirstValid(const ByPreference<Schedule>& schedules, const MatmulProblem& problem,
                           const DeviceInfo& device);

}  // namespace mmtune
