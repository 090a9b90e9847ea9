// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the devices of the host, chooses those that --device asks for, and decides for which architecture code is
// generated on each of them.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "worker/children/child.h"
#include "worker/children/evaluator.h"

namespace mmtune {

/// Starts a child process that lists the devices of the host, and returns its answer. A child is used because a broken
/// driver may crash or hang the process. `executable` is the program to start. `arch` is the architecture whose limits
/// the SIMT device has (--arch); it does not affect GPUs. The child's output goes to `scratch_folder`. Returns
/// Unavailable if it fails or takes longer than a minute.
absl::StatusOr<worker::Probe> ProbeInChild(const std::string& executable, const std::string& arch,
                                           const std::string& scratch_folder);

/// Converts the answer of the child. Returns InvalidArgument naming the field that is wrong.
absl::StatusOr<std::vector<WorkerDevice>> ProbedDevices(const worker::Probe& probe);

/// Returns the devices that the selectors choose, each once, in the order of the selectors. "cuda" chooses every CUDA
/// device; "auto" does, too, or chooses the SIMT device if there is none. Returns NotFound if a selector chooses
/// nothing; for CUDA devices the error contains `no_cuda_reason` (Probe::no_cuda_reason).
absl::StatusOr<std::vector<WorkerDevice>> SelectDevices(const std::vector<DeviceSelector>& selectors,
                                                        const std::vector<WorkerDevice>& devices,
                                                        const std::string& no_cuda_reason);

/// Probes the host and returns the devices that the selectors choose. Calls the three functions above, and returns
/// their errors.
absl::StatusOr<std::vector<WorkerDevice>> FindDevices(const std::vector<DeviceSelector>& selectors,
                                                      const std::string& executable, const std::string& arch,
                                                      const std::string& scratch_folder);

// Code cannot be generated for every architecture, but GPUs also run code that was generated for some other
// architectures. The driver assembles PTX of an older architecture for any newer GPU. A cubin (machine code) runs on
// GPUs of the same major and the same or a higher minor revision, but not across desktop and Tegra devices. Source:
// CUDA C++ Programming Guide, "Binary Compatibility" and "PTX Compatibility".

/// Returns the newest architecture that code is generated for and whose PTX runs on a GPU of architecture `native`:
/// "sm_86" for "sm_87". Returns NotFound if the GPU is older than all of them, or `native` is not an architecture.
absl::StatusOr<std::string> GeneratedArchitecture(const std::string& native);

/// True if a cubin for `arch` runs on a GPU of architecture `native`, or `native` is empty (the SIMT device). If false,
/// the device runs only PTX for `arch`.
bool RunsCubin(const std::string& native, const std::string& arch);

/// Returns the device as a target of the compiler: with the limits of `arch` (TargetFor()). An empty `arch` is the
/// device's own. Returns InvalidArgument for an architecture that the device cannot run, such as sm_100a on sm_103.
absl::StatusOr<DeviceInfo> TargetOn(const WorkerDevice& device, const std::string& arch);

}  // namespace mmtune
