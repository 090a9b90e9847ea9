// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/job_state.h"

#include <optional>

namespace mmtune {
namespace {

std::optional<JobState> FromWire(v1::JobState state) {
  switch (state) {
    case v1::JOB_STATE_WAITING:
      return JobState::kWaiting;
    case v1::JOB_STATE_RUNNING:
      return JobState::kRunning;
    case v1::JOB_STATE_DONE:
      return JobState::kDone;
    case v1::JOB_STATE_CANCELLED:
      return JobState::kCancelled;
    case v1::JOB_STATE_FAILED:
      return JobState::kFailed;
    case v1::JOB_STATE_INTERRUPTED:
      return JobState::kInterrupted;
    default:
      return std::nullopt;
  }
}

}  // namespace

v1::JobState ToWire(JobState state) {
  switch (state) {
    case JobState::kWaiting:
      return v1::JOB_STATE_WAITING;
    case JobState::kRunning:
      return v1::JOB_STATE_RUNNING;
    case JobState::kDone:
      return v1::JOB_STATE_DONE;
    case JobState::kCancelled:
      return v1::JOB_STATE_CANCELLED;
    case JobState::kFailed:
      return v1::JOB_STATE_FAILED;
    case JobState::kInterrupted:
      return v1::JOB_STATE_INTERRUPTED;
  }
  return v1::JOB_STATE_UNSPECIFIED;
}

std::string_view JobStateName(v1::JobState state) {
  const std::optional<JobState> known = FromWire(state);
  return known ? JobStateName(*known) : "unknown";
}

bool IsFinal(v1::JobState state) {
  const std::optional<JobState> known = FromWire(state);
  return known && IsFinal(*known);
}

}  // namespace mmtune
