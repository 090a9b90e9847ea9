// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of what client, coordinator and worker say to each other.
#pragma once

#include <cstddef>

namespace mmtune {

/// The version that this program speaks. Peers refuse each other unless both speak the same one.
inline constexpr int kProtocol = 1;

/// The event in the log of a worker that waits for a device held by another process: `tune` tells its user.
inline constexpr char kWaitsForDevice[] = "waits_for_device";

/// The longest name on the wire, in bytes: of a worker, with the name of its certificate and a '/' before its id.
inline constexpr size_t kMaxName = 128;

}  // namespace mmtune
