// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A few candidates that are expected to be fast, and are unlike one another.
#pragma once

#include <cstddef>
#include <vector>

#include "search/space/rng.h"
#include "search/strategies/candidate_pool.h"

namespace mmtune {

/// Takes `count` out of `sample`, fewer where there are no more that differ. `expected` has a value for each candidate,
/// which leaves with it. The pool they are drawn from is the `share` of the candidates with the least expected values,
/// but at least `count`; all of them, where all expected values are equal. The first is drawn uniformly. Each next one
/// has the fourth power of its distance to the nearest one drawn before as its weight.
std::vector<Candidate> TakeSpread(std::vector<Candidate>& sample, std::vector<double>& expected, double share,
                                  size_t count, SearchRng& rng);

}  // namespace mmtune
