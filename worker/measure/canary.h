// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a measure child asks of its device before it serves.
#pragma once

#include "absl/status/status.h"
#include "kernels/runtime/device.h"

namespace mmtune {

/// The device's memory holds what is written to it, and a small kernel (of a CUDA device) computes what it should:
/// after a failure this tells a broken device from a bad candidate. Unavailable where it does not, or is lost.
absl::Status ProveDevice(Device* device);

}  // namespace mmtune
