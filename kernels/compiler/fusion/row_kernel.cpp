// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/row_group.h"

#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/passes/kernel/linalg_threads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {
namespace {

/// One loop over the elements of a row, or of its first columns, and the row values that are computed before it.
struct RowStage {
  SmallVector<RowOperation*> before;  ///< Operations of kind kRow.
  SmallVector<RowOperation*> inLoop;  ///< Operations of the other kinds.
};

bool reads(const RowOperation& row, const ElementAccess& element, unsigned dims) {
  return llvm::any_of(row.reads(dims), [&](const auto& read) { return read.second.isSame(element); });
}

/// True if the operation has to wait for the end of the loop: it reads the result of a reduction in it, or overwrites a
/// row value that the loop uses.
bool waitsFor(const RowOperation& row, ArrayRef<RowOperation*> inLoop, unsigned dims) {
  return llvm::any_of(inLoop, [&](const RowOperation* other) {
    if (other->kind == RowOperation::Kind::kReduction && reads(row, other->output(dims), dims)) return true;
    bool isRowValue = row.kind != RowOperation::Kind::kElement;
    return isRowValue && (reads(*other, row.output(dims), dims) || other->output(dims).isSame(row.output(dims)));
  });
}

/// Groups the operations into as few loops as their order permits: a reduction's result is known only behind its loop.
SmallVector<RowStage> stagesOf(RowGroup& group) {
  SmallVector<RowStage> stages(1);
  for (RowOperation& row : group.operations) {
    ArrayRef<RowOperation*> inLoop = stages.back().inLoop;
    bool isOtherLoop = row.columns > 0 && !inLoop.empty() && inLoop.front()->columns != row.columns;
    if (isOtherLoop || waitsFor(row, inLoop, group.space.dims())) stages.emplace_back();
    (row.kind == RowOperation::Kind::kRow ? stages.back().before : stages.back().inLoop).push_back(&row);
  }
  return stages;
}

/// True if a later stage reads what a kElement operation wrote. A loop over more columns computes it again.
bool isReadLater(ArrayRef<RowStage> stages, size_t stage, const RowOperation& writer, unsigned dims) {
  ElementAccess element = writer.output(dims);
  return llvm::any_of(stages.drop_front(stage + 1), [&](const RowStage& later) {
    return llvm::any_of(later.inLoop, [&](const RowOperation* row) {
      return row->columns == writer.columns && reads(*row, element, dims);
    });
  });
}

constexpr int64_t kMaxScratchBytes = 16384;  // Shared memory; several blocks fit on a multiprocessor.

/// Returns the neutral element of a reduction.
TypedAttr neutralOf(gpu::AllReduceOperation how, Type type) {
  using Kind = gpu::AllReduceOperation;
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics& semantics = floating.getFloatSemantics();
    APFloat value = APFloat::getZero(semantics, /*Negative=*/true);  // +0 would turn a sum of -0 into +0.
    if (how == Kind::MUL) value = APFloat(semantics, 1);
    if (how == Kind::MAXIMUMF || how == Kind::MINIMUMF) value = APFloat::getInf(semantics, how == Kind::MAXIMUMF);
    if (how == Kind::MAXNUMF || how == Kind::MINNUMF) value = APFloat::getQNaN(semantics);
    return FloatAttr::get(type, value);
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  APInt value = APInt::getZero(bits);
  if (how == Kind::MUL) value = APInt(bits, 1);
  if (how == Kind::AND || how == Kind::MINUI) value = APInt::getMaxValue(bits);
  if (how == Kind::MAXSI) value = APInt::getSignedMinValue(bits);
  if (how == Kind::MINSI) value = APInt::getSignedMaxValue(bits);
  return IntegerAttr::get(type, value);
}

/// The parts into which a reduction splits each row, and the buffer of their results, indexed by the row and then the
/// part.
struct RowParts {
  int64_t count = 1, columns = 0;  ///< `columns` is ShapedType::kDynamic if the rows' length is.
  Value results;
};

/// Emits a kernel with `n` threads for each row, or part of one:
///
///     for row = first row of the threads; row < rows; row += rows of the grid:
///       for each stage:
///         compute the row values before its loop
///         for column = thread; column < columns; column += n: compute the elements, accumulate the reductions
///         reduce over the n threads; thread 0 stores the row values that are read elsewhere
class RowKernelEmitter {
 public:
  explicit RowKernelEmitter(RowGroup& group, RowParts parts = {})
      : group(group),
        parts(parts),
        dims(group.space.dims()),
        stages(stagesOf(group)),
        threads(group.space, parts.count),
        builder(group.last()->getLoc(), group.last()) {}

