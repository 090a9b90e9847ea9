// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the instructions of a loop take of shared memory.
#pragma once

#include <vector>

#include "kernels/perf_model/profile/sass.h"
#include "proto/types/kernel_profile.h"

namespace mmtune {

/// The wavefronts of each instruction of the loop; 1 of those that do not access shared memory. As many times those
/// without conflicts as were counted for accesses of its kind and width, else of its kind. Where `counters` is null or
/// has no such access, they are assumed: no lane meets another in a bank, and of loads of 16 bytes a lane pairs of
/// lanes share an address, as in products of tiles, so that they take half (docs/profile.md).
std::vector<double> WavefrontsOf(const SassFunction& function, const SassLoop& loop, const ProfiledCounters* counters);

/// The sum of those of the instructions that access shared memory.
double SharedWavefronts(const SassFunction& function, const SassLoop& loop, const std::vector<double>& wavefronts);

}  // namespace mmtune
