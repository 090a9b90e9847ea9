// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/tensor_maps.h"

#include "kernels/builder/host_builder.h"
#include "kernels/tensor_map.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr char kEncode[] = "mgpuTensorMapEncodeTiled";
constexpr unsigned kMapWords = 16, kMapAlignment = 64;

/// Returns the number, or `otherwise` if it is absent.
int64_t numberOf(DictionaryAttr map, StringRef name, int64_t otherwise = 0) {
  auto number = map.getAs<IntegerAttr>(name);
  return number ? number.getInt() : otherwise;
}

ArrayRef<int64_t> numbersOf(DictionaryAttr map, StringRef name) {
  auto numbers = map.getAs<DenseI64ArrayAttr>(name);
  return numbers ? numbers.asArrayRef() : ArrayRef<int64_t>();
}

Value constant(ImplicitLocOpBuilder& builder, int64_t value) {
  return arith::ConstantIntOp::create(builder, value, 64);
}

/// Returns the number of rows, as an i64, that the launch passes after the operands of the plan; null if it passes
/// none.
Value rowsOf(ImplicitLocOpBuilder& builder, gpu::LaunchFuncOp launch) {
  auto maps = launch->getAttrOfType<ArrayAttr>(kTensorMapsAttrName);
  if (launch.getNumKernelOperands() != maps.size() + 1) return Value();
  return arith::ExtUIOp::create(builder, builder.getI64Type(), launch.getKernelOperands().back());
}

/// Returns the bytes of a memref with the identity layout.
Value bytesOf(ImplicitLocOpBuilder& builder, Value memref, int64_t elementBytes) {
  Value bytes = constant(builder, elementBytes);
  for (int64_t dim = 0; dim < cast<MemRefType>(memref.getType()).getRank(); ++dim) {
    Value size = memref::DimOp::create(builder, memref, dim);
    bytes = arith::MulIOp::create(builder, bytes, arith::IndexCastOp::create(builder, builder.getI64Type(), size));
  }
  return bytes;
}

/// The extents and strides of a map, as i64.
struct Dimensions {
  SmallVector<Value> extents, strides;
};

/// Replaces the extents and strides that depend on the number of rows or matrices. The operand is dense. So strides
/// that are longer than the stride of the rows are proportional to the number of rows, and the number of matrices is
/// the size of the operand in bytes divided by the stride of the matrices.
void setAtRunTime(ImplicitLocOpBuilder& builder, gpu::LaunchFuncOp launch, unsigned index, DictionaryAttr map,
                  Dimensions& dimensions) {
  const int64_t elementBytes = TensorElementBytes(static_cast<int>(numberOf(map, "type")));
  const int64_t rowsAt = numberOf(map, "rows", -1), batchAt = numberOf(map, "batch", -1);
  ArrayRef<int64_t> extents = numbersOf(map, "extents"), strides = numbersOf(map, "strides");
  if (Value rows = rowsOf(builder, launch); rows && rowsAt >= 0) {
    dimensions.extents[rowsAt] = rows;
    const int64_t ofRows = rowsAt == 0 ? elementBytes : strides[rowsAt - 1];
    for (auto [i, stride] : llvm::enumerate(strides))
      if (stride > ofRows)
        dimensions.strides[i] = arith::MulIOp::create(builder, rows, constant(builder, stride / extents[rowsAt]));
  }
  Value operand = launch.getKernelOperand(index);
  if (batchAt < 1 || cast<MemRefType>(operand.getType()).hasStaticShape()) return;
  Value stride = arith::MaxUIOp::create(builder, dimensions.strides[batchAt - 1], constant(builder, 1));
  dimensions.extents[batchAt] = arith::DivUIOp::create(builder, bytesOf(builder, operand, elementBytes), stride);
}

InFlightDiagnostic refuse(gpu::LaunchFuncOp launch, unsigned index) {
  return launch.emitError("the tensor map of argument ") << index << " in " << kTensorMapsAttrName << " ";
}

LogicalResult checkNumbers(gpu::LaunchFuncOp launch, unsigned index, DictionaryAttr map) {
  ArrayRef<int64_t> extents = numbersOf(map, "extents"), strides = numbersOf(map, "strides"),
                    box = numbersOf(map, "box");
  const auto rank = static_cast<int64_t>(extents.size());
  if (rank < 1 || rank > kMaxTensorRank || box.size() != extents.size() || strides.size() + 1 != extents.size())
    return refuse(launch, index) << "has " << rank << " extents, " << strides.size() << " strides and " << box.size()
                                 << " extents of the box: give 1 to " << kMaxTensorRank
                                 << " extents, as many of the box and one stride less, as array<i64: ...>";
  const int64_t type = numberOf(map, "type", -1);
  if (TensorElementBytes(static_cast<int>(type)) == 0)
    return refuse(launch, index) << "has the type " << type << ": it must be a CUtensorMapDataType";
  const int64_t rows = numberOf(map, "rows", -1), batch = numberOf(map, "batch", -1);
  if (rows < -1 || rows >= rank || batch < -1 || batch == 0 || batch >= rank)
    return refuse(launch, index) << "has " << rank << " dimensions, so that rows=" << rows << ", batch=" << batch
                                 << " are none: rows must be one of them, and batch not the innermost";
  const int64_t ofRows = rows < 0 ? 0 : rows == 0 ? 1 : strides[rows - 1];
  for (int64_t stride : strides)
    if (rows >= 0 && stride > ofRows && (extents[rows] == 0 || stride % extents[rows] != 0))
      return refuse(launch, index) << "has the stride " << stride << ", which is no multiple of its " << extents[rows]
                                   << " rows: a map of rows at run time is of a dense matrix";
  return success();
}

}  // namespace

