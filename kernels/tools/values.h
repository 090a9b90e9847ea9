// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles argument and result values for `mmtune-compile --run`: creates arguments from texts of the command line,
// prints results, and compares results with a reference.
//
//   ParseArgument("random:1@128x64", memref<?x?xf32>)  ->  128 x 64 random floats
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_runner.h"

namespace mmtune {

/// Returns the elements of `data` as numbers. `element` is their MLIR type, such as "f32". Returns InvalidArgument for
/// types that are not numbers of at most 64 bits.
absl::StatusOr<std::vector<double>> ElementsToNumbers(std::string_view element, const std::vector<char>& data);

/// Returns `count` elements with the values number_of(0), number_of(1), ... Integers are rounded towards zero and
/// clamped to the range of the type; for i1, 0 becomes false and others true. Returns the error of ElementsToNumbers()
/// for other types.
absl::StatusOr<std::vector<char>> MakeElements(std::string_view element, int64_t count,
                                               absl::FunctionRef<double(int64_t)> number_of);

/// Returns the element at `at` as text: integers exactly, floats with 9 digits. Returns the error of
/// ElementsToNumbers() for other types.
absl::StatusOr<std::string> ElementText(std::string_view element, const char* at);

/// True for floating-point types such as "bf16".
bool IsFloatElement(std::string_view element);

/// Creates the argument number `position` of a function from one of the texts below. For any other text, returns
/// InvalidArgument that says what is wrong with it. Returns ResourceExhausted if there is no memory for the elements.
///
///   random:SEED      floats in [-1, 1), integers in [-8, 8], different for each `position`
///   ones, zeros
///   iota             0, 1, 2, ...
///   value:3.5        the same value everywhere
///   file:data.bin    raw elements
///
/// If a size of the type is dynamic, all sizes follow after an @: "random:1@128x64".
absl::StatusOr<ModelValue> ParseArgument(std::string_view text, const ModelType& type, size_t position);

/// Creates all arguments of the function. `texts` has one text for each argument, or one text for all. Returns
/// InvalidArgument for another number of texts, and the errors of ParseArgument().
absl::StatusOr<std::vector<ModelValue>> ParseArguments(const std::vector<std::string>& texts,
                                                       const ModelFunction& function);

/// Returns a value as text, with all elements if `all_elements` is true, otherwise with the first ones:
///
///   memref<2x2xf32>  sum 10  min 1  max 4  sha256 0123456789ab  [1, 2, 3, 4]
///
/// NaNs are counted, and left out of sum, min and max. Returns the error of ElementsToNumbers() for other types.
absl::StatusOr<std::string> ValueText(const ModelValue& value, bool all_elements);

/// The largest difference between a value and its reference.
struct Difference {
  double max_abs = 0;           ///< Infinite if only one of the two has a NaN or an infinity at some index.
  double relative = 0;          ///< max_abs / largest finite magnitude of the reference.
  int64_t worst = 0;            ///< Index of the element that differs most.
  std::string value, expected;  ///< The two elements at that index; empty if nothing differs.
};

/// Compares a value with its reference; integers are compared exactly. Returns InvalidArgument if their sizes differ.
absl::StatusOr<Difference> Compare(const ModelValue& value, const ModelValue& reference);

/// Handles elements that are NaN in `references` but numbers in `values`: replaces each of them in `references` by the
/// element of other() at the same index. other() computes a second reference, in which gelu and silu are 0 at minus
/// infinity, as in kernels; their formulas give NaN there. It is called only if there are such elements. Returns the
/// errors of other() and of ElementsToNumbers(), and Internal if the second reference has other sizes.
absl::Status ReplaceNans(const std::vector<ModelValue>& values,
                         absl::FunctionRef<absl::StatusOr<std::vector<ModelValue>>()> other,
                         std::vector<ModelValue>* references);

/// Returns the relative difference that is accepted because sums may be added in another order. It is 1e-4, plus one
/// unit in the last place for results of f16 and bf16, and plus one unit in the last place of TF32 for the math mode
/// tf32.
double DefaultTolerance(const ModelType& type, MathMode math = MathMode::kIeee);

/// True if floating-point values differ by at most `tolerance` times the largest magnitude of the reference, or values
/// of other types do not differ.
bool Accepts(const Difference& difference, const ModelType& type, double tolerance);

}  // namespace mmtune
