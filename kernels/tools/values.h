// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of a function from the words of a command line, and what a run gave: as text, and compared with a
// reference.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_runner.h"

namespace mmtune {

/// The elements of `data`, of type `element`, as numbers. InvalidArgument for types that are no numbers of 64 bits or
/// less.
absl::StatusOr<std::vector<double>> ElementsToNumbers(std::string_view element, const std::vector<char>& data);

/// `count` elements, each made from the number that `number_of` gives for its index: integers are
/// rounded towards zero and kept in the type's range, i1 is 0 or 1.
absl::StatusOr<std::vector<char>> MakeElements(std::string_view element, int64_t count,
                                               absl::FunctionRef<double(int64_t)> number_of);

/// One element as text: integers exactly, others with 9 digits. `at` points at its bytes.
absl::StatusOr<std::string> ElementText(std::string_view element, const char* at);

bool IsFloatElement(std::string_view element);

/// "random:SEED" (in [-1, 1), integers in [-8, 8]), "ones", "zeros", "iota" (0, 1, 2, …), "value:3.5" or
/// "file:data.bin" (raw elements); with dynamic sizes all sizes follow: "random:1@128x64". `position` makes random
/// values of different arguments differ. InvalidArgument says what is wrong with the text.
absl::StatusOr<ModelValue> ParseArgument(std::string_view text, const ModelType& type, size_t position);

/// One text for each argument of the function, or one for all.
absl::StatusOr<std::vector<ModelValue>> ParseArguments(const std::vector<std::string>& texts,
                                                       const ModelFunction& function);

/// "memref<2x2xf32>  sum 10  min 1  max 4  sha256 0123456789ab  [1, 2, 3, 4]": the first elements, or all of them. NaNs
/// are counted and left out of sum, min and max.
absl::StatusOr<std::string> ValueText(const ModelValue& value, bool all_elements);

struct Difference {
  double max_abs = 0;           ///< Infinite when a NaN or an infinity stands on one side only.
  double relative = 0;          ///< max_abs by the largest finite magnitude of the reference.
  int64_t worst = 0;            ///< Index of the element that differs most.
  std::string value, expected;  ///< There; empty when nothing differs.
};

/// InvalidArgument when the two are of different sizes. Integers are compared exactly.
absl::StatusOr<Difference> Compare(const ModelValue& value, const ModelValue& reference);

/// Puts what `other` gives in place of the NaNs of `references`, where `values` have numbers; does not call it if there
/// are none.
absl::Status ReplaceNans(const std::vector<ModelValue>& values,
                         absl::FunctionRef<absl::StatusOr<std::vector<ModelValue>>()> other,
                         std::vector<ModelValue>* references);

/// What sums in another order may come to: 1e-4, and for results of f16 and bf16, which two such sums may be rounded to
/// different neighbours of, one unit in the last place more. With products of f32 in math tf32, which rounds their
/// operands, one unit of TF32 more.
double DefaultTolerance(const ModelType& type, MathMode math = MathMode::kIeee);

/// Floating-point values: within `tolerance` of the largest magnitude. Others: equal.
bool Accepts(const Difference& difference, const ModelType& type, double tolerance);

}  // namespace mmtune
