// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random functions on tensors, as MLIR and as what they compute.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mmtune {

inline constexpr int kTensorSide = 8;
using TensorValue = std::array<float, kTensorSide * kTensorSide>;

/// The arguments of one call of @main: tensors of small integers, then two conditions and a number of iterations.
struct TensorInputs {
  std::vector<TensorValue> tensors;
  bool conditions[2] = {false, false};
  int64_t turns = 0;
};

struct TensorProgram {
  /// A module with the public function @main: kTensorArguments tensors, i1, i1, index.
  std::string text;
  size_t results = 0;
  /// The results by tensor semantics, without MLIR. Every number in between is an integer that f32 holds.
  std::function<std::vector<TensorValue>(const TensorInputs&)> run;
};

inline constexpr size_t kTensorArguments = 3;

/// Products, elementwise operations, reductions of rows and columns, transpositions and slices, in and between scf.if,
/// scf.for, selections and calls. Outputs are often tensors that are used elsewhere. The same for the same seed.
TensorProgram GenerateTensorProgram(uint64_t seed);

}  // namespace mmtune
