// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/split_reduction.h"

#include "kernels/families/space_family.h"

namespace mmtune {

std::vector<int64_t> SplitReductions(const MatmulProblem& problem) {
  if (!AllowsAtomics(problem)) return {kNoReduction, kWorkspaceReduction};
  return {kNoReduction, kAtomicReduction, kWorkspaceReduction};
}

int64_t ReductionWidth(const MatmulProblem& problem) {
  int64_t elements = problem.ElementsC();
  return VectorWidth(elements, problem.HasBias() ? problem.n : elements);
}

int64_t WorkspaceBytes(const MatmulProblem& problem, int64_t reduction, int64_t splitK) {
  return reduction == kWorkspaceReduction ? 4 * splitK * problem.ElementsC() : 0;
}

double BytesOfResult(const MatmulProblem& problem, int64_t reduction, int64_t splitK) {
  auto elements = static_cast<double>(problem.ElementsC());
  auto bytes = static_cast<double>(DataTypeBytes(problem.TypeOfC()));
  // Each split reads and writes what the atomics add to, which was cleared; a workspace is written,
  // read and summed. Partial products are f32.
  return elements * (bytes + (reduction == kNoReduction ? 0 : 8.0 * static_cast<double>(splitK)));
}

ReductionCost CostOfReduction(const MatmulProblem& problem, int64_t reduction, int64_t splitK, int64_t atomicWidth) {
  auto elements = static_cast<double>(problem.ElementsC());
  auto bytesOfC = static_cast<double>(DataTypeBytes(problem.TypeOfC())) * elements;
  auto splits = static_cast<double>(splitK);
  if (reduction == kAtomicReduction) return {1, bytesOfC, splits * elements / static_cast<double>(atomicWidth)};
  if (reduction == kWorkspaceReduction) return {1, 2 * 4 * splits * elements + bytesOfC, 0};
  return {};
}

LaunchPlan PlanProduct(const MatmulProblem& problem, std::string kernel, const BlockGrid& grid, int64_t threads,
                       int64_t sharedBytes, int64_t reduction) {
  LaunchPlan plan;
  if (reduction == kAtomicReduction) {
    PlanStep clear;
    clear.kind = PlanStep::Kind::kMemset;
    clear.buffer = PlanBuffer::kC;
    plan.steps.push_back(clear);
  }

  PlanStep product;
  product.kernel = std::move(kernel);
  product.grid[0] = static_cast<uint32_t>(grid.BlocksPerMatrix() * grid.batch);
  product.grid[2] = static_cast<uint32_t>(grid.splitK);
  product.block[0] = static_cast<uint32_t>(threads);
  product.dynamic_shared_bytes = static_cast<uint32_t>(sharedBytes);
  bool workspace = reduction == kWorkspaceReduction;
  product.arguments = {PlanBuffer::kA, PlanBuffer::kB, workspace ? PlanBuffer::kWorkspace : PlanBuffer::kC};
  if (!workspace) AddEpilogueArguments(problem, product);
  plan.steps.push_back(product);

  if (workspace) {
    plan.workspace_bytes = WorkspaceBytes(problem, reduction, grid.splitK);
    PlanStep reduce;
    reduce.kernel = kSplitReductionKernel;
    reduce.arguments = {PlanBuffer::kWorkspace, PlanBuffer::kC};
    AddEpilogueArguments(problem, reduce);
    int64_t pieces = problem.ElementsC() / ReductionWidth(problem);
    reduce.grid[0] = static_cast<uint32_t>(CeilDiv(pieces, kSplitReductionThreads));
    reduce.block[0] = static_cast<uint32_t>(kSplitReductionThreads);
    plan.steps.push_back(reduce);
  }
  return plan;
}

}  // namespace mmtune
