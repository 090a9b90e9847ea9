#include "kernels/builder/host_function_builder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Takes the steps of a plan at the builder's insertion point.
class PlanEmitter {
public:
  PlanEmitter(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  void bind(PlanBuffer buffer, Value memref) { buffers[static_cast<size_t>(buffer)] = memref; }

  void emit(const PlanStep &step) {
    if (step.kind == PlanStep::Kind::kMemset)
      return clear(step);
    SmallVector<Value> operands;
    for (PlanBuffer argument : step.arguments)
      operands.push_back(buffers[static_cast<size_t>(argument)]);
    auto kernel = SymbolRefAttr::get(builder.getContext(), kKernelModuleName,
                                     {FlatSymbolRefAttr::get(builder.getContext(), step.kernel)});
    Value shared;
    if (step.dynamic_shared_bytes != 0)
      shared = arith::ConstantIntOp::create(builder, loc, step.dynamic_shared_bytes, 32);
    gpu::LaunchFuncOp::create(builder, loc, kernel, extents(step.grid), extents(step.block), shared,
                              operands);
  }

private:
  void clear(const PlanStep &step) {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
    gpu::MemsetOp::create(builder, loc, TypeRange(), ValueRange(),
                          buffers[static_cast<size_t>(step.buffer)], zero);
  }

  gpu::KernelDim3 extents(const uint32_t (&sizes)[3]) {
    auto extent = [&](uint32_t size) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, size);
    };
    return {extent(sizes[0]), extent(sizes[1]), extent(sizes[2])};
  }

  OpBuilder &builder;
  Location loc;
  Value buffers[4];
};

} // namespace

OwningOpRef<ModuleOp> createContainerModule(MLIRContext &context) {
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> container = ModuleOp::create(builder.getUnknownLoc());
  (*container)->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());
  builder.setInsertionPointToStart(container->getBody());
  gpu::GPUModuleOp::create(builder, builder.getUnknownLoc(), kKernelModuleName);
  return container;
}

gpu::GPUModuleOp kernelModule(ModuleOp container) {
  return container.lookupSymbol<gpu::GPUModuleOp>(kKernelModuleName);
}

void buildHostFunction(ModuleOp container, const MatmulProblem &problem, const LaunchPlan &plan) {
  OpBuilder builder(container.getBodyRegion());
  Location loc = container.getLoc();
  auto matrix = [&](int64_t rows, int64_t columns) {
    return MemRefType::get({rows, columns}, builder.getF32Type());
  };
  MemRefType a = matrix(problem.m, problem.k), b = matrix(problem.k, problem.n);
  MemRefType c = matrix(problem.m, problem.n);
  auto function =
      func::FuncOp::create(builder, loc, kHostFunctionName, builder.getFunctionType({a, b}, {c}));
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), builder.getUnitAttr());
  builder.setInsertionPointToStart(function.addEntryBlock());

  PlanEmitter emitter(builder, loc);
  Value result = memref::AllocOp::create(builder, loc, c);
  emitter.bind(PlanBuffer::kA, function.getArgument(0));
  emitter.bind(PlanBuffer::kB, function.getArgument(1));
  emitter.bind(PlanBuffer::kC, result);
  Value workspace;
  if (plan.workspace_bytes != 0) {
    workspace = memref::AllocOp::create(
        builder, loc, MemRefType::get({plan.workspace_bytes / 4}, builder.getF32Type()));
    emitter.bind(PlanBuffer::kWorkspace, workspace);
  }
  for (const PlanStep &step : plan.steps)
    emitter.emit(step);
  if (workspace)
    memref::DeallocOp::create(builder, loc, workspace);
  func::ReturnOp::create(builder, loc, result);
}

} // namespace mmtune
