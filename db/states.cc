// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/states.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

template <typename State>
struct Named {
  State state;
  std::string_view name;
};

constexpr Named<JobState> kJobStates[] = {{JobState::kWaiting, "waiting"}, {JobState::kRunning, "running"},
                                          {JobState::kDone, "done"},       {JobState::kCancelled, "cancelled"},
                                          {JobState::kFailed, "failed"},   {JobState::kInterrupted, "interrupted"}};
constexpr Named<CandidateState> kCandidateStates[] = {
    {CandidateState::kQueued, "queued"}, {CandidateState::kLeased, "leased"}, {CandidateState::kDone, "done"}};
constexpr Named<AttemptState> kAttemptStates[] = {{AttemptState::kLive, "live"},
                                                  {AttemptState::kReported, "reported"},
                                                  {AttemptState::kExpired, "expired"},
                                                  {AttemptState::kReleased, "released"},
                                                  {AttemptState::kFailed, "failed"}};

template <typename State, size_t kCount>
std::string_view NameOf(const Named<State> (&names)[kCount], State state) {
  for (const auto& [value, name] : names) {
    if (value == state) return name;
  }
  return "unknown";
}

template <typename State, size_t kCount>
absl::StatusOr<State> Parse(const Named<State> (&names)[kCount], std::string_view text, std::string_view what) {
  for (const auto& [value, name] : names) {
    if (name == text) return value;
  }
  return InvalidArgument(absl::StrCat("unknown ", ToAbsl(what), " state '", ToAbsl(text), "'"));
}

}  // namespace

std::string_view JobStateName(JobState state) { return NameOf(kJobStates, state); }
absl::StatusOr<JobState> ParseJobState(std::string_view name) { return Parse(kJobStates, name, "job"); }
bool IsFinal(JobState state) { return state != JobState::kWaiting && state != JobState::kRunning; }

std::string_view CandidateStateName(CandidateState state) { return NameOf(kCandidateStates, state); }
absl::StatusOr<CandidateState> ParseCandidateState(std::string_view name) {
  return Parse(kCandidateStates, name, "candidate");
}

std::string_view AttemptStateName(AttemptState state) { return NameOf(kAttemptStates, state); }
absl::StatusOr<AttemptState> ParseAttemptState(std::string_view name) { return Parse(kAttemptStates, name, "attempt"); }

}  // namespace mmtune
