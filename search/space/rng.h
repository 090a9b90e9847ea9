// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers for searches, the same on every platform for the same seed. The engine is std::mt19937_64. The
// distributions are written here, because those of the standard library differ between implementations.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "proto/base/split_mix64.h"

namespace mmtune {

/// The engine that all random choices of a search use.
using SearchRng = std::mt19937_64;

/// Returns a uniform random number in [0, n); n must be at least 1.
inline uint64_t UniformBelow(SearchRng& rng, uint64_t n) {
  // The 2^64 mod n lowest draws are refused, so that the rest divide evenly.
  const uint64_t refused = -n % n;
  for (;;) {
    const uint64_t draw = rng();
    if (draw >= refused) return draw % n;
  }
}

/// Returns a uniform random number in [0, 1) with 53 random bits.
inline double UniformUnit(SearchRng& rng) { return static_cast<double>(rng() >> 11) * 0x1p-53; }

/// Returns the engine of stream number `stream` of a seed. Different streams of one seed are independent for the
/// purposes of a search.
inline SearchRng MakeStream(uint64_t seed, uint64_t stream) {
  return SearchRng(SplitMix64::At(SplitMix64::At(seed, 0) ^ stream, 0));
}

/// Shuffles the items uniformly (Fisher-Yates).
template <typename T>
void Shuffle(std::vector<T>& items, SearchRng& rng) {
  for (size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[UniformBelow(rng, left)]);
}

}  // namespace mmtune
