// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/linalg_threads.h"

#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "proto/base/whole_numbers.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr int64_t kMaxGridX = (int64_t{1} << 31) - 1;

SmallVector<Value> indicesOf(OpBuilder& builder, linalg::LinalgOp op, OpOperand& operand, ArrayRef<Value> ivs) {
  SmallVector<Value> indices;
  for (AffineExpr expression : op.getMatchingIndexingMap(&operand).getResults())
    indices.push_back(affine::expandAffineExpr(builder, op.getLoc(), expression, ivs, {}));
  return indices;
}

constexpr int64_t kWarpSize = 32;

}  // namespace

bool isDeviceType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) type = vector.getElementType();
  if (auto integer = dyn_cast<IntegerType>(type)) return integer.isSignless() && integer.getWidth() <= 64;
  return isa<IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

Value loadElement(OpBuilder& builder, linalg::LinalgOp op, OpOperand& operand, ArrayRef<Value> ivs) {
  if (!isa<MemRefType>(operand.get().getType())) return operand.get();
  return memref::LoadOp::create(builder, op.getLoc(), operand.get(), indicesOf(builder, op, operand, ivs));
}

void storeElement(OpBuilder& builder, linalg::LinalgOp op, OpOperand& output, Value value, ArrayRef<Value> ivs) {
  memref::StoreOp::create(builder, op.getLoc(), value, output.get(), indicesOf(builder, op, output, ivs));
}

void cloneBodyOperation(OpBuilder& builder, Operation& inner, IRMapping& mapping, ArrayRef<Value> ivs) {
  Operation* copy = builder.clone(inner, mapping);
  SmallVector<linalg::IndexOp> indices;
  copy->walk([&](linalg::IndexOp index) { indices.push_back(index); });
  for (linalg::IndexOp index : indices) {
    Value iv = ivs[index.getDim()];
    if (index == copy) mapping.map(inner.getResult(0), iv);
    index.replaceAllUsesWith(iv);
    index.erase();
  }
}

SmallVector<Value> delinearize(OpBuilder& builder, Location loc, Value number, ArrayRef<Value> extents) {
  SmallVector<Value> ivs(extents.size());
  for (size_t i = extents.size(); i-- > 0;) {
    ivs[i] = i == 0 ? number : arith::RemUIOp::create(builder, loc, number, extents[i]);
    if (i != 0) number = arith::DivUIOp::create(builder, loc, number, extents[i]);
  }
  return ivs;
}

Value gridFor(OpBuilder& builder, Location loc, Value count, int64_t perBlock) {
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  if (std::optional<int64_t> known = getConstantIntValue(count))
    return index(std::clamp<int64_t>(CeilDiv(*known, perBlock), 1, kMaxGridX));
  Value grid = arith::AddIOp::create(builder, loc, count, index(perBlock - 1));
  grid = arith::DivUIOp::create(builder, loc, grid, index(perBlock));
  grid = arith::MaxUIOp::create(builder, loc, grid, index(1));
  return arith::MinUIOp::create(builder, loc, grid, index(kMaxGridX));
}

void launchPoints(OpBuilder& builder, Location loc, Value points, int64_t blockSize, bool hasValueSemantics,
                  llvm::function_ref<void(Value)> emit) {
  OpBuilder::InsertionGuard guard(builder);
  auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
  std::optional<int64_t> count = getConstantIntValue(points);
  if (count == 0) return;
  if (count && *count < blockSize) blockSize = *count == 1 ? 1 : std::min(blockSize, RoundUp(*count, kWarpSize));
  Value grid = gridFor(builder, loc, points, blockSize), block = index(blockSize), one = index(1);
  auto launch = gpu::LaunchOp::create(builder, loc, grid, one, one, block, one, one);
  builder.setInsertionPointToStart(&launch.getBody().front());
  Value blockId = launch.getBlockIds().x, threads = launch.getBlockSize().x;
  Value first = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, blockId, threads),
                                      launch.getThreadIds().x);
  Value stride = arith::MulIOp::create(builder, loc, launch.getGridSize().x, threads);
  auto loop = scf::ForOp::create(builder, loc, first, points, stride);
  if (hasValueSemantics) setValueSemantics(loop);  // Outlining keeps only the body of the launch.
  gpu::TerminatorOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  emit(loop.getInductionVar());
}

}  // namespace mmtune
