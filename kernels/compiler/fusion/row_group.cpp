// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass fuse-rows: finds the groups of operations of row kernels.
#include "kernels/compiler/fusion/row_group.h"

#include "kernels/compiler/fusion/passes.h"
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/scheduling/buffer_effects.h"
#include "kernels/compiler/scheduling/matmul_match.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_FUSEROWSPASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

constexpr size_t kMaxOperations = 32;
/// Buffers with more users are not considered, so that compile time grows linearly with the module.
constexpr size_t kMaxUsers = 64;
/// The limit of operations between the first one and the last, for the same reason.
constexpr size_t kMaxDistance = 256;
/// Kernels have 4 kB of parameters; a buffer takes three words and two per dimension.
constexpr int64_t kMaxParameterBytes = 3584;

/// Returns the users of a buffer and its views, or nothing if there are too many.
std::optional<SmallVector<Operation*>> usersOf(Value buffer) {
  SmallVector<Operation*> users;
  SmallVector<Value> left{buffer};
  while (!left.empty()) {
    for (Operation* user : left.pop_back_val().getUsers()) {
      if (users.size() == kMaxUsers) return std::nullopt;
      auto view = dyn_cast<ViewLikeOpInterface>(user);
      if (view && isa<MemRefType>(view.getViewDest().getType()))
        left.push_back(view.getViewDest());
      else
        users.push_back(user);
    }
  }
  return users;
}

/// One access by an operation of a group.
struct OrderedAccess {
  ElementAccess element;
  bool writes = false;
  unsigned columns = 0;       ///< The number of columns of the loop that makes the access.
  bool isFromMemory = false;  ///< Reads what no operation of the group wrote.
};

class GroupChecker {
 public:
  GroupChecker(RowGroup& group, const BufferEffects& effects) : group(group), effects(effects) {}

  bool isLegal() {
    findPrivateBuffers();
    return fitsParameters() && areAccessesOrdered() && canMoveToLast();
  }

 private:
  void findPrivateBuffers() {
    group.privateBuffers.clear();
    for (RowOperation& row : group.operations) {
      Operation* allocation = viewRoot(row.op.getDpsInits()[0]).getDefiningOp();
      if (isa_and_nonnull<memref::AllocOp>(allocation) && allocation->getBlock() == row.op->getBlock() &&
          isUsedInside(allocation->getResult(0)))
        group.privateBuffers.insert(allocation);
    }
  }

  bool isUsedInside(Value buffer) {
    std::optional<SmallVector<Operation*>> users = usersOf(buffer);
    return users && llvm::all_of(*users, [&](Operation* user) { return isInsideOrEnd(user); });
  }

  bool isInsideOrEnd(Operation* user) {
    if (isa<memref::DimOp>(user) || group.contains(user)) return true;
    return isa<memref::DeallocOp>(user) && user->getBlock() == group.last()->getBlock() &&
           group.last()->isBeforeInBlock(user);
  }

  bool isPrivate(Value buffer) { return group.privateBuffers.contains(viewRoot(buffer).getDefiningOp()); }

  bool fitsParameters() {
    llvm::SmallDenseSet<Value> operands;
    int64_t bytes = 0;
    for (RowOperation& row : group.operations) {
      llvm::SetVector<Value> used(row.op->operand_begin(), row.op->operand_end());
      getUsedValuesDefinedAbove(row.op->getRegions(), used);
      for (Value value : used) {
        auto type = dyn_cast<MemRefType>(value.getType());
        if (operands.insert(value).second) bytes += 8 * (type ? 3 + 2 * type.getRank() : 1);
      }
    }
    return bytes <= kMaxParameterBytes;
  }

  bool areAccessesOrdered() {
    SmallVector<OrderedAccess> before;
    for (RowOperation& row : group.operations) {
      size_t end = before.size();
      ElementAccess output = row.output(group.space.dims());
      for (auto& [operand, element] : row.reads(group.space.dims())) {
        // An input that is the accumulator itself would be another value in each iteration.
        bool isInput = operand->getOperandNumber() < static_cast<unsigned>(row.op.getNumDpsInputs());
        if (row.kind == RowOperation::Kind::kReduction && isInput && effects.mayAlias(element.buffer, output.buffer))
          return false;
        if (const RowOperation* source = group.sourceOfFirstColumns(row, element, row.columns)) {
          if (!mayComputeAgain(*source)) return false;
          continue;
        }
        bool isForwarded = llvm::any_of(
            before, [&](const OrderedAccess& other) { return other.writes && other.element.isSame(element); });
        if (!mayFollow(before, end, {element, /*writes=*/false, row.columns})) return false;
        before.push_back({element, /*writes=*/false, row.columns, /*isFromMemory=*/!isForwarded});
      }
      OrderedAccess written{output, /*writes=*/true, row.columns};
      if (!mayFollow(before, before.size(), written)) return false;
      before.push_back(written);
    }
    return true;
  }

