// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/subgroup_ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr unsigned kWordBits = 32;

/// The words of a scalar or a vector, element by element.
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

/// gpu.shuffle over the first `width` lanes of a warp, of which the others take no part:
///
///     if (lane < width)                                      // left out where width is 32
///       for each word of the value
///         word = shfl.sync(-1 >> (32 - width), word, offset, up ? 0 : width - 1)
///
/// MLIR's own lowering executes shfl.sync also in lanes that its mask leaves out, and bounds `up` by 32 - width.
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

/// Lane k gets the value of lane (k + offset) mod width.
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

}  // namespace

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
