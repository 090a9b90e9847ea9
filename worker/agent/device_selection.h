// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the devices of the host, selects those that a worker serves, and tells which code they run.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "worker/children/child.h"
#include "worker/children/evaluator.h"

namespace mmtune {

/// Asks a probe child, for at most a minute. Returns Unavailable if it fails.
absl::StatusOr<worker::Probe> ProbeInChild(const std::string& executable, const std::string& arch,
                                           const std::string& scratch_folder);

/// Returns the devices of a probe.
absl::StatusOr<std::vector<WorkerDevice>> ProbedDevices(const worker::Probe& probe);

/// Returns the devices that the selectors name, each once, in their order: "cuda" is every CUDA device, "auto" every
/// CUDA device or else the SIMT device. Returns NotFound with the reason if a selector names none.
absl::StatusOr<std::vector<WorkerDevice>> SelectDevices(const std::vector<DeviceSelector>& selectors,
                                                        const std::vector<WorkerDevice>& devices,
                                                        const std::string& no_cuda_reason);

/// Probes the host and returns the devices that the selectors name.
absl::StatusOr<std::vector<WorkerDevice>> FindDevices(const std::vector<DeviceSelector>& selectors,
                                                      const std::string& executable, const std::string& arch,
                                                      const std::string& scratch_folder);

// A CUDA device may be of an architecture that mmtune does not generate code for. The driver assembles PTX of an older
// architecture for any newer device. A cubin runs on devices of its own major revision and the same or a higher minor
// one, but never across desktop and Tegra devices. Source: CUDA C++ Programming Guide, "Binary Compatibility" and "PTX
// Compatibility".

/// Returns the newest architecture that mmtune generates code for whose PTX runs on a device of `native` ("sm_87" ->
/// "sm_86", "sm_121" -> "sm_120"). NotFound if the device is older than all of them, or `native` is no architecture.
absl::StatusOr<std::string> GeneratedArchitecture(const std::string& native);

/// True if a cubin for `arch` runs on a device of `native`, or if `native` is empty (the SIMT device). Otherwise only
/// PTX does.
bool RunsCubin(const std::string& native, const std::string& arch);

/// Returns the device as code for `arch` sees it (TargetFor); an empty `arch` is the device's own. Returns
/// InvalidArgument also if `arch` is specific to another chip: sm_100a on sm_103, which runs code for sm_100.
absl::StatusOr<DeviceInfo> TargetOn(const WorkerDevice& device, const std::string& arch);

}  // namespace mmtune
