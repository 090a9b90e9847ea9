// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A memref as generated code passes it.
#pragma once

#include <cstdint>

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
