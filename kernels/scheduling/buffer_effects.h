// What the operations between two points of a block do with a buffer.
#pragma once

#include "mlir/IR/Operation.h"

namespace mmtune {

/// Whether two memrefs may share memory. Allocations share none with each other or with what else
/// is known to exist; arguments are taken not to overlap, as convert-memcpy-to-gpu takes them.
bool mayAlias(mlir::Value x, mlir::Value y);

/// Whether `op`, nested operations included, may write the buffer.
bool mayWrite(mlir::Operation *op, mlir::Value buffer);

/// Whether `op`, nested operations included, may read, write or free the buffer.
bool mayTouch(mlir::Operation *op, mlir::Value buffer);

} // namespace mmtune
