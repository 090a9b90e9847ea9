// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/row_group.h"

#include "kernels/compiler/fusion/fusion_rules.h"
#include "kernels/compiler/passes/kernel/linalg_threads.h"
#include "kernels/compiler/scheduling/matmul_match.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "proto/base/whole_numbers.h"

using namespace mlir;

namespace mmtune {
namespace {

using Combination = gpu::AllReduceOperation;

std::optional<Combination> combinationOf(Operation* op) {
  return llvm::TypeSwitch<Operation*, std::optional<Combination>>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Combination::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Combination::MUL; })
      .Case<arith::MaximumFOp>([](auto) { return Combination::MAXIMUMF; })
      .Case<arith::MinimumFOp>([](auto) { return Combination::MINIMUMF; })
      .Case<arith::MaxNumFOp>([](auto) { return Combination::MAXNUMF; })
      .Case<arith::MinNumFOp>([](auto) { return Combination::MINNUMF; })
      .Case<arith::MaxSIOp>([](auto) { return Combination::MAXSI; })
      .Case<arith::MinSIOp>([](auto) { return Combination::MINSI; })
      .Case<arith::MaxUIOp>([](auto) { return Combination::MAXUI; })
      .Case<arith::MinUIOp>([](auto) { return Combination::MINUI; })
      .Case<arith::AndIOp>([](auto) { return Combination::AND; })
      .Case<arith::OrIOp>([](auto) { return Combination::OR; })
      .Case<arith::XOrIOp>([](auto) { return Combination::XOR; })
      .Default([](Operation*) { return std::nullopt; });
}

/// Sums of narrow types depend on the order too much.
bool isOrderFree(Operation* combiner) {
  Type type = combiner->getResult(0).getType();
  bool rounds = isa<arith::AddFOp, arith::MulFOp>(combiner);
  return type.isIntOrIndexOrFloat() && !type.isIndex() && (!rounds || type.getIntOrFloatBitWidth() >= 32);
}

/// Finds the operation that updates the accumulator, which nothing else in the body may use.
bool matchCombiner(RowOperation& row) {
  Block& body = *row.op.getBlock();
  Value sum = row.op.getRegionOutputArgs()[0];
  Operation* combiner = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getBlock() != &body || combiner->getNumOperands() != 2 || !sum.hasOneUse() ||
      *sum.user_begin() != combiner || !combiner->getResult(0).hasOneUse())
    return false;
  std::optional<Combination> how = combinationOf(combiner);
  if (!how || !isOrderFree(combiner)) return false;
  row.combiner = combiner;
  row.given = combiner->getOperand(0) == sum ? 1 : 0;
  row.how = *how;
  return true;
}

/// Returns the extent of a loop, and the values that are equal to it.
LoopExtent extentOf(linalg::LinalgOp op, unsigned loop) {
  LoopExtent extent{op.getStaticLoopRanges()[loop], {}};
  if (!ShapedType::isDynamic(extent.size)) return extent;
  for (OpOperand& operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType())) continue;
    for (auto [position, expression] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (expression != getAffineDimExpr(loop, op.getContext())) continue;
      extent.names.push_back({operand.get(), position});
      auto type = cast<MemRefType>(operand.get().getType());
      auto allocation = operand.get().getDefiningOp<memref::AllocOp>();
      if (!allocation || !type.isDynamicDim(position)) continue;
      Value size = allocation.getDynamicSizes()[type.getDynamicDimIndex(position)];
      extent.names.push_back({size, -1});
      auto dim = size.getDefiningOp<memref::DimOp>();
      if (std::optional<int64_t> index = dim ? dim.getConstantIndex() : std::nullopt)
        extent.names.push_back({dim.getSource(), *index});
    }
  }
  return extent;
}

/// Maps loops of one kind to `extents`, numbered from `first` on, if they have them.
bool matchLoops(linalg::LinalgOp op, utils::IteratorType kind, ArrayRef<LoopExtent> extents, unsigned first,
                SmallVector<AffineExpr>& loops) {
  size_t next = 0;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (iterator != kind) continue;
    LoopExtent extent = extentOf(op, static_cast<unsigned>(loop));
    if (extent.size == 1) continue;
    if (next == extents.size() || !extent.isSame(extents[next])) return false;
    loops[loop] = getAffineDimExpr(first + static_cast<unsigned>(next++), op.getContext());
  }
  return next == extents.size();
}

