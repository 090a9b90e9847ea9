// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a block of a launch can fail.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/runtime/simt/block/gpu_thread.h"

namespace mmtune::simt {

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

/// Of `thread` and its block.
BlockFailure FailureOf(const GpuThread& thread, BlockFailure::Kind kind, std::string what);
/// Of a block of `threads`, of which one at least has not exited and none can go on.
BlockFailure DeadlockOf(std::span<const GpuThread> threads);

}  // namespace mmtune::simt
