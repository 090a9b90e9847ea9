#include "worker/rounding_tier.h"

#include <string>

#include "proto/base/status.h"
#include "worker/guarded_buffers.h"

namespace mmtune {

absl::StatusOr<CheckReport> CheckRounding(KernelTimer& timer, const RoundingChecker& checker, float* c) {
  GuardedBuffers& buffers = timer.buffers();
  RETURN_IF_ERROR(timer.WarmUpOnce());
  RETURN_IF_ERROR(buffers.Download(c));
  CheckReport report = checker.Check(c);
  if (!report.passed) return report;
  RETURN_IF_ERROR(timer.WarmUpOnce());
  ASSIGN_OR_RETURN(bool same, buffers.ResultEquals(c));
  if (!same) {
    RETURN_IF_ERROR(buffers.Download(c));
    report = checker.Check(c);
  }
  report.deterministic = same;
  ASSIGN_OR_RETURN(std::string damage, timer.Damage());
  if (!damage.empty()) {
    report.passed = false;
    report.detail = damage;
  }
  return report;
}

}  // namespace mmtune
