// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/cluster.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr unsigned kClusterSpace = 7;

}  // namespace

Value blockRankInCluster(KernelBuilder& builder) { return builder.create<NVVM::ClusterId>(builder.i32()); }

Value clusterX(KernelBuilder& builder) { return builder.create<NVVM::ClusterIdXOp>(builder.i32()); }

Value clusterCountX(KernelBuilder& builder) { return builder.create<NVVM::ClusterDimXOp>(builder.i32()); }

Value sharedOfBlock(KernelBuilder& builder, Value shared, Value rank) {
  auto pointer = LLVM::LLVMPointerType::get(shared.getContext(), kClusterSpace);
  return builder.create<NVVM::MapaOp>(pointer, shared, rank);
}

void arriveAtClusterBarrier(KernelBuilder& builder, bool isRelaxed) {
  auto aligned = UnitAttr::get(builder.i32().getContext());
  if (isRelaxed)
    builder.create<NVVM::ClusterArriveRelaxedOp>(aligned);
  else
    builder.create<NVVM::ClusterArriveOp>(aligned);
}

void waitForClusterBarrier(KernelBuilder& builder) {
  builder.create<NVVM::ClusterWaitOp>(UnitAttr::get(builder.i32().getContext()));
}

void waitForEarlierKernels(KernelBuilder& builder) {
  builder.create<NVVM::GriddepcontrolOp>(NVVM::GridDepActionKind::wait);
}

void allowLaterKernels(KernelBuilder& builder) {
  builder.create<NVVM::GriddepcontrolOp>(NVVM::GridDepActionKind::launch_dependents);
}

}  // namespace mmtune
