// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `tune profile` asks a worker for, and the answer, as JSON.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/kernel_profile.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

struct ProfileRequest {
  MatmulProblem problem;
  Schedule schedule;
  DeviceInfo device;  ///< What it is to run on; only arch and limits need be known.

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("problem", self.problem);
    visit("schedule", self.schedule);
    visit("device", self.device);
  }
};

std::string ProfileRequestToJson(const ProfileRequest& request);
/// InvalidArgument also for an invalid problem.
absl::StatusOr<ProfileRequest> ProfileRequestFromJson(std::string_view text);
std::string KernelProfileToJson(const KernelProfile& profile);
absl::StatusOr<KernelProfile> KernelProfileFromJson(std::string_view text);

}  // namespace mmtune
