// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts between protobuf messages (namespace v1, mmtune/v1/*.proto) and the value types of proto/types. All other
// code uses the value types; only this file and its .cc access the fields of these messages.
//
// ToWire() never fails; it replaces invalid UTF-8 in strings. FromWire() checks what it reads: for an unknown enum
// name, an invalid problem or a malformed schedule it returns InvalidArgument naming the field.
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

/// The version of the protocol between server, workers and clients. Programs with different versions refuse each other.
inline constexpr int kProtocol = 1;

/// The log event of a worker that waits because another process uses the device. `tune` shows it to its user.
inline constexpr char kWaitsForDevice[] = "waits_for_device";

/// The longest name of a worker in bytes: the name in its certificate, a '/', and its id.
inline constexpr size_t kMaxName = 128;

/// The types that have a message of the same name with the same fields. ToWire() and FromWire() are generated from
/// their Fields() functions.
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

/// Convert a DeviceSelector. Its message has other fields than the type, so the conversion is written by hand.
v1::DeviceSelector ToWire(const DeviceSelector& value);
absl::StatusOr<DeviceSelector> FromWire(const v1::DeviceSelector& message);

/// Converts the labels of a worker. Returns InvalidArgument for those that CheckLabels() refuses.
absl::StatusOr<Labels> FromWire(const google::protobuf::Map<std::string, std::string>& labels);

}  // namespace mmtune
