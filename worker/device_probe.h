// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the parts of a real worker's child processes: the probe that finds the devices of the host, and the factories
// of compiler, verifier and measurer. Tests start children with fakes instead. Only this file and main.cc connect the
// worker with MLIR and CUDA.
#pragma once

#include <string>
#include <vector>

#include "kernels/runtime/device/device.h"
#include "worker/children/child.pb.h"
#include "worker/children/child_server.h"

namespace mmtune {

/// Adds the CUDA devices for which code can be generated to `probe`. Each gets its own architecture and the newest one
/// that code can be generated for. The probe's no_cuda_reason becomes `why` (a reason for which devices are missing),
/// and the reason for which some of `devices` are left out.
void AddCudaDevices(const std::vector<CudaDeviceEntry>& devices, std::string why, worker::Probe& probe);

/// Returns every CUDA device of the host (or the reason why there is none), then the SIMT device with the limits of
/// `arch`.
worker::Probe ProbeDevices(const std::string& arch);

/// Returns the real parts: MLIR compiler, model of machine code, verifier, measurer and probe.
ChildParts RealChildParts();

}  // namespace mmtune
