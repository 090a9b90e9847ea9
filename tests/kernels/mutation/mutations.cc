// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/mutation/mutations.h"

#include <functional>

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace mmtune {
namespace {

Value ConstantLike(OpBuilder& builder, Location loc, Type type, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
}

/// Replaces an operand by `operand + delta`.
void AddTo(OpOperand& operand, int64_t delta) {
  OpBuilder builder(operand.getOwner());
  Location loc = operand.getOwner()->getLoc();
  Type type = operand.get().getType();
  operand.set(LLVM::AddOp::create(builder, loc, operand.get(), ConstantLike(builder, loc, type, delta)));
}

void ForceTrue(Operation* comparison) {
  OpBuilder builder(comparison);
  comparison->getResult(0).replaceAllUsesWith(ConstantLike(builder, comparison->getLoc(), builder.getI1Type(), 1));
}

void Erase(Operation* op) { op->erase(); }

bool IsIntegerSum(Operation* op) {
  return isa<LLVM::AddOp, LLVM::SubOp, LLVM::OrOp, LLVM::XOrOp, arith::AddIOp, arith::SubIOp>(op);
}

bool IsIntegerProduct(Operation* op) { return isa<LLVM::MulOp, LLVM::ShlOp, arith::MulIOp, arith::ShLIOp>(op); }

/// Operations that pass a part of an address on.
bool IsOtherArithmetic(Operation* op) {
  return isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp, LLVM::UDivOp, LLVM::URemOp, LLVM::SDivOp, LLVM::SRemOp,
             LLVM::SelectOp, LLVM::AndOp>(op) ||
         isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::DivUIOp, arith::RemUIOp, arith::DivSIOp,
             arith::RemSIOp, arith::SelectOp, arith::MinSIOp, arith::MinUIOp, arith::AndIOp, arith::IndexCastOp>(op);
}

/// Operands that say where the operation reads or writes: indices, coordinates, descriptors, sizes.
SmallVector<OpOperand*> PlacesOf(Operation* op) {
  SmallVector<OpOperand*> places;
  auto add = [&](MutableOperandRange operands) {
    for (OpOperand& operand : operands) places.push_back(&operand);
  };
  if (auto gep = dyn_cast<LLVM::GEPOp>(op)) add(gep.getDynamicIndicesMutable());
  if (auto load = dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op)) add(load.getCoordinatesMutable());
  if (auto store = dyn_cast<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(op)) add(store.getCoordinatesMutable());
  if (auto multiply = dyn_cast<NVVM::WgmmaMmaAsyncOp>(op)) {
    places.push_back(&multiply.getDescriptorAMutable());
    places.push_back(&multiply.getDescriptorBMutable());
  }
  return places;
}

/// The integer operations that addresses are computed with.
SetVector<Operation*> AddressArithmetic(gpu::GPUModuleOp module) {
  SmallVector<Value> worklist;
  module.walk([&](Operation* op) {
    for (OpOperand* place : PlacesOf(op)) worklist.push_back(place->get());
    if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op); copy && copy.getCpSize()) worklist.push_back(copy.getCpSize());
  });
  SetVector<Operation*> found;
  while (!worklist.empty()) {
    Operation* op = worklist.pop_back_val().getDefiningOp();
    bool integer = op && (IsIntegerSum(op) || IsIntegerProduct(op) || IsOtherArithmetic(op));
    if (integer && found.insert(op)) llvm::append_range(worklist, op->getOperands());
  }
  return found;
}

/// `x < y` as `x <= y` and the like; false for comparisons that have no weaker one. For both dialects' comparisons,
/// whose predicates have the same names.
template <typename P, typename Comparison>
bool Weaken(Comparison op, bool apply) {
  P weaker;
  switch (op.getPredicate()) {
    case P::slt:
      weaker = P::sle;
      break;
    case P::sgt:
      weaker = P::sge;
      break;
    case P::ult:
      weaker = P::ule;
      break;
    case P::ugt:
      weaker = P::uge;
      break;
    default:
      return false;
  }
  if (apply) op.setPredicate(weaker);
  return true;
}

