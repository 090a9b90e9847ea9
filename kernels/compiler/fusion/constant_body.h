// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the body of a linalg operation at compile time, element by element. The pass fold-constants uses it to
// replace operations whose inputs are all constant.
//
//   linalg.generic { arith.mulf %x, %y; math.sqrt }  with constant tensors  ->  run({x, y}, {i, j}) = sqrt(x * y)
#pragma once

#include <functional>

#include "kernels/compiler/fusion/constant_tensor.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mmtune {

/// Returns the elements of a tensor that the body reads by tensor.extract; they must outlive the ConstantBody. If the
/// function returns null for a tensor, a read of that tensor yields the row-major index of the element instead of its
/// value. With this a caller finds out which elements are read.
using ConstantLookup = llvm::function_ref<const ConstantTensor*(mlir::Value)>;

/// True if ConstantBody can evaluate the body of `op`. The body may use its arguments, loop indices, constants, and
/// elements of tensors for which `isKnown` returns true.
bool isConstantBody(mlir::linalg::LinalgOp op, llvm::function_ref<bool(mlir::Value)> isKnown);

/// A body prepared for evaluation. The result of each operation is rounded to the type of the operation. Before this
/// rounding, mathematical functions are accurate to one or two units in the last place of f64.
class ConstantBody {
 public:
  /// Requires isConstantBody(op). `op` must outlive this object.
  ConstantBody(mlir::linalg::LinalgOp op, ConstantLookup constantOf);

  /// Returns the number of operations that run() executes to evaluate one element.
  size_t steps() const { return work.size(); }

  /// Returns the result at the loop indices `indices`, given the elements of the inputs for these indices. Returns
  /// nothing if the result is undefined: an assertion fails, a divisor is 0, or an index is out of bounds.
  std::optional<ConstantElement> run(mlir::ArrayRef<ConstantElement> inputs, mlir::ArrayRef<int64_t> indices);

 private:
  /// Computes one value and stores it in `values`. Returns false if it is undefined.
  using Step = std::function<bool(std::vector<ConstantElement>& values, mlir::ArrayRef<int64_t> indices)>;

  /// Returns the index in `values` of an SSA value.
  unsigned slotOf(mlir::Value value);
  /// Appends the step that evaluates `op`.
  void add(mlir::Operation& op, ConstantLookup constantOf);

  llvm::DenseMap<mlir::Value, unsigned> slots;
  std::vector<ConstantElement> values;
  std::vector<Step> work;
  unsigned yielded;
};

}  // namespace mmtune
