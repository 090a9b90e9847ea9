// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The requests that `tune profile` and `tune verify` send to a worker, and the answers, as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/kernel_profile.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

struct ProfileRequest {
  MatmulProblem problem;
  Schedule schedule;
  DeviceInfo device;  ///< The target; only arch and limits need be known.

  MMTUNE_FIELDS(problem, schedule, device)
};

std::string ProfileRequestToJson(const ProfileRequest& request);
/// Parses a request. InvalidArgument also for an invalid problem.
absl::StatusOr<ProfileRequest> ProfileRequestFromJson(std::string_view text);
std::string KernelProfileToJson(const KernelProfile& profile);
absl::StatusOr<KernelProfile> KernelProfileFromJson(std::string_view text);

/// The largest problem at whose own size race detection is possible: it is slow.
inline constexpr int64_t kMaxRaceDetectionMultiplyAdds = int64_t{1} << 31;

struct VerifyRequest {
  MatmulProblem problem;
  Schedule schedule;
  int64_t fuzzing_runs = 3;  ///< Schedule fuzzing runs of each small shape.
  bool watch_size = false;   ///< Detect races at the size of the problem, too.

  MMTUNE_FIELDS(problem, schedule, fuzzing_runs, watch_size)
};

struct VerifyAnswer {
  DeviceInfo device;
  Toolchain toolchain;
  Measurement measurement;  ///< The verification, and the check at the size of the problem when that passed.

  MMTUNE_FIELDS(device, toolchain, measurement)
};

/// Returns InvalidArgument, with the limit, when race detection at the size of `problem` would take too long.
absl::Status CheckRaceDetectionSize(const MatmulProblem& problem);

std::string VerifyRequestToJson(const VerifyRequest& request);
/// Parses a request. InvalidArgument also for an invalid problem, and for one too large for race detection.
absl::StatusOr<VerifyRequest> VerifyRequestFromJson(std::string_view text);
std::string VerifyAnswerToJson(const VerifyAnswer& answer);
absl::StatusOr<VerifyAnswer> VerifyAnswerFromJson(std::string_view text);

}  // namespace mmtune
