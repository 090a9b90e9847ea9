// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/passes/kernel/linalg_threads.h"
#include "kernels/compiler/passes/kernel/passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_MAPLINALGTOGPUPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

constexpr int64_t kMaxBlockSize = 1024;

/// Refuses operands and values of types that no thread can compute.
LogicalResult checkTypes(linalg::LinalgOp op) {
  for (Value operand : op->getOperands()) {
    if (isa<TensorType>(operand.getType()))
      return op->emitOpError("has operands that are tensors; bufferize first (one-shot-bufferize)");
    Type element = getElementTypeOrSelf(operand.getType());
    if (!isDeviceType(element)) return op.emitError() << "device code cannot have elements of type " << element;
  }
  WalkResult result = op.getBlock()->walk([&](Operation* inner) {
    for (Type type : inner->getResultTypes())
      if (!isDeviceType(type) && !isa<MemRefType>(type)) {
        op.emitError() << "device code cannot have values of type " << type << ", as '" << inner->getName()
                       << "' in its body has";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// The parallel and reduction dimensions of an operation.
struct LinalgLoops {
  explicit LinalgLoops(linalg::LinalgOp op) {
    op.getParallelDims(parallel);
    op.getReductionDims(reduction);
  }

  /// True if a parallel loop is known to have no iterations.
  bool staticallyEmpty(linalg::LinalgOp op) const {
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    return llvm::any_of(parallel, [&](unsigned dim) { return ranges[dim] == 0; });
  }

  SmallVector<unsigned> parallel, reduction;
};

/// True if each element of `output` is written by exactly one parallel point.
bool isWrittenWholly(linalg::LinalgOp op, OpOperand& output, const LinalgLoops& loops) {
  AffineMap map = op.getMatchingIndexingMap(&output);
  size_t dims = 0;
  for (auto [position, expression] : llvm::enumerate(map.getResults())) {
    if (isa<AffineDimExpr>(expression))
      ++dims;
    else if (cast<ShapedType>(output.get().getType()).getDimSize(position) != 1)
      return false;
  }
  return map.isProjectedPermutation(/*allowZeroInResults=*/true) && dims == loops.parallel.size() &&
         llvm::none_of(loops.reduction, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

/// Returns the fill that initializes an output of a reduction, if nothing else uses the output before the reduction:
/// the output is allocated in the same block and written wholly. Null when there is none.
linalg::FillOp findFill(linalg::LinalgOp op, OpOperand& output, const LinalgLoops& loops) {
  Operation* allocation = output.get().getDefiningOp();
  Block* block = op->getBlock();
  if (loops.reduction.empty() || !isWrittenWholly(op, output, loops) ||
      !isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(allocation) || allocation->getBlock() != block)
    return {};
  linalg::FillOp fill;
  for (Operation* user : output.get().getUsers()) {
    Operation* inBlock = block->findAncestorOpInBlock(*user);
    if (inBlock && op->isBeforeInBlock(inBlock)) continue;
    if (user == op) continue;
    if (fill || inBlock != user) return {};
    fill = dyn_cast<linalg::FillOp>(user);
    if (!fill) return {};
  }
  bool isSameType = fill && fill.getInputs()[0].getType() == getElementTypeOrSelf(output.get());
  bool isOnlyUse = llvm::count(op->getOperands(), output.get()) == 1;
  return isSameType && isOnlyUse ? fill : linalg::FillOp();
}

/// Emits the code of one thread at a parallel point:
///
///     for each reduction loop: outputs[map(ivs)] = body(inputs[map(ivs)], outputs[map(ivs)])
///
/// An output that the reduction loops do not index stays in a register over the loops, unless an input is the same
/// buffer. It starts from `starts[output]` where that is not null, else from the element in memory. `extents` has the
/// extents of all loops.
class PointEmitter {
 public:
  PointEmitter(OpBuilder& builder, linalg::LinalgOp op, const LinalgLoops& loops, ArrayRef<Value> extents,
               ArrayRef<Value> starts)
      : builder(builder),
        op(op),
        loc(op.getLoc()),
        loops(loops),
        extents(extents),
        starts(starts),
        ivs(extents.size()) {}

  /// True if each output is the same element for all iterations of the reduction loops, and no input is the same
  /// buffer.
  static bool outputsStay(linalg::LinalgOp op, const LinalgLoops& loops) {
    for (OpOperand& output : op.getDpsInitsMutable()) {
      AffineMap map = op.getMatchingIndexingMap(&output);
      for (unsigned dim : loops.reduction)
        if (map.isFunctionOfDim(dim)) return false;
      if (llvm::is_contained(op.getDpsInputs(), output.get())) return false;
    }
    return true;
  }

  /// Emits the code at the linear index `point`, the last parallel loop fastest.
  void emit(Value point) {
    SmallVector<Value> parallel;
    for (unsigned dim : loops.parallel) parallel.push_back(extents[dim]);
    for (auto [dim, iv] : llvm::zip(loops.parallel, delinearize(builder, loc, point, parallel))) ivs[dim] = iv;
    carry = !loops.reduction.empty() && outputsStay(op, loops);
    SmallVector<Value> accumulators;
    if (carry)
      for (auto [output, start] : llvm::zip(op.getDpsInitsMutable(), starts))
        accumulators.push_back(start ? start : load(output));
    accumulators = reduce(0, accumulators);
    if (carry) storeOutputs(accumulators);
  }

 private:
  /// Emits the reduction loops from `depth` on; returns the values that they carry.
  SmallVector<Value> reduce(size_t depth, ValueRange carried) {
    if (depth == loops.reduction.size()) return emitBody(carried);
    unsigned dim = loops.reduction[depth];
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto loop = scf::ForOp::create(builder, loc, zero, extents[dim], one, carried);
    ivs[dim] = loop.getInductionVar();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> results = reduce(depth + 1, loop.getRegionIterArgs());
    if (carry) scf::YieldOp::create(builder, loc, results);
    return SmallVector<Value>(loop.getResults());
  }

  /// Emits one iteration: the body on the operands' elements. Carries or stores its results.
  SmallVector<Value> emitBody(ValueRange carried) {
    Block* body = op.getBlock();
    IRMapping mapping;
    for (OpOperand& operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      if (carry && op.isDpsInit(&operand))
        mapping.map(argument, carried[operand.getOperandNumber() - op.getNumDpsInputs()]);
      else if (!argument.use_empty())
        mapping.map(argument, load(operand));
    }
    for (Operation& inner : body->without_terminator()) cloneBodyOperation(builder, inner, mapping, ivs);
    SmallVector<Value> results;
    for (Value yielded : body->getTerminator()->getOperands()) results.push_back(mapping.lookupOrDefault(yielded));
    if (carry) return results;
    storeOutputs(results);
    return {};
  }

  Value load(OpOperand& operand) { return loadElement(builder, op, operand, ivs); }

  void storeOutputs(ValueRange values) {
    for (auto [output, value] : llvm::zip(op.getDpsInitsMutable(), values))
      storeElement(builder, op, output, value, ivs);
  }

  OpBuilder& builder;
  linalg::LinalgOp op;
  Location loc;
  const LinalgLoops& loops;
  ArrayRef<Value> extents, starts;
  SmallVector<Value> ivs;  ///< Indices of all loops entered so far.
  bool carry = false;      ///< Outputs stay in registers over the reduction loops.
};

/// Replaces one operation by a launch.
class LaunchRewriter {
 public:
  LaunchRewriter(linalg::LinalgOp op, int64_t blockSize)
      : op(op), builder(op), loc(op.getLoc()), blockSize(blockSize), loops(op), starts(op.getNumDpsInits()) {}

  /// Makes the reduction start from the value of the fill of its output, and passes the fill, now dead, to `onTaken`.
  void takeFills(llvm::function_ref<void(linalg::FillOp)> onTaken) {
    if (!PointEmitter::outputsStay(op, loops) || loops.staticallyEmpty(op)) return;
    for (auto [output, start] : llvm::zip(op.getDpsInitsMutable(), starts))
      if (linalg::FillOp fill = findFill(op, output, loops)) {
        start = fill.getInputs()[0];
        onTaken(fill);
      }
  }

  void run() {
    if (loops.parallel.empty() && !loops.reduction.empty())
      op.emitRemark("the operation has only reduction iterators, so that it runs on one thread");
    // Nothing is written where there are no parallel points.
    if (!loops.staticallyEmpty(op)) launch();
    op.erase();
  }

 private:
  void launch() {
    SmallVector<Value> extents;
    for (Range range : op.createLoopRanges(builder, loc))
      extents.push_back(getValueOrCreateConstantIndexOp(builder, loc, range.size));
    Value points = index(1);
    for (unsigned dim : loops.parallel) points = builder.createOrFold<arith::MulIOp>(loc, points, extents[dim]);
    launchPoints(builder, loc, points, blockSize, hasValueSemantics(op),
                 [&](Value point) { PointEmitter(builder, op, loops, extents, starts).emit(point); });
  }

  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  linalg::LinalgOp op;
  OpBuilder builder;
  Location loc;
  int64_t blockSize;
  LinalgLoops loops;
  SmallVector<Value> starts;
};

struct MapLinalgToGpu : impl::MapLinalgToGpuPassBase<MapLinalgToGpu> {
  using MapLinalgToGpuPassBase::MapLinalgToGpuPassBase;

  void runOnOperation() override {
    if (blockSize < 1 || blockSize > kMaxBlockSize) {
      getOperation().emitError() << "block-size=" << blockSize.getValue() << " is out of range; it must be "
                                 << "within 1 and " << kMaxBlockSize;
      return signalPassFailure();
    }
    SmallVector<linalg::LinalgOp> ops;
    bool failedOnce = false;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      // Operations already in device code are left alone.
      if (isa<gpu::GPUModuleOp, gpu::LaunchOp>(op)) return WalkResult::skip();
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
        failedOnce |= failed(checkTypes(linalgOp));
        ops.push_back(linalgOp);
        return WalkResult::skip();
      }
      if (isa_and_present<linalg::LinalgDialect>(op->getDialect())) {
        op->emitOpError("has no body for threads to execute: decompose it first");
        failedOnce = true;
      }
      return WalkResult::advance();
    });
    if (failedOnce) return signalPassFailure();
    SmallVector<LaunchRewriter> rewriters;
    for (linalg::LinalgOp op : ops) rewriters.emplace_back(op, blockSize);
    llvm::SmallPtrSet<Operation*, 8> taken;
    for (LaunchRewriter& rewriter : rewriters)
      rewriter.takeFills([&](linalg::FillOp fill) { taken.insert(fill.getOperation()); });
    for (auto [op, rewriter] : llvm::zip(ops, rewriters))
      if (!taken.contains(op.getOperation())) rewriter.run();
    for (Operation* fill : taken) fill->erase();
  }
};

}  // namespace
}  // namespace mmtune
