// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/proof/proof_run.h"

#include <memory>
#include <utility>

#include "proto/base/status.h"
#include "worker/measure/bound_plan.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {

absl::StatusOr<ProofRunResult> RunPlanOnce(const simt::SimtOptions& options, const MatmulProblem& problem,
                                           const CompiledKernel& kernel, const HostOperands& operands) {
  ASSIGN_OR_RETURN(std::unique_ptr<Device> device, simt::SimtDevice::Create(options));
  auto& simt_device = static_cast<simt::SimtDevice&>(*device);
  ASSIGN_OR_RETURN(std::unique_ptr<DeviceModule> module, device->LoadModule(kernel.format, kernel.image));
  // The device's own guards, at the ends of the buffers themselves, see more than red zones of ours behind them.
  ASSIGN_OR_RETURN(std::unique_ptr<GuardedBuffers> buffers,
                   GuardedBuffers::Create(device.get(), problem, kernel.plan, /*zone_bytes=*/0));
  RETURN_IF_ERROR(buffers->Upload(SourceOf(operands)));
  RETURN_IF_ERROR(buffers->Poison());
  ASSIGN_OR_RETURN(BoundPlan plan, BoundPlan::Bind(device.get(), module.get(), kernel.plan, buffers->memories()));

  ProofRunResult result;
  absl::Status status = plan.Enqueue(0);
  if (status.ok()) status = device->Synchronize(0);
  result.findings = simt_device.TakeFindings();
  if (!status.ok()) {
    result.failure = ToStd(status.message());
    return result;
  }
  result.c.resize(static_cast<size_t>(problem.ElementsC()));
  RETURN_IF_ERROR(buffers->Download(0, problem.ElementsC(), result.c.data()));
  ASSIGN_OR_RETURN(result.failure, buffers->Damage(SourceOf(operands)));
  return result;
}

}  // namespace mmtune
