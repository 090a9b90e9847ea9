// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for PTX without libdevice.
#include "kernels/passes/kernel/libdevice_calls.h"
#include "kernels/passes/kernel/passes.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_REPLACELIBDEVICECALLSPASS
#include "kernels/passes/kernel/Passes.h.inc"

namespace {

struct ReplaceLibdeviceCalls : impl::ReplaceLibdeviceCallsPassBase<ReplaceLibdeviceCalls> {
  void runOnOperation() override {
    if (failed(replaceLibdeviceCalls(getOperation(), MathSupport::kPtx))) signalPassFailure();
  }
};

}  // namespace
}  // namespace mmtune
