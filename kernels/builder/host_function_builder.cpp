// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/host_function_builder.h"

#include "kernels/builder/kernel_builder.h"
#include "kernels/builder/launch_plan_emitter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace mmtune {
namespace {

/// `rows` x `columns`, or stored the other way round, with the problem's batch in front where it has one.
MemRefType matrixType(Type element, const MatmulProblem& problem, int64_t rows, int64_t columns, bool transposed) {
  SmallVector<int64_t> shape{rows, columns};
  if (transposed) std::swap(shape[0], shape[1]);
  if (problem.batch != 1) shape.insert(shape.begin(), problem.batch);
  return MemRefType::get(shape, element);
}

}  // namespace

OwningOpRef<ModuleOp> createContainerModule(MLIRContext& context) {
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

void buildHostFunction(ModuleOp container, const MatmulProblem& problem, const LaunchPlan& plan) {
  OpBuilder builder(container.getBodyRegion());
  Location loc = container.getLoc();
  Type element = elementType(builder, problem.dtype), elementC = elementType(builder, problem.TypeOfC());
  MemRefType c = matrixType(elementC, problem, problem.m, problem.n, false);
  SmallVector<PlanBuffer> buffers{PlanBuffer::kA, PlanBuffer::kB};
  SmallVector<Type> types{matrixType(element, problem, problem.m, problem.k, problem.transpose_a),
                          matrixType(element, problem, problem.k, problem.n, problem.transpose_b)};
  if (problem.HasBias()) {
    buffers.push_back(PlanBuffer::kBias);
    types.push_back(MemRefType::get({problem.n}, elementC));
  }
  if (problem.HasAddend()) {
    buffers.push_back(PlanBuffer::kAddend);
    types.push_back(c);
  }
  auto function = func::FuncOp::create(builder, loc, kHostFunctionName, builder.getFunctionType(types, {c}));
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), builder.getUnitAttr());
  builder.setInsertionPointToStart(function.addEntryBlock());

  PlanMemRefs memrefs;
  for (auto [buffer, argument] : llvm::zip_equal(buffers, function.getArguments())) memrefs[buffer] = argument;
  Value result = memref::AllocOp::create(builder, loc, c);
  memrefs[PlanBuffer::kC] = result;
  emitLaunchPlan(builder, loc, plan, kKernelModuleName, memrefs);
  func::ReturnOp::create(builder, loc, result);
}

}  // namespace mmtune
