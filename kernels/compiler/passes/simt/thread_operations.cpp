// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Returns the offset in the thread's context of the value that a special register reads.
std::optional<size_t> contextOffset(Operation* op) {
  using Offset = std::optional<size_t>;
  return llvm::TypeSwitch<Operation*, Offset>(op)
      .Case<NVVM::ThreadIdXOp>([](auto) { return offsetof(simt::ThreadContext, tid[0]); })
      .Case<NVVM::ThreadIdYOp>([](auto) { return offsetof(simt::ThreadContext, tid[1]); })
      .Case<NVVM::ThreadIdZOp>([](auto) { return offsetof(simt::ThreadContext, tid[2]); })
      .Case<NVVM::BlockIdXOp>([](auto) { return offsetof(simt::ThreadContext, ctaid[0]); })
      .Case<NVVM::BlockIdYOp>([](auto) { return offsetof(simt::ThreadContext, ctaid[1]); })
      .Case<NVVM::BlockIdZOp>([](auto) { return offsetof(simt::ThreadContext, ctaid[2]); })
      .Case<NVVM::BlockDimXOp>([](auto) { return offsetof(simt::ThreadContext, ntid[0]); })
      .Case<NVVM::BlockDimYOp>([](auto) { return offsetof(simt::ThreadContext, ntid[1]); })
      .Case<NVVM::BlockDimZOp>([](auto) { return offsetof(simt::ThreadContext, ntid[2]); })
      .Case<NVVM::GridDimXOp>([](auto) { return offsetof(simt::ThreadContext, nctaid[0]); })
      .Case<NVVM::GridDimYOp>([](auto) { return offsetof(simt::ThreadContext, nctaid[1]); })
      .Case<NVVM::GridDimZOp>([](auto) { return offsetof(simt::ThreadContext, nctaid[2]); })
      .Case<NVVM::LaneIdOp>([](auto) { return offsetof(simt::ThreadContext, lane); })
      .Case<NVVM::WarpIdOp>([](auto) { return offsetof(simt::ThreadContext, warp); })
      .Case<NVVM::WarpDimOp>([](auto) { return offsetof(simt::ThreadContext, warps); })
      .Case<NVVM::DynamicSmemSize>([](auto) { return offsetof(simt::ThreadContext, dynamic_shared_bytes); })
      .Default([](Operation*) { return std::nullopt; });
}

/// Returns the value of a constant register: the device is one multiprocessor that runs one grid.
std::optional<int64_t> constantRegister(Operation* op) {
  using Constant = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation*, Constant>(op)
      .Case<NVVM::WarpSizeOp>([](auto) { return 32; })
      .Case<NVVM::SmIdOp, NVVM::GridIdOp>([](auto) { return 0; })
      .Case<NVVM::SmDimOp>([](auto) { return 1; })
      .Default([](Operation*) { return std::nullopt; });
}

/// Returns the mask of lanes that a lanemask operation reads; null for other operations.
Value laneMask(SimtEmitter& emit) {
  ImplicitLocOpBuilder& builder = emit.builder;
  auto own = [&]() -> Value {
    Value lane = emit.function.contextField(offsetof(simt::ThreadContext, lane), builder.getI32Type());
    return LLVM::ShlOp::create(builder, emit.i32(1), lane);
  };
  auto below = [&]() -> Value { return LLVM::SubOp::create(builder, own(), emit.i32(1)); };
  auto upTo = [&]() -> Value { return LLVM::OrOp::create(builder, own(), below()); };
  auto others = [&](Value mask) -> Value { return LLVM::XOrOp::create(builder, mask, emit.i32(-1)); };
  return llvm::TypeSwitch<Operation*, Value>(emit.op)
      .Case<NVVM::LaneMaskEqOp>([&](auto) { return own(); })
      .Case<NVVM::LaneMaskLtOp>([&](auto) { return below(); })
      .Case<NVVM::LaneMaskLeOp>([&](auto) { return upTo(); })
      .Case<NVVM::LaneMaskGeOp>([&](auto) { return others(below()); })
      .Case<NVVM::LaneMaskGtOp>([&](auto) { return others(upTo()); })
      .Default([](Operation*) { return Value(); });
}

Value sharedBytes(SimtEmitter& emit) {
  Value dynamic =
      emit.function.contextField(offsetof(simt::ThreadContext, dynamic_shared_bytes), emit.builder.getI32Type());
  Value fixed = emit.i32(emit.function.state().layout.staticBytes());
  return LLVM::AddOp::create(emit.builder, dynamic, fixed);
}

/// Returns the host's cycle counter, whatever the register's unit.
Value hostClock(SimtEmitter& emit) {
  ImplicitLocOpBuilder& builder = emit.builder;
  Value cycles = LLVM::CallIntrinsicOp::create(builder, builder.getI64Type(),
                                               builder.getStringAttr("llvm.readcyclecounter"), ValueRange())
                     .getResult(0);
  Type type = emit.op->getResult(0).getType();
  return type == cycles.getType() ? cycles : LLVM::TruncOp::create(builder, type, cycles);
}

/// The mantissa bits that f32 has more than tf32.
constexpr int64_t kTf32Discarded = 13;
constexpr int64_t kTf32Nan = 0x7FFFFFFF;

/// Rounds the lowest 13 bits away; a NaN becomes PTX's canonical one.
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

/// Converts two floats to a vector of two halves, the low one first.
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

Rewritten rewriteRegister(SimtEmitter& emit) {
  Operation* op = emit.op;
  if (isa<NVVM::ClockOp, NVVM::Clock64Op, NVVM::GlobalTimerOp, NVVM::GlobalTimerLoOp>(op))
    return emit.replace(hostClock(emit));
  std::optional<size_t> offset = contextOffset(op);
  std::optional<int64_t> constant = constantRegister(op);
  Value mask = laneMask(emit);
  bool size = isa<NVVM::TotalSmemSize, NVVM::AggrSmemSize>(op);
  if (!offset && !constant && !mask && !size) return std::nullopt;
  if (!op->getResult(0).getType().isInteger(32))
    return emit.unsupported(Twine(op->getName().getStringRef()) + " of a type other than i32");
  if (offset) return emit.replace(emit.function.contextField(*offset, emit.builder.getI32Type()));
  if (constant) return emit.replace(emit.i32(*constant));
  return emit.replace(mask ? mask : sharedBytes(emit));
}

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
