// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the probe child reports, and the parts of the children that ship.
#pragma once

#include <string>
#include <vector>

#include "kernels/runtime/device/device.h"
#include "worker/children/child.pb.h"
#include "worker/children/child_server.h"

namespace mmtune {

/// Adds the devices for which code can be generated, each with the newest architecture we generate for that it runs,
/// and with its own. The probe's reason becomes `why` (others are missing), and why some of these are left out.
void AddCudaDevices(const std::vector<CudaDeviceEntry>& devices, std::string why, worker::Probe& probe);

/// Every CUDA device (or why there is none), then the SIMT device standing in for `arch`.
worker::Probe ProbeDevices(const std::string& arch);

/// The MLIR compiler, the model of machine code, the real devices, and the probe of them.
ChildParts RealChildParts();

}  // namespace mmtune
