// Bufferization, with the options that final compilation needs.
#include "kernels/passes/passes.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mmtune {
#define GEN_PASS_DEF_BUFFERIZETENSORSPASS
#include "kernels/passes/Passes.h.inc"
} // namespace mmtune

using namespace mlir;

namespace mmtune {
namespace {

bool hasTensors(ModuleOp module) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return module
      .walk([&](Operation *op) {
        bool found = llvm::any_of(op->getOperandTypes(), isTensor) ||
                     llvm::any_of(op->getResultTypes(), isTensor);
        if (auto function = dyn_cast<FunctionOpInterface>(op))
          found |= llvm::any_of(function.getArgumentTypes(), isTensor) ||
                   llvm::any_of(function.getResultTypes(), isTensor);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

struct BufferizeTensors : impl::BufferizeTensorsPassBase<BufferizeTensors> {
  void runOnOperation() override {
    if (!hasTensors(getOperation()))
      return;
    OpPassManager passes(ModuleOp::getOperationName());
    addBufferization(passes);
    if (failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }

private:
  static void addBufferization(OpPassManager &passes) {
    passes.addPass(bufferization::createEmptyTensorEliminationPass());
    passes.addPass(bufferization::createEmptyTensorToAllocTensorPass());
    bufferization::OneShotBufferizePassOptions options;
    options.allowReturnAllocsFromLoops = true;
    options.bufferizeFunctionBoundaries = true;
    options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
    passes.addPass(bufferization::createOneShotBufferizePass(options));
    bufferization::buildBufferDeallocationPipeline(passes);
    passes.addPass(createConvertBufferizationToMemRefPass());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
  }
};

} // namespace
} // namespace mmtune