/// Calls `visit` with each change possible at `op`.
using Visit = std::function<void(MutationKind, int, std::function<void()>)>;

void VisitSynchronization(Operation* op, const Visit& visit) {
  using K = MutationKind;
  if (isa<NVVM::Barrier0Op, NVVM::BarrierOp, NVVM::SyncWarpOp>(op)) visit(K::kRemoveBarrier, 0, [=] { Erase(op); });
  if (isa<NVVM::CpAsyncWaitGroupOp, NVVM::CpAsyncBulkWaitGroupOp, NVVM::WgmmaWaitGroupSyncOp,
          NVVM::MBarrierTryWaitParityOp>(op))
    visit(K::kRemoveWait, 0, [=] { Erase(op); });
  if (auto wait = dyn_cast<NVVM::CpAsyncWaitGroupOp>(op))
    visit(K::kWeakenWait, 0, [=]() mutable { wait.setN(wait.getN() + 1); });
  if (auto wait = dyn_cast<NVVM::WgmmaWaitGroupSyncOp>(op))
    visit(K::kWeakenWait, 0, [=]() mutable { wait.setGroup(wait.getGroup() + 1); });
  if (isa<NVVM::CpAsyncCommitGroupOp, NVVM::WgmmaGroupSyncAlignedOp, NVVM::CpAsyncBulkCommitGroupOp>(op))
    visit(K::kRemoveCommit, 0, [=] { Erase(op); });
  if (isa<NVVM::MBarrierArriveOp, NVVM::MBarrierArriveExpectTxOp>(op) && op->use_empty())
    visit(K::kRemoveArrive, 0, [=] { Erase(op); });
  if (isa<NVVM::FenceProxyOp, NVVM::FenceMbarrierInitOp, NVVM::WgmmaFenceAlignedOp, LLVM::FenceOp>(op))
    visit(K::kRemoveFence, 0, [=] { Erase(op); });
  if (auto wait = dyn_cast<NVVM::MBarrierTryWaitParityOp>(op))
    visit(K::kFlipParity, 0, [=]() mutable {
      OpBuilder builder(wait);
      OpOperand& phase = wait.getPhaseMutable();
      phase.set(LLVM::XOrOp::create(builder, wait.getLoc(), phase.get(),
                                    ConstantLike(builder, wait.getLoc(), phase.get().getType(), 1)));
    });
  if (auto init = dyn_cast<NVVM::MBarrierInitOp>(op))
    for (int delta : {1, -1}) visit(K::kChangeCount, delta, [=]() mutable { AddTo(init.getCountMutable(), delta); });
  if (auto expect = dyn_cast<NVVM::MBarrierArriveExpectTxOp>(op))
    for (int delta : {16, -16})
      visit(K::kChangeCount, delta, [=]() mutable { AddTo(expect.getTxcountMutable(), delta); });
}

template <typename P, typename Comparison>
void VisitComparison(Comparison op, const Visit& visit) {
  if (Weaken<P>(op, /*apply=*/false)) visit(MutationKind::kWeakenPredicate, 0, [=] { Weaken<P>(op, /*apply=*/true); });
  visit(MutationKind::kForcePredicate, 0, [=] { ForceTrue(op); });
}

void VisitControl(Operation* op, const Visit& visit) {
  using K = MutationKind;
  if (auto comparison = dyn_cast<LLVM::ICmpOp>(op)) VisitComparison<LLVM::ICmpPredicate>(comparison, visit);
  if (auto comparison = dyn_cast<arith::CmpIOp>(op)) VisitComparison<arith::CmpIPredicate>(comparison, visit);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    visit(K::kLengthenLoop, 0, [=]() mutable {
      OpBuilder builder(loop);
      loop.setUpperBound(LLVM::AddOp::create(builder, loop.getLoc(), loop.getUpperBound(), loop.getStep()));
    });
}

