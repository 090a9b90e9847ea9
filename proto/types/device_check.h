// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which device a DeviceInfo can be, and which texts a worker may have for itself.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// Named, with an architecture, memory and at least one multiprocessor, and no number that no device has.
/// InvalidArgument names the field.
absl::Status CheckDevice(const DeviceInfo& device);

/// InvalidArgument names the text that is too long or not plain (CheckText).
absl::Status CheckToolchain(const Toolchain& toolchain);

/// InvalidArgument, naming the field, unless `value` has `least` to `most` bytes and PlainText leaves it as it is.
absl::Status CheckText(std::string_view field, std::string_view value, size_t least, size_t most);

}  // namespace mmtune
