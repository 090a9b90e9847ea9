// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/tensor_copy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr unsigned kClusterSpace = 7;

/// Returns the cache policy of a hint (an i64); null for kNone. These are the values that createpolicy.fractional
/// returns for all of a line's accesses; as constants they need no instruction.
Value cachePolicy(KernelBuilder& builder, L2Hint hint) {
  int64_t policy = 0;
  switch (hint) {
    case L2Hint::kNone:
      return {};
    case L2Hint::kEvictFirst:
      policy = 0x12F0000000000000;
      break;
    case L2Hint::kEvictNormal:
      policy = 0x1000000000000000;
      break;
    case L2Hint::kEvictLast:
      policy = 0x14F0000000000000;
      break;
  }
  return builder.create<LLVM::ConstantOp>(builder.i64(), IntegerAttr::get(builder.i64(), policy));
}

}  // namespace

void prefetchTensorMap(KernelBuilder& builder, Value map) {
  builder.create<NVVM::PrefetchOp>(NVVM::PrefetchCacheLevelAttr(), NVVM::CacheEvictionPriorityAttr(), map,
                                   /*predicate=*/Value(), /*tensormap=*/true, /*uniform=*/false,
                                   /*in_param_space=*/false);
}

void loadTensor(KernelBuilder& builder, const TensorLoad& load) {
  auto cluster = LLVM::LLVMPointerType::get(load.shared.getContext(), kClusterSpace);
  Value destination = builder.create<LLVM::AddrSpaceCastOp>(cluster, load.shared), blocks;
  if (load.blocks) blocks = builder.create<arith::TruncIOp>(builder.i16(), load.blocks);
  builder.create<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(
      destination, load.map, load.coordinates, load.mbarrier, /*im2colOffsets=*/ValueRange(), blocks,
      cachePolicy(builder, load.hint), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(),
      /*predicate=*/Value());
}

void storeTensor(KernelBuilder& builder, Value map, Value shared, ArrayRef<Value> coordinates, L2Hint hint) {
  builder.create<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(map, shared, coordinates, cachePolicy(builder, hint),
                                                             NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
}

void addTensor(KernelBuilder& builder, Value map, Value shared, ArrayRef<Value> coordinates, L2Hint hint) {
  builder.create<NVVM::CpAsyncBulkTensorReduceOp>(map, shared, NVVM::TMAReduxKind::ADD, NVVM::TMAStoreMode::TILE,
                                                  coordinates, cachePolicy(builder, hint));
}

void commitStores(KernelBuilder& builder) { builder.create<NVVM::CpAsyncBulkCommitGroupOp>(); }

void waitForStores(KernelBuilder& builder, int64_t groups, bool readOnly) {
  auto read = readOnly ? UnitAttr::get(builder.i32().getContext()) : UnitAttr();
  builder.create<NVVM::CpAsyncBulkWaitGroupOp>(static_cast<uint32_t>(groups), read);
}

void fenceAsyncProxy(KernelBuilder& builder) {
  auto shared = NVVM::SharedSpaceAttr::get(builder.i32().getContext(), NVVM::SharedSpace::shared_cta);
  builder.create<NVVM::FenceProxyOp>(NVVM::ProxyKind::async_shared, shared);
}

}  // namespace mmtune
