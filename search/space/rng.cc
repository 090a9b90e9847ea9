// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/rng.h"
#include "proto/base/split_mix64.h"

namespace mmtune {
uint64_t UniformBelow(SearchRng& rng, uint64_t n) {
  // The 2^64 mod n lowest draws are refused, so that the rest divide evenly.
  const uint64_t refused = -n % n;
  for (;;) {
    uint64_t draw = rng();
    if (draw >= refused) return draw % n;
  }
}

double UniformUnit(SearchRng& rng) { return static_cast<double>(rng() >> 11) * 0x1p-53; }

SearchRng MakeStream(uint64_t seed, uint64_t stream) {
  return SearchRng(SplitMix64::At(SplitMix64::At(seed, 0) ^ stream, 0));
}

}  // namespace mmtune
