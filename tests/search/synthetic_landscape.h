// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times for the schedules of the fake families, with the traits of real ones: an optimum inside the ranges, parameters
// that depend on each other, a cliff, and ruggedness that no parameter explains.
#pragma once

#include "proto/types/schedule.h"
#include "tests/search/fake_family.h"

namespace mmtune {

/// Positive; a function of the schedule alone.
double SyntheticMedianNs(const Schedule& schedule);

/// A larger relative of TiledFamily, of which nobody tries more than a small part.
const FakeFamily& LandscapeFamily();

}  // namespace mmtune
