// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// malloc and free of the code under test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mmtune {

/// One heap for the process. New memory holds NaN patterns and has guards on both sides. Not thread-safe.
class HostHeap {
 public:
  /// "malloc" and "free", for a JIT's symbol table.
  static std::vector<std::pair<std::string, void*>> Symbols();

  /// Allocations that are not freed.
  static size_t Live();
  /// True if an allocation returned `pointer`, which is not freed yet.
  static bool IsLive(const void* pointer);
  static void Free(void* pointer);
  /// Frees everything. The first wrong thing done with the heap since the last call; empty when there is none.
  static std::string Reset();
};

}  // namespace mmtune
