// One kernel launch, and how a block of it can fail.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/runtime/simt/abi.h"

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
  Monitor* monitor = nullptr;           ///< Check mode.

  /// Whether blocks run one after the other: what a run finds is the same every time.
  bool is_sequential() const { return stress_seed.has_value() || monitor != nullptr; }
  uint32_t shared_bytes() const { return static_shared_bytes + dynamic_shared_bytes; }
  uint64_t blocks() const { return uint64_t{grid[0]} * grid[1] * grid[2]; }
  uint32_t threads_per_block() const { return block[0] * block[1] * block[2]; }
};

struct BlockFailure {
  enum class Kind {
    kSetup,      ///< Memory for the block's threads could not be had.
    kDeadlock,   ///< No thread can go on.
    kMisuse,     ///< An operation was used as the GPU forbids.
    kFindings,   ///< The monitor ended the launch; it has the reasons.
    kBadAccess,  ///< The processor stopped a thread: the process's memory may be damaged.
  };
  Kind kind = Kind::kSetup;
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  std::string what;               ///< One line.
  const void* address = nullptr;  ///< kBadAccess outside of stacks and shared memory; null when unknown.
};

}  // namespace mmtune::simt
