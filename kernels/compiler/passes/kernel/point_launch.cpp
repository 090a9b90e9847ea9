// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/point_launch.h"

#include "kernels/compiler/passes/buffers/kernel_access.h"
#include "kernels/compiler/passes/kernel/linalg_body.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "proto/base/whole_numbers.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr int64_t kWarpSize = 32;

}  // namespace

void launchPoints(OpBuilder& builder, Location loc, Value points, int64_t blockSize, bool hasValueSemantics,
                  llvm::function_ref<void(Value)> emit) {
  OpBuilder::InsertionGuard guard(builder);
  auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
  std::optional<int64_t> count = getConstantIntValue(points);
  if (count == 0) return;
  if (count && *count < blockSize) blockSize = *count == 1 ? 1 : std::min(blockSize, RoundUp(*count, kWarpSize));
  Value grid = gridFor(builder, loc, points, blockSize), block = index(blockSize), one = index(1);
  auto launch = gpu::LaunchOp::create(builder, loc, grid, one, one, block, one, one);
  builder.setInsertionPointToStart(&launch.getBody().front());
  Value blockId = launch.getBlockIds().x, threads = launch.getBlockSize().x;
  Value first = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, blockId, threads),
                                      launch.getThreadIds().x);
  Value stride = arith::MulIOp::create(builder, loc, launch.getGridSize().x, threads);
  auto loop = scf::ForOp::create(builder, loc, first, points, stride);
  if (hasValueSemantics) setValueSemantics(loop);  // Outlining keeps only the body of the launch.
  gpu::TerminatorOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  emit(loop.getInductionVar());
}

}  // namespace mmtune
