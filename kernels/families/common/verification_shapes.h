// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the small problems at which a schedule is verified. A worker runs a schedule's kernels at these shapes on the
// SIMT device, with race detection, and compares C with exact arithmetic. The shapes have several blocks and k steps,
// and some end within a tile, so that all paths of the code are run.
//
//   tile 64x64x16, stages=2, problem 4096x4096x4096  ->  128x128x64 and 95x95x55
#pragma once

#include <string>
#include <vector>

#include "kernels/families/common/family_base.h"

namespace mmtune {

/// Returns at most one problem from each list of the family's VerificationShapes(): the first for which the schedule is
/// valid on `device`. With stream-k, the shapes are enlarged (more tiles or a longer K) until blocks share a tile, so
/// that the code for sharing is verified. If no problem remains, `*why` is set to the rule that the first problem
/// breaks.
std::vector<MatmulProblem> VerificationShapes(const MatmulProblem& problem, const Schedule& schedule,
                                              const DeviceInfo& device, std::string* why);

/// Returns the shapes for kernels whose blocks compute tiles. The shapes have a batch of two matrices if the problem
/// has a batch.
///
///   even    2 x 2 blocks (more rows with a threadblock swizzle), and stages + 2 k steps in each split of k.
///           With stream-k, enough k steps that some tiles have parts of three blocks.
///   ragged  as many blocks, but no extent is a multiple of its tile: odd extents, otherwise multiples of 4, as
///           copies of four floats need them. With stream-k, so few k steps that some blocks have whole tiles
///           and parts of others.
std::vector<ByPreference<MatmulProblem>> TiledVerificationShapes(const MatmulProblem& problem,
                                                                 const ScheduleGeometry& geometry);

/// Like TiledVerificationShapes(), for kernels whose code depends on the alignment of rows. If the tiles are large
/// enough, the first ragged shape has the problem's remainders modulo the widest access.
std::vector<ByPreference<MatmulProblem>> AlignedVerificationShapes(const MatmulProblem& problem,
                                                                   const ScheduleGeometry& geometry);

}  // namespace mmtune
