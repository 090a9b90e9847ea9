// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/profile_json.h"

#include "proto/base/status.h"
#include "proto/json/value_json.h"

namespace mmtune {
namespace {

constexpr int kMaxDepth = 8;

}  // namespace

std::string ProfileRequestToJson(const ProfileRequest& request) { return Dump(ToJson(request)); }

absl::StatusOr<ProfileRequest> ProfileRequestFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(ProfileRequest request, ValueFromJson<ProfileRequest>(text, kMaxDepth));
  RETURN_IF_ERROR(request.problem.Validate());
  return request;
}

std::string KernelProfileToJson(const KernelProfile& profile) { return Dump(ToJson(profile)); }

absl::StatusOr<KernelProfile> KernelProfileFromJson(std::string_view text) {
  return ValueFromJson<KernelProfile>(text, kMaxDepth);
}

}  // namespace mmtune
