// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/bit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_LOWERREDUCTIONSPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

constexpr int32_t kWarpSize = 32;
constexpr unsigned kWordBits = 32;

/// Emits a thread's linear index in its block (x fastest), and the number of threads of the block.
std::pair<Value, Value> threadInBlock(ImplicitLocOpBuilder& builder) {
  Value thread = arith::ConstantIndexOp::create(builder, 0), threads = arith::ConstantIndexOp::create(builder, 1);
  for (gpu::Dimension dimension : {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z}) {
    Value id = gpu::ThreadIdOp::create(builder, dimension);
    Value extent = gpu::BlockDimOp::create(builder, dimension);
    thread = arith::AddIOp::create(builder, thread, arith::MulIOp::create(builder, id, threads));
    threads = arith::MulIOp::create(builder, threads, extent);
  }
  return {thread, threads};
}

/// Splits a scalar or a vector, element by element, into 32-bit words and joins them again.
class WordSplitter {
 public:
  explicit WordSplitter(ImplicitLocOpBuilder& builder) : builder(builder) {}

  SmallVector<Value> split(Value value) {
    auto type = dyn_cast<VectorType>(value.getType());
    if (!type) return splitScalar(value);
    SmallVector<Value> words;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      llvm::append_range(words, splitScalar(vector::ExtractOp::create(builder, value, ArrayRef<int64_t>{i})));
    return words;
  }

  Value join(Type type, ArrayRef<Value> words) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector) return joinScalar(type, words);
    const size_t each = words.size() / static_cast<size_t>(vector.getNumElements());
    Value result = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      Value element = joinScalar(vector.getElementType(), words.slice(static_cast<size_t>(i) * each, each));
      result = vector::InsertOp::create(builder, element, result, ArrayRef<int64_t>{i});
    }
    return result;
  }

 private:
  static unsigned wordsOf(Type type) { return llvm::divideCeil(type.getIntOrFloatBitWidth(), kWordBits); }
  Type wide(Type type) { return builder.getIntegerType(wordsOf(type) * kWordBits); }
  Value place(Type type, unsigned word) {
    return arith::ConstantOp::create(builder, builder.getIntegerAttr(type, word * kWordBits));
  }

  SmallVector<Value> splitScalar(Value value) {
    Type type = value.getType(), integer = builder.getIntegerType(type.getIntOrFloatBitWidth()), all = wide(type);
    if (integer != type) value = arith::BitcastOp::create(builder, integer, value);
    if (all != integer) value = arith::ExtUIOp::create(builder, all, value);
    if (wordsOf(type) == 1) return {value};
    SmallVector<Value> words;
    for (unsigned i = 0; i < wordsOf(type); ++i) {
      Value word = i == 0 ? value : arith::ShRUIOp::create(builder, value, place(all, i)).getResult();
      words.push_back(arith::TruncIOp::create(builder, builder.getI32Type(), word));
    }
    return words;
  }

  Value joinScalar(Type type, ArrayRef<Value> words) {
    Type integer = builder.getIntegerType(type.getIntOrFloatBitWidth()), all = wide(type);
    Value value = words[0];
    if (words.size() > 1) value = arith::ExtUIOp::create(builder, all, value);
    for (unsigned i = 1; i < words.size(); ++i) {
      Value word = arith::ExtUIOp::create(builder, all, words[i]);
      value = arith::OrIOp::create(builder, value, arith::ShLIOp::create(builder, word, place(all, i)));
    }
    if (all != integer) value = arith::TruncIOp::create(builder, integer, value);
    return integer == type ? value : arith::BitcastOp::create(builder, type, value).getResult();
  }

  ImplicitLocOpBuilder& builder;
};

NVVM::ShflKind kindOf(gpu::ShuffleMode mode) {
  switch (mode) {
    case gpu::ShuffleMode::XOR:
      return NVVM::ShflKind::bfly;
    case gpu::ShuffleMode::UP:
      return NVVM::ShflKind::up;
    case gpu::ShuffleMode::DOWN:
      return NVVM::ShflKind::down;
    case gpu::ShuffleMode::IDX:
      return NVVM::ShflKind::idx;
  }
  llvm_unreachable("a mode of gpu.shuffle");
}

