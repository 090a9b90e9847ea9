// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of the protocol, and the only code that converts between value types and messages.
//
// FromWire validates: an unknown enum name, an invalid problem or a malformed schedule is InvalidArgument with the
// field named. ToWire cannot fail; it makes strings valid UTF-8.
#pragma once

#include <cstddef>

#include <string>

#include "absl/status/statusor.h"
#include "mmtune/v1/types.pb.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measure_options.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"
#include "proto/types/scheduling_policy.h"

namespace mmtune {

/// The version that this program speaks. Peers refuse each other unless both speak the same one.
inline constexpr int kProtocol = 1;

/// The log event of a worker that waits for a device held by another process; `tune` tells its user.
inline constexpr char kWaitsForDevice[] = "waits_for_device";

/// The most bytes of a name, such as that of a worker: the name of its certificate, a '/', and its id.
inline constexpr size_t kMaxName = 128;

/// Types that have a message of the same name with the same fields.
#define MMTUNE_WIRE_TYPES(X) \
  X(MatmulProblem)           \
  X(Schedule)                \
  X(DeviceInfo)              \
  X(Toolchain)               \
  X(KernelResources)         \
  X(CheckReport)             \
  X(VerificationReport)      \
  X(Timing)                  \
  X(PhaseTimes)              \
  X(Conditions)              \
  X(MeasureOptions)          \
  X(Measurement)             \
  X(TuningRecord)

#define MMTUNE_DECLARE(Type)          \
  v1::Type ToWire(const Type& value); \
  absl::StatusOr<Type> FromWire(const v1::Type& message);
MMTUNE_WIRE_TYPES(MMTUNE_DECLARE)
#undef MMTUNE_DECLARE

v1::DeviceSelector ToWire(const DeviceSelector& value);
absl::StatusOr<DeviceSelector> FromWire(const v1::DeviceSelector& message);

absl::StatusOr<Labels> FromWire(const google::protobuf::Map<std::string, std::string>& labels);

}  // namespace mmtune
