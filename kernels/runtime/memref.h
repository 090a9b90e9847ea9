// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memrefs as generated code passes them, and memrefCopy(), which MLIR's memref-to-llvm calls for copies between
// layouts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"

namespace mmtune {

/// A view of a ranked descriptor, {allocated, aligned, offset, sizes[rank], strides[rank]}, which must outlive it.
/// Offset and strides are in elements.
class MemrefView {
 public:
  MemrefView(int64_t rank, const void* descriptor, int64_t element_bytes) {
    const auto* head = static_cast<const Head*>(descriptor);
    origin = head->aligned + head->offset * element_bytes;
    sizes = reinterpret_cast<const int64_t*>(head + 1);
    strides = sizes + rank;
  }

  char* origin;  ///< Address of the element whose indices are 0.
  const int64_t* sizes;
  const int64_t* strides;

 private:
  struct Head {
    char* allocated;
    char* aligned;
    int64_t offset;
  };
};

}  // namespace mmtune

extern "C" {

/// An unranked memref; MemrefView reads `descriptor`.
struct MmtuneUnrankedMemref {
  int64_t rank;
  void* descriptor;
};

/// Copies `source` to `target` element by element; both have the same sizes and lie in host memory, without overlap.
void memrefCopy(int64_t element_bytes, const MmtuneUnrankedMemref* source, const MmtuneUnrankedMemref* target);

}  // extern "C"

namespace mmtune {

/// Copies the elements of `source` to `target`, a view of the same rank and sizes: calls `copy` for each run of
/// elements that is contiguous in both.
void CopyByRuns(int64_t rank, int64_t element_bytes, const MemrefView& source, const MemrefView& target,
                absl::FunctionRef<void(char* to, const char* from, size_t bytes)> copy);

}  // namespace mmtune