/// Maps parallel loops that go over the same iterations in the same order, although some are joined or split. All sizes
/// have to be static.
bool matchReshapedLoops(linalg::LinalgOp op, ArrayRef<LoopExtent> extents, SmallVector<AffineExpr>& loops) {
  MLIRContext* context = op.getContext();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto isDynamicExtent = [](const LoopExtent& extent) { return ShapedType::isDynamic(extent.size); };
  if (op.getNumReductionLoops() != 0 || llvm::any_of(sizes, ShapedType::isDynamic) ||
      llvm::any_of(extents, isDynamicExtent))
    return false;
  llvm::fill(loops, getAffineConstantExpr(0, context));
  size_t loop = 0, dim = 0;
  while (true) {
    while (loop < sizes.size() && sizes[loop] == 1) ++loop;
    if (loop == sizes.size() || dim == extents.size()) return loop == sizes.size() && dim == extents.size();
    int64_t ofLoops = sizes[loop], ofDims = extents[dim].size;
    AffineExpr joined = getAffineDimExpr(static_cast<unsigned>(dim++), context);
    for (; ofDims < ofLoops && dim < extents.size(); ++dim) {
      ofDims *= extents[dim].size;
      joined = joined * extents[dim].size + getAffineDimExpr(static_cast<unsigned>(dim), context);
    }
    const size_t first = loop++;
    for (; ofLoops < ofDims && loop < sizes.size(); ++loop) ofLoops *= sizes[loop];
    if (ofLoops != ofDims) return false;
    for (size_t split = first; split < loop; ++split) {
      ofLoops /= sizes[split];
      loops[split] = split == first ? joined.floorDiv(ofLoops) : joined.floorDiv(ofLoops) % sizes[split];
    }
  }
}

/// Maps parallel loops in any order, if all extents are static and different.
bool matchLoopsInAnyOrder(linalg::LinalgOp op, ArrayRef<LoopExtent> extents, SmallVector<AffineExpr>& loops) {
  llvm::SmallDenseMap<int64_t, unsigned> dims;
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (ShapedType::isDynamic(extent.size) || !dims.try_emplace(extent.size, static_cast<unsigned>(dim)).second)
      return false;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    loops[loop] = getAffineConstantExpr(0, op.getContext());
    if (size == 1) continue;
    auto found = dims.find(size);
    if (found == dims.end()) return false;
    loops[loop] = getAffineDimExpr(found->second, op.getContext());
    dims.erase(found);
  }
  return dims.empty();
}

bool isForDevice(linalg::LinalgOp op) {
  auto isGood = [](Type type) { return isDeviceType(getElementTypeOrSelf(type)) && !isa<VectorType>(type); };
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) {
                        auto type = dyn_cast<MemRefType>(operand.getType());
                        return isGood(operand.getType()) && (type ? !type.getMemorySpace() : true);
                      }) &&
         llvm::all_of(op.getBlock()->without_terminator(),
                      [&](Operation& inner) { return llvm::all_of(inner.getResultTypes(), isGood); });
}

/// Returns the dimensions that a map lists between zeros, if it lists different ones and nothing else.
std::optional<SmallVector<unsigned>> listedDims(AffineMap map) {
  SmallVector<unsigned> dims;
  for (AffineExpr expression : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expression);
    if (dim ? llvm::is_contained(dims, dim.getPosition()) : expression != 0) return std::nullopt;
    if (dim) dims.push_back(dim.getPosition());
  }
  return dims;
}

/// True if an access has one element for each index of the first dimensions, and depends on no other.
bool isOneToOne(AffineMap map, size_t dims) {
  std::optional<SmallVector<unsigned>> listed = listedDims(map);
  return listed && listed->size() == dims && llvm::all_of(*listed, [&](unsigned dim) { return dim < dims; });
}

/// True if an operation writes another element in each iteration.
bool writesEachOnce(linalg::LinalgOp op) {
  std::optional<SmallVector<unsigned>> listed = listedDims(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  if (!listed) return false;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (size != 1 && !llvm::is_contained(*listed, static_cast<unsigned>(loop))) return false;
  return true;
}

bool isDense(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.hasStaticShape() && type.getLayout().isIdentity();
}

/// Returns the dense buffer of static shape with the same elements in the same order.
Value denseRoot(Value value) {
  while (Operation* op = value.getDefiningOp()) {
    if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(op) || !isDense(op->getOperand(0))) break;
    value = op->getOperand(0);
  }
  return value;
}