/// Lowers gpu.shuffle over the first `width` lanes of a warp; the others do not participate:
///
///     if (lane < width)                                      // omitted where width is 32
///       for each word of the value
///         word = shfl.sync(-1 >> (32 - width), word, offset, up ? 0 : width - 1)
///
/// MLIR's lowering executes shfl.sync also in lanes that its mask excludes, and bounds `up` by 32 - width.
class ShuffleLowering {
 public:
  explicit ShuffleLowering(gpu::ShuffleOp op) : op(op), builder(op.getLoc(), op) {}

  LogicalResult lower() {
    std::optional<int64_t> lanes = getConstantIntValue(op.getWidth());
    if (lanes && (*lanes < 1 || *lanes > kWarpSize))
      return op.emitError("a shuffle over ") << *lanes << " lanes: a warp has " << kWarpSize;
    SmallVector<Value> results;
    if (lanes == kWarpSize) {
      results = shuffle();
    } else {
      Value lane =
          arith::IndexCastOp::create(builder, builder.getI32Type(), gpu::LaneIdOp::create(builder, IntegerAttr()));
      Value takesPart = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, lane, op.getWidth());
      auto branch = scf::IfOp::create(builder, op->getResultTypes(), takesPart, /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
      scf::YieldOp::create(builder, shuffle());
      builder.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(builder, ValueRange{op.getValue(), no()});
      results = llvm::to_vector_of<Value>(branch.getResults());
    }
    op->replaceAllUsesWith(results);
    op.erase();
    return success();
  }

