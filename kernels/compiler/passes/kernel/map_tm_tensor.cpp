// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps scan, scatter and sort on buffers to one launch each.
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/passes/kernel/linalg_threads.h"
#include "kernels/compiler/passes/kernel/passes.h"
#include "kernels/compiler/tm_tensor/tm_tensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_MAPTMTENSORTOGPUPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

constexpr int64_t kBlockSize = 256;

/// Refuses operands and values of types that no thread can compute.
LogicalResult checkTypes(Operation* op) {
  for (Value operand : op->getOperands()) {
    if (isa<TensorType>(operand.getType()))
      return op->emitOpError("has operands that are tensors; bufferize first (bufferize-tensors)");
    Type element = getElementTypeOrSelf(operand.getType());
    if (!isDeviceType(element)) return op->emitError() << "device code cannot have elements of type " << element;
  }
  if (auto sort = dyn_cast<tm_tensor::SortOp>(op); sort && sort.getInputs().empty())
    return op->emitOpError("sorts in place, but GPU threads need another buffer for the result: sort a tensor");
  for (Operation& inner : op->getRegion(0).front())
    for (Type type : inner.getResultTypes())
      if (!isDeviceType(type)) return op->emitError() << "device code cannot have values of type " << type;
  return success();
}

class Lowering {
 public:
  Lowering(Operation* op, bool loops) : op(op), builder(op->getLoc(), op), loops(loops) {}

  void run() {
    llvm::TypeSwitch<Operation*>(op).Case<tm_tensor::ScanOp, tm_tensor::ScatterOp, tm_tensor::SortOp>(
        [&](auto one) { lower(one); });
    op->erase();
  }