DictionaryAttr tensorMapOf(gpu::LaunchFuncOp launch, unsigned index) {
  auto maps = launch->getAttrOfType<ArrayAttr>(kTensorMapsAttrName);
  return maps && index < maps.size() ? dyn_cast<DictionaryAttr>(maps[index]) : DictionaryAttr();
}

LogicalResult checkTensorMap(gpu::LaunchFuncOp launch, LLVM::LLVMFuncOp kernel, unsigned index) {
  auto type = dyn_cast<MemRefType>(launch.getKernelOperand(index).getType());
  auto byValue = kernel.getArgAttrOfType<TypeAttr>(index, LLVM::LLVMDialect::getByValAttrName());
  if (!type) return refuse(launch, index) << "is of a " << launch.getKernelOperand(index).getType() << ", not a memref";
  if (!byValue)
    return refuse(launch, index) << "is 128 bytes by value, but the kernel takes a "
                                 << kernel.getFunctionType().getParamType(index)
                                 << ": give its parameter llvm.byval and nvvm.grid_constant";
  const bool passesRows =
      launch.getNumKernelOperands() == launch->getAttrOfType<ArrayAttr>(kTensorMapsAttrName).size() + 1;
  if (passesRows && tensorMapOf(launch, index).contains("rows") &&
      !launch.getKernelOperands().back().getType().isInteger(32))
    return refuse(launch, index) << "has rows that the launch's last operand counts, but that is no i32";
  return checkNumbers(launch, index, tensorMapOf(launch, index));
}

// The map and its numbers are on the stack only until the launch has its value:
//
//     %stack = llvm.intr.stacksave
//     %map = llvm.alloca 16 x i64 align 64
//     %numbers = llvm.alloca of extents, strides, box, type, interleave, swizzle, promotion, fill; stores of them
//     mgpuTensorMapEncodeTiled(%map, %address, rank, %numbers)
//     %value = llvm.load %map : !llvm.array<16 x i64>
//     llvm.intr.stackrestore %stack
Value createTensorMap(ImplicitLocOpBuilder& builder, gpu::LaunchFuncOp launch, unsigned index, Value address) {
  DictionaryAttr map = tensorMapOf(launch, index);
  auto toValues = [&](ArrayRef<int64_t> numbers) {
    return llvm::map_to_vector(numbers, [&](int64_t number) { return constant(builder, number); });
  };
  Dimensions dimensions{toValues(numbersOf(map, "extents")), toValues(numbersOf(map, "strides"))};
  setAtRunTime(builder, launch, index, map, dimensions);
  SmallVector<Value> numbers = dimensions.extents;
  llvm::append_range(numbers, dimensions.strides);
  llvm::append_range(numbers, toValues(numbersOf(map, "box")));
  for (StringRef name : {"type", "interleave", "swizzle", "l2_promotion", "fill"})
    numbers.push_back(constant(builder, numberOf(map, name)));

  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  OpBuilder declarations(builder.getContext());
  FailureOr<LLVM::LLVMFuncOp> encode =
      LLVM::lookupOrCreateFn(declarations, launch->getParentOfType<ModuleOp>(), kEncode,
                             {pointer, pointer, i64, pointer}, LLVM::LLVMVoidType::get(builder.getContext()));
  if (failed(encode)) return Value();
  Value stack = LLVM::StackSaveOp::create(builder, pointer);
  Value encoded = LLVM::AllocaOp::create(builder, pointer, i64, constant(builder, kMapWords), kMapAlignment);
  Value words = LLVM::AllocaOp::create(builder, pointer, i64, constant(builder, static_cast<int64_t>(numbers.size())),
                                       /*alignment=*/8);
  for (auto [i, number] : llvm::enumerate(numbers)) {
    Value at = LLVM::GEPOp::create(builder, pointer, i64, words, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(builder, number, at);
  }
  Value rank = constant(builder, static_cast<int64_t>(dimensions.extents.size()));
  LLVM::CallOp::create(builder, *encode, ValueRange{encoded, address, rank, words});
  Value value = LLVM::LoadOp::create(builder, LLVM::LLVMArrayType::get(i64, kMapWords), encoded, kMapAlignment);
  LLVM::StackRestoreOp::create(builder, stack);
  return value;
}

}  // namespace mmtune
