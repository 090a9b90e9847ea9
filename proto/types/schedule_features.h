// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules as points between which a distance means something.
#pragma once

#include <cstdint>
#include <vector>

#include "proto/types/schedule.h"

namespace mmtune {

/// The logarithm (base 2) of a parameter's value, or of any count: 0 for 0, 1 for 1, one more for each doubling; odd.
double LogFeature(double value);

/// LogFeature of every parameter, in the order of their names.
std::vector<double> ParameterFeatures(const Schedule& schedule);

}  // namespace mmtune
