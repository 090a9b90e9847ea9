// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random choices that are the same everywhere for one seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace mmtune {

class RandomSource {
 public:
  explicit RandomSource(uint64_t seed) : engine_(seed) {}

  /// 0 to `count` - 1.
  size_t Below(size_t count) { return static_cast<size_t>(engine_() % count); }
  bool Percent(size_t chance) { return Below(100) < chance; }
  template <typename Container>
  const auto& Of(const Container& choices) {
    return choices[Below(choices.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace mmtune
