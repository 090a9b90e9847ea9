// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/passes.h"
#include "kernels/compiler/passes/kernel/subgroup_ops.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/bit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_LOWERREDUCTIONSPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

constexpr int64_t kMaxThreads = 1024;

/// The threads of a block; nothing where the function does not say, or is null.
std::optional<int64_t> blockThreads(gpu::GPUFuncOp function) {
  std::optional<ArrayRef<int32_t>> extents;
  if (function) extents = function.getKnownBlockSize();
  if (!extents) return std::nullopt;
  int64_t threads = 1;
  for (int32_t extent : *extents) threads *= extent;
  return threads;
}

Value combine(ImplicitLocOpBuilder& builder, gpu::AllReduceOperation kind, Value a, Value b) {
  return vector::makeArithReduction(builder, builder.getLoc(), gpu::convertReductionKind(kind), a, b);
}

/// gpu.all_reduce as a tree over a buffer in shared memory, with a barrier for each level: nothing
/// counts on the lanes of a warp going together.
class BlockReduction {
 public:
  BlockReduction(gpu::AllReduceOp op, Value buffer) : op(op), builder(op.getLoc(), op), buffer(buffer) {}

  void lower() {
    std::tie(thread, threads) = threadInBlock(builder);
    memref::StoreOp::create(builder, op.getValue(), buffer, thread);
    gpu::BarrierOp::create(builder);
    reduceInBuffer();
    Value result = memref::LoadOp::create(builder, buffer, constant(0));
    gpu::BarrierOp::create(builder);  // Before the next one that uses the buffer.
    op.replaceAllUsesWith(result);
    op.erase();
  }

 private:
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, value); }

  /// Each turn the first half of what is left takes the second half in.
  void reduceInBuffer() {
    uint64_t size = llvm::bit_ceil<uint64_t>(cast<MemRefType>(buffer.getType()).getNumElements());
    Value levels = constant(llvm::countr_zero(size));
    auto loop = scf::ForOp::create(builder, constant(0), levels, constant(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value half = arith::ShRUIOp::create(builder, constant(static_cast<int64_t>(size / 2)), loop.getInductionVar());
    Value other = arith::AddIOp::create(builder, thread, half);
    Value isFirst = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, thread, half);
    Value exists = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, other, threads);
    Value takes = arith::AndIOp::create(builder, isFirst, exists);
    auto branch = scf::IfOp::create(builder, takes, /*withElseRegion=*/false);
    gpu::BarrierOp::create(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value mine = memref::LoadOp::create(builder, buffer, thread);
    Value theirs = memref::LoadOp::create(builder, buffer, other);
    memref::StoreOp::create(builder, combined(mine, theirs), buffer, thread);
  }

  Value combined(Value a, Value b) {
    if (std::optional<gpu::AllReduceOperation> kind = op.getOp()) return combine(builder, *kind, a, b);
    Block& body = op.getBody().front();
    IRMapping mapping;
    mapping.map(body.getArguments(), ValueRange{a, b});
    for (Operation& inner : body.without_terminator()) builder.clone(inner, mapping);
    return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
  }

  gpu::AllReduceOp op;
  ImplicitLocOpBuilder builder;
  Value buffer, thread, threads;
};

/// gpu.subgroup_reduce as a butterfly of shuffles.
class WarpReduction {
 public:
  explicit WarpReduction(gpu::SubgroupReduceOp op) : op(op), builder(op.getLoc(), op) {}

  LogicalResult lower() {
    auto lanes = static_cast<int32_t>(op.getClusterSize().value_or(kWarpSize));
    auto stride = static_cast<int32_t>(op.getClusterStride());
    std::optional<int64_t> threads = blockThreads(op->getParentOfType<gpu::GPUFuncOp>());
    if (lanes * stride > kWarpSize)
      return op.emitError("a reduction over ")
             << lanes << " lanes " << stride << " apart does not fit a warp of " << kWarpSize;
    if (getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth() > 64)
      return op.emitError("a reduction over a warp of values of type ") << op.getType() << " is not supported";
    if (threads && *threads % (lanes * stride) != 0)
      return op.emitError("a reduction over ") << lanes * stride << " lanes, of which a block of " << *threads
                                               << " threads has no whole number; use gpu.all_reduce, or clusters";
    Value value = op.getValue();
    for (int32_t offset = stride; offset < lanes * stride; offset *= 2)
      value =
          combine(builder, op.getOp(), value,
                  gpu::ShuffleOp::create(builder, value, offset, kWarpSize, gpu::ShuffleMode::XOR).getShuffleResult());
    op.replaceAllUsesWith(value);
    op.erase();
    return success();
  }

 private:
  gpu::SubgroupReduceOp op;
  ImplicitLocOpBuilder builder;
};

struct LowerReductions : impl::LowerReductionsPassBase<LowerReductions> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (failed(lowerBlockWide(function)) || failed(lowerWarpWide(function))) return signalPassFailure();
  }

 private:
  /// All of one type share a buffer: each ends with a barrier.
  static LogicalResult lowerBlockWide(FunctionOpInterface function) {
    auto kernel = dyn_cast<gpu::GPUFuncOp>(*function);
    SmallVector<gpu::AllReduceOp> ops;
    function.walk([&](gpu::AllReduceOp op) { ops.push_back(op); });
    llvm::MapVector<Type, Value> buffers;
    for (gpu::AllReduceOp op : ops) {
      if (!kernel || !kernel.isKernel())
        return op.emitError(
            "a reduction over a block in a function that is no kernel, which has no shared memory of its own: inline "
            "it first");
      if (!op.getBody().empty() && !op.getBody().hasOneBlock())
        return op.emitError("a reduction by a region of several blocks is not supported");
      Value& buffer = buffers[op.getType()];
      if (!buffer) buffer = addBuffer(kernel, op);
      BlockReduction(op, buffer).lower();
    }
    return success();
  }

  static Value addBuffer(gpu::GPUFuncOp function, gpu::AllReduceOp op) {
    auto shared = gpu::AddressSpaceAttr::get(op.getContext(), gpu::AddressSpace::Workgroup);
    auto type = MemRefType::get({blockThreads(function).value_or(kMaxThreads)}, op.getType(),
                                MemRefLayoutAttrInterface(), shared);
    return function.addWorkgroupAttribution(type, op.getLoc());
  }

  static LogicalResult lowerWarpWide(FunctionOpInterface function) {
    SmallVector<gpu::SubgroupReduceOp> ops;
    function.walk([&](gpu::SubgroupReduceOp op) { ops.push_back(op); });
    for (gpu::SubgroupReduceOp op : ops)
      if (failed(WarpReduction(op).lower())) return failure();
    return success();
  }
};

}  // namespace
}  // namespace mmtune
