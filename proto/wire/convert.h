// The only code that turns value types into messages and back.
//
// FromWire validates: an unknown enum name, an invalid problem or a malformed schedule is InvalidArgument with the
// field named. ToWire cannot fail. Strings are made valid UTF-8 on the way out.
#pragma once

#include "absl/status/statusor.h"
#include "mmtune/v1/types.pb.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

v1::MatmulProblem ToWire(const MatmulProblem& value);
v1::Schedule ToWire(const Schedule& value);
v1::DeviceInfo ToWire(const DeviceInfo& value);
v1::DeviceSelector ToWire(const DeviceSelector& value);
v1::Toolchain ToWire(const Toolchain& value);
v1::KernelResources ToWire(const KernelResources& value);
v1::CheckReport ToWire(const CheckReport& value);
v1::ProofReport ToWire(const ProofReport& value);
v1::Timing ToWire(const Timing& value);
v1::PhaseTimes ToWire(const PhaseTimes& value);
v1::Conditions ToWire(const Conditions& value);
v1::Measurement ToWire(const Measurement& value);
v1::TuningRecord ToWire(const TuningRecord& value);

absl::StatusOr<MatmulProblem> FromWire(const v1::MatmulProblem& message);
absl::StatusOr<Schedule> FromWire(const v1::Schedule& message);
absl::StatusOr<DeviceInfo> FromWire(const v1::DeviceInfo& message);
absl::StatusOr<DeviceSelector> FromWire(const v1::DeviceSelector& message);
absl::StatusOr<Toolchain> FromWire(const v1::Toolchain& message);
absl::StatusOr<KernelResources> FromWire(const v1::KernelResources& message);
absl::StatusOr<CheckReport> FromWire(const v1::CheckReport& message);
absl::StatusOr<ProofReport> FromWire(const v1::ProofReport& message);
absl::StatusOr<Timing> FromWire(const v1::Timing& message);
absl::StatusOr<PhaseTimes> FromWire(const v1::PhaseTimes& message);
absl::StatusOr<Conditions> FromWire(const v1::Conditions& message);
absl::StatusOr<Measurement> FromWire(const v1::Measurement& message);
absl::StatusOr<TuningRecord> FromWire(const v1::TuningRecord& message);

}  // namespace mmtune
