// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/host_builder.h"

#include "kernels/builder/kernel_builder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Returns the type of a `rows` x `columns` matrix, or of its transpose, with the batch in front where there is one.
MemRefType matrixType(Type element, const MatmulProblem& problem, int64_t rows, int64_t columns, bool transposed) {
  SmallVector<int64_t> shape{rows, columns};
  if (transposed) std::swap(shape[0], shape[1]);
  if (problem.batch != 1) shape.insert(shape.begin(), problem.batch);
  return MemRefType::get(shape, element);
}

/// Returns the attribute mmtune.tensor_maps of these arguments, or null if none is a map.
ArrayAttr tensorMapsOf(Builder& builder, ArrayRef<PlanArgument> arguments) {
  if (llvm::none_of(arguments, [](const PlanArgument& argument) { return argument.map.has_value(); })) return {};
  SmallVector<Attribute> maps;
  for (const PlanArgument& argument : arguments) {
    if (!argument.map) {
      maps.push_back(builder.getUnitAttr());
      continue;
    }
    const TiledTensorMap& map = *argument.map;
    NamedAttrList fields;
    auto setNumber = [&](StringRef name, int64_t value, int64_t whenAbsent) {
      if (value != whenAbsent) fields.set(name, builder.getI64IntegerAttr(value));
    };
    auto setNumbers = [&](StringRef name, const auto& values) {
      fields.set(name, builder.getDenseI64ArrayAttr(SmallVector<int64_t>(values.begin(), values.end())));
    };
    setNumbers("extents", map.extents);
    setNumbers("strides", map.strides_bytes);
    setNumbers("box", map.box);
    setNumber("type", map.data_type, /*whenAbsent=*/-1);
    setNumber("interleave", map.interleave, 0);
    setNumber("swizzle", map.swizzle, 0);
    setNumber("l2_promotion", map.l2_promotion, 0);
    setNumber("fill", map.out_of_bounds_fill, 0);
    setNumber("rows", argument.rows_dimension, -1);
    setNumber("batch", argument.batch_dimension, -1);
    maps.push_back(fields.getDictionary(builder.getContext()));
  }
  return builder.getArrayAttr(maps);
}

}  // namespace

void emitLaunchPlan(OpBuilder& builder, Location loc, const LaunchPlan& plan, StringRef kernelModule,
                    PlanMemRefs buffers, RunTimeLaunch atRunTime) {
  auto extents = [&](const uint32_t (&sizes)[3]) -> gpu::KernelDim3 {
    auto extent = [&](uint32_t size) -> Value { return arith::ConstantIndexOp::create(builder, loc, size); };
    return {extent(sizes[0]), extent(sizes[1]), extent(sizes[2])};
  };
  Value workspace;
  if (plan.workspace_bytes != 0) {
    auto type = MemRefType::get({plan.workspace_bytes / 4}, builder.getF32Type());
    workspace = memref::AllocOp::create(builder, loc, type);
    buffers[PlanBuffer::kWorkspace] = workspace;
  }
  for (const PlanStep& step : plan.steps) {
    if (step.kind == PlanStep::Kind::kMemset) {
      Value buffer = buffers[step.buffer];
      Type element = cast<MemRefType>(buffer.getType()).getElementType();
      Value zero = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(element)));
      if (step.bytes != 0) {
        int64_t elements = 8 * step.bytes / element.getIntOrFloatBitWidth();
        buffer = memref::SubViewOp::create(builder, loc, buffer, ArrayRef<int64_t>{0}, ArrayRef<int64_t>{elements},
                                           ArrayRef<int64_t>{1});
      }
      gpu::MemsetOp::create(builder, loc, TypeRange(), ValueRange(), buffer, zero);
      continue;
    }
    SmallVector<Value> operands;
    for (const PlanArgument& argument : step.arguments) operands.push_back(buffers[argument.buffer]);
    if (atRunTime.rows) operands.push_back(atRunTime.rows);
    gpu::KernelDim3 grid = extents(step.grid);
    if (atRunTime.blocks) grid.x = atRunTime.blocks;
    auto kernel = SymbolRefAttr::get(builder.getContext(), kernelModule,
                                     {FlatSymbolRefAttr::get(builder.getContext(), step.kernel)});
    Value shared;
    if (step.dynamic_shared_bytes != 0)
      shared = arith::ConstantIntOp::create(builder, loc, step.dynamic_shared_bytes, 32);
    std::optional<gpu::KernelDim3> cluster;
    if (step.HasClusters()) cluster = extents(step.cluster);
    auto launch = gpu::LaunchFuncOp::create(builder, loc, kernel, grid, extents(step.block), shared, operands,
                                            /*asyncObject=*/Value(), cluster);
    if (ArrayAttr maps = tensorMapsOf(builder, step.arguments)) launch->setAttr(kTensorMapsAttrName, maps);
  }
  if (workspace) memref::DeallocOp::create(builder, loc, workspace);
}

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
