// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 64-bit descriptor of a wgmma operand in shared memory (PTX ISA, "Matrix descriptor format" and "Strides"), and
// where the operand's elements are.
//
// A unit is 16 bytes. K-major: 8 rows (of M or N) x one unit of k make a core matrix; with a swizzle of W bytes the
// rows are W bytes apart and the stride offset leads to the next 8; without, they are 16 bytes apart, and the leading
// offset leads to the next unit of k. MN-major (16-bit elements): a unit is 8 elements of M or N at one k. With a
// swizzle, W / 16 units follow each other, the leading offset leads to the next ones, k steps by W bytes and the stride
// offset leads to the next 8 of k; without, the stride offset leads to the next unit, k steps by 16 bytes and the
// leading offset leads to the next 8 of k.
#pragma once

#include <cstdint>

namespace mmtune::simt {

/// The permutation of 16-byte units that tensor copies and tensor cores apply to addresses of shared memory.
/// `width` is 32, 64 or 128 bytes, or 0 for none: the bits 4, 4-5 or 4-6 of the address are XORed with those 3 above.
/// A pattern repeats every 8 * width bytes.
inline uint32_t Swizzle(uint32_t address, uint32_t width) {
  const uint32_t units = width < 32 ? 0 : width / 16 - 1;
  return address ^ (address >> 3 & units << 4);
}

struct MatrixDescriptor {
  uint32_t start = 0;  ///< Bytes, as are the offsets.
  uint32_t leading = 0;
  uint32_t stride = 0;
  uint32_t base_offset = 0;
  uint32_t swizzle = 0;  ///< 0, 32, 64 or 128 bytes.
};

inline constexpr uint32_t kMatrixUnitBytes = 16;
/// Addresses of shared memory in descriptors have 18 bits.
inline constexpr uint32_t kMatrixAddressMask = 0x3ffff;

inline MatrixDescriptor DecodeMatrixDescriptor(uint64_t bits) {
  constexpr uint32_t kSwizzles[] = {0, 128, 64, 32};
  auto field = [bits](int shift) { return static_cast<uint32_t>(bits >> shift & 0x3fff) << 4; };
  return {field(0), field(16), field(32), static_cast<uint32_t>(bits >> 49 & 7), kSwizzles[bits >> 62]};
}

/// Offset in shared memory of the unit `unit` (along k) of the row `row`, K-major.
inline uint32_t KMajorUnit(const MatrixDescriptor& d, uint32_t row, uint32_t unit) {
  const uint32_t offset = d.swizzle == 0 ? row % 8 * 16 + unit * d.leading : row % 8 * d.swizzle + unit * 16;
  return Swizzle(d.start + offset + row / 8 * d.stride, d.swizzle) & kMatrixAddressMask;
}

/// Offset of the unit `unit` (along M or N) at `k`, MN-major.
inline uint32_t MnMajorUnit(const MatrixDescriptor& d, uint32_t unit, uint32_t k) {
  if (d.swizzle == 0) return (d.start + unit * d.stride + k % 8 * 16 + k / 8 * d.leading) & kMatrixAddressMask;
  const uint32_t units = d.swizzle / 16;
  const uint32_t offset = unit % units * 16 + unit / units * d.leading + k % 8 * d.swizzle + k / 8 * d.stride;
  return Swizzle(d.start + offset, d.swizzle) & kMatrixAddressMask;
}

}  // namespace mmtune::simt
