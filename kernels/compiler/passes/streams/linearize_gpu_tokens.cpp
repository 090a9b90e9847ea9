// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/gpu_tokens.h"
#include "kernels/compiler/passes/streams/passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mmtune {

#define GEN_PASS_DEF_LINEARIZEGPUTOKENSPASS
#include "kernels/compiler/passes/streams/Passes.h.inc"

namespace {

struct LinearizeGpuTokens : impl::LinearizeGpuTokensPassBase<LinearizeGpuTokens> {
  void runOnOperation() override {
    if (failed(linearizeGpuTokens(getOperation()))) signalPassFailure();
  }
};

}  // namespace
}  // namespace mmtune
