// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/float_atomics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {
namespace {

unsigned addressSpaceOf(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (auto number = dyn_cast_or_null<IntegerAttr>(space)) return static_cast<unsigned>(number.getInt());
  auto named = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
  if (!named) return 0;
  switch (named.getValue()) {
    case gpu::AddressSpace::Workgroup:
      return static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
    case gpu::AddressSpace::Private:
      return static_cast<unsigned>(NVVM::NVVMMemorySpace::Local);
    default:
      return static_cast<unsigned>(NVVM::NVVMMemorySpace::Global);
  }
}

/// The address of one element.
Value addressOf(ImplicitLocOpBuilder& builder, TypedValue<MemRefType> buffer, ValueRange indices, unsigned bytes) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, buffer);
  Value index = metadata.getOffset();
  for (auto [stride, at] : llvm::zip_equal(metadata.getStrides(), indices))
    index = arith::AddIOp::create(builder, index, arith::MulIOp::create(builder, at, stride));
  Value offset = arith::MulIOp::create(builder, index, arith::ConstantIndexOp::create(builder, bytes));
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, buffer);
  address = arith::AddIOp::create(builder, address, offset);
  address = arith::IndexCastOp::create(builder, builder.getI64Type(), address);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), addressSpaceOf(buffer.getType()));
  return LLVM::IntToPtrOp::create(builder, pointer, address);
}

///     bits = load(p)
///     do
///       old = bits, (bits, done) = cmpxchg(p, old, body(old))
///     while (!done)
void expand(memref::GenericAtomicRMWOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  auto buffer = cast<TypedValue<MemRefType>>(op.getMemref());
  Type type = buffer.getType().getElementType();
  const unsigned bytes = type.getIntOrFloatBitWidth() / 8;
  Type integer = builder.getIntegerType(bytes * 8);
  Value pointer = addressOf(builder, buffer, op.getIndices(), bytes);
  Value first =
      LLVM::LoadOp::create(builder, integer, pointer, bytes, /*isVolatile=*/false, /*isNonTemporal=*/false,
                           /*isInvariant=*/false, /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
  auto loop = scf::WhileOp::create(
      builder, TypeRange{integer}, ValueRange{first},
      [&](OpBuilder& inside, Location loc, ValueRange bits) {
        ImplicitLocOpBuilder body(loc, inside);
        IRMapping mapping;
        mapping.map(op.getCurrentValue(), arith::BitcastOp::create(body, type, bits[0]).getResult());
        Block& computation = op.getRegion().front();
        for (Operation& inner : computation.without_terminator()) body.clone(inner, mapping);
        Value next = mapping.lookupOrDefault(computation.getTerminator()->getOperand(0));
        next = arith::BitcastOp::create(body, integer, next);
        Value exchanged = LLVM::AtomicCmpXchgOp::create(body, pointer, bits[0], next, LLVM::AtomicOrdering::acq_rel,
                                                        LLVM::AtomicOrdering::monotonic);
        Value found = LLVM::ExtractValueOp::create(body, exchanged, ArrayRef<int64_t>{0});
        Value done = LLVM::ExtractValueOp::create(body, exchanged, ArrayRef<int64_t>{1});
        Value yes = arith::ConstantOp::create(body, body.getBoolAttr(true));
        scf::ConditionOp::create(body, arith::XOrIOp::create(body, done, yes), found);
      },
      [](OpBuilder& inside, Location loc, ValueRange bits) { scf::YieldOp::create(inside, loc, bits); });
  builder.setInsertionPointAfter(loop);
  op.getResult().replaceAllUsesWith(arith::BitcastOp::create(builder, type, loop.getResult(0)));
  op.erase();
}

}  // namespace

void expandFloatAtomics(Operation* root) {
  SmallVector<memref::GenericAtomicRMWOp> ops;
  root->walk([&](memref::GenericAtomicRMWOp op) {
    auto type = dyn_cast<FloatType>(op.getResult().getType());
    if (type && llvm::isPowerOf2_32(type.getWidth()) && type.getWidth() <= 64) ops.push_back(op);
  });
  for (memref::GenericAtomicRMWOp op : ops) expand(op);
}

}  // namespace mmtune