/// The sums that it was to add to, in its place.
void RemoveProduct(NVVM::MmaOp product) {
  OpBuilder builder(product);
  Location loc = product.getLoc();
  Value sums = LLVM::UndefOp::create(builder, loc, product.getType());
  for (auto [i, sum] : llvm::enumerate(product.getOperandC()))
    sums = LLVM::InsertValueOp::create(builder, loc, sums, sum, ArrayRef<int64_t>{static_cast<int64_t>(i)});
  product.replaceAllUsesWith(sums);
  product.erase();
}

void VisitData(Operation* op, bool in_address, const Visit& visit) {
  using K = MutationKind;
  for (OpOperand* place : PlacesOf(op))
    visit(K::kShiftAddress, static_cast<int>(place->getOperandNumber()), [place] { AddTo(*place, 1); });
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op); copy && copy.getCpSize())
    for (int delta : {4, -4})
      visit(K::kChangeCount, delta, [=]() mutable { AddTo(copy.getCpSizeMutable()[0], delta); });
  if (in_address && (IsIntegerSum(op) || IsIntegerProduct(op)))
    for (int kept : {0, 1})
      if (!IsIntegerProduct(op) || kept == 0)
        visit(K::kDropTerm, kept, [=] { op->getResult(0).replaceAllUsesWith(op->getOperand(kept)); });
  if (isa<LLVM::StoreOp, NVVM::CpAsyncOp, NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op))
    visit(K::kRemoveStore, 0, [=] { Erase(op); });
  if (auto product = dyn_cast<NVVM::MmaOp>(op)) visit(K::kRemoveProduct, 0, [=] { RemoveProduct(product); });
}

std::string Describe(Operation* op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << op->getName().getStringRef();
  if (!isa<UnknownLoc>(op->getLoc())) stream << " at " << op->getLoc();
  return text;
}

/// Calls `visit` with each operation's number and possible changes.
void VisitAll(gpu::GPUModuleOp module,
              llvm::function_ref<void(size_t, Operation*, MutationKind, int, const std::function<void()>&)> visit) {
  SetVector<Operation*> arithmetic = AddressArithmetic(module);
  SmallVector<Operation*> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation* op) { ops.push_back(op); });
  for (size_t number = 0; number < ops.size(); ++number) {
    Operation* op = ops[number];
    Visit visit_one = [&](MutationKind kind, int variant, const std::function<void()>& apply) {
      visit(number, op, kind, variant, apply);
    };
    VisitSynchronization(op, visit_one);
    VisitControl(op, visit_one);
    VisitData(op, arithmetic.contains(op), visit_one);
  }
}

}  // namespace

std::string_view MutationName(MutationKind kind) {
  constexpr std::string_view kNames[] = {"remove-barrier",   "remove-wait",     "weaken-wait",   "remove-commit",
                                         "remove-arrive",    "flip-parity",     "change-count",  "remove-fence",
                                         "weaken-predicate", "force-predicate", "lengthen-loop", "shift-address",
                                         "drop-term",        "remove-store",    "remove-product"};
  return kNames[static_cast<size_t>(kind)];
}

bool IsSynchronization(MutationKind kind) { return kind <= MutationKind::kRemoveFence; }

std::vector<Mutation> FindMutations(gpu::GPUModuleOp module) {
  std::vector<Mutation> found;
  VisitAll(module, [&](size_t number, Operation* op, MutationKind kind, int variant, const auto&) {
    found.push_back({kind, number, variant, Describe(op)});
  });
  return found;
}

void ApplyMutation(gpu::GPUModuleOp module, const Mutation& mutation) {
  std::function<void()> chosen;
  VisitAll(module, [&](size_t number, Operation*, MutationKind kind, int variant, const std::function<void()>& apply) {
    if (number == mutation.op && kind == mutation.kind && variant == mutation.variant) chosen = apply;
  });
  chosen();
}

}  // namespace mmtune
