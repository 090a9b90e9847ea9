// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mgpu* functions that MLIR's gpu-to-llvm calls, over a Device.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/device/device.h"

namespace mmtune {

/// What the process did through mgpu* since it started; at rest, created equals destroyed, except for the images and
/// constants of code that is loaded. Memory for the host, too (gpu.alloc host_shared), is not counted: only programs
/// make that, and may leave it to the end of the process.
struct MgpuCounters {
  int64_t allocations = 0, frees = 0;
  int64_t streams_created = 0, streams_destroyed = 0;
  int64_t events_created = 0, events_destroyed = 0;
  int64_t modules_loaded = 0, modules_unloaded = 0;
  int64_t launches = 0;
  int64_t uploads = 0, downloads = 0;  ///< Copies from host to device, constants included, and back.
};

struct MgpuOptions {
  /// New device memory is filled with NaN patterns, so that a kernel that leaves an element out is found.
  bool poison_allocations = false;
};

/// Directs the process's mgpu* calls at `device`, which must outlive them. mgpu* calls cannot return errors: the first
/// one is kept for TakeMgpuError(), and the calls after it do nothing but release what they are given.
void SetMgpuDevice(Device* device, MgpuOptions options = {});
/// Makes the device at the first call that needs one; `image` is the format of the first image loaded, if any was.
using MgpuDeviceFactory = std::function<absl::StatusOr<Device*>(std::optional<ImageFormat> image)>;
/// For processes that cannot call SetMgpuDevice() before code with images is loaded: such images wait for their first
/// use. An error of the factory is kept as that of any call.
void SetMgpuDeviceFactory(MgpuDeviceFactory factory);
/// The device in use; null when none was set or made yet.
Device* CurrentMgpuDevice();
/// From now on an unloaded image is only counted: at the end of a process, what a device needs to unload it may be
/// gone.
void KeepMgpuImagesLoaded();

absl::Status TakeMgpuError();
MgpuCounters GetMgpuCounters();

/// Name and address of every mgpu* function and of memrefCopy, for a JIT's symbol table.
std::vector<std::pair<std::string, void*>> MgpuSymbols();

}  // namespace mmtune
