// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The small problems at which a schedule is verified.
#pragma once

#include <string>
#include <vector>

#include "kernels/families/common/space_family.h"

namespace mmtune {

/// Returns at most one problem from each list of the family's VerificationShapes(): the first that its rules accept
/// with the schedule on `device`. With stream-k, shapes get more tiles or a longer k until blocks share a tile: a
/// schedule that shares none would not be verified. Where no problem remains, `*why` is the rule that rejects the
/// first.
std::vector<MatmulProblem> VerificationShapes(const MatmulProblem& problem, const Schedule& schedule,
                                              const DeviceInfo& device, std::string* why);

/// Returns the shapes for kernels of tiles, with a batch of two matrices where the problem has a batch:
///   even    2 x 2 blocks (more rows with a threadblock swizzle), stages + 2 k steps in each split of k; with stream-k
///           so many steps that some tiles have parts of three blocks
///   ragged  as many (with stream-k so few k steps that some blocks have whole tiles and parts of others), with no
///           extent a multiple of its tile: odd extents, else multiples of 4, which copies of four floats need
std::vector<ByPreference<MatmulProblem>> TiledVerificationShapes(const MatmulProblem& problem,
                                                                 const ScheduleGeometry& geometry);

/// Like TiledVerificationShapes(), for kernels whose code depends on the alignment of rows: the first ragged shape has
/// the problem's remainders modulo the widest access, where its tiles are large enough.
std::vector<ByPreference<MatmulProblem>> AlignedVerificationShapes(const MatmulProblem& problem,
                                                                   const ScheduleGeometry& geometry);

}  // namespace mmtune
