// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of a launch plan on a SIMT device in some mode.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/host_function.h"
#include "kernels/runtime/simt/simt_device.h"
#include "kernels/runtime/simt/watch/finding.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

struct ProofRunResult {
  std::vector<float> c;                 ///< NaN where nothing was written.
  std::vector<simt::Finding> findings;  ///< Of check mode.
  std::string failure;                  ///< Why there is no result, or what a kernel damaged; empty when there is one.
};

/// A device of its own for the run: nothing of an earlier one is left. Errors: the device cannot be made, or the image
/// not be loaded.
absl::StatusOr<ProofRunResult> RunPlanOnce(const simt::SimtOptions& options, const MatmulProblem& problem,
                                           const CompiledKernel& kernel, const HostOperands& operands);

}  // namespace mmtune
