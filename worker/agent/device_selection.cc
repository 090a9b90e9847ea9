// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/device_selection.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

constexpr int kOldest = 75;
// Orin. The other Tegra devices have a major revision of their own among the architectures we generate for.
constexpr int kTegra = 87;

int Capability(const std::string& arch) {
  DeviceInfo device;
  device.arch = arch;
  return device.ComputeCapability();
}

bool Matches(const DeviceSelector& selector, const WorkerDevice& device, bool any_cuda) {
  const bool cuda = device.info.kind == DeviceKind::kCuda;
  if (selector.kind == DeviceSelector::Kind::kAuto) return cuda == any_cuda;
  if (selector.kind == DeviceSelector::Kind::kSimt) return !cuda;
  return cuda && (selector.index < 0 || selector.index == device.index);
}

}  // namespace

absl::StatusOr<worker::Probe> ProbeInChild(const std::string& executable, const std::string& arch,
                                           const std::string& scratch_folder) {
  ChildCommand command;
  command.executable = executable;
  command.role = "probe";
  command.arch = arch;
  command.scratch_folder = scratch_folder;
  Child child(std::move(command));
  ASSIGN_OR_RETURN(worker::Reply reply, child.Start());
  if (!reply.has_probe()) return Unavailable("the probe child sent an unexpected reply");
  return std::move(*reply.mutable_probe());
}

absl::StatusOr<std::vector<WorkerDevice>> ProbedDevices(const worker::Probe& probe) {
  std::vector<WorkerDevice> devices;
  for (const worker::ProbedDevice& probed : probe.devices()) {
    const v1::WorkerDevice& message = probed.device();
    WorkerDevice& device = devices.emplace_back();
    ASSIGN_OR_RETURN(device.info, FromWire(message.device()));
    ASSIGN_OR_RETURN(device.toolchain, FromWire(message.toolchain()));
    device.index = message.index();
    device.native_arch = probed.native_arch();
    device.selector = device.info.kind == DeviceKind::kCuda ? absl::StrCat("cuda:", device.index) : "simt";
  }
  return devices;
}

absl::StatusOr<std::vector<WorkerDevice>> SelectDevices(const std::vector<DeviceSelector>& selectors,
                                                        const std::vector<WorkerDevice>& devices,
                                                        const std::string& no_cuda_reason) {
  const auto cuda_devices = std::count_if(devices.begin(), devices.end(),
                                          [](const WorkerDevice& d) { return d.info.kind == DeviceKind::kCuda; });
  std::vector<WorkerDevice> selected;
  for (const DeviceSelector& selector : selectors) {
    bool found = false;
    for (const WorkerDevice& device : devices) {
      if (!Matches(selector, device, cuda_devices > 0)) continue;
      found = true;
      const bool taken = std::any_of(selected.begin(), selected.end(),
                                     [&device](const WorkerDevice& d) { return d.selector == device.selector; });
      if (!taken) selected.push_back(device);
    }
    if (found) continue;
    std::string reason =
        no_cuda_reason.empty() ? absl::StrCat("the host has ", cuda_devices, " CUDA devices") : no_cuda_reason;
    return NotFound(
        absl::StrCat("no device ", DeviceSelectorText(selector), ": ", reason, "; --device simt runs on the CPU"));
  }
  return selected;
}

absl::StatusOr<std::vector<WorkerDevice>> FindDevices(const std::vector<DeviceSelector>& selectors,
                                                      const std::string& executable, const std::string& arch,
                                                      const std::string& scratch_folder) {
  ASSIGN_OR_RETURN(const worker::Probe probe, ProbeInChild(executable, arch, scratch_folder));
  ASSIGN_OR_RETURN(const std::vector<WorkerDevice> devices, ProbedDevices(probe));
  return SelectDevices(selectors, devices, probe.no_cuda_reason());
}

absl::StatusOr<std::string> GeneratedArchitecture(const std::string& native) {
  // The bound is for a driver that answers nonsense: without it this might loop for long.
  for (int capability = std::min(Capability(native), 999); capability >= kOldest; --capability) {
    std::string arch = absl::StrCat("sm_", capability);
    if (ArchitectureLimits(arch).ok()) return arch;
  }
  return NotFound(absl::StrCat(native, " is older than sm_", kOldest, ", the oldest that mmtune generates code for"));
}

bool RunsCubin(const std::string& native, const std::string& arch) {
  if (native.empty() || native == arch) return true;
  const int device = Capability(native), code = Capability(arch);
  if (IsArchitectureSpecific(arch)) return device == code;
  return device != kTegra && code > 0 && device / 10 == code / 10 && device >= code;
}

absl::StatusOr<DeviceInfo> TargetOn(const WorkerDevice& device, const std::string& arch) {
  ASSIGN_OR_RETURN(DeviceInfo target, TargetFor(device.info, arch));
  if (!IsArchitectureSpecific(target.arch) || RunsCubin(device.native_arch, target.arch)) return target;
  return InvalidArgument(absl::StrCat("arch ", target.arch, " is for devices of ", PortableArchitecture(target.arch),
                                      " alone, and ", device.info.name, " is ", device.native_arch, ": ask for ",
                                      device.info.arch, " or older"));
}

}  // namespace mmtune
