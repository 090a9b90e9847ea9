// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps of the simulator: the 128 opaque bytes that a kernel passes to tensor copies (TMA, cp.async.bulk.tensor).
// They describe a tensor in global memory and the box of it that one copy moves. The host encodes them, and the copies
// (tensor_copies.cc) decode them.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"

namespace mmtune::simt {

/// Element types, with the values of CUtensorMapDataType.
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
  kTf32 = 11,  ///< f32, which a load rounds to tf32.
};

/// The contents of a tensor map: a tensor in global memory, and the box of it that one copy moves. Dimension 0 is the
/// innermost. Extents and box are in elements.
struct TensorMap {
  static constexpr uint64_t kMagic = 0x50414d524f534e54;

  uint64_t magic;
  uint64_t address;
  uint64_t extents[kMaxTensorRank];
  uint64_t strides[kMaxTensorRank];  ///< In bytes; strides[0] is the size of an element.
  uint16_t box[kMaxTensorRank];
  TensorElement element;
  uint8_t rank;
  uint8_t swizzle;      ///< The width of the swizzle: 0, 32, 64 or 128 bytes.
  uint8_t fill_is_nan;  ///< 1 if elements out of bounds read as NaN; 0 if they read as 0.
  uint8_t reserved[18];

  uint32_t element_bytes() const { return static_cast<uint32_t>(TensorElementBytes(static_cast<int>(element))); }
  uint32_t row_bytes() const { return box[0] * element_bytes(); }
  uint32_t box_bytes() const;
};
static_assert(sizeof(TensorMap) == sizeof(TensorMapBytes));

/// Encodes a map for the SIMT device, as cuTensorMapEncodeTiled does for a GPU. For a value that CUDA refuses, returns
/// InvalidArgument with the name of the field. Returns Unimplemented for interleaved layouts, element types that flush
/// to zero, and 128-byte swizzles of units larger than 16 bytes.
absl::StatusOr<TensorMapBytes> EncodeTensorMap(const TiledTensorMap& map);

/// Decodes a map. Returns nullopt if the bytes are not a tensor map of the SIMT device.
std::optional<TensorMap> ReadTensorMap(const void* bytes);

}  // namespace mmtune::simt
