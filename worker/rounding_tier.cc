#include "worker/rounding_tier.h"

#include <memory>
#include <string>
#include <vector>

#include "proto/base/status.h"
#include "worker/bound_plan.h"
#include "worker/guarded_buffers.h"

namespace mmtune {
namespace {

absl::Status RunOnce(Device* device, GuardedBuffers& buffers, BoundPlan& plan) {
  RETURN_IF_ERROR(buffers.Poison());
  RETURN_IF_ERROR(plan.Enqueue(0));
  return device->Synchronize(0);
}

}  // namespace

absl::StatusOr<CheckReport> CheckRounding(Device* device, DeviceModule* module, const LaunchPlan& plan,
                                          const MatmulProblem& problem, const RoundingChecker& checker) {
  ASSIGN_OR_RETURN(std::unique_ptr<GuardedBuffers> buffers,
                   GuardedBuffers::Create(device, problem, plan, GuardedBuffers::kZoneBytes));
  const HostOperands operands{checker.a().data(), checker.b().data(), checker.bias().data(), checker.addend().data()};
  RETURN_IF_ERROR(buffers->Upload(operands));
  ASSIGN_OR_RETURN(BoundPlan bound, BoundPlan::Bind(device, module, plan, buffers->memories()));
  RETURN_IF_ERROR(RunOnce(device, *buffers, bound));
  std::vector<float> c(static_cast<size_t>(problem.ElementsC()));
  RETURN_IF_ERROR(buffers->Download(c.data()));
  CheckReport report = checker.Check(c.data());
  if (!report.passed) return report;
  RETURN_IF_ERROR(RunOnce(device, *buffers, bound));
  ASSIGN_OR_RETURN(bool same, buffers->ResultEquals(c.data()));
  if (!same) {
    RETURN_IF_ERROR(buffers->Download(c.data()));
    report = checker.Check(c.data());
  }
  report.deterministic = same;
  ASSIGN_OR_RETURN(std::string damage, buffers->Damage(operands));
  if (!damage.empty()) {
    report.passed = false;
    report.detail = damage;
  }
  return report;
}

}  // namespace mmtune
