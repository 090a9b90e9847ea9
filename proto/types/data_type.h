// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types of matrices (f32, f16, bf16, s8, f64, s32), the arithmetic modes of f32, and conversions between
// elements and float or double on the host. The table in data_type.cc has one row for each type.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/fields.h"

namespace mmtune {

/// An element type; s8 and s32 are signed integers.
enum class DataType { kF32, kF16, kBf16, kS8, kF64, kS32 };

/// The properties of a type, one row of the table.
struct DataTypeTraits {
  DataType type;
  std::string_view name;  ///< "bf16": for floating-point types also the name in MLIR.
  int64_t bytes;          ///< Size of one element.
  DataType accumulator;   ///< The type in which products of two elements are summed.
  bool is_integer;
  /// The precision, with the implicit bit: all integers of absolute value up to 2^significand_bits are exact.
  int significand_bits;
  double largest;   ///< The largest finite value.
  double smallest;  ///< The smallest positive value, which is subnormal.
  int cuda;         ///< The value of the CUDA toolkit's cudaDataType_t.
  /// Convert between host arrays of `count` numbers and arrays of elements, which must not overlap. Encoding rounds to
  /// nearest even; integer types saturate. f64 and s32 hold more than a float: use the double versions for them.
  void (*encode)(const float* values, int64_t count, void* elements);
  void (*decode)(const void* elements, int64_t count, float* values);
  void (*encode_double)(const double* values, int64_t count, void* elements);
  void (*decode_double)(const void* elements, int64_t count, double* values);
};
/// Returns the table's row for a type.
const DataTypeTraits& TraitsOf(DataType type);

/// Converts to and from "f32", "f16", "bf16", "s8", "f64", "s32".
std::string_view DataTypeName(DataType type);
absl::StatusOr<DataType> ParseDataType(std::string_view name);
MMTUNE_TEXT_FORM(DataType, DataTypeName, ParseDataType);
/// Returns the bytes of one element.
inline int64_t DataTypeBytes(DataType type) { return TraitsOf(type).bytes; }

/// How kernels multiply f32 elements. Modes other than kIeee use tensor cores.
enum class MathMode {
  kIeee,  ///< IEEE f32 arithmetic, on CUDA cores.
  kTf32,  ///< Operands are rounded to TF32 (11 significand bits).
  /// Split precision: each operand is the sum of two TF32 numbers, and three of the four products are added (3xTF32).
  kTf32x3,
  /// Split precision: each operand is the sum of three bf16 numbers, and the six largest of the nine products are
  /// added.
  kBf16x6,
};

/// Converts to and from "ieee", "tf32", "tf32x3", "bf16x6".
std::string_view MathModeName(MathMode mode);
absl::StatusOr<MathMode> ParseMathMode(std::string_view name);
MMTUNE_TEXT_FORM(MathMode, MathModeName, ParseMathMode);

/// The element type of C: the same as that of A and B (s32 if those are s8), or f32.
enum class OutputType { kSame, kF32 };

/// Converts to and from "same", "f32".
std::string_view OutputTypeName(OutputType type);
absl::StatusOr<OutputType> ParseOutputType(std::string_view name);
MMTUNE_TEXT_FORM(OutputType, OutputTypeName, ParseOutputType);

/// The bits that conversions return for any NaN, as GPUs do.
inline constexpr uint16_t kNanF16 = 0x7fff;
inline constexpr uint16_t kNanBf16 = 0x7fff;

/// Converts the bits of an f16 number to float, exactly.
inline float FromF16(uint16_t bits) {
  const uint32_t sign = uint32_t{bits & 0x8000u} << 16;
  const uint32_t magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x0400) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24f;
  return sign == 0 ? subnormal : -subnormal;
}

/// Rounds to the nearest f16 number, ties to even, and returns its bits. Values that are too large become infinite.
inline uint16_t ToF16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  if (magnitude > 0x7f800000u) return kNanF16;
  if (magnitude >= 0x47800000u) return sign | 0x7c00;
  if (magnitude < 0x38800000u) {
    // Adding 0.5 rounds to a multiple of 2^-24, which is the last bit of an f16 subnormal.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
  }
  const uint32_t rounded = magnitude - 0x38000000u + 0xfff + (magnitude >> 13 & 1);
  return static_cast<uint16_t>(sign | rounded >> 13);
}

/// Converts the bits of a bf16 number to float, exactly.
inline float FromBf16(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

/// Rounds to the nearest bf16 number, ties to even, and returns its bits.
inline uint16_t ToBf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return kNanBf16;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace mmtune
