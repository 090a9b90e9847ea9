// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for PTX without libdevice.
#include "kernels/passes/libdevice_calls.h"
#include "kernels/passes/passes.h"

namespace mmtune {
#define GEN_PASS_DEF_REPLACELIBDEVICECALLSPASS
#include "kernels/passes/Passes.h.inc"
}  // namespace mmtune

using namespace mlir;

namespace mmtune {
namespace {

struct ReplaceLibdeviceCalls : impl::ReplaceLibdeviceCallsPassBase<ReplaceLibdeviceCalls> {
  void runOnOperation() override {
    if (failed(replaceLibdeviceCalls(getOperation(), MathSupport::kPtx))) signalPassFailure();
  }
};

}  // namespace
}  // namespace mmtune
