// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/device_copy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Index arithmetic that emits operations only for values unknown at compile time.
class IndexMath {
 public:
  IndexMath(OpBuilder& builder, Location loc) : builder(builder), loc(loc) {}

  OpFoldResult number(int64_t value) { return builder.getIndexAttr(value); }
  Value value(OpFoldResult a) { return getValueOrCreateConstantIndexOp(builder, loc, a); }

  OpFoldResult add(OpFoldResult a, OpFoldResult b) {
    if (isConstantIntValue(a, 0)) return b;
    if (isConstantIntValue(b, 0)) return a;
    return make<arith::AddIOp>(a, b, [](int64_t x, int64_t y) { return x + y; });
  }
  OpFoldResult subtract(OpFoldResult a, OpFoldResult b) {
    return make<arith::SubIOp>(a, b, [](int64_t x, int64_t y) { return x - y; });
  }
  OpFoldResult multiply(OpFoldResult a, OpFoldResult b) {
    if (isConstantIntValue(b, 1)) return a;
    return make<arith::MulIOp>(a, b, [](int64_t x, int64_t y) { return x * y; });
  }
  OpFoldResult smaller(OpFoldResult a, OpFoldResult b) {
    return make<arith::MinSIOp>(a, b, [](int64_t x, int64_t y) { return std::min(x, y); });
  }
  OpFoldResult larger(OpFoldResult a, OpFoldResult b) {
    return make<arith::MaxSIOp>(a, b, [](int64_t x, int64_t y) { return std::max(x, y); });
  }
  /// Returns 0 where `size` is 0, else `a`.
  OpFoldResult zeroIfEmpty(OpFoldResult size, OpFoldResult a) {
    if (std::optional<int64_t> known = getConstantIntValue(size)) return *known == 0 ? number(0) : a;
    Value zero = value(number(0));
    Value empty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value(size), zero);
    return arith::SelectOp::create(builder, loc, empty, zero, value(a)).getResult();
  }

 private:
  template <typename Op>
  OpFoldResult make(OpFoldResult a, OpFoldResult b, llvm::function_ref<int64_t(int64_t, int64_t)> compute) {
    std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
    if (x && y) return number(compute(*x, *y));
    return Op::create(builder, loc, value(a), value(b)).getResult();
  }

  OpBuilder& builder;
  Location loc;
};

}  // namespace

StringRef whyNotCopyable(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset))) return "its elements are not at fixed distances";
  // With a negative stride the span needs elements before the first one, so the type must leave the offset dynamic.
  bool backwards = llvm::any_of(strides, [](int64_t s) { return !ShapedType::isDynamic(s) && s < 0; });
  return backwards && !ShapedType::isDynamic(offset) ? "it has a negative stride" : "";
}

Value bytesOf(ImplicitLocOpBuilder& builder, Type element, int64_t count) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value null = LLVM::ZeroOp::create(builder, pointer);
  Value number = LLVM::ConstantOp::create(builder, builder.getI64Type(), count);
  Value end = LLVM::GEPOp::create(builder, pointer, element, null, ArrayRef<LLVM::GEPArg>{number});
  return LLVM::PtrToIntOp::create(builder, builder.getI64Type(), end);
}

void createMemcpy(OpBuilder& builder, Location loc, Value target, Value source) {
  gpu::MemcpyOp::create(builder, loc, TypeRange(), ValueRange(), target, source);
}

void createDealloc(OpBuilder& builder, Location loc, Value buffer) {
  gpu::DeallocOp::create(builder, loc, TypeRange(), ValueRange(), buffer);
}

Value createDeviceAlloc(OpBuilder& builder, Location loc, MemRefType type, ValueRange sizes) {
  return gpu::AllocOp::create(builder, loc, TypeRange(type), /*asyncDependencies=*/ValueRange(), sizes,
                              /*symbolOperands=*/ValueRange(), /*hostShared=*/UnitAttr())
      .getMemref();
}

DeviceCopy::DeviceCopy(OpBuilder& builder, Location loc, Value host, bool keepOffset) : host(host) {
  auto type = cast<MemRefType>(host.getType());
  if (!type.getLayout().isIdentity()) {
    allocateSpan(builder, loc, keepOffset);
    return;
  }
  SmallVector<Value> dynamicSizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i)) dynamicSizes.push_back(memref::DimOp::create(builder, loc, host, i));
  memory = device = createDeviceAlloc(builder, loc, type, dynamicSizes);
}

void DeviceCopy::allocateSpan(OpBuilder& builder, Location loc, bool keepOffset) {
  auto type = cast<MemRefType>(host.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, host);
  sizes = metadata.getConstifiedMixedSizes();
  strides = metadata.getConstifiedMixedStrides();

  // Elements before and after the one at the offset.
  IndexMath math(builder, loc);
  OpFoldResult zero = math.number(0), one = math.number(1);
  OpFoldResult before = zero, after = zero;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    OpFoldResult distance = math.multiply(math.subtract(size, one), stride);
    before = math.subtract(before, math.smaller(distance, zero));
    after = math.add(after, math.larger(distance, zero));
  }
  offset = metadata.getConstifiedMixedOffset();
  if (!keepOffset && !getConstantIntValue(offset)) offset = before;
  OpFoldResult elements = math.add(offset, math.add(after, one));
  for (OpFoldResult size : sizes) elements = math.zeroIfEmpty(size, elements);
  extent = math.value(elements);

  auto stretchType = MemRefType::get({ShapedType::kDynamic}, type.getElementType());
  memory = createDeviceAlloc(builder, loc, stretchType, extent);
  device = viewOf(builder, loc, memory);
}

Value DeviceCopy::viewOf(OpBuilder& builder, Location loc, Value stretch) const {
  return memref::ReinterpretCastOp::create(builder, loc, cast<MemRefType>(host.getType()), stretch, offset, sizes,
                                           strides);
}

void DeviceCopy::copy(OpBuilder& builder, Location loc, bool toDevice) const {
  if (isDense()) return toDevice ? createMemcpy(builder, loc, device, host) : createMemcpy(builder, loc, host, device);
  Value stretch = memref::AllocOp::create(builder, loc, cast<MemRefType>(memory.getType()), ValueRange{extent});
  if (toDevice) {
    memref::CopyOp::create(builder, loc, host, viewOf(builder, loc, stretch));
    createMemcpy(builder, loc, memory, stretch);
  } else {
    createMemcpy(builder, loc, stretch, memory);
    memref::CopyOp::create(builder, loc, viewOf(builder, loc, stretch), host);
  }
  memref::DeallocOp::create(builder, loc, stretch);
}

}  // namespace mmtune
