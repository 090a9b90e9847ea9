// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of small integers, in f32, times two vectors.
#pragma once

#include <cstdint>

namespace mmtune {

/// Added to each element, so that none is negative.
inline constexpr uint32_t kProjectionShift = uint32_t{1} << 25;

/// sums[v] = the sum of (values[j] + kProjectionShift) * x[v][j] modulo 2^64. False, and the sums say nothing, unless
/// each element is an integer of magnitude at most `bound`, which is at most 2^24.
bool ProjectRow(const float* values, int64_t count, float bound, const uint32_t* const x[2], uint64_t sums[2]);

}  // namespace mmtune
