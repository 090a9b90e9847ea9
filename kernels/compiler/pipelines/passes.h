// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of Passes.td: create<Name>Pass(), the options' structs and registerMmtunePipelinePasses().
#pragma once

#include "mlir/Pass/Pass.h"
#include "proto/types/device_info.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/pipelines/Passes.h.inc"

/// On builtin.module, with kernels outlined: a launch whose constant sizes break CheckLaunchShape()
/// on the device is an error.
/// Nothing is said of sizes that are not known, of a grid without blocks, which launches nothing, and
/// of launches that are never reached.
std::unique_ptr<mlir::Pass> createCheckLaunchLimitsPass(const DeviceInfo& device);

}  // namespace mmtune
