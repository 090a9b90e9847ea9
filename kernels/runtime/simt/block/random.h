// Pseudo-random numbers of the stress mode: fast, and the same everywhere.
#pragma once

#include <cstdint>

namespace mmtune::simt {

/// SplitMix64 (Steele, Lea, Flood 2014). Every seed gives a good sequence; sequences of different seeds are unrelated.
class Random {
 public:
  explicit Random(uint64_t seed = 0) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  /// In [0, bound); `bound` is not 0.
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>((Next() >> 32) * bound >> 32); }

 private:
  uint64_t state_;
};

}  // namespace mmtune::simt
