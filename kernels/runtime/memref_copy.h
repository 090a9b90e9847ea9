// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one function that MLIR's memref-to-llvm calls for copies between memrefs of different layouts, and its loop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "kernels/runtime/memref_view.h"

extern "C" {

/// An unranked memref: `descriptor` is what a MemrefView reads.
struct MmtuneUnrankedMemref {
  int64_t rank;
  void* descriptor;
};

/// Copies `source` to `target` element by element; both have the same sizes and lie in host memory, without overlap.
void memrefCopy(int64_t element_bytes, const MmtuneUnrankedMemref* source, const MmtuneUnrankedMemref* target);

}  // extern "C"

namespace mmtune {

/// Copies the elements of `source` to those of `target`, a view of the same rank and sizes: calls `copy` for each run
/// of elements that follow one another in both.
void CopyByRuns(int64_t rank, int64_t element_bytes, const MemrefView& source, const MemrefView& target,
                absl::FunctionRef<void(char* to, const char* from, size_t bytes)> copy);

}  // namespace mmtune