constexpr int64_t kWarpSize = 32, kSmallBlock = 128, kLargeBlock = 256, kManyColumns = 2048;
/// Shorter rows are reduced by one thread each, unless other operations share the kernel.
constexpr int64_t kLongRow = 64;
/// Two blocks for each multiprocessor of a large device.
constexpr int64_t kBlocksOfDevice = 256;
/// A second launch takes as long as about so many elements in one thread.
constexpr int64_t kSplitElements = 32;
/// The fewest elements of a thread in a part.
constexpr int64_t kPartElements = 8;
/// A split into so many parts, of rows with so many elements for a thread, saves more than a second launch takes.
constexpr int64_t kManyParts = 8, kManyElements = 512;
/// The most parts of a row of dynamic length: if it is short, most of them are empty.
constexpr int64_t kMaxPartsOfUnknown = 256;

}  // namespace

bool LoopExtent::isSame(const LoopExtent& other) const {
  if (!ShapedType::isDynamic(size) || !ShapedType::isDynamic(other.size)) return size == other.size;
  return llvm::any_of(names, [&](const auto& name) { return llvm::is_contained(other.names, name); });
}

bool ElementAccess::isPerRow(const RowSpace& space) const {
  for (unsigned dim = space.rows.size(); dim < space.dims(); ++dim)
    if (index.isFunctionOfDim(dim)) return false;
  return true;
}

ElementAccess RowOperation::accessOf(OpOperand& operand, unsigned dims) const {
  linalg::LinalgOp owner = op;
  AffineMap map = owner.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(loops, {}, dims, 0);
  if (!isDense(operand.get())) return {operand.get(), simplifyAffineMap(map)};
  AffineExpr number = getAffineConstantExpr(0, map.getContext());
  for (auto [expression, size] : llvm::zip(map.getResults(), cast<MemRefType>(operand.get().getType()).getShape()))
    number = number * size + expression;
  return {denseRoot(operand.get()), simplifyAffineMap(AffineMap::get(dims, 0, number))};
}

ElementAccess RowOperation::output(unsigned dims) const {
  linalg::LinalgOp writer = op;
  return accessOf(writer.getDpsInitsMutable()[0], dims);
}

SmallVector<std::pair<OpOperand*, ElementAccess>> RowOperation::reads(unsigned dims) const {
  SmallVector<std::pair<OpOperand*, ElementAccess>> result;
  linalg::LinalgOp reader = op;
  for (OpOperand& operand : reader->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()) && reader.payloadUsesValueFromOperand(&operand))
      result.push_back({&operand, accessOf(operand, dims)});
  return result;
}

std::optional<RowSpace> rowSpaceOf(linalg::LinalgOp op) {
  RowSpace space;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    LoopExtent extent = extentOf(op, static_cast<unsigned>(loop));
    if (extent.size == 0) return std::nullopt;
    if (extent.size == 1) continue;
    bool isRow = iterator == utils::IteratorType::parallel;
    space.isAcross |= isRow && !space.columns.empty();
    (isRow ? space.rows : space.columns).push_back(std::move(extent));
  }
  std::optional<RowOperation> row = matchRowOperation(op, space);
  if (!row || (space.columns.empty() && space.rows.empty())) return std::nullopt;
  for (OpOperand* input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input).replaceDimsAndSymbols(row->loops, {}, space.dims(), 0);
    std::optional<SmallVector<unsigned>> dims = listedDims(map);
    if (!dims) return std::nullopt;
    bool isAlongRows =
        llvm::all_of(*dims, [&](unsigned dim) { return dim < space.rows.size(); }) || dims->back() == space.dims() - 1;
    space.isAcross |= !isAlongRows;
  }
  return space;
}

