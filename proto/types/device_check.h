// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which device a DeviceInfo can be.
#pragma once

#include "absl/status/status.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// Named, with an architecture, memory and at least one multiprocessor, and no number that no device has.
/// InvalidArgument names the field.
absl::Status CheckDevice(const DeviceInfo& device);

}  // namespace mmtune
