// The small problems at which a schedule is proven.
#pragma once

#include <string>
#include <vector>

#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// At most two problems of the kind of `problem` for which the family's own rule takes the schedule on `device`:
///   even    2 x 2 blocks (more rows where the schedule walks groups of them), stages + 2 k steps in each split of k
///   ragged  as many, with no extent a multiple of its tile: odd ones, else multiples of 4, which copies of four
///           floats need
/// A batch becomes one of two matrices. Where there is none, `*why` is the rule that forbids the even shape.
std::vector<MatmulProblem> ProofShapes(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                                       std::string* why);

}  // namespace mmtune
