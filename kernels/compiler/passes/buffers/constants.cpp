// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>

#include "kernels/compiler/passes/buffers/passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Returns the dimension of the result that each dimension of the input becomes, if the operation only permutes.
std::optional<SmallVector<int64_t>> permutationOf(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op->getNumResults() != 1) return std::nullopt;
  auto yield = dyn_cast<linalg::YieldOp>(op.getBlock()->front());
  if (!yield || yield.getOperand(0) != op.getBlock()->getArgument(0)) return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!maps[0].isPermutation() || !maps[1].isPermutation()) return std::nullopt;
  SmallVector<int64_t> permutation;
  for (AffineExpr loop : maps[0].getResults()) permutation.push_back(*maps[1].getResultPosition(loop));
  return permutation;
}

/// Transposes elements of `width` bytes; `permutation[i]` is the dimension of the result that dimension i of `shape`
/// becomes.
SmallVector<char> transpose(ArrayRef<char> from, ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation, size_t width) {
  size_t rank = shape.size();
  SmallVector<int64_t> sizes(rank), strides(rank), position(rank, 0);
  int64_t stride = static_cast<int64_t>(width);
  for (size_t i = rank; i-- > 0; stride *= shape[i]) {
    sizes[permutation[i]] = shape[i];
    strides[permutation[i]] = stride;
  }
  SmallVector<char> to(from.size());
  int64_t source = 0;
  for (size_t target = 0; target < to.size(); target += width) {
    std::memcpy(&to[target], &from[source], width);
    for (size_t i = rank; i-- > 0;) {
      source += strides[i];
      if (++position[i] < sizes[i]) break;
      source -= sizes[i] * strides[i];
      position[i] = 0;
    }
  }
  return to;
}

/// Returns the transposed constant; null where its elements are not whole bytes in memory.
TypedAttr transposed(ElementsAttr value, RankedTensorType type, ArrayRef<int64_t> permutation) {
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (dense && dense.isSplat()) return dense.resizeSplat(type);
  Type element = type.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0) return {};
  size_t width = element.getIntOrFloatBitWidth() / 8;
  ArrayRef<char> bytes = rawBytesOf(value);
  if (bytes.empty() || bytes.size() != type.getNumElements() * width) return {};
  SmallVector<char> made = transpose(bytes, value.getShapedType().getShape(), permutation, width);
  if (dense) return DenseElementsAttr::getFromRawBuffer(type, made);
  StringRef name = cast<DenseResourceElementsAttr>(value).getRawHandle().getKey();
  return DenseResourceElementsAttr::get(type, name, HeapAsmResourceBlob::allocateAndCopyWithAlign(made, /*align=*/64));
}

struct FoldConstantTranspose : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter& rewriter) const override {
    std::optional<SmallVector<int64_t>> permutation = permutationOf(op);
    auto type = dyn_cast_or_null<RankedTensorType>(permutation ? op->getResult(0).getType() : Type());
    auto constant = type ? op->getOperand(0).getDefiningOp<arith::ConstantOp>() : nullptr;
    if (!constant || !constant->hasOneUse()) return failure();
    auto value = dyn_cast<ElementsAttr>(constant.getValue());
    if (!value || value.getElementType() != type.getElementType() || !type.hasStaticShape()) return failure();
    TypedAttr made = transposed(value, type, *permutation);
    if (!made) return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, made);
    return success();
  }
};

/// Folds a reshape into a constant that nothing else reads, so that a transpose behind it sees a constant.
template <typename Reshape>
struct FoldConstantReshape : OpRewritePattern<Reshape> {
  using OpRewritePattern<Reshape>::OpRewritePattern;

  LogicalResult matchAndRewrite(Reshape op, PatternRewriter& rewriter) const override {
    auto constant = op.getSrc().template getDefiningOp<arith::ConstantOp>();
    RankedTensorType type = op.getResultType();
    if (!constant || !constant->hasOneUse() || !type.hasStaticShape()) return failure();
    TypedAttr made;
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
      made = dense.reshape(type);
    else if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
      made = DenseResourceElementsAttr::get(type, resource.getRawHandle());
    if (!made) return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, made);
    return success();
  }
};

struct UnpackBooleanResource : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op, PatternRewriter& rewriter) const override {
    auto packed = dyn_cast<ElementsAttr>(op.getValue());
    ElementsAttr unpacked = unpackedBooleans(packed);
    if (unpacked == packed) return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, cast<TypedAttr>(unpacked));
    return success();
  }
};

