// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks tuning records from outside (reports of workers, imported files, rows of a log) before they are used. A record
// whose time is impossible on its device is kept but marked as suspect, so that it is never ranked.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// Returns InvalidArgument naming the field unless the device has a name, an architecture, memory and a multiprocessor,
/// and all numbers are in the range of real devices.
absl::Status CheckDevice(const DeviceInfo& device);

/// Returns InvalidArgument naming the field unless all texts of the toolchain pass CheckText().
absl::Status CheckToolchain(const Toolchain& toolchain);

/// Returns InvalidArgument naming `field` unless `value` has `least` to `most` bytes and is safe to print
/// (IsPlainText).
absl::Status CheckText(std::string_view field, std::string_view value, size_t least, size_t most);

/// Checks a record. Returns InvalidArgument naming the field unless:
/// - the uuid has 1 to 64 characters of [A-Za-z0-9_-] and cannot be mistaken for a row id;
/// - the problem is valid, and the schedule can be read back from its own text;
/// - all numbers are in range: times finite and >= 0, sizes >= 0 (registers and spills >= -1), attempt >= 1;
/// - fields do not contradict each other (Measurement::CheckConsistency()), unless the record is suspect;
/// - if the outcome is ok, the device passes CheckDevice() and no time is faster than PlausibleGflopsLimit() allows.
absl::Status Validate(const TuningRecord& record);

/// Checks a record by the rules of Validate(), and returns its errors. But an ok measurement whose only fault is that
/// it is too fast for its device is accepted: the record becomes suspect, with a message that says why.
absl::Status ValidateOrMarkSuspect(TuningRecord* record);

/// Marks a stored ok measurement as suspect if Validate() refuses it, because somebody may have edited the log.
void MarkSuspectIfInvalid(TuningRecord* record);

}  // namespace mmtune
