// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The validity of `mma` schedules: the one list that search prunes with and Validate() applies.
#pragma once

#include <vector>

#include "proto/types/kernel_family.h"

namespace mmtune {

/// Sorted by `ready`.
std::vector<ScheduleConstraint> mmaConstraints(const MatmulProblem& problem, const DeviceInfo& device);

}  // namespace mmtune
