// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a function: arguments from texts of the command line, results as text and compared with a reference.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_runner.h"

namespace mmtune {

/// Returns the elements of `data`, of type `element`, as numbers. InvalidArgument for types that are not numbers of at
/// most 64 bits.
absl::StatusOr<std::vector<double>> ElementsToNumbers(std::string_view element, const std::vector<char>& data);

/// Makes `count` elements from number_of(index): integers are rounded towards zero and clamped to the type's range, i1
/// is 0 or 1.
absl::StatusOr<std::vector<char>> MakeElements(std::string_view element, int64_t count,
                                               absl::FunctionRef<double(int64_t)> number_of);

/// Returns the element at `at` as text: integers exactly, others with 9 digits.
absl::StatusOr<std::string> ElementText(std::string_view element, const char* at);

bool IsFloatElement(std::string_view element);

/// Parses "random:SEED" (in [-1, 1), integers in [-8, 8]), "ones", "zeros", "iota" (0, 1, 2, …), "value:3.5" or
/// "file:data.bin" (raw elements); with dynamic sizes all sizes follow: "random:1@128x64". `position` makes random
/// values of arguments differ. InvalidArgument says what is wrong with the text.
absl::StatusOr<ModelValue> ParseArgument(std::string_view text, const ModelType& type, size_t position);

/// Parses one text for each argument of the function, or one for all.
absl::StatusOr<std::vector<ModelValue>> ParseArguments(const std::vector<std::string>& texts,
                                                       const ModelFunction& function);

/// Returns "memref<2x2xf32>  sum 10  min 1  max 4  sha256 0123456789ab  [1, 2, 3, 4]", with the first elements or all
/// of them. NaNs are counted and left out of sum, min and max.
absl::StatusOr<std::string> ValueText(const ModelValue& value, bool all_elements);

/// The largest difference between a value and its reference.
struct Difference {
  double max_abs = 0;           ///< Infinite if only one side has a NaN or an infinity.
  double relative = 0;          ///< max_abs divided by the largest finite magnitude of the reference.
  int64_t worst = 0;            ///< Index of the element that differs most.
  std::string value, expected;  ///< The elements at that index; empty if nothing differs.
};

/// Compares a value with its reference; integers exactly. InvalidArgument if their sizes differ.
absl::StatusOr<Difference> Compare(const ModelValue& value, const ModelValue& reference);

/// Replaces NaNs of `references` where `values` have numbers by the elements of other(), which is called only if there
/// are such NaNs.
absl::Status ReplaceNans(const std::vector<ModelValue>& values,
                         absl::FunctionRef<absl::StatusOr<std::vector<ModelValue>>()> other,
                         std::vector<ModelValue>* references);

/// Returns the relative difference that another order of summation may cause: 1e-4, plus one unit in the last place for
/// results of f16 and bf16, plus one unit of TF32 for math tf32, which rounds operands of f32.
double DefaultTolerance(const ModelType& type, MathMode math = MathMode::kIeee);

/// True if floating-point values differ by at most `tolerance` of the largest magnitude, or others are equal.
bool Accepts(const Difference& difference, const ModelType& type, double tolerance);

}  // namespace mmtune
