// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The permutation of 16-byte units that tensor copies and tensor cores apply to addresses of shared memory.
#pragma once

#include <cstdint>

namespace mmtune::simt {

/// `width` is 32, 64 or 128 bytes, or 0 for none: the bits 4, 4-5 or 4-6 of the address are XORed with those 3 above.
/// A pattern repeats every 8 * width bytes.
inline uint32_t Swizzle(uint32_t address, uint32_t width) {
  const uint32_t units = width < 32 ? 0 : width / 16 - 1;
  return address ^ (address >> 3 & units << 4);
}

}  // namespace mmtune::simt
