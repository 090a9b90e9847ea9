// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/pipelines/passes.h"

#include <limits>

#include "kernels/runtime/device/device.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace mmtune {
namespace {

using Extents = std::array<Value, 3>;

Extents extentsOf(gpu::KernelDim3 sizes) { return {sizes.x, sizes.y, sizes.z}; }

struct CheckLaunchLimits : PassWrapper<CheckLaunchLimits, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckLaunchLimits)

  explicit CheckLaunchLimits(const DeviceInfo& device) : device(device) {}

  StringRef getName() const override { return "CheckLaunchLimits"; }
  StringRef getDescription() const override { return "Refuse launches that are larger than the device allows"; }

  void runOnOperation() override {
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    if (failed(solver.initializeAndRun(getOperation()))) return signalPassFailure();
    bool refused = false;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto* live = solver.lookupState<dataflow::Executable>(solver.getProgramPointBefore(launch->getBlock()));
      if (live && live->isLive()) refused |= failed(check(launch));
    });
    if (refused) signalPassFailure();
  }

 private:
  LogicalResult check(gpu::LaunchFuncOp launch) {
    LaunchShape shape;
    if (failed(read(launch, "grid", extentsOf(launch.getGridSizeOperandValues()), shape.grid)) ||
        failed(read(launch, "block", extentsOf(launch.getBlockSizeOperandValues()), shape.block)))
      return failure();
    if (llvm::is_contained(shape.grid, 0u)) return success();  // Nothing is launched.
    if (launch.hasClusterSize() &&
        failed(read(launch, "cluster", extentsOf(launch.getClusterSizeOperandValues()), shape.cluster)))
      return failure();
    if (Value bytes = launch.getDynamicSharedMemorySize())
      shape.dynamic_shared_bytes = static_cast<uint32_t>(std::max<int64_t>(getConstantIntValue(bytes).value_or(0), 0));
    absl::Status status = CheckLaunchShape(shape, device, /*static_shared_bytes=*/0);
    if (status.ok()) return success();
    return launch.emitError() << std::string(status.message()) << " (compiled for " << device.arch << ")";
  }

  /// Sizes that are not known stand as 1.
  static LogicalResult read(gpu::LaunchFuncOp launch, StringRef what, const Extents& sizes, uint32_t* extents) {
    for (auto [i, size] : llvm::enumerate(sizes)) {
      int64_t extent = getConstantIntValue(size).value_or(1);
      if (extent < 0 || extent > std::numeric_limits<uint32_t>::max())
        return launch.emitError() << "a " << what << " of " << extent << " along " << "xyz"[i];
      extents[i] = static_cast<uint32_t>(extent);
    }
    return success();
  }

  DeviceInfo device;
};

}  // namespace

std::unique_ptr<Pass> createCheckLaunchLimitsPass(const DeviceInfo& device) {
  return std::make_unique<CheckLaunchLimits>(device);
}

}  // namespace mmtune
