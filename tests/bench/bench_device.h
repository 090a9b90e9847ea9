// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device of workers that measure nothing.
#pragma once

#include "proto/types/device_info.h"

namespace mmtune {

inline DeviceInfo BenchDevice() {
  DeviceInfo device = *ArchitectureLimits("sm_80");
  device.kind = DeviceKind::kSimt;
  device.name = "bench";
  device.uuid = "bench";
  device.multiprocessors = 2;
  device.memory_bytes = int64_t{1} << 30;
  return device;
}

}  // namespace mmtune
