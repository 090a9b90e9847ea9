// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers for searches, the same on every platform for the same seed. The engine is std::mt19937_64. The
// distributions are written here, because those of the standard library differ between implementations.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace mmtune {

/// The engine that all random choices of a search use.
using SearchRng = std::mt19937_64;

/// Returns a uniform random number in [0, n); n must be at least 1.
uint64_t UniformBelow(SearchRng& rng, uint64_t n);

/// Returns a uniform random number in [0, 1) with 53 random bits.
double UniformUnit(SearchRng& rng);

/// Returns the engine of stream number `stream` of a seed. Different streams of one seed are independent for the
/// purposes of a search.
SearchRng MakeStream(uint64_t seed, uint64_t stream);

/// Shuffles the items uniformly (Fisher-Yates).
template <typename T>
void Shuffle(std::vector<T>& items, SearchRng& rng) {
  for (size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[UniformBelow(rng, left)]);
}

}  // namespace mmtune
