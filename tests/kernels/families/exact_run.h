// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the launch plan of a schedule on a SIMT device, and expects the exactly rounded result.
//
//   ExpectExactRun(*device, **module, kernel->plan, problem, operands);
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/compiled_kernel.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/launch_step.h"
#include "tests/kernels/typed_operands.h"

namespace mmtune {

/// Expects that C, at `result`, is the exactly rounded result.
inline void ExpectExactResult(const MatmulProblem& problem, const Operands& operands, const void* result) {
  std::vector<float> got(problem.ElementsC());
  TraitsOf(problem.TypeOfC()).decode(result, problem.ElementsC(), got.data());
  const std::vector<float> expected = RoundedResult(problem, operands);
  for (int64_t i = 0; i < problem.ElementsC(); ++i) {
    ASSERT_TRUE(IsAsExpected(problem, got[i], expected[i]))
        << "row " << i / problem.n << " of all, column " << i % problem.n << ": " << got[i] << ", not " << expected[i];
  }
}

/// Runs the plan, and expects that no step fails or has a finding of the race detector, and that C is exact. C is full
/// of NaN before. `device` is a simt::SimtDevice.
inline void ExpectExactRun(Device& device, DeviceModule& module, const LaunchPlan& plan, const MatmulProblem& problem,
                           const Operands& operands) {
  const size_t bytes = problem.ElementsC() * DataTypeBytes(problem.TypeOfC());
  DevicePtr buffers[kPlanBufferCount] = {};
  for (size_t i = 0; i < kPlanBufferCount; ++i) {
    if (const Operand* operand = operands.Find(static_cast<PlanBuffer>(i)); operand && !operand->bytes.empty()) {
      buffers[i] = *device.Allocate(operand->bytes.size());
      ASSERT_TRUE(device.CopyToDevice(buffers[i], operand->bytes.data(), operand->bytes.size()).ok());
    }
  }
  DevicePtr& c = buffers[static_cast<size_t>(PlanBuffer::kC)];
  c = *device.Allocate(bytes);
  const std::vector<char> poison(bytes, '\xff');
  ASSERT_TRUE(device.CopyToDevice(c, poison.data(), bytes).ok());
  if (plan.workspace_bytes > 0) {
    buffers[static_cast<size_t>(PlanBuffer::kWorkspace)] = *device.Allocate(plan.workspace_bytes);
  }
  for (const PlanStep& step : plan.steps) {
    if (step.kind == PlanStep::Kind::kMemset) {
      // All of C, or the first bytes of a workspace.
      const size_t cleared = step.bytes > 0 ? step.bytes : bytes;
      ASSERT_TRUE(device.Fill32(buffers[static_cast<size_t>(step.buffer)], 0, cleared / 4).ok());
      continue;
    }
    const absl::Status launched = LaunchStep(device, module, step, buffers);
    std::string findings;
    for (const simt::Finding& finding : static_cast<simt::SimtDevice&>(device).TakeFindings()) {
      findings += simt::FindingText(finding) + "\n";
    }
    ASSERT_TRUE(launched.ok()) << launched << "\n" << findings;
  }
  std::vector<char> result(bytes);
  ASSERT_TRUE(device.CopyToHost(result.data(), c, bytes).ok());
  ExpectExactResult(problem, operands, result.data());
}

}  // namespace mmtune
