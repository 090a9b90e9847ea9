// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mmtune {

/// The index, or what is nearest to it from 0 to `size` - 1.
inline mlir::Value nearestIndex(mlir::ImplicitLocOpBuilder& builder, mlir::Value index, int64_t size) {
  using namespace mlir::arith;
  mlir::Value first = ConstantIndexOp::create(builder, 0), last = ConstantIndexOp::create(builder, size - 1);
  return MinSIOp::create(builder, MaxSIOp::create(builder, index, first), last);
}

}  // namespace mmtune
