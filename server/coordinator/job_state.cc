// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_state.h"

#include <optional>
#include <utility>

namespace mmtune {
namespace {

constexpr std::pair<JobState, v1::JobState> kStates[] = {
    {JobState::kWaiting, v1::JOB_STATE_WAITING}, {JobState::kRunning, v1::JOB_STATE_RUNNING},
    {JobState::kDone, v1::JOB_STATE_DONE},       {JobState::kCancelled, v1::JOB_STATE_CANCELLED},
    {JobState::kFailed, v1::JOB_STATE_FAILED},   {JobState::kInterrupted, v1::JOB_STATE_INTERRUPTED}};

std::optional<JobState> FromWire(v1::JobState state) {
  for (const auto& [own, wire] : kStates) {
    if (wire == state) return own;
  }
  return std::nullopt;
}

}  // namespace

v1::JobState ToWire(JobState state) {
  for (const auto& [own, wire] : kStates) {
    if (own == state) return wire;
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
