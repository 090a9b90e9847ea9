// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/rewriting.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Where the thread's context holds what a special register reads.
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

/// The device is one multiprocessor that runs one grid.
std::optional<int64_t> constantRegister(Operation* op) {
  using Constant = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation*, Constant>(op)
      .Case<NVVM::WarpSizeOp>([](auto) { return 32; })
      .Case<NVVM::SmIdOp, NVVM::GridIdOp>([](auto) { return 0; })
      .Case<NVVM::SmDimOp>([](auto) { return 1; })
      .Default([](Operation*) { return std::nullopt; });
}

/// The mask of lanes that an operation of the lanemask family reads; null for other operations.
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

/// The host's cycle counter, whatever the register's unit.
Value hostClock(SimtEmitter& emit) {
  ImplicitLocOpBuilder& builder = emit.builder;
  Value cycles = LLVM::CallIntrinsicOp::create(builder, builder.getI64Type(),
                                               builder.getStringAttr("llvm.readcyclecounter"), ValueRange())
                     .getResult(0);
  Type type = emit.op->getResult(0).getType();
  return type == cycles.getType() ? cycles : LLVM::TruncOp::create(builder, type, cycles);
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

}  // namespace mmtune
