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
  return InvalidArgument(absl::StrCat("check mode at ", problem.Text(), " would take too long: ", products,
                                      " products, and the limit is ", kMaxWatchedProducts));
}

std::string VerifyRequestToJson(const VerifyRequest& request) {
  return Dump({{"problem", ToJson(request.problem)},
               {"schedule", ToJson(request.schedule)},
               {"stress_runs", request.stress_runs},
               {"watch_size", request.watch_size}});
}

absl::StatusOr<VerifyRequest> VerifyRequestFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(JsonTree json, ParseStrictJson(text, kMaxDepth));
  absl::Status status;
  ObjectReader reader(json, "", &status);
  VerifyRequest request;
  FromJson(reader.Child("problem"), &request.problem);
  ReadSchedule(reader, "schedule", &request.schedule);
  reader.Read("stress_runs", &request.stress_runs);
  reader.Read("watch_size", &request.watch_size);
  if (request.stress_runs < 0 || request.stress_runs > kMaxStressRuns) reader.Fail("stress_runs", "is not 0 to 100000");
  reader.Finish();
  if (!status.ok()) return status;
  RETURN_IF_ERROR(request.problem.Validate());
  if (request.watch_size) RETURN_IF_ERROR(CheckWatchable(request.problem));
  return request;
}

std::string VerifyAnswerToJson(const VerifyAnswer& answer) {
  return Dump({{"device", ToJson(answer.device)},
               {"toolchain", ToJson(answer.toolchain)},
               {"measurement", ToJson(answer.measurement)}});
}

absl::StatusOr<VerifyAnswer> VerifyAnswerFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(JsonTree json, ParseStrictJson(text, kMaxDepth));
  absl::Status status;
  ObjectReader reader(json, "", &status);
  VerifyAnswer answer;
  FromJson(reader.Child("device"), &answer.device);
  FromJson(reader.Child("toolchain"), &answer.toolchain);
  FromJson(reader.Child("measurement"), &answer.measurement);
  reader.Finish();
  if (!status.ok()) return status;
  return answer;
}

}  // namespace mmtune
