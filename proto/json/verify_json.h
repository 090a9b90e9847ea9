// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `tune verify` asks a worker for, and the answer, as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// Watching every access is slow: for a larger problem, only small shapes are watched.
inline constexpr int64_t kMaxWatchedProducts = int64_t{1} << 31;

struct VerifyRequest {
  MatmulProblem problem;
  Schedule schedule;
  int64_t stress_runs = 3;  ///< Of each small shape.
  bool watch_size = false;  ///< Watch for races at the size of the problem, too.

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("problem", self.problem);
    visit("schedule", self.schedule);
    visit("stress_runs", self.stress_runs);
    visit("watch_size", self.watch_size);
  }
};

struct VerifyAnswer {
  DeviceInfo device;
  Toolchain toolchain;
  Measurement measurement;  ///< With the proof, and the check at the size of the problem when the proof passed.

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("device", self.device);
    visit("toolchain", self.toolchain);
    visit("measurement", self.measurement);
  }
};

/// InvalidArgument, with the limit, when watching would take too long at the size of `problem`.
absl::Status CheckWatchable(const MatmulProblem& problem);

std::string VerifyRequestToJson(const VerifyRequest& request);
/// InvalidArgument also for an invalid problem, and for one too large to be watched.
absl::StatusOr<VerifyRequest> VerifyRequestFromJson(std::string_view text);
std::string VerifyAnswerToJson(const VerifyAnswer& answer);
absl::StatusOr<VerifyAnswer> VerifyAnswerFromJson(std::string_view text);

}  // namespace mmtune