  void run() {
    countExtents();
    emitLaunch();
    for (RowOperation& row : llvm::reverse(group.operations)) row.op->erase();
    for (Operation* allocation : group.privateBuffers) eraseUnused(allocation);
  }

 private:
  using Key = std::pair<Value, AffineMap>;

  static Key keyOf(const ElementAccess& element) { return {element.buffer, element.index}; }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, value); }

  /// Takes the extents from an operation that has all loops.
  void countExtents() {
    auto* found = llvm::find_if(group.operations,
                                [](const RowOperation& row) { return row.kind == RowOperation::Kind::kReduction; });
    RowOperation& row = found == group.operations.end() ? group.operations.front() : *found;
    extents.resize(dims);
    for (auto [loop, range] : llvm::enumerate(row.op.createLoopRanges(builder, builder.getLoc())))
      if (auto dim = dyn_cast<AffineDimExpr>(row.loops[loop]))
        extents[dim.getPosition()] = getValueOrCreateConstantIndexOp(builder, builder.getLoc(), range.size);
    rows = index(1);
    columns = index(1);
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      Value& count = dim < group.space.rows.size() ? rows : columns;
      count = builder.createOrFold<arith::MulIOp>(count, extent);
    }
  }

  void emitLaunch() {
    Value one = index(1), items = builder.createOrFold<arith::MulIOp>(rows, index(parts.count));
    if (ShapedType::isDynamic(parts.columns))
      partColumns = arith::DivUIOp::create(builder, arith::AddIOp::create(builder, columns, index(parts.count - 1)),
                                           index(parts.count));
    Value grid = gridFor(builder, builder.getLoc(), items, threads.rowsPerBlock());
    auto launch = gpu::LaunchOp::create(builder, builder.getLoc(), grid, one, one, index(threads.perBlock), one, one);
    addScratch(launch);
    builder.setInsertionPointToStart(&launch.getBody().front());
    Value thread = launch.getThreadIds().x;
    Value perBlock = index(threads.rowsPerBlock());
    Value first = arith::MulIOp::create(builder, launch.getBlockIds().x, perBlock);
    Value stride = arith::MulIOp::create(builder, launch.getGridSize().x, perBlock);
    if (threads.perRow == 1) first = arith::AddIOp::create(builder, first, thread);
    lane = threads.isBlockWide() ? thread : arith::RemUIOp::create(builder, thread, index(threads.perRow)).getResult();
    rowInBlock =
        threads.isBlockWide() ? index(0) : arith::DivUIOp::create(builder, thread, index(threads.perRow)).getResult();
    // All threads of a block have the same iterations where they reduce together.
    auto loop = scf::ForOp::create(builder, first, items, stride);
    if (llvm::all_of(group.operations, [](RowOperation& row) { return hasValueSemantics(row.op); }))
      setValueSemantics(loop);
    gpu::TerminatorOp::create(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emitRow(loop.getInductionVar());
  }

  /// Adds shared memory for private buffers that a later stage reads, as long as they fit. Each thread uses only its
  /// own elements.
  void addScratch(gpu::LaunchOp launch) {
    int64_t bytes = 0;
    auto shared = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
    for (auto [number, stage] : llvm::enumerate(stages)) {
      for (RowOperation* row : stage.inLoop) {
        ElementAccess output = row->output(dims);
        int64_t count = elementCount(ArrayRef(group.space.columns).take_front(row->columns));
        if (ShapedType::isDynamic(count) || row->kind != RowOperation::Kind::kElement ||
            scratch.contains(keyOf(output)) || !isPrivate(output) || !isReadLater(stages, number, *row, dims))
          continue;
        Type element = getElementTypeOrSelf(row->op.getDpsInits()[0].getType());
        if (!element.isIntOrFloat()) continue;
        int64_t size = threads.rowsPerBlock() * count * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
        if (count > kMaxScratchBytes || bytes + size > kMaxScratchBytes) continue;
        bytes += size;
        auto type = MemRefType::get({threads.rowsPerBlock(), count}, element, MemRefLayoutAttrInterface(), shared);
        scratch[keyOf(output)] = launch.addWorkgroupAttribution(type, builder.getLoc());
      }
    }
  }

  void emitRow(Value first) {
    Value row = first, begin = index(0), end = columns;
    if (threads.rowsPerBlock() > 1 && threads.perRow > 1) {
      row = arith::AddIOp::create(builder, first, rowInBlock);
      isRow = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, row, rows);
      // Threads beyond the last row compute another row's values, and store nothing.
      row = arith::SelectOp::create(builder, isRow, row, first);
      end = arith::SelectOp::create(builder, isRow, columns, index(0));
    }
    if (parts.count > 1) {
      // Neighbouring threads have the same part of neighbouring rows, which is contiguous if rows go across memory.
      part = arith::DivUIOp::create(builder, row, rows);
      row = arith::RemUIOp::create(builder, row, rows);
      if (!ShapedType::isDynamic(parts.columns)) partColumns = index(parts.columns);
      begin = arith::MulIOp::create(builder, part, partColumns);
      end = arith::MinUIOp::create(builder, arith::AddIOp::create(builder, begin, partColumns), columns);
    }
    rowIvs = delinearize(builder, builder.getLoc(), row, ArrayRef(extents).take_front(group.space.rows.size()));
    for (auto [number, stage] : llvm::enumerate(stages)) {
      columnIvs.clear();
      for (RowOperation* operation : stage.before) {
        SmallVector<Value> ivs = loopsOf(*operation);
        keep(*operation, emitBody(*operation, ivs, known, {}), ivs);
      }
      if (stage.inLoop.empty()) continue;
      // A kernel that reduces parts has loops over all columns only.
      bool isAll = stage.inLoop.front()->columns == group.space.columns.size();
      emitLoop(number, begin, isAll ? end : endOfFirst(stage.inLoop.front()->columns));
    }
  }

  /// Returns the number of elements in the first columns; 0 for threads without a row.
  Value endOfFirst(unsigned count) {
    Value end = index(1);
    for (Value extent : columnExtents(count)) end = builder.createOrFold<arith::MulIOp>(end, extent);
    return isRow ? arith::SelectOp::create(builder, isRow, end, index(0)).getResult() : end;
  }

  ArrayRef<Value> columnExtents(unsigned count) { return ArrayRef(extents).slice(group.space.rows.size(), count); }

  void emitLoop(size_t number, Value begin, Value end) {
    SmallVector<RowOperation*> reductions;
    SmallVector<Value> starts;
    for (RowOperation* row : stages[number].inLoop) {
      if (row->kind != RowOperation::Kind::kReduction) continue;
      reductions.push_back(row);
      starts.push_back(arith::ConstantOp::create(builder, neutralOf(row->how, row->combiner->getResult(0).getType())));
    }
    Value first = threads.perRow == 1 ? begin : builder.createOrFold<arith::AddIOp>(begin, lane);
    auto loop = scf::ForOp::create(builder, first, end, index(threads.perRow), starts);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> accumulators = emitElement(number, loop.getInductionVar(), loop.getRegionIterArgs());
      if (!accumulators.empty()) scf::YieldOp::create(builder, accumulators);
    }
    columnIvs.clear();
    for (auto [row, sum] : llvm::zip(reductions, loop.getResults())) {
      SmallVector<Value> ivs = loopsOf(*row);
      Value total = reduceThreads(*row, sum);
      if (parts.count > 1) {
        SmallVector<Value> indices(rowIvs);
        indices.push_back(part);
        onFirstThread([&] { memref::StoreOp::create(builder, total, parts.results, indices); });
        continue;
      }
      OpOperand& output = row->op.getDpsInitsMutable()[0];
      Value start = valueOf(*row, output, ivs, known);
      keep(*row, combine(*row, start, total), ivs);
    }
  }

  /// Emits all operations of a stage for one element, and returns the accumulators.
  SmallVector<Value> emitElement(size_t number, Value column, ValueRange accumulators) {
    columnIvs = delinearize(builder, builder.getLoc(), column, columnExtents(stages[number].inLoop.front()->columns));
    SmallVector<Value> next;
    llvm::DenseMap<Key, Value> values = known;
    elementNumber = column;
    for (RowOperation* row : stages[number].inLoop) {
      SmallVector<Value> ivs = loopsOf(*row);
      if (row->kind == RowOperation::Kind::kReduction) {
        Value given = emitBody(*row, ivs, values, row->combiner);
        next.push_back(combine(*row, accumulators[next.size()], given));
        continue;
      }
      ElementAccess output = row->output(dims);
      Value result = emitBody(*row, ivs, values, {});
      values[keyOf(output)] = result;
      if (Value buffer = scratch.lookup(keyOf(output)))
        memref::StoreOp::create(builder, result, buffer, ValueRange{rowInBlock, column});
      else if (!isPrivate(output) || isReadLater(stages, number, *row, dims))
        storeElement(builder, row->op, row->op.getDpsInitsMutable()[0], result, ivs);
    }
    return next;
  }

  /// Returns the loop indices of an operation, which are null for columns outside of a loop over them.
  SmallVector<Value> loopsOf(const RowOperation& row) {
    SmallVector<Value> ivs;
    for (AffineExpr loop : row.loops) ivs.push_back(indexOf(loop));
    return ivs;
  }

  /// Returns the value of a function of the row space's loops (RowOperation::loops); null outside of a loop that it
  /// depends on.
  Value indexOf(AffineExpr loop) {
    if (auto constant = dyn_cast<AffineConstantExpr>(loop)) return index(constant.getValue());
    if (auto dim = dyn_cast<AffineDimExpr>(loop)) {
      size_t position = dim.getPosition();
      if (position < rowIvs.size()) return rowIvs[position];
      return columnIvs.empty() ? Value() : columnIvs[position - rowIvs.size()];
    }
    auto binary = cast<AffineBinaryOpExpr>(loop);
    Value x = indexOf(binary.getLHS()), y = indexOf(binary.getRHS());
    switch (binary.getKind()) {
      case AffineExprKind::Add:
        return builder.createOrFold<arith::AddIOp>(x, y);
      case AffineExprKind::Mul:
        return builder.createOrFold<arith::MulIOp>(x, y);
      case AffineExprKind::FloorDiv:
        return builder.createOrFold<arith::DivUIOp>(x, y);
      default:
        return builder.createOrFold<arith::RemUIOp>(x, y);
    }
  }

  Value valueOf(const RowOperation& row, OpOperand& operand, ArrayRef<Value> ivs,
                const llvm::DenseMap<Key, Value>& values) {
    linalg::LinalgOp op = row.op;
    if (!isa<MemRefType>(operand.get().getType())) return operand.get();
    Key key = keyOf(row.accessOf(operand, dims));
    if (Value value = values.lookup(key)) return value;
    auto columns = static_cast<unsigned>(columnIvs.size());
    if (const RowOperation* source = group.sourceOfFirstColumns(row, row.accessOf(operand, dims), columns))
      return emitBody(*source, loopsOf(*source), values, {});
    if (Value buffer = scratch.lookup(key))
      return memref::LoadOp::create(builder, buffer, ValueRange{rowInBlock, elementNumber});
    return loadElement(builder, op, operand, ivs);
  }

  /// Emits the body and returns the yielded value, or the value that a reduction combines.
  Value emitBody(const RowOperation& row, ArrayRef<Value> ivs, const llvm::DenseMap<Key, Value>& values,
                 Operation* combiner) {
    linalg::LinalgOp op = row.op;
    IRMapping mapping;
    for (OpOperand& operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      if (!argument.use_empty() && !(combiner && op.isDpsInit(&operand)))
        mapping.map(argument, valueOf(row, operand, ivs, values));
    }
    for (Operation& inner : op.getBlock()->without_terminator())
      if (&inner != combiner) cloneBodyOperation(builder, inner, mapping, ivs);
    return mapping.lookupOrDefault(combiner ? combiner->getOperand(row.given)
                                            : op.getBlock()->getTerminator()->getOperand(0));
  }

  Value combine(const RowOperation& row, Value sum, Value given) {
    return vector::makeArithReduction(builder, builder.getLoc(), gpu::convertReductionKind(row.how), sum, given);
  }

  Value reduceThreads(const RowOperation& row, Value sum) {
    if (threads.perRow == 1) return sum;
    if (threads.isBlockWide())
      return gpu::AllReduceOp::create(builder, sum, gpu::AllReduceOperationAttr::get(builder.getContext(), row.how),
                                      /*uniform=*/true);
    return gpu::SubgroupReduceOp::create(builder, sum, row.how, /*uniform=*/true,
                                         static_cast<uint32_t>(threads.perRow));
  }

  /// Remembers a row's value, and stores it if something else reads it.
  void keep(const RowOperation& row, Value value, ArrayRef<Value> ivs) {
    ElementAccess output = row.output(dims);
    known[keyOf(output)] = value;
    if (isPrivate(output)) return;
    linalg::LinalgOp op = row.op;
    onFirstThread([&] { storeElement(builder, op, op.getDpsInitsMutable()[0], value, ivs); });
  }

  /// Emits code for the first thread of a row only.
  void onFirstThread(llvm::function_ref<void()> emit) {
    if (threads.perRow == 1) return emit();
    Value stores = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, lane, index(0));
    if (isRow) stores = arith::AndIOp::create(builder, stores, isRow);
    auto branch = scf::IfOp::create(builder, stores, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    emit();
  }

  bool isPrivate(const ElementAccess& element) {
    return group.privateBuffers.contains(viewRoot(element.buffer).getDefiningOp());
  }

  /// Erases an allocation with its views and deallocations, if nothing else uses it.
  static void eraseUnused(Operation* allocation) {
    SmallVector<Operation*> left{allocation}, users;
    while (!left.empty()) {
      Operation* op = left.pop_back_val();
      users.push_back(op);
      if (isa<memref::DeallocOp>(op)) continue;
      if (op != allocation && !isa<ViewLikeOpInterface>(op)) return;
      llvm::append_range(left, op->getResult(0).getUsers());
    }
    for (Operation* op : llvm::reverse(users)) op->erase();
  }

  RowGroup& group;
  RowParts parts;
  unsigned dims;
  SmallVector<RowStage> stages;
  RowThreads threads;
  ImplicitLocOpBuilder builder;
  SmallVector<Value> extents;  ///< The extents of the row space.
  Value rows, columns;         ///< Their numbers.
  Value lane, rowInBlock;
  Value part, partColumns;               ///< Null if rows are whole.
  Value isRow;                           ///< Null if every iteration has a row.
  SmallVector<Value> rowIvs, columnIvs;  ///< `columnIvs` is empty outside of a loop over columns.
  Value elementNumber;
  llvm::DenseMap<Key, Value> known;    ///< Values of the row.
  llvm::DenseMap<Key, Value> scratch;  ///< The shared memory of a buffer.
};

