// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that no device of the target can run.
#pragma once

#include <memory>

#include "mlir/Pass/Pass.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// On builtin.module, with kernels outlined: a launch whose constant sizes break CheckLaunchShape()
/// on the device is an error. Of sizes that are not known, of a grid without blocks, which launches
/// nothing, and of launches that are never reached, it says nothing. So is a kernel that asks for
/// its cluster where the GPU has none.
std::unique_ptr<mlir::Pass> createCheckLaunchLimitsPass(const DeviceInfo& device);

}  // namespace mmtune
