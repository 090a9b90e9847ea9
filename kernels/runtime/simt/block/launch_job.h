// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel launch.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/runtime/simt/abi/abi.h"

namespace mmtune::simt {

class Monitor;

struct LaunchJob {
  KernelEntry entry = nullptr;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t static_shared_bytes = 0;
  uint32_t dynamic_shared_bytes = 0;
  void** arguments = nullptr;
  std::optional<uint64_t> stress_seed;  ///< Stress mode.
  Monitor* monitor = nullptr;           ///< Of a watched launch; else null.

  /// Whether blocks run one after the other: what a run finds is the same every time.
  bool is_sequential() const { return stress_seed.has_value() || monitor != nullptr; }
  uint32_t shared_bytes() const { return static_shared_bytes + dynamic_shared_bytes; }
  uint64_t blocks() const { return uint64_t{grid[0]} * grid[1] * grid[2]; }
  uint32_t threads_per_block() const { return block[0] * block[1] * block[2]; }
};

}  // namespace mmtune::simt
