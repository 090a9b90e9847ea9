// Runs a launch plan on random operands between red zones, twice.
#pragma once

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device.h"
#include "worker/rounding_checker.h"

namespace mmtune {

/// What `checker` says of the plan's result; failed, too, when a kernel wrote outside its buffers or to an input. Both
/// runs have to pass; whether they gave the same bits is recorded, and is no failure: atomic additions need not.
/// Errors are those of the device.
absl::StatusOr<CheckReport> CheckRounding(Device* device, DeviceModule* module, const LaunchPlan& plan,
                                          const MatmulProblem& problem, const RoundingChecker& checker);

}  // namespace mmtune