  /// True if the operation gives the same values wherever the group computes it again: from it on, no operation writes
  /// what it reads, and no other one its output.
  bool mayComputeAgain(const RowOperation& source) {
    const unsigned dims = group.space.dims();
    const auto inputs = source.reads(dims);
    for (const RowOperation* row = &source; row != group.operations.end(); ++row) {
      Value written = row->output(dims).buffer;
      if (row != &source && effects.mayAlias(written, source.output(dims).buffer)) return false;
      if (llvm::any_of(inputs, [&](const auto& input) { return effects.mayAlias(input.second.buffer, written); }))
        return false;
    }
    return llvm::all_of(inputs, [&](const auto& input) {
      const RowOperation* before = group.sourceOfFirstColumns(source, input.second, source.columns + 1);
      return !before || mayComputeAgain(*before);
    });
  }

  /// Accesses that may overlap have to be of the same element in all operations, so that one thread owns it. A row's
  /// value is stored by one thread, while others may still have to read the old one.
  bool mayFollow(ArrayRef<OrderedAccess> before, size_t end, const OrderedAccess& access) {
    return llvm::all_of(before.take_front(end), [&](const OrderedAccess& other) {
      if ((!other.writes && !access.writes) || !effects.mayAlias(other.element.buffer, access.element.buffer))
        return true;
      if (!other.element.isSame(access.element)) return false;
      // Loops over other columns assign elements to other threads.
      if (!access.element.isPerRow(group.space) && other.columns != access.columns) return false;
      bool isOneThreads = group.space.columns.empty() || !access.element.isPerRow(group.space);
      return isOneThreads || !access.writes || !other.isFromMemory;
    });
  }

  /// True if nothing between the operations and the last one observes the move.
  bool canMoveToLast() {
    for (RowOperation& row : group.operations) {
      SmallVector<Value> read;
      for (auto& [operand, element] : row.reads(group.space.dims()))
        if (!isPrivate(operand->get())) read.push_back(operand->get());
      Value written = row.op.getDpsInits()[0];
      bool storesOutside = !isPrivate(written);
      if (read.empty() && !storesOutside) continue;
      size_t distance = 0;
      for (Operation* between = row.op->getNextNode(); between != group.last()->getNextNode();
           between = between->getNextNode()) {
        if (++distance > kMaxDistance) return false;
        if (isMemoryEffectFree(between) || group.contains(between)) continue;
        if ((storesOutside && effects.mayTouch(between, written)) ||
            llvm::any_of(read, [&](Value buffer) { return effects.mayWrite(between, buffer); }))
          return false;
      }
    }
    return true;
  }

  RowGroup& group;
  const BufferEffects& effects;
};

/// Finds the largest group around `seed`, a reduction or an elementwise operation, that includes none of `taken`. Finds
/// nothing if no other operation can join it and it is not a reduction of long rows. Disjoint groups may all be
/// rewritten. Results do not change, except that sums are accumulated in another order.
class GroupFinder {
 public:
  GroupFinder(linalg::LinalgOp seed, const llvm::SmallPtrSetImpl<Operation*>& taken, const BufferEffects& effects)
      : seed(seed), taken(taken), effects(effects) {}

  std::optional<RowGroup> run() {
    std::optional<RowSpace> space = rowSpaceOf(seed);
    if (!space) return std::nullopt;
    group.space = *space;
    if (!add(seed)) return std::nullopt;
    while (addAny()) {
    }
    // A row that is split has no elements except its parts' results.
    takesFirstColumns = group.parts() == 1;
    while (takesFirstColumns && addAny()) {
    }
    auto isNoFill = [](const RowOperation& row) { return !isa<linalg::FillOp>(row.op); };
    if (llvm::count_if(group.operations, isNoFill) < 2 && !isWorthAlone()) return std::nullopt;
    return std::move(group);
  }

 private:
  /// Returns true if one thread for each result, as a reduction gets otherwise, would be slow.
  bool isWorthAlone() {
    return seed.getNumReductionLoops() != 0 && (isLongRow(group.space) || splitFactor(group.space) > 1);
  }

  /// True if the group so far is a reduction of rows that are better split.
  bool isSplit() { return !group.operations.empty() && isWorthSplitting(group.space) && group.parts() > 1; }

  bool addAny() {
    if (group.operations.size() == kMaxOperations) return false;
    return llvm::any_of(neighbours(), [&](linalg::LinalgOp op) { return add(op); });
  }

  /// Returns the operations that use a buffer which the group uses. For arguments and constants, which any operation
  /// may read, only reductions count.
  SmallVector<linalg::LinalgOp> neighbours() {
    llvm::SmallSetVector<Operation*, 16> found;
    for (RowOperation& row : group.operations) {
      for (Value operand : row.op->getOperands()) {
        if (!isa<MemRefType>(operand.getType())) continue;
        Value root = viewRoot(operand);
        bool isLocal =
            isa_and_nonnull<memref::AllocOp>(root.getDefiningOp()) || llvm::is_contained(row.op.getDpsInits(), operand);
        std::optional<SmallVector<Operation*>> users = usersOf(root);
        if (!users) continue;
        for (Operation* user : *users) {
          auto op = dyn_cast<linalg::LinalgOp>(user);
          if (op && (isLocal || op.getNumReductionLoops() != 0) && user->getBlock() == seed->getBlock() &&
              !taken.contains(user) && !group.contains(user))
            found.insert(user);
        }
      }
    }
    SmallVector<linalg::LinalgOp> ops;
    for (Operation* op : found) ops.push_back(cast<linalg::LinalgOp>(op));
    llvm::sort(ops, [](linalg::LinalgOp x, linalg::LinalgOp y) { return x->isBeforeInBlock(y); });
    return ops;
  }

