// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one function that MLIR's memref-to-llvm calls for copies between memrefs of different layouts.
#pragma once

#include <cstdint>

extern "C" {

/// An unranked memref: `descriptor` is what a MemrefView reads.
struct MmtuneUnrankedMemref {
  int64_t rank;
  void* descriptor;
};

/// Copies `source` to `target` element by element; both have the same sizes and lie in host memory, without overlap.
void memrefCopy(int64_t element_bytes, const MmtuneUnrankedMemref* source, const MmtuneUnrankedMemref* target);

}  // extern "C"
