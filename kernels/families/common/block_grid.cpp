// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/block_grid.h"

#include "kernels/families/common/family_base.h"
#include "kernels/perf_model/time_model.h"

namespace mmtune {

std::vector<int64_t> ReductionAxis(const MatmulProblem& problem) {
  std::vector<int64_t> reductions = SplitReductions(problem);
  reductions.push_back(kOrderedReduction);
  return reductions;
}

std::vector<int64_t> StreamAxis(const MatmulProblem& problem, const DeviceInfo& device, int64_t most) {
  constexpr int64_t kSmall = 32, kOnSimt = 8;
  BlockGrid grid(problem, kSmall, kSmall, kSmall, 1, 1);
  if (grid.StreamKSteps() < 2 * BlockGrid::kMinStepsPerBlock) return {1};
  if (device.kind != DeviceKind::kCuda) return {1, kOnSimt};
  std::vector<int64_t> axis = {1};
  for (int64_t blocks : {MultiprocessorsOf(device), 2 * MultiprocessorsOf(device)})
    if (blocks > 1 && blocks <= most) axis.push_back(blocks);
  return axis;
}

std::vector<int64_t> SplitReductions(const MatmulProblem& problem) {
  if (!AllowsAtomics(problem)) return {kNoReduction, kWorkspaceReduction};
  return {kNoReduction, kAtomicReduction, kWorkspaceReduction};
}

int64_t ReductionWidth(const MatmulProblem& problem) {
  int64_t elements = problem.ElementsC();
  return VectorWidth(elements, problem.HasBias() ? problem.n : elements, DataTypeBytes(problem.AccumulatorType()));
}

OrderedReductionWorkspace::OrderedReductionWorkspace(const BlockGrid& grid)
    : counters(grid.IsStreamK() ? grid.blocks() : grid.Tiles()),
      slots(grid.IsStreamK() ? 2 * grid.blocks() : grid.Tiles() * grid.splitK) {}

int64_t OrderedReductionWorkspace::CounterBytes() const { return RoundUp(4 * counters, kWidestAccess); }

int64_t WorkspaceBytes(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction) {
  int64_t bytes = DataTypeBytes(problem.AccumulatorType());
  if (reduction == kWorkspaceReduction) return bytes * grid.splitK * problem.ElementsC();
  if (reduction != kOrderedReduction) return 0;
  OrderedReductionWorkspace sums(grid);
  return sums.CounterBytes() + bytes * sums.slots * grid.AccumulatorsOfTile();
}

double BytesOfResult(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction) {
  auto elements = static_cast<double>(problem.ElementsC());
  auto bytes = static_cast<double>(DataTypeBytes(problem.TypeOfC()));
  // Counters and sums are written and read; unused slots of stream-k are counted, too.
  if (reduction == kOrderedReduction)
    return elements * bytes + 2.0 * static_cast<double>(WorkspaceBytes(problem, grid, reduction));
  // Atomics of each split read and write C, which was cleared; a workspace is written and read.
  auto sums = static_cast<double>(2 * grid.splitK * DataTypeBytes(problem.AccumulatorType()));
  return elements * (bytes + (reduction == kNoReduction ? 0 : sums));
}

ReductionCost CostOfReduction(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction, int64_t storeC) {
  auto elements = static_cast<double>(problem.ElementsC());
  auto bytesOfC = static_cast<double>(DataTypeBytes(problem.TypeOfC())) * elements;
  auto workspace = 2.0 * static_cast<double>(WorkspaceBytes(problem, grid, reduction));
  switch (reduction) {
    case kAtomicReduction:
      return {1, bytesOfC, static_cast<double>(grid.splitK) * elements, static_cast<double>(storeC)};
    case kWorkspaceReduction:
      return {1, workspace + bytesOfC, 0};
    case kOrderedReduction:
      return {1, workspace, 0};
    default:
      return {};
  }
}

double OrderedReductionTiles(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction) {
  // Bytes that one block reads from L2 in a clock; a judgement.
  constexpr double kBytesOfParts = 32;
  if (reduction != kOrderedReduction) return 0;
  auto bytes = static_cast<double>(DataTypeBytes(problem.AccumulatorType()) * grid.AccumulatorsOfTile());
  return grid.BlocksPerTile() * bytes / kBytesOfParts / kBlockClocks;
}

LaunchPlan PlanMatmul(const MatmulProblem& problem, std::string kernel, const BlockGrid& grid, int64_t threads,
                      int64_t sharedBytes, int64_t reduction) {
  LaunchPlan plan;
  if (reduction == kAtomicReduction) {
    PlanStep clear;
    clear.kind = PlanStep::Kind::kMemset;
    clear.buffer = PlanBuffer::kC;
    plan.steps.push_back(clear);
  }
  plan.workspace_bytes = WorkspaceBytes(problem, grid, reduction);
  if (reduction == kOrderedReduction) {
    PlanStep clear;
    clear.kind = PlanStep::Kind::kMemset;
    clear.buffer = PlanBuffer::kWorkspace;
    clear.bytes = OrderedReductionWorkspace(grid).CounterBytes();
    plan.steps.push_back(clear);
  }

  PlanStep main;
  main.kernel = std::move(kernel);
  main.grid[0] = static_cast<uint32_t>(grid.IsStreamK() ? grid.blocks() : grid.Tiles());
  main.grid[2] = static_cast<uint32_t>(grid.splitK);
  main.block[0] = static_cast<uint32_t>(threads);
  main.dynamic_shared_bytes = static_cast<uint32_t>(sharedBytes);
  bool workspace = reduction == kWorkspaceReduction;
  main.arguments = {PlanBuffer::kA, PlanBuffer::kB, workspace ? PlanBuffer::kWorkspace : PlanBuffer::kC};
  if (!workspace) AddEpilogueArguments(problem, main);
  if (reduction == kOrderedReduction) main.arguments.push_back(PlanBuffer::kWorkspace);
  plan.steps.push_back(main);

  if (workspace) {
    PlanStep reduce;
    reduce.kernel = kSplitReductionKernel;
    reduce.arguments = {PlanBuffer::kWorkspace, PlanBuffer::kC};
    AddEpilogueArguments(problem, reduce);
    int64_t vectors = problem.ElementsC() / ReductionWidth(problem);
    reduce.grid[0] = static_cast<uint32_t>(CeilDiv(vectors, kSplitReductionThreads));
    reduce.block[0] = static_cast<uint32_t>(kSplitReductionThreads);
    plan.steps.push_back(reduce);
  }
  return plan;
}

}  // namespace mmtune