Value memoryOf(ImplicitLocOpBuilder& builder, SymbolRefAttr global, Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return memref::GetGlobalOp::create(builder, MemRefType::get(type.getShape(), type.getElementType()),
                                     global.getLeafReference());
}

// Loads and stores of globals are copies between buffers, in place. As tensors, bufferization might compute the stored
// value in the global long before the store, and read it there long after the load.

/// Returns a copy of the global's value, which later stores do not change.
Value loadValue(Operation* op, SymbolRefAttr global) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Type type = op->getResult(0).getType();
  Value memory = memoryOf(builder, global, type);
  Value now = memref::AllocOp::create(builder, cast<MemRefType>(memory.getType()));
  memref::CopyOp::create(builder, memory, now);
  return bufferization::ToTensorOp::create(builder, type, now, /*restrict=*/true, /*writable=*/true);
}

void storeValue(ml_program::GlobalStoreOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value memory = memoryOf(builder, op.getGlobal(), op.getValue().getType());
  Value value = bufferization::ToBufferOp::create(builder, memory.getType(), op.getValue(), /*read_only=*/true);
  memref::CopyOp::create(builder, value, memory);
}

/// Replaces a load of an immutable global by a constant.
void loadAsConstant(ml_program::GlobalOp global, TypedAttr value) {
  auto module = global->getParentOfType<ModuleOp>();
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(global, module);
  for (SymbolTable::SymbolUse use : llvm::to_vector(*uses)) {
    Operation* load = use.getUser();
    OpBuilder builder(load);
    load->replaceAllUsesWith(arith::ConstantOp::create(builder, load->getLoc(), value));
    load->erase();
  }
}

LogicalResult lowerGlobal(ml_program::GlobalOp global) {
  auto type = dyn_cast<RankedTensorType>(global.getType());
  auto value = unpackedBooleans(dyn_cast_or_null<ElementsAttr>(global.getValueAttr()));
  if (!type || !type.hasStaticShape() || !value)
    return global.emitError("a global of type ")
           << global.getType()
           << " cannot be compiled: it must be a tensor of static shape, and have its initial value in this module";
  if (!global.getIsMutable()) {
    loadAsConstant(global, cast<TypedAttr>(value));
  } else {
    OpBuilder builder(global);
    memref::GlobalOp::create(builder, global.getLoc(), global.getSymName(), builder.getStringAttr("private"),
                             MemRefType::get(type.getShape(), type.getElementType()), value,
                             /*constant=*/false, /*alignment=*/IntegerAttr());
  }
  global.erase();
  return success();
}

}  // namespace

ArrayRef<char> rawBytesOf(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) return dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob* blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob ? blob->getData() : ArrayRef<char>();
}

ElementsAttr unpackedBooleans(ElementsAttr value) {
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value);
  if (!resource || !resource.getElementType().isInteger(1)) return value;
  ArrayRef<char> bytes = rawBytesOf(resource);
  auto count = static_cast<size_t>(resource.getNumElements());
  bool isPacked = bytes.size() == (count + 7) / 8;
  if (bytes.size() != count && !isPacked) return value;
  SmallVector<bool> values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(bytes.size() == count ? bytes[i] != 0 : (bytes[i / 8] >> (i % 8) & 1) != 0);
  return DenseElementsAttr::get(resource.getType(), values);
}

void populateConstantValuePatterns(RewritePatternSet& patterns) {
  patterns.add<FoldConstantTranspose, FoldConstantReshape<tensor::CollapseShapeOp>,
               FoldConstantReshape<tensor::ExpandShapeOp>, UnpackBooleanResource>(patterns.getContext());
}

LogicalResult lowerProgramGlobals(ModuleOp module) {
  for (auto global : llvm::make_early_inc_range(module.getOps<ml_program::GlobalOp>()))
    if (global.isPrivate() && SymbolTable::symbolKnownUseEmpty(global, module)) global.erase();
  for (auto global : llvm::make_early_inc_range(module.getOps<ml_program::GlobalOp>()))
    if (failed(lowerGlobal(global))) return failure();
  SmallVector<Operation*> uses;
  module.walk([&](Operation* op) {
    if (isa<ml_program::GlobalLoadOp, ml_program::GlobalStoreOp>(op)) uses.push_back(op);
  });
  for (Operation* op : uses) {
    if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op)) load.replaceAllUsesWith(loadValue(op, load.getGlobal()));
    if (auto store = dyn_cast<ml_program::GlobalStoreOp>(op)) storeValue(store);
    op->erase();
  }
  return success();
}

}  // namespace mmtune
