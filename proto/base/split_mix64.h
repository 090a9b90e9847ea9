// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small seeded generator, the same on every platform.
#pragma once

#include <cstdint>

namespace mmtune {

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). Every seed gives a
/// good sequence; sequences of different seeds are unrelated.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t Next() { return Mix(state_ += kStep); }
  /// Returns a number in [0, bound); `bound` is not 0.
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>((Next() >> 32) * bound >> 32); }
  /// Returns the result of the `index`-th call of Next(), counted from 0.
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
