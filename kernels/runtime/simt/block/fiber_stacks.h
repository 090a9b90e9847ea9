// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stacks of a block's threads.
#pragma once

#include <cstddef>

#include "absl/status/status.h"
#include "kernels/runtime/simt/block/fiber.h"

namespace mmtune::simt {

/// Address space for many small stacks, committed page by page as they are used. Each stack has a guard page below it
/// while the process's budget of guard pages lasts (every one costs two of the kernel's memory mappings).
/// Not thread-safe.
class FiberStacks {
 public:
  /// Of one stack, guard page included.
  static constexpr size_t kStackBytes = 128 * 1024;

  FiberStacks() = default;
  ~FiberStacks() { Release(); }
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;

  /// Makes at least `count` stacks. May move them all: no fiber may be suspended on one.
  absl::Status Reserve(size_t count);

  /// Stack `index`. Tops are staggered, or all stacks would compete for the same sets of the L1 cache.
  StackSpan Stack(size_t index) const;

  /// Whether `address` lies in one of the stacks or guard pages.
  bool Contains(const void* address) const;

 private:
  void Release();

  char* memory_ = nullptr;
  size_t count_ = 0;
  size_t guards_ = 0;
};

}  // namespace mmtune::simt
