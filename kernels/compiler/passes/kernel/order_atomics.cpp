// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_ORDERATOMICSPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

using LLVM::AtomicOrdering;

/// The mapping of "A Formal Analysis of the NVIDIA PTX Memory Consistency Model" (Lustig et al., ASPLOS 2019): what a
/// release orders, a fence before it does; what an acquire orders, one behind it.
void addFences(LLVM::AtomicRMWOp atomic) {
  const AtomicOrdering order = atomic.getOrdering();
  const bool both = order == AtomicOrdering::acq_rel || order == AtomicOrdering::seq_cst;
  const StringRef scope = atomic.getSyncscope().value_or("");
  OpBuilder builder(atomic);
  if (both || order == AtomicOrdering::release)
    LLVM::FenceOp::create(builder, atomic.getLoc(), order == AtomicOrdering::seq_cst ? order : AtomicOrdering::release,
                          scope);
  builder.setInsertionPointAfter(atomic);
  if (both || order == AtomicOrdering::acquire)
    LLVM::FenceOp::create(builder, atomic.getLoc(), AtomicOrdering::acquire, scope);
  atomic.setOrdering(AtomicOrdering::monotonic);
}

struct OrderAtomics : impl::OrderAtomicsPassBase<OrderAtomics> {
  void runOnOperation() override {
    getOperation().walk([](LLVM::AtomicRMWOp atomic) {
      if (atomic.getOrdering() > AtomicOrdering::monotonic) addFences(atomic);
    });
  }
};

}  // namespace
}  // namespace mmtune
