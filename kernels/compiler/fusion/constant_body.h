// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the body of a linalg operation at compile time.
#pragma once

#include <functional>

#include "kernels/compiler/fusion/constant_tensor.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mmtune {

/// Returns the elements of a tensor that a body reads by index; they have to outlive the ConstantBody. Where it returns
/// null, a read gives the row-major number of the element instead: so a caller learns which element is read.
using ConstantOf = llvm::function_ref<const ConstantTensor*(mlir::Value)>;

/// True if ConstantBody can evaluate the body: it uses only its arguments, loop indices, constants, and elements of
/// tensors that `isKnown` accepts.
bool isConstantBody(mlir::linalg::LinalgOp op, llvm::function_ref<bool(mlir::Value)> isKnown);

/// A body ready to be evaluated. Each operation rounds to its own type; functions are accurate to one or two units in
/// the last place of f64 before they are rounded.
class ConstantBody {
 public:
  /// Requires isConstantBody(). `op` has to outlive this.
  ConstantBody(mlir::linalg::LinalgOp op, ConstantOf constantOf);

  size_t steps() const { return work.size(); }  ///< Operations that run() executes: what an element costs.

  /// Returns the element at `indices`, given the elements of the inputs. Returns nothing if it is undefined: an
  /// assertion fails, a divisor is 0, or an index is out of bounds.
  std::optional<ConstantElement> run(mlir::ArrayRef<ConstantElement> inputs, mlir::ArrayRef<int64_t> indices);

 private:
  /// Computes a value from others; returns false if it is undefined.
  using Step = std::function<bool(std::vector<ConstantElement>& values, mlir::ArrayRef<int64_t> indices)>;

  unsigned slotOf(mlir::Value value);
  void add(mlir::Operation& op, ConstantOf constantOf);

  llvm::DenseMap<mlir::Value, unsigned> slots;
  std::vector<ConstantElement> values;
  std::vector<Step> work;
  unsigned yielded;
};

}  // namespace mmtune
