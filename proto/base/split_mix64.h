// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SplitMix64, a small seeded random number generator with the same output on every platform (Steele, Lea, Flood: Fast
// splittable pseudorandom number generators, OOPSLA 2014). It is used for test operands and for random thread orders in
// the simulator. It must not be used for secrets.
#pragma once

#include <cstdint>

namespace mmtune {

/// A generator with 64 bits of state. Every seed gives a good sequence, and sequences of different seeds are unrelated.
/// Not thread-safe.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  /// Returns the next 64 random bits.
  uint64_t Next() { return Mix(state_ += kStep); }
  /// Returns a number in [0, bound). `bound` must not be 0.
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>((Next() >> 32) * bound >> 32); }
  /// Returns what call number `index` (from 0) of Next() would return for this seed, in constant time.
  static uint64_t At(uint64_t seed, uint64_t index) { return Mix(seed + (index + 1) * kStep); }

 private:
  static constexpr uint64_t kStep = 0x9e3779b97f4a7c15;

  static uint64_t Mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

}  // namespace mmtune
