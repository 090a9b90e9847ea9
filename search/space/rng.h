// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Randomness that is the same on every platform: the engine is the standard's, the distributions are ours, because the
// standard leaves its own to the library.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace mmtune {

/// The search's only source of randomness: same seed, same stream, on every platform.
using SearchRng = std::mt19937_64;

/// Returns a number uniform in [0, n). `n` >= 1.
uint64_t UniformBelow(SearchRng& rng, uint64_t n);

/// Returns a number uniform in [0, 1), of 53 bits.
double UniformUnit(SearchRng& rng);

/// Returns an engine for stream number `stream` of `seed`; streams of one seed are independent enough for a search.
SearchRng MakeStream(uint64_t seed, uint64_t stream);

/// Shuffles by Fisher and Yates.
template <typename T>
void Shuffle(std::vector<T>& items, SearchRng& rng) {
  for (size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[UniformBelow(rng, left)]);
}

}  // namespace mmtune
