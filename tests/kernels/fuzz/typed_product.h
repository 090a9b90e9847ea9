// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random products of f16 and bf16 with what is done to them, as MLIR and as what they compute.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "proto/types/data_type.h"

namespace mmtune {

/// An argument of @main: a memref with integers, which its type holds exactly.
struct TypedArgument {
  DataType type;
  std::vector<float> elements;
};

struct TypedProduct {
  /// A module with the public function @main, on memrefs; the last argument is what it writes.
  std::string text;
  std::vector<TypedArgument> arguments;
  /// Returns the contents of the last argument after the call. Between roundings to 16 bits every number is one that
  /// f32 holds, so every order of summation gives the same; a rounding that is left out, or too many, shows.
  std::vector<float> expected;
};

/// `value` as the type holds it.
float Rounded(DataType type, float value);

/// One product: operands plain or transposed, extended by the operation, in its body or by operations before it; sums
/// of f32 or of the operands' type, from zeros or old contents; bias, add, relu and scale in either type behind it,
/// with roundings and extensions anywhere between. The same for the same seed.
TypedProduct GenerateTypedProduct(uint64_t seed);

}  // namespace mmtune
