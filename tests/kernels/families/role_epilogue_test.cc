// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ordered reduction and the epilogue of `mma` in a role: in a kernel of two warpgroups only the second one executes
// them, while the first one waits for it at a named barrier. A barrier of the whole block would be a deadlock.
#include <gtest/gtest.h>

#include <string>

#include "kernels/builder/thread_group.h"
#include "kernels/families/common/fragment_epilogue_emitter.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tests/kernels/builder/built_module.h"
#include "tests/kernels/typed_operands.h"

namespace mmtune {
namespace {

using mlir::Value;
using Values = KernelBuilder::Values;

constexpr int64_t kThreads = 256, kRoleBarrier = 1, kDoneBarrier = 2;
constexpr int64_t kSplits = 3, kSlices = 2;
constexpr int64_t kTileM = 64, kTileN = 16;  // Two warp tiles of 32 rows, each with two slices.

MatmulProblem Problem() {
  MatmulProblem problem = *ParseMatmulShape("72x24x48", DataType::kBf16);
  problem.epilogue = *ParseEpilogue("bias,relu,add");
  return problem;
}

BlockGrid Grid(const MatmulProblem& problem) {
  return BlockGrid(problem, kTileM, kTileN, /*bk=*/16, kSplits, /*groupM=*/1);
}

FragmentTile Tile(const MatmulProblem& problem) {
  FragmentTile tile;
  tile.sumType = problem.AccumulatorType();
  tile.rowsM = 2;
  tile.columns = kTileN;
  tile.slices = kSlices;
  tile.warpTiles = 2;
  tile.vector = 8;
  tile.pitch = kTileN + 8;
  tile.rowStrideC = tile.columnsC = problem.n;
  tile.mayOverhangRows = tile.mayOverhangColumns = true;
  return tile;
}

/// Emits a kernel that has, instead of sums of products, a number made of row, column, slice and split.
void EmitKernel(KernelBuilder& builder, const MatmulProblem& problem) {
  Values buffers = beginMainKernel(builder, problem, "role", kThreads, 1, kOrderedReduction);
  Value shared = builder.sharedMemory(), role = warpgroupIndex(builder);
  builder.when(builder.equal(role, 0), [&] { waitAtBarrier(builder, builder.constant(kDoneBarrier), kThreads); });
  builder.when(builder.equal(role, 1), [&] {
    ThreadGroup group{kWarpgroupThreads, builder.constant(kRoleBarrier), builder.constant(kWarpgroupThreads)};
    BlockGrid grid = Grid(problem);
    grid.slices = kSlices;
    FragmentTile tile = Tile(problem);
    BlockWork work = assignBlockWork(builder, grid, problem.k, builder.constant(problem.m));
    Value thread = group.thread(builder);
    FragmentWarp warp;
    warp.lane = builder.rem(thread, kWarpThreads);
    warp.number = builder.div(thread, kWarpThreads);
    warp.slice = builder.div(warp.number, tile.warpTiles);
    warp.tile = builder.rem(warp.number, tile.warpTiles);
    warp.row = builder.mul(warp.tile, 16 * tile.rowsM);
    warp.column = builder.constant(0);
    Values sums;
    for (int64_t i = 0; i < tile.rowsM * tile.columns / 2; ++i) {
      const int64_t step = i / (tile.columns / 2), j = i % (tile.columns / 2);
      Value row = builder.add(builder.add(warp.row, builder.div(warp.lane, 4)), 16 * step + 8 * (j % 4 / 2));
      Value column = builder.add(builder.mul(builder.rem(warp.lane, 4), 2), 8 * (j / 4) + j % 2);
      Value sum = builder.add(builder.rem(builder.add(work.row, row), 7), builder.add(work.column, column));
      sum = builder.sub(sum, builder.add(builder.mul(warp.slice, 8), builder.mul(work.split, 4)));
      sums.push_back(builder.create<mlir::arith::SIToFPOp>(builder.f32(), sum));
    }
    OrderedReductionResult finished = reduceInOrder(builder, grid, work, group, buffers.back(), shared, sums);
    builder.when(finished.isComplete, [&] {
      ResultWriter result = resultOf(builder, problem, kOrderedReduction, work, buffers);
      FragmentEpilogue(builder, tile, group, warp, shared).store(finished.sums, result, work);
    });
    arriveAtBarrier(builder, builder.constant(kDoneBarrier), kThreads);
  });
  builder.finishKernel();
}

DevicePtr Upload(Device& device, const std::vector<char>& bytes) {
  DevicePtr memory = device.Allocate(bytes.size()).value();
  EXPECT_TRUE(device.CopyToDevice(memory, bytes.data(), bytes.size()).ok());
  return memory;
}

TEST(RoleEpilogueTest, OneOfTwoRolesReducesAndStores) {
  const MatmulProblem problem = Problem();
  CompileTarget target = DeviceCodeFor("sm_90a", DeviceKind::kSimt);
  target.shipped_ptx = true;
  auto code = CompileBuiltModule(target, [&](KernelBuilder& builder) { EmitKernel(builder, problem); });
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ(code->find("bar.sync \t0"), std::string::npos);
  EXPECT_EQ(AssemblerOutput(*code, "sm_90a"), "");

  const Operands operands(problem, /*seed=*/7);
  std::vector<float> expected(problem.ElementsC());
  for (int64_t i = 0; i < problem.ElementsC(); ++i) {
    const int64_t row = i / problem.n, column = i % problem.n;
    int64_t sum = 0;
    for (int64_t slice = 0; slice < kSlices; ++slice)
      for (int64_t split = 0; split < kSplits; ++split) sum += row % 7 + column - 8 * slice - 4 * split;
    const float biased = static_cast<float>(sum) + operands.bias.values[column];
    expected[i] = std::max(biased, 0.0f) + operands.addend.values[i];
  }
  std::vector<char> rounded(2 * expected.size()), bytes(rounded.size());
  TraitsOf(DataType::kBf16).encode(expected.data(), problem.ElementsC(), rounded.data());

  for (uint64_t seed : {0, 1, 2}) {
    simt::SimtOptions options;
    options.arch = "sm_90";
    options.race_detector = true;
    if (seed != 0) options.fuzzing_seed = seed;
    auto device = ptx::createPtxDevice(options).value();
    auto module = device->LoadModule(ImageFormat::kPtx, *code);
    ASSERT_TRUE(module.ok()) << module.status();
    BlockGrid grid = Grid(problem);
    grid.slices = kSlices;
    DevicePtr unused = Upload(*device, bytes), c = Upload(*device, bytes);
    DevicePtr bias = Upload(*device, operands.bias.bytes), addend = Upload(*device, operands.addend.bytes);
    const int64_t workspace_bytes = WorkspaceBytes(problem, grid, kOrderedReduction);
    DevicePtr workspace = device->Allocate(workspace_bytes).value();
    ASSERT_TRUE(device->Fill32(workspace, 0, OrderedReductionWorkspace(grid).CounterBytes() / 4).ok());
    void* arguments[] = {&unused, &unused, &c, &bias, &addend, &workspace};
    LaunchShape shape;
    shape.grid[0] = static_cast<uint32_t>(grid.Tiles()), shape.grid[2] = kSplits, shape.block[0] = kThreads;
    shape.dynamic_shared_bytes = static_cast<uint32_t>(4 * Tile(problem).BytesPerWarp());
    const absl::Status launched = device->Launch((*module)->GetKernel("role").value(), shape, arguments);
    EXPECT_TRUE(launched.ok()) << launched;
    for (const simt::Finding& finding : static_cast<simt::SimtDevice&>(*device).TakeFindings())
      ADD_FAILURE() << simt::FindingText(finding);
    ASSERT_TRUE(device->CopyToHost(bytes.data(), c, bytes.size()).ok());
    EXPECT_EQ(bytes, rounded) << "seed " << seed;
  }
}

}  // namespace
}  // namespace mmtune
