// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules for records: reports of workers, imported lines and stored rows.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// Checks that a device has a name, an architecture, memory and at least one multiprocessor, and that every number is
/// one that a device can have. InvalidArgument names the field.
absl::Status CheckDevice(const DeviceInfo& device);

/// Checks the texts of a toolchain by CheckText.
absl::Status CheckToolchain(const Toolchain& toolchain);

/// Returns InvalidArgument naming the field unless `value` has `least` to `most` bytes and PlainText leaves it as it
/// is.
absl::Status CheckText(std::string_view field, std::string_view value, size_t least, size_t most);

/// Returns InvalidArgument naming the field unless:
/// - the uuid has 1 to 64 characters of [A-Za-z0-9_-] and cannot be taken for an id; the problem is valid; the schedule
///   can be read back from its own text; times are finite and >= 0, sizes >= 0 (registers and spills >= -1), attempt >=
///   1;
/// - the fields agree with each other (Measurement::CheckConsistency()), unless the record is suspect;
/// - an ok measurement has a device that CheckDevice() accepts, and no time that means more than
/// PlausibleGflopsLimit().
absl::Status Validate(const TuningRecord& record);

/// Validates a record from outside. Unlike Validate(), an ok measurement that is only too fast for its device becomes
/// suspect, and its message says why.
absl::Status ValidateOrMarkSuspect(TuningRecord* record);

/// Marks a stored ok measurement as suspect if Validate() refuses it: somebody may have edited the log.
void MarkSuspectIfInvalid(TuningRecord* record);

}  // namespace mmtune
