#include "search/rng.h"

namespace mmtune {
namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): every input bit reaches every output bit.
uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

uint64_t UniformBelow(SearchRng& rng, uint64_t n) {
  // The 2^64 mod n lowest draws are refused, so that the rest divide evenly.
  const uint64_t refused = -n % n;
  for (;;) {
    uint64_t draw = rng();
    if (draw >= refused) return draw % n;
  }
}

double UniformUnit(SearchRng& rng) { return static_cast<double>(rng() >> 11) * 0x1p-53; }

SearchRng MakeStream(uint64_t seed, uint64_t stream) { return SearchRng(Mix(Mix(seed) ^ stream)); }

}  // namespace mmtune
