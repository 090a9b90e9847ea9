// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The probe of the host's devices, and the compiler, verifier and measurer that shipped children use.
#pragma once

#include <string>
#include <vector>

#include "kernels/runtime/device/device.h"
#include "worker/children/child.pb.h"
#include "worker/children/child_server.h"

namespace mmtune {

/// Adds the devices that mmtune generates code for, each with its own architecture and the newest one for which code
/// can be generated. The probe's reason becomes `why` (other devices are missing) and why some of these are left out.
void AddCudaDevices(const std::vector<CudaDeviceEntry>& devices, std::string why, worker::Probe& probe);

/// Returns every CUDA device (or the reason why there is none), then the SIMT device standing in for `arch`.
worker::Probe ProbeDevices(const std::string& arch);

/// Returns the parts that ship: MLIR compiler, model of machine code, verifier, measurer, probe.
ChildParts RealChildParts();

}  // namespace mmtune
