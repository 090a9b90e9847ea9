// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only code that turns value types into messages and back.
//
// FromWire validates: an unknown enum name, an invalid problem or a malformed schedule is InvalidArgument with the
// field named. ToWire cannot fail. Strings are made valid UTF-8 on the way out.
#pragma once

#include "absl/status/statusor.h"
#include "mmtune/v1/types.pb.h"
#include "proto/types/device_info.h"
#include "proto/types/labels.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measure_options.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Types that have a message of the same name with the same fields.
#define MMTUNE_WIRE_TYPES(X) \
  X(MatmulProblem)           \
  X(Schedule)                \
  X(DeviceInfo)              \
  X(Toolchain)               \
  X(KernelResources)         \
  X(CheckReport)             \
  X(ProofReport)             \
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
