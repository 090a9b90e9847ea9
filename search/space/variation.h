// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps by which searches derive new schedules from good ones: neighbours, mutation and crossover, on the grid of
// one family. SearchSpace offers them for whole spaces.
#pragma once

#include <optional>
#include <vector>

#include "search/space/family_space.h"
#include "search/space/rng.h"

namespace mmtune {

/// Returns the valid points that differ from the valid `point` in exactly one value, axis by axis.
std::vector<GridPoint> NeighboursOf(const ScheduleGrid& grid, const GridPoint& point);

/// Returns a random valid point that differs from the valid `point` in one value. If there is none, tries up to about a
/// thousand points that differ in two values, then takes any other point. Returns `point` if it is the only valid one.
GridPoint MutatePoint(const FamilySpace& space, const GridPoint& point, SearchRng& rng);

/// Returns a valid point that takes each value from `a` or `b` at random, or from the other one if that breaks a rule.
/// Starts again, a bounded number of times, if both break it. Returns nullopt if that fails.
std::optional<GridPoint> CrossPoints(const ScheduleGrid& grid, const GridPoint& a, const GridPoint& b, SearchRng& rng);

}  // namespace mmtune
