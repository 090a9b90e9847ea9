// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/verify_json.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/json/object_reader.h"
#include "proto/json/strict_parse.h"
#include "proto/json/value_json.h"

namespace mmtune {
namespace {

constexpr int kMaxDepth = 8;
constexpr int64_t kMaxStressRuns = 100'000;

}  // namespace

absl::Status CheckWatchable(const MatmulProblem& problem) {
  const double products = problem.Flops() / 2;
  if (products <= static_cast<double>(kMaxWatchedProducts)) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("watching ", problem.Text(), " for races would take too long: ", products,
                                      " products, and the limit is ", kMaxWatchedProducts));
}

std::string VerifyRequestToJson(const VerifyRequest& request) { return Dump(ToJson(request)); }

absl::StatusOr<VerifyRequest> VerifyRequestFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(JsonTree json, ParseStrictJson(text, kMaxDepth));
  absl::Status status;
  ObjectReader reader(json, "", &status);
  VerifyRequest request;
  ReadFields(reader, &request);
  if (request.stress_runs < 0 || request.stress_runs > kMaxStressRuns) reader.Fail("stress_runs", "is not 0 to 100000");
  reader.Finish();
  if (!status.ok()) return status;
  RETURN_IF_ERROR(request.problem.Validate());
  if (request.watch_size) RETURN_IF_ERROR(CheckWatchable(request.problem));
  return request;
}

std::string VerifyAnswerToJson(const VerifyAnswer& answer) { return Dump(ToJson(answer)); }

absl::StatusOr<VerifyAnswer> VerifyAnswerFromJson(std::string_view text) {
  return ValueFromJson<VerifyAnswer>(text, kMaxDepth);
}

}  // namespace mmtune
