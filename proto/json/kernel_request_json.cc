// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/kernel_request_json.h"

#include "proto/base/status.h"
#include "proto/json/json_reader.h"

namespace mmtune {
namespace {

constexpr int kMaxDepth = 8;

}  // namespace

absl::StatusOr<KernelLaunches> KernelLaunchesFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(KernelLaunches launches, ValueFromJson<KernelLaunches>(text, kMaxDepth));
  if (launches.launches.empty()) return InvalidArgument("launches must have at least one launch");
  return launches;
}

std::string KernelVerifyRequestToJson(const KernelVerifyRequest& request) { return Dump(ToJson(request)); }

absl::StatusOr<KernelVerifyRequest> KernelVerifyRequestFromJson(std::string_view text) {
  return ValueFromJson<KernelVerifyRequest>(text, kMaxDepth);
}

std::string KernelVerifyAnswerToJson(const KernelVerifyAnswer& answer) { return Dump(ToJson(answer)); }

absl::StatusOr<KernelVerifyAnswer> KernelVerifyAnswerFromJson(std::string_view text) {
  return ValueFromJson<KernelVerifyAnswer>(text, kMaxDepth);
}

}  // namespace mmtune
