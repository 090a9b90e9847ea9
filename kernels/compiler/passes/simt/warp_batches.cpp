// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/rewriting.h"
#include "kernels/compiler/passes/simt/warp_operations.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Words of operands, or results, of one call: what a fiber's hot stack has room for.
constexpr size_t kMaxWords = 256;

class BatchBuilder {
 public:
  explicit BatchBuilder(SimtFunction& function) : function(function) {}

  LogicalResult run(Block& block) {
    for (Operation& op : llvm::make_early_inc_range(block)) {
      if (isa<NVVM::LdMatrixOp, NVVM::MmaOp>(op)) {
        if (failed(add(&op))) return failure();
      } else if (op.hasTrait<OpTrait::IsTerminator>() || !isReorderable(&op)) {
        flush(&op);
      } else if (usesPending(&op)) {
        late.push_back(&op);
        pending.insert(&op);
      }
    }
    return success();
  }

 private:
  /// Neither writes memory nor meets anyone, so matrix operations may go before or after it. What
  /// reads memory stays where it is unless it needs a result, and then it has to be at its place.
  bool isReorderable(Operation* op) {
    if (isMemoryEffectFree(op)) return true;
    auto load = dyn_cast<LLVM::LoadOp>(op);
    return load && load.getOrdering() == LLVM::AtomicOrdering::not_atomic && !load.getVolatile_() && !usesPending(op);
  }

  bool usesPending(Operation* op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return operand.getDefiningOp() && pending.contains(operand.getDefiningOp());
    });
  }

  LogicalResult add(Operation* op) {
    SimtEmitter emit(op, function);
    FailureOr<std::optional<WarpOperation>> described = describeMatrixOperation(emit);
    if (failed(described)) return failure();
    size_t inputs = wordsOf(ValueRange((*described)->in).getTypes());
    size_t outputs = wordsOf((*described)->out);
    if (usesPending(op) || words + std::max(inputs, outputs) > kMaxWords) flush(op);
    words += std::max(inputs, outputs);
    sources.push_back(op);
    operations.push_back(**std::move(described));
    pending.insert(op);
    return success();
  }

  /// Emits what is pending before `next`, then what waited for it. One operation alone stays as it
  /// is.
  void flush(Operation* next) {
    if (sources.size() > 1) {
      SimtEmitter emit(next, function);
      SmallVector<SmallVector<Value>> results = emitWarpBatch(emit, operations);
      for (Operation* op : late) op->moveBefore(next);
      for (auto [source, parts] : llvm::zip_equal(sources, results)) {
        SimtEmitter replacement(source, function);
        replacement.builder.setInsertionPointAfterValue(parts.back());
        (void)replaceByParts(replacement, parts);
      }
    }
    sources.clear(), operations.clear(), late.clear(), pending.clear();
    words = 0;
  }

  SimtFunction& function;
  SmallVector<Operation*> sources, late;
  SmallVector<WarpOperation> operations;
  llvm::SmallPtrSet<Operation*, 32> pending;  ///< Sources, and what waits for them.
  size_t words = 0;
};

}  // namespace

LogicalResult batchWarpOperations(SimtFunction& function) {
  BatchBuilder batches(function);
  for (Block& block : function.op().getBody())
    if (failed(batches.run(block))) return failure();
  return success();
}

}  // namespace mmtune
