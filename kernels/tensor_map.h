// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of a tiled tensor map. With a tensor map the bulk tensor copies of sm_90 and newer (TMA) move boxes
// of a matrix between global and shared memory. A device encodes it (Device::EncodeTensorMap); a kernel takes the 128
// bytes as a parameter by value.
//
//   rows of 512 f16, 64 x 128 at a time, in the 128-byte swizzle:
//   {.data_type = kTensorMapF16, .extents = {512, rows}, .strides_bytes = {1024}, .box = {64, 128}, .swizzle = 3}
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <vector>

namespace mmtune {

/// Values of CUtensorMapDataType.
enum TensorMapType : int {
  kTensorMapU8 = 0,
  kTensorMapS32 = 3,
  kTensorMapF16 = 6,
  kTensorMapF32 = 7,
  kTensorMapF64 = 8,
  kTensorMapBf16 = 9,
  kTensorMapTf32 = 11,
};

/// Values of CUtensorMapSwizzle.
enum TensorMapSwizzle : int { kNoSwizzle = 0, kSwizzle32 = 1, kSwizzle64 = 2, kSwizzle128 = 3 };

/// The arguments of cuTensorMapEncodeTiled, with enumerations as numbers. The innermost dimension comes first. Extents
/// and box are in elements.
struct TiledTensorMap {
  uint64_t address = 0;
  int data_type = 0;
  std::vector<uint64_t> extents;
  std::vector<uint64_t> strides_bytes;  ///< Strides of all dimensions but the innermost.
  std::vector<uint32_t> box;
  int interleave = 0, swizzle = 0, l2_promotion = 0, out_of_bounds_fill = 0;  ///< 0: none.

  bool operator==(const TiledTensorMap&) const = default;
};

/// An encoded tensor map, as kernels take it (CUtensorMap).
using TensorMapBytes = std::array<char, 128>;

inline constexpr uint32_t kMaxTensorRank = 5;

/// Returns the size of an element of a CUtensorMapDataType in bytes, or 0 if there is no such type.
constexpr int TensorElementBytes(int data_type) {
  // u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32 flushed, tf32, tf32 flushed
  constexpr int kBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return data_type >= 0 && data_type < static_cast<int>(std::size(kBytes)) ? kBytes[data_type] : 0;
}

}  // namespace mmtune
