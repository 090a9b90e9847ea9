// What `tune verify` asks of a worker, and the answer, as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/measurement.h"

namespace mmtune {

struct VerifyRequest {
  MatmulProblem problem;
  Schedule schedule;
  int64_t stress_runs = 3;  ///< Of each small shape.
};

struct VerifyAnswer {
  DeviceInfo device;
  Toolchain toolchain;
  Measurement measurement;  ///< With the proof, and the check at the size of the problem when the proof passed.
};

std::string VerifyRequestToJson(const VerifyRequest& request);
/// InvalidArgument also for an invalid problem.
absl::StatusOr<VerifyRequest> VerifyRequestFromJson(std::string_view text);
std::string VerifyAnswerToJson(const VerifyAnswer& answer);
absl::StatusOr<VerifyAnswer> VerifyAnswerFromJson(std::string_view text);

}  // namespace mmtune
