// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/run_time_launch.h"

#include "kernels/families/common/space_family.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {
namespace {

Value constant(ImplicitLocOpBuilder& builder, int64_t value) { return arith::ConstantIndexOp::create(builder, value); }

Value multiply(ImplicitLocOpBuilder& builder, Value x, Value y) { return builder.createOrFold<arith::MulIOp>(x, y); }

/// The product of some neighbouring dimensions.
Value extentOf(ImplicitLocOpBuilder& builder, Value buffer, int64_t first, int64_t end) {
  Value extent = constant(builder, 1);
  for (int64_t dim = first; dim < end; ++dim)
    extent = multiply(builder, extent, builder.createOrFold<memref::DimOp>(buffer, dim));
  return extent;
}

}  // namespace

RunTimeLaunch launchAtRunTime(OpBuilder& outer, Location loc, const FusedProduct& product, const BlockTile& tile) {
  if (!product.sizes.any()) return {};
  ImplicitLocOpBuilder builder(loc, outer);
  const int64_t rank = cast<MemRefType>(product.c.getType()).getRank();
  Value matrices = extentOf(builder, product.c, 0, product.batchDims);
  Value rows = extentOf(builder, product.c, product.batchDims, rank - product.columnDims);
  Value covered = builder.createOrFold<arith::AddIOp>(rows, constant(builder, tile.m - 1));
  Value tiles = builder.createOrFold<arith::DivUIOp>(covered, constant(builder, tile.m));
  tiles = multiply(builder, tiles, constant(builder, CeilDiv(product.problem.n, tile.n)));
  Value counted =
      builder.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ule, rows, constant(builder, kMaxCoordinate - tile.m));
  tiles = builder.createOrFold<arith::SelectOp>(counted, tiles, constant(builder, kMaxGridX + 1));
  RunTimeLaunch launch{multiply(builder, matrices, tiles), Value()};
  if (product.sizes.rows) launch.rows = builder.createOrFold<arith::IndexCastOp>(builder.getI32Type(), rows);
  return launch;
}

}  // namespace mmtune
