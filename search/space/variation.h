// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Valid neighbours and children of valid points: what evolution works with.
#pragma once

#include <optional>
#include <vector>

#include "search/space/family_space.h"
#include "search/space/rng.h"

namespace mmtune {

/// The valid points other than `point` in one value, axis by axis. `point` must be valid.
std::vector<GridPoint> NeighboursOf(const ScheduleGrid& grid, const GridPoint& point);

/// A valid point other than `point` in one value where one exists, else in two where one of the first thousands does,
/// else any other; `point` itself when there is none. `point` must be valid.
GridPoint MutatePoint(const FamilySpace& space, const GridPoint& point, SearchRng& rng);

/// Every value from `a` or `b`: a coin for each, the other parent where the first breaks a rule, and again from the
/// start, a bounded number of times, where both do.
std::optional<GridPoint> CrossPoints(const ScheduleGrid& grid, const GridPoint& a, const GridPoint& b, SearchRng& rng);

}  // namespace mmtune
