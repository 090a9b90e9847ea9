// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/split_reduction.h"

#include "kernels/families/space_family.h"

namespace mmtune {

int64_t reductionWidth(const MatmulProblem& problem) {
  int64_t elements = problem.ElementsC();
  return vectorWidth(elements, problem.HasBias() ? problem.n : elements);
}

int64_t workspaceBytes(const MatmulProblem& problem, int64_t reduction, int64_t splitK) {
  return reduction == kWorkspaceReduction ? 4 * splitK * problem.ElementsC() : 0;
}

double bytesOfResult(const MatmulProblem& problem, int64_t reduction, int64_t splitK) {
  auto elements = static_cast<double>(problem.ElementsC());
  auto bytes = static_cast<double>(DataTypeBytes(problem.TypeOfC()));
  // Each split reads and writes what the atomics add to, which was cleared; a workspace is written,
  // read and summed. Partial products are f32.
  return elements * (bytes + (reduction == kNoReduction ? 0 : 8.0 * static_cast<double>(splitK)));
}

LaunchPlan planProduct(const MatmulProblem& problem, std::string kernel, const BlockGrid& grid, int64_t threads,
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
  product.grid[0] = static_cast<uint32_t>(grid.blocksPerMatrix() * grid.batch);
  product.grid[2] = static_cast<uint32_t>(grid.splitK);
  product.block[0] = static_cast<uint32_t>(threads);
  product.dynamic_shared_bytes = static_cast<uint32_t>(sharedBytes);
  bool workspace = reduction == kWorkspaceReduction;
  product.arguments = {PlanBuffer::kA, PlanBuffer::kB, workspace ? PlanBuffer::kWorkspace : PlanBuffer::kC};
  if (!workspace) addEpilogueArguments(problem, product);
  plan.steps.push_back(product);

  if (workspace) {
    plan.workspace_bytes = workspaceBytes(problem, reduction, grid.splitK);
    PlanStep reduce;
    reduce.kernel = kSplitReductionKernel;
    reduce.arguments = {PlanBuffer::kWorkspace, PlanBuffer::kC};
    addEpilogueArguments(problem, reduce);
    int64_t pieces = problem.ElementsC() / reductionWidth(problem);
    reduce.grid[0] = static_cast<uint32_t>(ceilDiv(pieces, kSplitReductionThreads));
    reduce.block[0] = static_cast<uint32_t>(kSplitReductionThreads);
    plan.steps.push_back(reduce);
  }
  return plan;
}

}  // namespace mmtune
