// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/launch_plan_emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace mmtune {
namespace {

class PlanEmitter {
 public:
  PlanEmitter(OpBuilder& builder, Location loc, StringRef kernelModule, const PlanMemRefs& buffers)
      : builder(builder), loc(loc), kernelModule(kernelModule), buffers(buffers) {}

  void emit(const PlanStep& step) {
    if (step.kind == PlanStep::Kind::kMemset) return clear(step);
    SmallVector<Value> operands;
    for (PlanBuffer argument : step.arguments) operands.push_back(buffers[argument]);
    auto kernel = SymbolRefAttr::get(builder.getContext(), kernelModule,
                                     {FlatSymbolRefAttr::get(builder.getContext(), step.kernel)});
    Value shared;
    if (step.dynamic_shared_bytes != 0)
      shared = arith::ConstantIntOp::create(builder, loc, step.dynamic_shared_bytes, 32);
    gpu::LaunchFuncOp::create(builder, loc, kernel, extents(step.grid), extents(step.block), shared, operands);
  }

 private:
  void clear(const PlanStep& step) {
    auto type = cast<MemRefType>(buffers[step.buffer].getType());
    Value zero = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type.getElementType())));
    gpu::MemsetOp::create(builder, loc, TypeRange(), ValueRange(), buffers[step.buffer], zero);
  }

  gpu::KernelDim3 extents(const uint32_t (&sizes)[3]) {
    auto extent = [&](uint32_t size) -> Value { return arith::ConstantIndexOp::create(builder, loc, size); };
    return {extent(sizes[0]), extent(sizes[1]), extent(sizes[2])};
  }

  OpBuilder& builder;
  Location loc;
  StringRef kernelModule;
  const PlanMemRefs& buffers;
};

}  // namespace

void emitLaunchPlan(OpBuilder& builder, Location loc, const LaunchPlan& plan, StringRef kernelModule,
                    PlanMemRefs buffers) {
  Value workspace;
  if (plan.workspace_bytes != 0) {
    auto type = MemRefType::get({plan.workspace_bytes / 4}, builder.getF32Type());
    workspace = memref::AllocOp::create(builder, loc, type);
    buffers[PlanBuffer::kWorkspace] = workspace;
  }
  PlanEmitter emitter(builder, loc, kernelModule, buffers);
  for (const PlanStep& step : plan.steps) emitter.emit(step);
  if (workspace) memref::DeallocOp::create(builder, loc, workspace);
}

}  // namespace mmtune