 private:
  Value i32(int64_t value) {
    return arith::ConstantOp::create(builder, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value no() { return arith::ConstantOp::create(builder, builder.getBoolAttr(false)); }

  SmallVector<Value> shuffle() {
    Value mask =
        arith::ShRUIOp::create(builder, i32(-1), arith::SubIOp::create(builder, i32(kWarpSize), op.getWidth()));
    Value last = i32(0);
    if (op.getMode() != gpu::ShuffleMode::UP) last = arith::SubIOp::create(builder, op.getWidth(), i32(1));
    const bool saysValid = !op.getValid().use_empty();
    Type type = builder.getI32Type();
    if (saysValid) type = LLVM::LLVMStructType::getLiteral(op.getContext(), {type, builder.getI1Type()});
    WordSplitter splitter(builder);
    SmallVector<Value> words;
    Value valid = saysValid ? Value() : no();
    for (Value word : splitter.split(op.getValue())) {
      word = NVVM::ShflOp::create(builder, type, mask, word, op.getOffset(), last, kindOf(op.getMode()),
                                  saysValid ? builder.getUnitAttr() : UnitAttr());
      if (saysValid) {
        valid = LLVM::ExtractValueOp::create(builder, word, ArrayRef<int64_t>{1});
        word = LLVM::ExtractValueOp::create(builder, word, ArrayRef<int64_t>{0});
      }
      words.push_back(word);
    }
    return {splitter.join(op.getValue().getType(), words), valid};
  }

  gpu::ShuffleOp op;
  ImplicitLocOpBuilder builder;
};

/// Lowers gpu.rotate: lane k receives the value of lane (k + offset) mod width.
void lowerRotate(gpu::RotateOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  auto i32 = [&](int64_t value) {
    return arith::ConstantOp::create(builder, builder.getI32IntegerAttr(static_cast<int32_t>(value))).getResult();
  };
  Value lane = arith::IndexCastOp::create(builder, builder.getI32Type(), gpu::LaneIdOp::create(builder, IntegerAttr()));
  Value from = arith::AddIOp::create(builder, lane, i32(op.getOffset()));
  from = arith::AndIOp::create(builder, from, i32(op.getWidth() - 1));
  auto shuffle = gpu::ShuffleOp::create(builder, op.getValue(), from, i32(op.getWidth()), gpu::ShuffleMode::IDX);
  op->replaceAllUsesWith(shuffle->getResults());
  op.erase();
}

void lowerIds(gpu::GPUModuleOp kernels) {
  kernels.walk([](Operation* op) {
    if (!isa<gpu::SubgroupIdOp, gpu::NumSubgroupsOp, gpu::SubgroupSizeOp>(op)) return;
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    Value size = arith::ConstantIndexOp::create(builder, kWarpSize);
    Value result = size;
    if (isa<gpu::SubgroupIdOp>(op)) {
      result = arith::DivUIOp::create(builder, threadInBlock(builder).first, size);
    } else if (isa<gpu::NumSubgroupsOp>(op)) {
      Value last = arith::ConstantIndexOp::create(builder, kWarpSize - 1);
      Value rounded = arith::AddIOp::create(builder, threadInBlock(builder).second, last);
      result = arith::DivUIOp::create(builder, rounded, size);
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  });
}

constexpr int64_t kMaxThreads = 1024;

/// Returns the threads of a block; nothing if `function` is null or does not specify them.
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

/// Lowers gpu.all_reduce to a tree over a buffer in shared memory, with a barrier for each level, so it does not depend
/// on the lanes of a warp executing together:
///
///     buffer[thread] = value; barrier
///     for (half = size / 2; half > 0; half /= 2)
///       if (thread < half && thread + half < threads) buffer[thread] = combine(buffer[thread], buffer[thread + half])
///       barrier
///     result = buffer[0]; barrier
class BlockReduction {
 public:
  BlockReduction(gpu::AllReduceOp op, Value buffer) : op(op), builder(op.getLoc(), op), buffer(buffer) {}

  void lower() {
    std::tie(thread, threads) = threadInBlock(builder);
    memref::StoreOp::create(builder, op.getValue(), buffer, thread);
    gpu::BarrierOp::create(builder);
    reduceInBuffer();
    Value result = memref::LoadOp::create(builder, buffer, constant(0));
    gpu::BarrierOp::create(builder);  // Before the next reduction that uses the buffer.
    op.replaceAllUsesWith(result);
    op.erase();
  }

 private:
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, value); }

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

/// Lowers gpu.subgroup_reduce to a butterfly of shuffles:
///
///     for (offset = stride; offset < lanes * stride; offset *= 2) value = combine(value, shuffle_xor(value, offset))
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
      return op.emitError("a reduction over ")
             << lanes * stride << " lanes, which do not divide a block of " << *threads
             << " threads: use gpu.all_reduce, or clusters of another size";
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
  /// Lowers block-wide reductions. Those of one type share a buffer, as each ends with a barrier.
  static LogicalResult lowerBlockWide(FunctionOpInterface function) {
    auto kernel = dyn_cast<gpu::GPUFuncOp>(*function);
    SmallVector<gpu::AllReduceOp> ops;
    function.walk([&](gpu::AllReduceOp op) { ops.push_back(op); });
    llvm::MapVector<Type, Value> buffers;
    for (gpu::AllReduceOp op : ops) {
      if (!kernel || !kernel.isKernel())
        return op.emitError(
            "a reduction over a block in a function that is not a kernel, which has no shared memory of its own: "
            "inline "
            "it first");
      if (!op.getBody().empty() && !op.getBody().hasOneBlock())
        return op.emitError(
            "the body of gpu.all_reduce has several basic blocks, which is not supported: use arith.select in place of "
            "branches");
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

LogicalResult expandSubgroupOps(gpu::GPUModuleOp kernels) {
  lowerIds(kernels);
  kernels.walk([](gpu::RotateOp op) { lowerRotate(op); });
  SmallVector<gpu::ShuffleOp> shuffles;
  kernels.walk([&](gpu::ShuffleOp op) { shuffles.push_back(op); });
  for (gpu::ShuffleOp op : shuffles)
    if (failed(ShuffleLowering(op).lower())) return failure();
  return success();
}

}  // namespace mmtune