/// Returns a reduction of `results`, whose last dimension has the parts of a row, that takes the place of `row`.
linalg::GenericOp reduceParts(OpBuilder& builder, RowOperation& row, Value results, const RowSpace& space) {
  linalg::LinalgOp op = row.op;
  unsigned rows = space.rows.size();
  AffineMap output =
      op.getMatchingIndexingMap(op.getDpsInitOperand(0)).replaceDimsAndSymbols(row.loops, {}, rows + 1, 0);
  SmallVector<AffineMap> maps{builder.getMultiDimIdentityMap(rows + 1), output};
  SmallVector<utils::IteratorType> iterators(rows, utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  return linalg::GenericOp::create(builder, op.getLoc(), results, op.getDpsInits(), maps, iterators,
                                   [&](OpBuilder& body, Location loc, ValueRange elements) {
                                     Operation* combiner = body.clone(*row.combiner);
                                     combiner->setOperand(row.given, elements[0]);
                                     combiner->setOperand(1 - row.given, elements[1]);
                                     linalg::YieldOp::create(body, loc, combiner->getResults());
                                   });
}

/// Emits a kernel that reduces the parts of each row to a buffer, and makes the group reduce that buffer.
void splitReduction(RowGroup& group, int64_t parts) {
  RowOperation whole = *group.loneReduction();
  int64_t columns = elementCount(group.space.columns);
  const bool isKnown = !ShapedType::isDynamic(columns);
  int64_t each = isKnown ? static_cast<int64_t>(llvm::divideCeil(columns, parts)) : ShapedType::kDynamic;
  OpBuilder builder(whole.op);
  SmallVector<int64_t> shape;
  for (const LoopExtent& extent : group.space.rows) shape.push_back(extent.size);
  shape.push_back(isKnown ? static_cast<int64_t>(llvm::divideCeil(columns, each)) : parts);
  auto type = MemRefType::get(shape, whole.combiner->getResult(0).getType());
  Value results = memref::AllocOp::create(builder, whole.op.getLoc(), type);
  builder.setInsertionPointAfter(whole.op);
  linalg::GenericOp last = reduceParts(builder, whole, results, group.space);
  RowSpace space = *rowSpaceOf(last);
  for (RowOperation& row : group.operations) {
    linalg::LinalgOp op = row.op == whole.op ? cast<linalg::LinalgOp>(last.getOperation()) : row.op;
    row = *matchRowOperation(op, space);
  }
  builder.setInsertionPointAfter(group.last());
  memref::DeallocOp::create(builder, whole.op.getLoc(), results);
  RowGroup first{group.space, {whole}, {}};
  group.space = space;
  RowKernelEmitter(first, {shape.back(), each, results}).run();
}

}  // namespace

void launchRowGroup(RowGroup& group) {
  if (int64_t parts = group.parts(); parts > 1) splitReduction(group, parts);
  RowKernelEmitter(group).run();
}

}  // namespace mmtune
