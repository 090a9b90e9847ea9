// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the parts with which a real worker's child processes work: the probe that finds the devices of the host, and
// the factories of compiler, verifier and measurer. (Tests start children with fakes.) Only this file and main.cc
// connect the worker with MLIR and CUDA.
#pragma once

#include <string>
#include <vector>

#include "kernels/runtime/device/device.h"
#include "worker/children/child.pb.h"
#include "worker/children/child_server.h"

namespace mmtune {

/// Adds the CUDA devices for which code can be generated to `probe`. Each has its native architecture, and the newest
/// one that code can be generated for and that runs on it. Sets the probe's no_cuda_reason to `why` (the reason why
/// devices are missing), followed by the reason why some of `devices` are left out.
void AddCudaDevices(const std::vector<CudaDeviceEntry>& devices, std::string why, worker::Probe& probe);

/// Returns every CUDA device of the host (or the reason why there is none), then the SIMT device with the limits of
/// `arch`.
worker::Probe ProbeDevices(const std::string& arch);

/// Returns the parts of a real worker: MLIR compiler, model of machine code, verifier, measurer and probe.
ChildParts RealChildParts();

}  // namespace mmtune
