// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The requests that the commands `tune profile` and `tune verify` send to a worker process, and the worker's answers,
// as JSON. `tune profile` predicts where one schedule (a kernel family with its parameters, such as tile sizes) spends
// its time; `tune verify` checks one schedule for wrong results and races.
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

/// Asks for the profile of one schedule.
struct ProfileRequest {
  MatmulProblem problem;
  Schedule schedule;
  DeviceInfo device;  ///< The GPU to profile for; only its architecture and limits are used.

  MMTUNE_FIELDS(problem, schedule, device)
};

std::string ProfileRequestToJson(const ProfileRequest& request);
/// Parses a request. Returns InvalidArgument for wrong JSON and for an invalid problem.
absl::StatusOr<ProfileRequest> ProfileRequestFromJson(std::string_view text);
std::string KernelProfileToJson(const KernelProfile& profile);
absl::StatusOr<KernelProfile> KernelProfileFromJson(std::string_view text);

/// The largest problem, in multiply-adds, that VerifyRequest::check_full_size_races accepts, because race detection is
/// slow.
inline constexpr int64_t kMaxRaceDetectionMultiplyAdds = int64_t{1} << 31;

/// Asks for the verification of one schedule.
struct VerifyRequest {
  MatmulProblem problem;
  Schedule schedule;
  int64_t fuzzing_runs = 3;  ///< Runs with random thread orders, at each small shape.
  /// If true, races are also detected at the size of the problem, not only at small shapes.
  bool check_full_size_races = false;

  MMTUNE_FIELDS(problem, schedule, fuzzing_runs, check_full_size_races)
};

/// The result of a verification.
struct VerifyAnswer {
  DeviceInfo device;
  Toolchain toolchain;
  /// The verification at small shapes and, if that passed, the check at the size of the problem.
  Measurement measurement;

  MMTUNE_FIELDS(device, toolchain, measurement)
};

/// Returns InvalidArgument with the limit if race detection at the size of `problem` would take too long.
absl::Status CheckRaceDetectionSize(const MatmulProblem& problem);

std::string VerifyRequestToJson(const VerifyRequest& request);
/// Parses a request. Returns InvalidArgument for wrong JSON, for an invalid problem, and for one that
/// CheckRaceDetectionSize() refuses.
absl::StatusOr<VerifyRequest> VerifyRequestFromJson(std::string_view text);
std::string VerifyAnswerToJson(const VerifyAnswer& answer);
absl::StatusOr<VerifyAnswer> VerifyAnswerFromJson(std::string_view text);

}  // namespace mmtune