  /// Adds an operation, and for a reduction also the operation that initialises it, usually a fill. Rows that are split
  /// have one reduction, and no elements.
  bool add(linalg::LinalgOp op) {
    SmallVector<linalg::LinalgOp> ops{op};
    if (op.getNumReductionLoops() != 0)
      if (linalg::LinalgOp first = writerBefore(op); first && !group.contains(first)) ops.push_back(first);
    RowGroup larger = group;
    for (linalg::LinalgOp added : ops) {
      std::optional<RowOperation> row = matchRowOperation(added, group.space);
      if (!row || (row->hasFirstColumnsOnly(group.space) && !takesFirstColumns)) return false;
      if (row->kind != RowOperation::Kind::kRow && isSplit()) return false;
      auto* position =
          llvm::find_if(larger.operations, [&](RowOperation& other) { return added->isBeforeInBlock(other.op); });
      larger.operations.insert(position, *row);
    }
    if (!GroupChecker(larger, effects).isLegal()) return false;
    group = std::move(larger);
    return true;
  }

  /// Returns the last operation before `op` with the same output, or null.
  linalg::LinalgOp writerBefore(linalg::LinalgOp op) {
    linalg::LinalgOp writer;
    for (Operation* user : op.getDpsInits()[0].getUsers()) {
      auto other = dyn_cast<linalg::LinalgOp>(user);
      if (!other || other->getBlock() != op->getBlock() || !other->isBeforeInBlock(op) || taken.contains(user) ||
          other.getDpsInits()[0] != op.getDpsInits()[0])
        continue;
      if (!writer || writer->isBeforeInBlock(other)) writer = other;
    }
    return writer;
  }

  linalg::LinalgOp seed;
  const llvm::SmallPtrSetImpl<Operation*>& taken;
  const BufferEffects& effects;
  RowGroup group;
  bool takesFirstColumns = false;
};

enum class Priority : std::uint8_t { kAlongRows, kAcross, kElementwise };

/// Reductions choose first, since they gain most. Those across memory leave elementwise operations to groups along
/// rows.
Priority priorityOf(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0) return Priority::kElementwise;
  std::optional<RowSpace> space = rowSpaceOf(op);
  return space && space->isAcross ? Priority::kAcross : Priority::kAlongRows;
}

struct FuseRows : impl::FuseRowsPassBase<FuseRows> {
  void runOnOperation() override {
    CallFacts calls(getOperation());
    BufferEffects effects(calls);
    SmallVector<std::pair<Priority, linalg::LinalgOp>> ops;
    for (linalg::LinalgOp op : hostLinalgOps(getOperation())) ops.push_back({priorityOf(op), op});
    llvm::stable_sort(ops, llvm::less_first());
    // Groups are found before any is rewritten, since launches can be analysed less well.
    llvm::SmallPtrSet<Operation*, 32> taken;
    std::vector<RowGroup> groups;
    for (auto& [priority, op] : ops) {
      if (taken.contains(op)) continue;
      std::optional<RowGroup> group = GroupFinder(op, taken, effects).run();
      if (!group) continue;
      for (RowOperation& row : group->operations) taken.insert(row.op);
      groups.push_back(*std::move(group));
    }
    for (RowGroup& group : groups) launchRowGroup(group);
  }
};

}  // namespace

bool RowGroup::contains(Operation* op) const {
  return llvm::any_of(operations, [&](RowOperation row) { return row.op == op; });
}

const RowOperation* RowGroup::sourceOfFirstColumns(const RowOperation& reader, const ElementAccess& element,
                                                   unsigned columns) const {
  for (const RowOperation* row = &reader; row != operations.begin();) {
    --row;
    if (!row->output(space.dims()).isSame(element)) continue;
    return row->kind == RowOperation::Kind::kElement && row->columns < columns ? row : nullptr;
  }
  return nullptr;
}

RowOperation* RowGroup::loneReduction() {
  RowOperation* found = nullptr;
  for (RowOperation& row : operations) {
    if (row.kind == RowOperation::Kind::kElement || (row.kind == RowOperation::Kind::kReduction && found))
      return nullptr;
    if (row.kind == RowOperation::Kind::kReduction) found = &row;
  }
  if (!found) return nullptr;
  for (auto& [operand, element] : found->reads(space.dims()))
    for (RowOperation& row : operations)
      if (found->op.isDpsInput(operand) && row.output(space.dims()).isSame(element)) return nullptr;
  return found;
}

int64_t RowGroup::parts() { return loneReduction() ? splitFactor(space) : 1; }

}  // namespace mmtune
