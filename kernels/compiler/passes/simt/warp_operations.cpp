// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/warp_operations.h"

#include "kernels/compiler/passes/simt/passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr size_t kWarpOpWords = sizeof(simt::WarpOp) / sizeof(uint32_t);

size_t wordsIn(Type type) {
  if (isa<LLVM::LLVMPointerType>(type)) return 2;
  return llvm::divideCeil(DataLayout().getTypeSizeInBits(type), 32);
}

/// Returns a constant of the object; equal ones are shared.
LLVM::GlobalOp warpOpGlobal(SimtEmitter& emit, ArrayRef<simt::WarpOp> ops) {
  ArrayRef<int32_t> words(reinterpret_cast<const int32_t*>(ops.data()), ops.size() * kWarpOpWords);
  SimtModuleState& state = emit.function.state();
  StringRef key(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(int32_t));
  LLVM::GlobalOp& global = state.warpOps[key];
  if (global) return global;
  OpBuilder builder(state.symbols.getOp()->getRegion(0));
  auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), words.size());
  auto value =
      DenseElementsAttr::get(RankedTensorType::get({static_cast<int64_t>(words.size())}, builder.getI32Type()), words);
  global = LLVM::GlobalOp::create(builder, emit.op->getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Private,
                                  "mmtune_simt_warp_op", value,
                                  /*alignment=*/4);
  state.symbols.insert(global);
  return global;
}

Value wordAt(SimtEmitter& emit, Value words, size_t index) {
  return LLVM::GEPOp::create(emit.builder, words.getType(), emit.builder.getI32Type(), words,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)}, LLVM::GEPNoWrapFlags::inbounds);
}

/// Returns the type as which values of `type` are in memory: vectors are integers, which cost less to compile where
/// code is not optimised.
Type memoryType(SimtEmitter& emit, Type type) {
  if (!isa<VectorType>(type)) return type;
  return emit.builder.getIntegerType(static_cast<unsigned>(wordsIn(type)) * 32);
}

void storeWords(SimtEmitter& emit, const WarpOperation& operation, Value words, size_t& next) {
  for (Value value : operation.in) {
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      value = emit.generic(value);
    else if (value.getType().isInteger(1))
      value = LLVM::ZExtOp::create(emit.builder, emit.builder.getI32Type(), value);
    else if (Type type = memoryType(emit, value.getType()); type != value.getType())
      value = LLVM::BitcastOp::create(emit.builder, type, value);
    LLVM::StoreOp::create(emit.builder, value, wordAt(emit, words, next), /*alignment=*/4);
    next += wordsIn(value.getType());
  }
}

SmallVector<Value> loadWords(SimtEmitter& emit, const WarpOperation& operation, Value words, size_t& next) {
  SmallVector<Value> results;
  for (Type type : operation.out) {
    Value address = wordAt(emit, words, next);
    next += wordsIn(type);
    if (!type.isInteger(1)) {
      Value value = LLVM::LoadOp::create(emit.builder, memoryType(emit, type), address, /*alignment=*/4);
      results.push_back(value.getType() == type ? value : LLVM::BitcastOp::create(emit.builder, type, value));
      continue;
    }
    Value word = LLVM::LoadOp::create(emit.builder, emit.builder.getI32Type(), address, 4);
    results.push_back(LLVM::TruncOp::create(emit.builder, type, word));
  }
  return results;
}

simt::WarpOp complete(const WarpOperation& operation, uint32_t site) {
  simt::WarpOp op = operation.op;
  op.site = site;
  op.inputs = wordsOf(ValueRange(operation.in).getTypes());
  op.outputs = wordsOf(operation.out);
  return op;
}

/// Returns the leader's lane, and whether this is the leader.
SmallVector<Value> elect(SimtEmitter& emit, Value mask) {
  WarpOperation operation;
  operation.op.kind = simt::WarpOpKind::kElect;
  operation.mask = mask;
  operation.out = {emit.builder.getI32Type(), emit.builder.getI1Type()};
  return emitWarpOperation(emit, operation);
}

/// Limit of the words of operands, or results, of one call: they are on a fiber's hot stack.
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
  /// True for operations that neither write memory nor synchronize, so matrix operations may move across them. One that
  /// reads memory stays in place, and cannot wait for a result.
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

  /// Emits the pending batch before `next`, then the operations that waited for it. A single operation stays as it is.
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
  llvm::SmallPtrSet<Operation*, 32> pending;  ///< Operations of the batch, and those that wait for them.
  size_t words = 0;
};

}  // namespace

