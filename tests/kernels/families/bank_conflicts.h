// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the lanes of a warp meet the banks of shared memory, by evaluating the addresses that a kernel computes.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// An instruction that accesses shared memory.
struct SharedAccess {
  std::string name;  ///< The name that the emitter gives it: "read the A tile from shared memory".
  /// SharedCost::ways (kernels/perf_model/warp_request.h) of the slowest warp; 1: no lane waits for another.
  int ways = 1;
};

/// Returns the accesses of the schedule's main kernel in the first iteration of every loop, in block 0. The schedule is
/// valid. Internal where an address depends on what memory holds.
absl::StatusOr<std::vector<SharedAccess>> SharedAccesses(const MatmulProblem& problem, const Schedule& schedule);

}  // namespace mmtune
