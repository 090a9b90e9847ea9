// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread at a program point, in the least space.
#pragma once

#include <cstdint>

namespace mmtune::simt {

/// Threads below 2048: 1024 of a block, and the owners of asynchronous writes. Sites below 2^21.
class AccessPoint {
 public:
  AccessPoint() = default;
  AccessPoint(uint32_t thread, uint32_t site) : bits_(site << kThreadBits | thread) {}

  uint32_t thread() const { return bits_ & ((1u << kThreadBits) - 1); }
  uint32_t site() const { return bits_ >> kThreadBits; }

  bool operator==(const AccessPoint&) const = default;

 private:
  static constexpr uint32_t kThreadBits = 11;
  uint32_t bits_ = 0;
};

}  // namespace mmtune::simt
