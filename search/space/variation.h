// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The moves of evolutionary search on a grid: neighbours, mutation and crossover of valid points.
#pragma once

#include <optional>
#include <vector>

#include "search/space/family_space.h"
#include "search/space/rng.h"

namespace mmtune {

/// Returns the valid points other than `point` in one value, axis by axis. `point` must be valid.
std::vector<GridPoint> NeighboursOf(const ScheduleGrid& grid, const GridPoint& point);

/// Returns a valid point that differs from `point` in one value, else in two (of which some thousand are tried), else
/// any other one; `point` itself if it is the only one. `point` must be valid.
GridPoint MutatePoint(const FamilySpace& space, const GridPoint& point, SearchRng& rng);

/// Takes every value from `a` or `b` at random, or from the other one if the first breaks a rule; starts again, a
/// bounded number of times, if both do. Nullopt if that fails.
std::optional<GridPoint> CrossPoints(const ScheduleGrid& grid, const GridPoint& a, const GridPoint& b, SearchRng& rng);

}  // namespace mmtune
