// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/shared/passes.h"
#include "kernels/compiler/passes/simt/shared_layout.h"
#include "kernels/simulator/abi/abi.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_REPAIRDYNAMICSHAREDLINKAGEPASS
#include "kernels/compiler/passes/shared/Passes.h.inc"

namespace {

struct RepairDynamicSharedLinkage : impl::RepairDynamicSharedLinkagePassBase<RepairDynamicSharedLinkage> {
  void runOnOperation() override {
    for (auto global : getOperation().getOps<LLVM::GlobalOp>()) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
      if (global.getAddrSpace() != kSharedAddressSpace || !array || array.getNumElements() != 0) continue;
      global.setLinkage(LLVM::Linkage::External);
      global.setAlignment(simt::kDynamicSharedAlignment);
    }
  }
};

}  // namespace
}  // namespace mmtune
