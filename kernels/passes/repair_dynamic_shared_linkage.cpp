// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic shared memory as an external global.
#include "kernels/passes/passes.h"
#include "kernels/passes/simt_shared_layout.h"
#include "kernels/runtime/simt/abi/abi.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mmtune {
#define GEN_PASS_DEF_REPAIRDYNAMICSHAREDLINKAGEPASS
#include "kernels/passes/Passes.h.inc"
}  // namespace mmtune

using namespace mlir;

namespace mmtune {
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