 private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, value); }
  Value zero(Value buffer) {
    return arith::ConstantOp::create(builder, builder.getZeroAttr(getElementTypeOrSelf(buffer)));
  }
  Value load(Value buffer, ValueRange indices) { return memref::LoadOp::create(builder, buffer, indices); }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, predicate, a, b);
  }
  Value combine(ValueRange arguments) { return tm_tensor::inlineRegion(builder, op->getRegion(0), arguments)[0]; }

  SmallVector<Value> sizesOf(Value buffer) {
    SmallVector<Value> sizes;
    for (int64_t i = 0; i < cast<MemRefType>(buffer.getType()).getRank(); ++i)
      sizes.push_back(builder.createOrFold<memref::DimOp>(buffer, index(i)));
    return sizes;
  }

  /// Runs the code of `emit` in a thread for each point, or in a loop over the points.
  void forEachPoint(ArrayRef<Value> extents, llvm::function_ref<void(SmallVector<Value>)> emit) {
    Value points = index(1);
    for (Value extent : extents) points = builder.createOrFold<arith::MulIOp>(points, extent);
    auto atPoint = [&](Value number) { emit(delinearize(builder, builder.getLoc(), number, extents)); };
    if (!loops) return launchPoints(builder, builder.getLoc(), points, kBlockSize, hasValueSemantics(op), atPoint);
    forEach(points, {}, [&](Value number, ValueRange) {
      atPoint(number);
      return SmallVector<Value>();
    });
  }

  /// Emits a loop from 0 to `size` - 1 that carries values; reserial the last ones.
  SmallVector<Value> forEach(Value size, ValueRange carried,
                             llvm::function_ref<SmallVector<Value>(Value, ValueRange)> emit) {
    auto loop = scf::ForOp::create(builder, index(0), size, index(1), carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next = emit(loop.getInductionVar(), loop.getRegionIterArgs());
    if (!carried.empty()) scf::YieldOp::create(builder, next);
    return SmallVector<Value>(loop.getResults());
  }

  /// Lowers a scan with a thread for each row along the dimension:
  ///
  ///     value = inclusive ? none : accumulator[row]
  ///     for (i = 0; i < size; ++i)
  ///       output[row, i] = value = i == 0 ? (inclusive ? input[row, 0] : value) : combine(value, input[row, inclusive
  ///       ? i : i - 1])
  ///     if (size > 0) accumulator[row] = value
  void lower(tm_tensor::ScanOp scan) {
    Value input = scan.getInputs()[0], output = scan.getOutputs()[0], accumulator = scan.getOutputs()[1];
    const auto dim = static_cast<int64_t>(scan.getDimension());
    SmallVector<Value> extents = sizesOf(input);
    Value size = extents[dim];
    extents.erase(extents.begin() + dim);
    forEachPoint(extents, [&](SmallVector<Value> row) {
      auto at = [&](Value i) {
        SmallVector<Value> position = row;
        position.insert(position.begin() + dim, i);
        return position;
      };
      Value start = scan.getInclusive() ? zero(input) : load(accumulator, row);
      SmallVector<Value> last = forEach(size, start, [&](Value i, ValueRange before) {
        Value isFirst = compare(arith::CmpIPredicate::eq, i, index(0)), from = i;
        if (!scan.getInclusive())
          from = arith::SelectOp::create(builder, isFirst, i, arith::SubIOp::create(builder, i, index(1)));
        Value next = load(input, at(from)), first = scan.getInclusive() ? next : before[0];
        // The region may be undefined for other values, so it runs under a branch.
        auto value = scf::IfOp::create(builder, first.getType(), isFirst, /*withElseRegion=*/true);
        {
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPointToStart(value.thenBlock());
          scf::YieldOp::create(builder, first);
          builder.setInsertionPointToStart(value.elseBlock());
          scf::YieldOp::create(builder, combine({before[0], next}));
        }
        memref::StoreOp::create(builder, value.getResult(0), output, at(i));
        return SmallVector<Value>{value.getResult(0)};
      });
      OpBuilder::InsertionGuard guard(builder);
      if (tm_tensor::mayBeEmpty(scan)) {
        Value isAny = compare(arith::CmpIPredicate::ne, size, index(0));
        auto branch = scf::IfOp::create(builder, isAny, /*withElseRegion=*/false);
        builder.setInsertionPointToStart(branch.thenBlock());
      }
      memref::StoreOp::create(builder, last[0], accumulator, row);
    });
  }

  /// Lowers a scatter with a thread for each element of the updates if no two of them can target one element of the
  /// output; else with one for each set of updates that may collide, which applies them in order.
  void lower(tm_tensor::ScatterOp scatter) {
    const tm_tensor::ScatterLayout layout(scatter);
    const SmallVector<Value> sizes = sizesOf(layout.updates), bounds = sizesOf(layout.original);
    bool isDisjoint = scatter.getUniqueIndices();
    SmallVector<bool> isShifted(sizes.size());  // Dimensions of the updates that are shifted by an index.
    for (int64_t dim = 0; dim < layout.originalType.getRank(); ++dim)
      if (std::optional<int64_t> updateDim = layout.updateDim(dim); updateDim && layout.column(dim)) {
        isShifted[*updateDim] = layout.updateType.getDimSize(*updateDim) != 1;
        isDisjoint &= !isShifted[*updateDim];
      }
    SmallVector<int64_t> threads, serial;
    for (int64_t i = 0; i < layout.updateType.getRank(); ++i)
      (!isDisjoint && (i == 0 || isShifted[i]) ? serial : threads).push_back(i);
    SmallVector<Value> extents;
    for (int64_t dim : threads) extents.push_back(sizes[dim]);
    forEachPoint(extents, [&](SmallVector<Value> point) {
      SmallVector<Value> update(sizes.size());
      for (auto [dim, iv] : llvm::zip(threads, point)) update[dim] = iv;
      emitUpdateLoops(scatter, sizes, bounds, serial, update);
    });
  }

  /// Emits the loops over dimensions of the updates that one thread iterates.
  void emitUpdateLoops(tm_tensor::ScatterOp scatter, ArrayRef<Value> sizes, ArrayRef<Value> bounds,
                       ArrayRef<int64_t> serial, SmallVector<Value>& update) {
    if (serial.empty()) return emitUpdate(scatter, bounds, update);
    forEach(sizes[serial[0]], {}, [&](Value iv, ValueRange) {
      update[serial[0]] = iv;
      emitUpdateLoops(scatter, sizes, bounds, serial.drop_front(), update);
      return SmallVector<Value>();
    });
  }

  void emitUpdate(tm_tensor::ScatterOp scatter, ArrayRef<Value> bounds, ArrayRef<Value> update) {
    const tm_tensor::ScatterLayout layout(scatter);
    Value isInside = arith::ConstantIntOp::create(builder, 1, 1);
    SmallVector<Value> position;
    for (auto [dim, bound] : llvm::enumerate(bounds)) {
      std::optional<int64_t> updateDim = layout.updateDim(static_cast<int64_t>(dim));
      Value at = updateDim ? update[*updateDim] : Value();
      if (std::optional<int64_t> column = layout.column(static_cast<int64_t>(dim))) {
        Value start = load(layout.indices, {update[0], index(*column)});
        start = builder.createOrFold<arith::IndexCastOp>(builder.getIndexType(), start);
        at = at ? arith::AddIOp::create(builder, at, start).getResult() : start;
      }
      Value isHere = compare(arith::CmpIPredicate::ult, at, bound);
      isInside = arith::AndIOp::create(builder, isInside, isHere);
      position.push_back(at);
    }
    auto branch = scf::IfOp::create(builder, isInside, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value value = combine({load(layout.updates, update), load(layout.original, position)});
    memref::StoreOp::create(builder, value, layout.original, position);
  }

  /// Lowers a sort with a thread for each element, which counts the elements that come before it and stores it there:
  ///
  ///     for (rank = i = 0; i < size; ++i) rank += element i comes before mine
  ///     output[rank] = mine
  void lower(tm_tensor::SortOp sort) {
    orderNaN(sort);
    const auto dim = static_cast<int64_t>(sort.getDimension());
    const SmallVector<Value> extents = sizesOf(sort.getOutputs()[0]);
    forEachPoint(extents, [&](SmallVector<Value> position) {
      SmallVector<Value> mine, other = position;
      for (Value input : sort.getInputs()) mine.push_back(load(input, position));
      Value rank = forEach(extents[dim], index(0), [&](Value i, ValueRange before) {
        other[dim] = i;
        SmallVector<Value> earlier, later;
        Value isEarlier = compare(arith::CmpIPredicate::ult, i, position[dim]);
        for (auto [input, own] : llvm::zip(sort.getInputs(), mine)) {
          Value value = load(input, other);
          earlier.push_back(arith::SelectOp::create(builder, isEarlier, value, own));
          later.push_back(arith::SelectOp::create(builder, isEarlier, own, value));
        }
        Value goesBefore = arith::XOrIOp::create(builder, isEarlier, areSwapped(earlier, later));
        Value next = arith::AddIOp::create(builder, before[0], index(1));
        return SmallVector<Value>{arith::SelectOp::create(builder, goesBefore, next, before[0])};
      })[0];
      position[dim] = rank;
      for (auto [output, value] : llvm::zip(sort.getOutputs(), mine))
        memref::StoreOp::create(builder, value, output, position);
    });
  }

  /// Makes a comparison of floats, alone in the region, ordered and non-strict: with it a NaN compares unequal to
  /// itself, which areSwapped() relies on. A stable sort does not depend on the result for equal numbers.
  static void orderNaN(tm_tensor::SortOp sort) {
    using Predicate = arith::CmpFPredicate;
    Block& body = sort.getRegion().front();
    auto comparison = dyn_cast<arith::CmpFOp>(body.front());
    if (!comparison || comparison->getNextNode() != body.getTerminator()) return;
    const Predicate predicate = comparison.getPredicate();
    if (llvm::is_contained({Predicate::OLT, Predicate::ULT, Predicate::ULE}, predicate))
      comparison.setPredicate(Predicate::OLE);
    if (llvm::is_contained({Predicate::OGT, Predicate::UGT, Predicate::UGE}, predicate))
      comparison.setPredicate(Predicate::OGE);
  }

  /// Reserial whether `later` has to precede `earlier`. Elements that are not in order with themselves where others
  /// are, such as NaN, come last, so that any two have an order.
  Value areSwapped(ArrayRef<Value> earlier, ArrayRef<Value> later) {
    auto inOrder = [&](ArrayRef<Value> x, ArrayRef<Value> y) {
      SmallVector<Value> pairs;
      for (auto [a, b] : llvm::zip(x, y)) pairs.append({a, b});
      return combine(pairs);
    };
    auto both = [&](Value a, Value b) { return arith::AndIOp::create(builder, a, b).getResult(); };
    Value yes = arith::ConstantIntOp::create(builder, 1, 1);
    auto no = [&](Value a) { return arith::XOrIOp::create(builder, a, yes).getResult(); };
    Value laterIsNumber = both(inOrder(later, later), no(inOrder(earlier, earlier)));
    Value laterFirst = arith::OrIOp::create(builder, inOrder(later, earlier), laterIsNumber);
    return both(no(inOrder(earlier, later)), laterFirst);
  }

  Operation* op;
  ImplicitLocOpBuilder builder;
  bool loops;
};

struct MapTmTensorToGpu : impl::MapTmTensorToGpuPassBase<MapTmTensorToGpu> {
  using MapTmTensorToGpuPassBase::MapTmTensorToGpuPassBase;

  void runOnOperation() override {
    SmallVector<Operation*> ops;
    bool failedOnce = false;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp, gpu::LaunchOp>(op)) return WalkResult::skip();
      if (!tm_tensor::isOperation(op)) return WalkResult::advance();
      failedOnce |= failed(checkTypes(op));
      ops.push_back(op);
      return WalkResult::skip();
    });
    if (failedOnce) return signalPassFailure();
    for (Operation* op : ops) Lowering(op, loops).run();
  }
};

}  // namespace
}  // namespace mmtune
