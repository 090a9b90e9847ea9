// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types of buffers and the types of scalar arguments of any kernel: more than those of matmuls
// (proto/types/data_type.h), as a kernel may also take integers of every size and fp8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/data_type.h"

namespace mmtune {

/// A row of the table of types.
struct ElementType {
  enum class Kind { kFloat, kSigned, kUnsigned, kFp8 };
  std::string_view name;
  int64_t bytes;
  Kind kind;
  std::optional<DataType> data_type;  ///< The matmul type with the same elements.
  int tensor_map_type;                ///< A CUtensorMapDataType.
  int narrow_bits = 0;                ///< The bits of precision of fp8, with the implicit one.

  bool IsFloat() const { return kind == Kind::kFloat || kind == Kind::kFp8; }
};

/// Writes a number, which a floating-point type rounds. Those too large for fp8 become its largest one.
void WriteNumber(const ElementType& type, double number, char* element);

/// Returns the type, or InvalidArgument with the names of all. "tf32" has elements of f32.
absl::StatusOr<const ElementType*> FindElementType(std::string_view name);

/// How a buffer begins: "random", "zeros", "iota", "value:X", or "" for NaN in every floating-point type.
absl::Status CheckFill(const ElementType& type, std::string_view fill);
/// Writes `count` elements. The fill must have passed CheckFill(). Equal seeds give equal elements.
void FillElements(const ElementType& type, std::string_view fill, uint64_t seed, int64_t count, char* elements);

/// Returns the bytes of a scalar. `text` is a number for floating-point types; for integers, `value` is taken.
/// InvalidArgument if the type cannot hold it.
absl::StatusOr<std::string> EncodeScalar(const ElementType& type, std::string_view text, int64_t value);

}  // namespace mmtune
