// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The small problems at which a schedule is proven.
#pragma once

#include <string>
#include <vector>

#include "kernels/families/common/space_family.h"

namespace mmtune {

/// At most one problem of each list of the family's VerificationShapes(): those for which its rules take
/// the schedule on `device`. Of stream-k each has as many tiles more, or as much more of k, as it takes for blocks to
/// share some: a schedule that shares none is not proven. Where there is none, `*why` is the rule that forbids the
/// first.
std::vector<MatmulProblem> VerificationShapes(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                                       std::string* why);

/// For kernels of tiles, with a batch of two matrices where there is one:
///   even    2 x 2 blocks (more rows where the schedule walks groups of them), stages + 2 k steps
///           in each split of k; with stream-k so many steps that some tiles are of three blocks
///   ragged  as many (with stream-k so few k steps that some blocks have whole tiles and parts of others), with no
///   extent a multiple of its tile: odd ones, else multiples of 4, which
///           copies of four floats need
std::vector<ByPreference<MatmulProblem>> TiledVerificationShapes(const MatmulProblem& problem,
                                                          const ScheduleGeometry& geometry);

/// The same for kernels whose code depends on how far rows are aligned: of the ragged shapes comes first one whose
/// extents are as far from multiples of the widest access as those of `problem`, where its tiles are large enough.
std::vector<ByPreference<MatmulProblem>> AlignedVerificationShapes(const MatmulProblem& problem,
                                                            const ScheduleGeometry& geometry);

}  // namespace mmtune
