// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/rewriting.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

/// An f32 has 13 bits of mantissa more than a tf32.
constexpr int64_t kTf32Discarded = 13;
constexpr int64_t kTf32Nan = 0x7FFFFFFF;

/// The float's bits with the lowest 13 rounded away; a NaN becomes PTX's canonical one.
LogicalResult rewriteToTf32(NVVM::ConvertFloatToTF32Op convert, SimtEmitter& emit) {
  if (convert.getSat() != NVVM::SaturationMode::NONE || convert.getRelu())
    return emit.unsupported("nvvm.convert.float.to.tf32 with saturation or relu");
  ImplicitLocOpBuilder& builder = emit.builder;
  Value bits = LLVM::BitcastOp::create(builder, builder.getI32Type(), convert.getSrc());
  Value rounded = bits;
  constexpr int64_t kHalf = int64_t{1} << (kTf32Discarded - 1);
  if (convert.getRnd() == NVVM::FPRoundingMode::RNA) {
    rounded = LLVM::AddOp::create(builder, bits, emit.i32(kHalf));
  } else if (convert.getRnd() == NVVM::FPRoundingMode::RN) {
    Value odd = LLVM::LShrOp::create(builder, bits, emit.i32(kTf32Discarded));
    odd = LLVM::AndOp::create(builder, odd, emit.i32(1));
    rounded = LLVM::AddOp::create(builder, bits, emit.i32(kHalf - 1));
    rounded = LLVM::AddOp::create(builder, rounded, odd);
  }
  Value kept = LLVM::AndOp::create(builder, rounded, emit.i32(~((int64_t{1} << kTf32Discarded) - 1)));
  Value isNan = LLVM::FCmpOp::create(builder, LLVM::FCmpPredicate::uno, convert.getSrc(), convert.getSrc());
  return emit.replace(LLVM::SelectOp::create(builder, isNan, emit.i32(kTf32Nan), kept));
}

/// Two floats to a vector of two halves, the low one first.
template <typename Convert>
LogicalResult rewriteToPair(Convert convert, SimtEmitter& emit) {
  if (convert.getRnd() != NVVM::FPRoundingMode::RN || convert.getRelu() ||
      convert.getSat() != NVVM::SaturationMode::NONE)
    return emit.unsupported(Twine(convert->getName().getStringRef()) +
                            " other than to nearest even, without relu and saturation,");
  ImplicitLocOpBuilder& builder = emit.builder;
  auto type = cast<VectorType>(convert.getDst().getType());
  Value pair = LLVM::PoisonOp::create(builder, type);
  for (auto [i, source] : llvm::enumerate(ValueRange{convert.getSrcLo(), convert.getSrcHi()})) {
    Value half = LLVM::FPTruncOp::create(builder, type.getElementType(), source);
    pair = LLVM::InsertElementOp::create(builder, pair, half, emit.i32(i));
  }
  return emit.replace(pair);
}

}  // namespace

Rewritten rewriteConversion(SimtEmitter& emit) {
  return llvm::TypeSwitch<Operation*, Rewritten>(emit.op)
      .Case<NVVM::ConvertFloatToTF32Op>([&](auto op) { return rewriteToTf32(op, emit); })
      .Case<NVVM::ConvertF32x2ToF16x2Op, NVVM::ConvertF32x2ToBF16x2Op>([&](auto op) { return rewriteToPair(op, emit); })
      .Case<NVVM::RcpApproxFtzF32Op>([&](auto op) {
        Value one = LLVM::ConstantOp::create(emit.builder, emit.builder.getF32Type(), emit.builder.getF32FloatAttr(1));
        return emit.replace(LLVM::FDivOp::create(emit.builder, one, op.getArg()));
      })
      .Default([](Operation*) { return std::nullopt; });
}

}  // namespace mmtune
