// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A few candidates that are expected to be fast, and are unlike one another.
#pragma once

#include <cstddef>
#include <vector>

#include "search/model/candidate_pool.h"
#include "search/rng.h"

namespace mmtune {

/// Takes `count` out of `sample`, fewer where there are no more that differ: drawn among the `share` of them of which
/// the least is expected (all, where the same is expected of all; at least `count`), the first uniformly, each next one
/// with the fourth power of its distance to the nearest drawn before as its weight. One of `expected` a candidate,
/// which leaves with it.
std::vector<Candidate> TakeSpread(std::vector<Candidate>& sample, std::vector<double>& expected, double share,
                                  size_t count, SearchRng& rng);

}  // namespace mmtune
