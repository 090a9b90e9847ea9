// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types of matrices, their arithmetic, and their conversions. data_type.cc has the table of types.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/fields.h"

namespace mmtune {

enum class DataType { kF32, kF16, kBf16, kS8, kF64, kS32 };

struct DataTypeTraits {
  DataType type;
  std::string_view name;  ///< "bf16": for floating-point types also the name in MLIR.
  int64_t bytes;          ///< Size of one element.
  DataType accumulator;   ///< The type that products of two elements are added up in.
  bool is_integer;
  int significand_bits;  ///< With the one that is not stored: integers below 2^this are exact.
  double largest;        ///< Finite value.
  double smallest;       ///< Positive value, subnormal.
  int cuda;              ///< The CUDA toolkit's cudaDataType_t.
  /// Convert host arrays of `count` elements, which do not overlap: to the nearest, ties to even (values beyond the
  /// range of an integer type become its limit), and back. f64 and s32 hold more than floats: they need the double
  /// versions.
  void (*encode)(const float* values, int64_t count, void* elements);
  void (*decode)(const void* elements, int64_t count, float* values);
  void (*encode_double)(const double* values, int64_t count, void* elements);
  void (*decode_double)(const void* elements, int64_t count, double* values);
};
const DataTypeTraits& TraitsOf(DataType type);

/// Converts to and from "f32", "f16", "bf16", "s8", "f64", "s32".
std::string_view DataTypeName(DataType type);
absl::StatusOr<DataType> ParseDataType(std::string_view name);
MMTUNE_TEXT_FORM(DataType, DataTypeName, ParseDataType);
/// Returns the bytes of one element.
inline int64_t DataTypeBytes(DataType type) { return TraitsOf(type).bytes; }

/// The arithmetic of multiplications of f32.
enum class MathMode {
  kIeee,    ///< IEEE arithmetic of f32.
  kTf32,    ///< Operands of f32 are rounded to TF32 (11 bits of significand) on the way to the tensor cores.
  kTf32x3,  ///< Operands of f32 are split into two of TF32; three of their four products are summed.
  kBf16x6,  ///< Operands of f32 are split into three of bf16; the six largest of their nine products are summed.
};

/// Converts to and from "ieee", "tf32", "tf32x3", "bf16x6".
std::string_view MathModeName(MathMode mode);
absl::StatusOr<MathMode> ParseMathMode(std::string_view name);
MMTUNE_TEXT_FORM(MathMode, MathModeName, ParseMathMode);

/// The type of C relative to that of A and B; for s8, kSame means s32.
enum class OutputType { kSame, kF32 };

/// Converts to and from "same", "f32".
std::string_view OutputTypeName(OutputType type);
absl::StatusOr<OutputType> ParseOutputType(std::string_view name);
MMTUNE_TEXT_FORM(OutputType, OutputTypeName, ParseOutputType);

inline constexpr uint16_t kNanF16 = 0x7fff;  ///< The result for any NaN, as on a GPU.
inline constexpr uint16_t kNanBf16 = 0x7fff;

inline float FromF16(uint16_t bits) {
  const uint32_t sign = uint32_t{bits & 0x8000u} << 16;
  const uint32_t magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x0400) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24f;
  return sign == 0 ? subnormal : -subnormal;
}

/// Rounds to the nearest, ties to even; too large values become infinite.
inline uint16_t ToF16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  if (magnitude > 0x7f800000u) return kNanF16;
  if (magnitude >= 0x47800000u) return sign | 0x7c00;
  if (magnitude < 0x38800000u) {
    // The addition of floats rounds at the last bit of an F16 subnormal.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
  }
  const uint32_t rounded = magnitude - 0x38000000u + 0xfff + (magnitude >> 13 & 1);
  return static_cast<uint16_t>(sign | rounded >> 13);
}

inline float FromBf16(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

/// Rounds to the nearest, ties to even.
inline uint16_t ToBf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return kNanBf16;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace mmtune
