#include "worker/device_probe.h"

#include "kernels/compiler.h"
#include "kernels/runtime/device.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "worker/device_measurer.h"

namespace mmtune {
namespace {

void AddDevice(worker::Probe& probe, const DeviceInfo& info, int index) {
  v1::WorkerDevice* device = probe.add_devices();
  *device->mutable_device() = ToWire(info);
  *device->mutable_toolchain() = ToWire(CompilerToolchain(info.kind));
  device->set_index(index);
}

}  // namespace

worker::Probe ProbeDevices(const std::string& arch) {
  worker::Probe probe;
  std::string why;
  int index = 0;
  for (const DeviceInfo& info : ListCudaDevices(&why)) AddDevice(probe, info, index++);
  if (index == 0) probe.set_no_cuda_reason(why.empty() ? "no CUDA device" : why);
  absl::StatusOr<std::unique_ptr<Device>> simt = CreateSimtDevice(arch);
  if (simt.ok()) {
    AddDevice(probe, (*simt)->info(), 0);
  } else {
    LogError("no_simt_device", {{"error", ToStd(simt.status().message())}});
  }
  return probe;
}

ChildParts RealChildParts() {
  ChildParts parts;
  parts.make_compiler = [] { return Compiler::Create(); };
  parts.make_measurer = [](const DeviceSelector& selector) { return DeviceMeasurer::Create(selector); };
  parts.probe = ProbeDevices;
  return parts;
}

}  // namespace mmtune
