// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/request_json.h"

#include "absl/strings/str_cat.h"
#include "proto/base/json_tree.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"

namespace mmtune {
namespace {

constexpr int kMaxDepth = 8;
constexpr int64_t kMaxFuzzingRuns = 100'000;

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

absl::Status CheckRaceDetectionSize(const MatmulProblem& problem) {
  const double multiply_adds = problem.Flops() / 2;
  if (multiply_adds <= static_cast<double>(kMaxRaceDetectionMultiplyAdds)) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("race detection at ", problem.Text(), " would take too long: ", multiply_adds,
                                      " multiply-adds, the limit is ", kMaxRaceDetectionMultiplyAdds));
}

std::string VerifyRequestToJson(const VerifyRequest& request) { return Dump(ToJson(request)); }

absl::StatusOr<VerifyRequest> VerifyRequestFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(JsonTree json, ParseStrictJson(text, kMaxDepth));
  absl::Status status;
  ObjectReader reader(json, "", &status);
  VerifyRequest request;
  ReadFields(reader, &request);
  if (request.fuzzing_runs < 0 || request.fuzzing_runs > kMaxFuzzingRuns)
    reader.Fail("fuzzing_runs", "must be 0 to 100000");
  reader.Finish();
  if (!status.ok()) return status;
  RETURN_IF_ERROR(request.problem.Validate());
  if (request.check_full_size_races) RETURN_IF_ERROR(CheckRaceDetectionSize(request.problem));
  return request;
}

std::string VerifyAnswerToJson(const VerifyAnswer& answer) { return Dump(ToJson(answer)); }

absl::StatusOr<VerifyAnswer> VerifyAnswerFromJson(std::string_view text) {
  return ValueFromJson<VerifyAnswer>(text, kMaxDepth);
}

}  // namespace mmtune
