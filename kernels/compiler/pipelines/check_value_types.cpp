// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/pipelines/passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_CHECKVALUETYPESPASS
#include "kernels/compiler/pipelines/Passes.h.inc"

namespace {

Type elementOf(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type)) return elementOf(shaped.getElementType());
  if (auto complex = dyn_cast<ComplexType>(type)) return elementOf(complex.getElementType());
  return type;
}

/// Why no code has it; empty when code may.
StringRef whyNoCode(Type type, bool inKernel) {
  Type element = elementOf(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (auto memref = dyn_cast<MemRefType>(type); memref && failed(memref.getStridesAndOffset(strides, offset)))
    return "has elements that do not lie at fixed distances: use a dense or strided buffer";
  if (isa<NoneType, TupleType>(element)) return "has no form in machine code: pass its parts one by one";
  if (isa<FloatTF32Type>(element)) return "is a format of matrix instructions alone: keep the values as f32";
  if (inKernel && isa<Float80Type, Float128Type>(element)) return "has no form in device code: use f64 at most";
  return "";
}

/// Whether no kernel can have a parameter of this type: PTX has whole bytes only.
bool isOddInteger(Type type) {
  return type.isInteger() && !llvm::is_contained({1u, 8u, 16u, 32u, 64u, 128u}, type.getIntOrFloatBitWidth());
}

LogicalResult check(Location loc, Type type, bool inKernel) {
  StringRef reason = whyNoCode(type, inKernel);
  return reason.empty() ? success() : emitError(loc) << "a value of type " << type << " " << reason;
}

LogicalResult checkParameters(gpu::GPUFuncOp kernel) {
  for (BlockArgument argument : kernel.getArguments())
    if (kernel.isKernel() && isOddInteger(argument.getType()))
      return emitError(argument.getLoc())
             << "a value of type " << argument.getType()
             << " cannot be passed to a kernel: extend it to 8, 16, 32 or 64 bits before the launch";
  return success();
}

/// LLVM has the elements of a vector side by side by the bit, but those of a buffer in whole bytes, of which there are
/// a power of two.
LogicalResult checkAccess(Operation* op, Type base, VectorType vector) {
  auto buffer = dyn_cast<MemRefType>(base);
  Type element = vector.getElementType();
  const unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 8;
  const bool isOne = !vector.isScalable() && vector.getNumElements() == 1;
  if (!buffer || isa<VectorType>(buffer.getElementType()) || isOne || (bits >= 8 && llvm::isPowerOf2_32(bits)))
    return success();
  return op->emitError("the elements of ") << vector << " do not lie in memory as those of " << buffer
                                           << ": load and store them one by one, or as integers of 8 bits or more";
}

LogicalResult checkAccess(Operation* op) {
  return llvm::TypeSwitch<Operation*, LogicalResult>(op)
      .Case<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp, vector::MaskedStoreOp, VectorTransferOpInterface>(
          [&](auto access) { return checkAccess(op, access.getBase().getType(), access.getVectorType()); })
      .Case<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(
          [&](auto access) { return checkAccess(op, access.getMemRefType(), access.getVectorType()); })
      .Default(success());
}

LogicalResult checkOperation(Operation* op) {
  if (failed(checkAccess(op))) return failure();
  bool inKernel = op->getParentOfType<gpu::GPUModuleOp>() != nullptr;
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op); kernel && failed(checkParameters(kernel))) return failure();
  if (auto function = dyn_cast<func::FuncOp>(op))
    for (Type type : llvm::concat<const Type>(function.getArgumentTypes(), function.getResultTypes()))
      if (failed(check(op->getLoc(), type, inKernel))) return failure();
  for (Region& region : op->getRegions())
    for (Block& block : region)
      for (BlockArgument argument : block.getArguments())
        if (failed(check(argument.getLoc(), argument.getType(), inKernel))) return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(op->getLoc(), type, inKernel))) return failure();
  return success();
}

struct CheckValueTypes : impl::CheckValueTypesPassBase<CheckValueTypes> {
  void runOnOperation() override {
    WalkResult result =
        getOperation().walk<WalkOrder::PreOrder>([](Operation* op) -> WalkResult { return checkOperation(op); });
    if (result.wasInterrupted()) signalPassFailure();
  }
};

}  // namespace
}  // namespace mmtune