size_t wordsOf(TypeRange types) {
  size_t words = 0;
  for (Type type : types) words += wordsIn(type);
  return words;
}

SmallVector<Type> partsOf(Type type) {
  if (!type) return {};
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) return SmallVector<Type>(structure.getBody());
  return {type};
}

SmallVector<Value> emitWarpOperation(SimtEmitter& emit, const WarpOperation& operation) {
  SimtSites* sites = emit.function.state().sites;
  simt::WarpOp op = complete(operation, sites ? sites->siteOf(emit.op) : 0);
  SimtFunction::Words words = emit.function.words(op.inputs, op.outputs);
  size_t stored = 0, loaded = 0;
  storeWords(emit, operation, words.in, stored);
  Value address = LLVM::AddressOfOp::create(emit.builder, warpOpGlobal(emit, op));
  Value mask = operation.mask ? operation.mask : emit.i32(-1);
  emit.call("mmtune_simt_warp", {address, mask, words.in, words.out});
  return loadWords(emit, operation, words.out, loaded);
}

SmallVector<SmallVector<Value>> emitWarpBatch(SimtEmitter& emit, ArrayRef<WarpOperation> operations) {
  SmallVector<simt::WarpOp> ops;
  size_t inputs = 0, outputs = 0;
  for (const WarpOperation& operation : operations) {
    ops.push_back(complete(operation, /*site=*/0));
    inputs += ops.back().inputs;
    outputs += ops.back().outputs;
  }
  SimtFunction::Words words = emit.function.words(inputs, outputs);
  size_t stored = 0, loaded = 0;
  for (const WarpOperation& operation : operations) storeWords(emit, operation, words.in, stored);
  Value address = LLVM::AddressOfOp::create(emit.builder, warpOpGlobal(emit, ops));
  emit.call("mmtune_simt_warp_batch", {address, emit.i32(ops.size()), words.in, words.out});
  SmallVector<SmallVector<Value>> results;
  for (const WarpOperation& operation : operations) results.push_back(loadWords(emit, operation, words.out, loaded));
  return results;
}

LogicalResult replaceByParts(SimtEmitter& emit, ArrayRef<Value> results) {
  if (emit.op->getNumResults() == 0) return emit.erase();
  Type type = emit.op->getResult(0).getType();
  if (!isa<LLVM::LLVMStructType>(type)) return emit.replace(results.front());
  Value whole = LLVM::PoisonOp::create(emit.builder, type);
  for (auto [i, part] : llvm::enumerate(results))
    whole = LLVM::InsertValueOp::create(emit.builder, whole, part, ArrayRef<int64_t>{static_cast<int64_t>(i)});
  return emit.replace(whole);
}

Rewritten rewriteWarpOperation(SimtEmitter& emit) {
  using Described = FailureOr<std::optional<WarpOperation>>;
  for (auto describe : {describeExchange, describeMatrixOperation}) {
    Described operation = describe(emit);
    if (failed(operation)) return failure();
    if (*operation) return replaceByParts(emit, emitWarpOperation(emit, **operation));
  }
  return llvm::TypeSwitch<Operation*, Rewritten>(emit.op)
      .Case<NVVM::ElectSyncOp>([&](auto op) { return emit.replace(elect(emit, op.getMembermask())[1]); })
      .Case<LLVM::CallIntrinsicOp>([&](auto call) -> Rewritten {
        if (call.getIntrin() != "llvm.nvvm.elect.sync" || call.getArgs().size() != 1) return std::nullopt;
        return replaceByParts(emit, elect(emit, call.getArgs().front()));
      })
      .Case<NVVM::WgmmaFenceAlignedOp>(
          [&](auto) { return emit.replaceByCall("mmtune_simt_wgmma_fence", {emit.site()}); })
      .Case<NVVM::WgmmaGroupSyncAlignedOp>(
          [&](auto) { return emit.replaceByCall("mmtune_simt_wgmma_commit", {emit.site()}); })
      .Case<NVVM::WgmmaWaitGroupSyncOp>([&](auto wait) {
        return emit.replaceByCall("mmtune_simt_wgmma_wait", {emit.i64(wait.getGroup()), emit.site()});
      })
      .Default([](Operation*) { return std::nullopt; });
}

LogicalResult batchWarpOperations(SimtFunction& function) {
  BatchBuilder batches(function);
  for (Block& block : function.op().getBody())
    if (failed(batches.run(block))) return failure();
  return success();
}

}  // namespace mmtune