std::optional<RowOperation> matchRowOperation(linalg::LinalgOp op, const RowSpace& space) {
  if (op.getNumDpsInits() != 1 || op->getNumResults() != 0 || !isPureBody(*op.getBlock()) || !isForDevice(op) ||
      isMatmul(op))
    return std::nullopt;
  AffineExpr zero = getAffineConstantExpr(0, op.getContext());
  RowOperation row{op, RowOperation::Kind::kRow, 0, SmallVector<AffineExpr>(op.getNumLoops(), zero)};
  SmallVector<LoopExtent> all(space.rows);
  llvm::append_range(all, space.columns);
  using utils::IteratorType;
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto matches = [&](ArrayRef<LoopExtent> parallel, ArrayRef<LoopExtent> reduced) {
    llvm::fill(row.loops, zero);
    return matchLoops(op, IteratorType::parallel, parallel, 0, row.loops) &&
           matchLoops(op, IteratorType::reduction, reduced, static_cast<unsigned>(parallel.size()), row.loops);
  };
  auto isWritten = [&](size_t dims) {
    return isOneToOne(output.replaceDimsAndSymbols(row.loops, {}, space.dims(), 0), dims);
  };
  if (op.getNumReductionLoops() != 0) {
    if (space.columns.empty()) return std::nullopt;
    row.kind = RowOperation::Kind::kReduction;
    row.columns = static_cast<unsigned>(space.columns.size());
    if (matches(space.rows, space.columns) && isWritten(space.rows.size()) && matchCombiner(row)) return row;
    return std::nullopt;
  }
  if (matches(space.rows, {}) && isWritten(space.rows.size())) return row;
  auto matchesReshaped = [&](ArrayRef<LoopExtent> extents) {
    return matchReshapedLoops(op, extents, row.loops) && writesEachOnce(op);
  };
  if (space.columns.empty()) {
    if (matchLoopsInAnyOrder(op, space.rows, row.loops) && isWritten(space.rows.size())) return row;
    return std::nullopt;
  }
  if (matchesReshaped(space.rows)) return row;
  row.kind = RowOperation::Kind::kElement;
  if (space.isAcross) return std::nullopt;
  for (; all.size() > space.rows.size(); all.pop_back()) {
    row.columns = static_cast<unsigned>(all.size() - space.rows.size());
    if ((matches(all, {}) && isWritten(all.size())) || matchesReshaped(all)) return row;
  }
  return std::nullopt;
}

RowThreads::RowThreads(const RowSpace& space, int64_t parts) {
  int64_t columns = elementCount(space.columns), rows = elementCount(space.rows);
  if (parts > 1) rows *= parts;  // Only a static number of rows is split.
  bool isFewRows = !ShapedType::isDynamic(rows) && rows < kLargeBlock;
  if (space.columns.empty() || space.isAcross) {
    perRow = 1;
    perBlock = isFewRows ? RoundUp(rows, kWarpSize) : kLargeBlock;
    return;
  }
  if (ShapedType::isDynamic(columns) || columns > 4 * kWarpSize) {
    perBlock = perRow = columns >= kManyColumns ? 2 * kLargeBlock : kLargeBlock;
    return;
  }
  perRow = std::clamp<int64_t>(llvm::bit_ceil(static_cast<uint64_t>(columns)), 2, kWarpSize);
  perBlock = kSmallBlock;
  if (isFewRows) perBlock = std::min(RoundUp(rows * perRow, kWarpSize), perBlock);
}

bool RowThreads::isBlockWide() const { return perRow > kWarpSize; }

int64_t splitFactor(const RowSpace& space) {
  int64_t columns = elementCount(space.columns), rows = elementCount(space.rows);
  if (ShapedType::isDynamic(rows)) return 1;
  RowThreads threads(space);
  int64_t wanted = space.isAcross ? kBlocksOfDevice * kLargeBlock / rows : kBlocksOfDevice / rows;
  if (ShapedType::isDynamic(columns)) return std::clamp<int64_t>(wanted, 1, kMaxPartsOfUnknown);
  int64_t each = columns / threads.perRow;
  if (each < kSplitElements || (!space.isAcross && !threads.isBlockWide())) return 1;
  return std::max<int64_t>(std::min(wanted, each / kPartElements), 1);
}

bool isWorthSplitting(const RowSpace& space) {
  int64_t columns = elementCount(space.columns);
  const bool isLong =
      ShapedType::isDynamic(columns) ? space.isAcross : columns / RowThreads(space).perRow >= kManyElements;
  return isLong && splitFactor(space) >= kManyParts;
}

bool isLongRow(const RowSpace& space) {
  int64_t columns = elementCount(space.columns);
  return !space.isAcross && (ShapedType::isDynamic(columns) || columns >= kLongRow);
}

int64_t elementCount(ArrayRef<LoopExtent> extents) {
  int64_t matmul = 1;
  for (const LoopExtent& extent : extents)
    if (ShapedType::isDynamic(extent.size) || llvm::MulOverflow(matmul, extent.size, matmul))
      return ShapedType::kDynamic;
  return matmul;
}

}  // namespace mmtune
