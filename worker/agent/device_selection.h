// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices of the host, which of them a worker serves, and which code they run.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "worker/children/child.h"
#include "worker/children/evaluator.h"

namespace mmtune {

/// Asks a probe child. Errors: Unavailable when it fails; it may not run for longer than a minute.
absl::StatusOr<worker::Probe> ProbeInChild(const std::string& executable, const std::string& arch,
                                           const std::string& scratch_folder);

/// The devices of a probe.
absl::StatusOr<std::vector<WorkerDevice>> ProbedDevices(const worker::Probe& probe);

/// Those that the selectors name, each once, in the order of the selectors: "cuda" is every CUDA device, "auto" every
/// CUDA device or else the SIMT device. NotFound when a selector names none, with the reason.
absl::StatusOr<std::vector<WorkerDevice>> SelectDevices(const std::vector<DeviceSelector>& selectors,
                                                        const std::vector<WorkerDevice>& devices,
                                                        const std::string& no_cuda_reason);

/// The three steps in one: the devices of this host that the selectors name.
absl::StatusOr<std::vector<WorkerDevice>> FindDevices(const std::vector<DeviceSelector>& selectors,
                                                      const std::string& executable, const std::string& arch,
                                                      const std::string& scratch_folder);

// Which code a CUDA device runs, where it is not of an architecture that we generate for. Source: CUDA C++ Programming
// Guide, "Binary Compatibility" and "PTX Compatibility". PTX of an older architecture is assembled by the driver for
// any newer device. A cubin runs on devices of its own major revision and the same or a higher minor one, but never
// between the desktop and Tegra.

/// The newest architecture we generate for whose PTX runs on a device of `native` ("sm_87" -> "sm_86", "sm_121" ->
/// "sm_120"). NotFound when the device is older than all of them, or `native` is no architecture.
absl::StatusOr<std::string> GeneratedArchitecture(const std::string& native);

/// Whether a cubin for `arch` runs on a device of `native`; where not, keep the PTX. True where `native` is empty, as
/// that of the SIMT device is.
bool RunsCubin(const std::string& native, const std::string& arch);

/// What the device is to code for `arch`, which may be empty: its own (TargetFor). InvalidArgument also where the code
/// is one chip's, and the device another one: sm_100a on sm_103, which runs what is generated for sm_100.
absl::StatusOr<DeviceInfo> TargetOn(const WorkerDevice& device, const std::string& arch);

}  // namespace mmtune
