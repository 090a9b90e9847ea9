// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of matrix elements, and what a product may do with them. A type's one line is in data_type.cc.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/fields.h"

namespace mmtune {

enum class DataType { kF32, kF16, kBf16, kS8, kF64, kS32 };

struct DataTypeTraits {
  DataType type;
  std::string_view name;  ///< "bf16"; what MLIR calls it, too, where it is no integer.
  int64_t bytes;          ///< Of one element.
  DataType sums;          ///< The type that products of two elements are added up in.
  bool is_integer;
  int significand_bits;  ///< With the one that is not stored: integers below 2^this are exact.
  double largest;        ///< Finite value.
  double smallest;       ///< Positive value, subnormal.
  int cuda;              ///< The CUDA toolkit's cudaDataType_t.
  /// Host arrays of elements: to the nearest, ties to even (of integers beyond the range the nearest one of it), and
  /// back. `count` elements; the pointers do not overlap. f64 and s32 are more than floats hold: their values are
  /// doubles.
  void (*encode)(const float* values, int64_t count, void* elements);
  void (*decode)(const void* elements, int64_t count, float* values);
  void (*encode_double)(const double* values, int64_t count, void* elements);
  void (*decode_double)(const void* elements, int64_t count, double* values);
};
const DataTypeTraits& TraitsOf(DataType type);

/// "f32".
std::string_view DataTypeName(DataType type);
absl::StatusOr<DataType> ParseDataType(std::string_view name);

template <>
struct TextForm<DataType> {
  static constexpr auto Write = DataTypeName;
  static constexpr auto Read = ParseDataType;
};
/// Bytes of one element.
inline int64_t DataTypeBytes(DataType type) { return TraitsOf(type).bytes; }

/// How products of f32 are formed.
enum class MathMode {
  kIeee,    ///< As the type says.
  kTf32,    ///< Operands of f32 are rounded to TF32 (11 bits of significand) on the way to the tensor cores.
  kTf32x3,  ///< Operands of f32 are split into two of TF32; three of their four products are summed.
  kBf16x6,  ///< Operands of f32 are split into three of bf16; the six largest of their nine products are summed.
};

/// "ieee", "tf32", "tf32x3", "bf16x6".
std::string_view MathModeName(MathMode mode);
absl::StatusOr<MathMode> ParseMathMode(std::string_view name);

template <>
struct TextForm<MathMode> {
  static constexpr auto Write = MathModeName;
  static constexpr auto Read = ParseMathMode;
};

/// The type of C, said relative to that of A and B; of s8 kSame is s32.
enum class OutputType { kSame, kF32 };

/// "same", "f32".
std::string_view OutputTypeName(OutputType type);
absl::StatusOr<OutputType> ParseOutputType(std::string_view name);

template <>
struct TextForm<OutputType> {
  static constexpr auto Write = OutputTypeName;
  static constexpr auto Read = ParseOutputType;
};

}  // namespace mmtune
