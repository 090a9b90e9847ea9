// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps of the SIMT device: what EncodeTensorMap() puts into 128 opaque bytes, and kernels pass to tensor copies.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"

namespace mmtune::simt {

/// CUtensorMapDataType.
enum class TensorElement : uint8_t {
  kU8,
  kU16,
  kU32,
  kS32,
  kU64,
  kS64,
  kF16,
  kF32,
  kF64,
  kBf16,
};
inline constexpr int kTensorElements = 10;

/// A tensor in global memory and the box of it that one copy moves; dimension 0 is the innermost.
struct TensorMap {
  static constexpr uint64_t kMagic = 0x50414d524f534e54;

  uint64_t magic;
  uint64_t address;
  uint64_t extents[kMaxTensorRank];
  uint64_t strides[kMaxTensorRank];  ///< Bytes; [0] is an element.
  uint16_t box[kMaxTensorRank];
  TensorElement element;
  uint8_t rank;
  uint8_t swizzle;      ///< 0, 32, 64 or 128 bytes.
  uint8_t fill_is_nan;  ///< What is out of bounds reads as NaN instead of 0.
  uint8_t reserved[18];

  uint32_t element_bytes() const { return static_cast<uint32_t>(TensorElementBytes(static_cast<int>(element))); }
  uint32_t row_bytes() const { return box[0] * element_bytes(); }
  uint32_t box_bytes() const;
};
static_assert(sizeof(TensorMap) == sizeof(TensorMapBytes));

/// As cuTensorMapEncodeTiled. InvalidArgument, which names the field, for what that refuses; Unimplemented for what is
/// not modelled: interleaved layouts, element types that a copy rounds, swizzles of 128 bytes with larger atoms.
absl::StatusOr<TensorMapBytes> EncodeTensorMap(const TiledTensorMap& map);

/// nullopt where the bytes are no tensor map of the SIMT device.
std::optional<TensorMap> ReadTensorMap(const void* bytes);

}  // namespace mmtune::simt
