// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A memref as generated code passes it.
//
// The one function that MLIR's memref-to-llvm calls for copies between memrefs of different layouts, and its loop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"

namespace mmtune {

/// Reads a ranked descriptor, {allocated, aligned, offset, sizes[rank], strides[rank]}, and is valid as long as that
/// is; offset and strides are in elements.
class MemrefView {
 public:
  MemrefView(int64_t rank, const void* descriptor, int64_t element_bytes) {
    const auto* head = static_cast<const Head*>(descriptor);
    origin = head->aligned + head->offset * element_bytes;
    sizes = reinterpret_cast<const int64_t*>(head + 1);
    strides = sizes + rank;
  }

  char* origin;  ///< Of the element whose indices are 0.
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
