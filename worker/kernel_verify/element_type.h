// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of the buffer elements and scalar arguments of any PTX kernel. There are more than for matmuls
// (proto/types/data_type.h), because such a kernel may also take fp8 and integers of every size.
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
  std::optional<DataType> data_type;  ///< The matmul type with the same elements; nullopt if there is none.
  int tensor_map_type;                ///< A CUtensorMapDataType.
  int narrow_bits = 0;                ///< For fp8: the bits of precision, with the implicit bit; otherwise 0.

  bool IsFloat() const { return kind == Kind::kFloat || kind == Kind::kFp8; }
};

/// Writes a number as an element. Floating-point types round it; a number too large for fp8 becomes the largest fp8
/// number.
void WriteNumber(const ElementType& type, double number, char* element);

/// Returns the type with this name, or InvalidArgument with all names. "tf32" has elements of f32.
absl::StatusOr<const ElementType*> FindElementType(std::string_view name);

/// Checks the initial contents ("fill") of a buffer: "random", "zeros", "iota", "value:X", or "" for a pattern that is
/// NaN in every floating-point type. Returns InvalidArgument for anything else.
absl::Status CheckFill(const ElementType& type, std::string_view fill);
/// Writes `count` elements with a fill that has passed CheckFill(). Equal seeds give equal elements.
void FillElements(const ElementType& type, std::string_view fill, uint64_t seed, int64_t count, char* elements);

/// Returns the bytes of a scalar: of the number in `text` for floating-point types, and of `value` for integers.
/// Returns InvalidArgument if the type cannot represent it.
absl::StatusOr<std::string> EncodeScalar(const ElementType& type, std::string_view text, int64_t value);

}  // namespace mmtune
