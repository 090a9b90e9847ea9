// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared memory of the block that an OS thread runs.
#pragma once

#include <cstddef>

#include "absl/status/status.h"
#include "kernels/simulator/abi/abi.h"

namespace mmtune::simt {

/// Aligned to kArenaAlignment, so that the low 18 bits of an address are its offset, as matrix descriptors of tensor
/// cores expect. Pages past the size set are inaccessible. Not thread-safe.
class SharedArena {
 public:
  SharedArena() = default;
  ~SharedArena();
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  /// Makes the first `bytes` (at most kArenaAlignment) accessible and the pages after them inaccessible. Contents of
  /// pages that stay accessible are kept.
  absl::Status Resize(size_t bytes);

  /// Null before the first Resize.
  char* base() const { return base_; }
  /// Whether `address` lies in the arena or in the inaccessible pages around it.
  bool Contains(const void* address) const;

 private:
  char* mapping_ = nullptr;
  char* base_ = nullptr;
  size_t accessible_ = 0;
};

}  // namespace mmtune::simt
