// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on scalars that the compiler can compute.
//
// The body of a linalg operation, computed by the compiler.
#pragma once

#include <functional>

#include "kernels/compiler/fusion/constant_tensor.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Operation.h"

namespace mmtune {

/// Of its operands; nothing where the result is not defined, or left to the machine.
using ConstantOperation = std::function<std::optional<ConstantElement>(mlir::ArrayRef<ConstantElement>)>;

/// How to compute the one result of an operation of arith or math; null where that is not known.
ConstantOperation constantOperation(mlir::Operation* op);

/// Returns the elements of a tensor that a body reads by index. If it is null, ConstantBody takes the row-major number
/// of an element for the element itself.
using ConstantOf = llvm::function_ref<const ConstantTensor*(mlir::Value)>;

/// Whether a body computes on scalars what ConstantBody can, of its arguments, its place, constants, and elements of
/// tensors that `isKnown` is true of.
bool isConstantBody(mlir::linalg::LinalgOp op, llvm::function_ref<bool(mlir::Value)> isKnown);

/// A body made ready. Each operation rounds to its own type; functions are right to the last place or two of f64 before
/// they are rounded.
class ConstantBody {
 public:
  /// The body is a constant one, and lives as long as this.
  ConstantBody(mlir::linalg::LinalgOp op, ConstantOf constantOf);

  size_t steps() const { return work.size(); }

  /// The element at `place`, of elements of the operation's inputs. Nothing where the body does not say it: an
  /// assertion fails, a number is divided by 0, an element is read that there is not.
  std::optional<ConstantElement> run(mlir::ArrayRef<ConstantElement> inputs, mlir::ArrayRef<int64_t> place);

 private:
  /// Computes a value from others; false where it is not defined.
  using Step = std::function<bool(std::vector<ConstantElement>& values, mlir::ArrayRef<int64_t> place)>;

  unsigned slotOf(mlir::Value value);
  void add(mlir::Operation& op, ConstantOf constantOf);

  llvm::DenseMap<mlir::Value, unsigned> slots;
  std::vector<ConstantElement> values;
  std::vector<Step> work;
  size_t inputs;
  unsigned yielded;
};

}  // namespace mmtune
