// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/states.h"

#include "proto/types/fields.h"

namespace mmtune {
namespace {

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
constexpr Named<WorkerNoteKind> kWorkerNoteKinds[] = {{WorkerNoteKind::kAccused, "worker_accused"},
                                                      {WorkerNoteKind::kQuarantined, "worker_quarantined"},
                                                      {WorkerNoteKind::kLetGo, "worker_let_go"},
                                                      {WorkerNoteKind::kDoubted, "worker_doubted"}};

}  // namespace

std::string_view JobStateName(JobState state) { return NameIn(kJobStates, state); }
absl::StatusOr<JobState> ParseJobState(std::string_view name) { return ValueIn(kJobStates, name, "job state"); }
bool IsFinal(JobState state) { return state != JobState::kWaiting && state != JobState::kRunning; }

std::string_view CandidateStateName(CandidateState state) { return NameIn(kCandidateStates, state); }
absl::StatusOr<CandidateState> ParseCandidateState(std::string_view name) {
  return ValueIn(kCandidateStates, name, "candidate state");
}

std::string_view AttemptStateName(AttemptState state) { return NameIn(kAttemptStates, state); }
absl::StatusOr<AttemptState> ParseAttemptState(std::string_view name) {
  return ValueIn(kAttemptStates, name, "attempt state");
}

std::string_view WorkerNoteKindName(WorkerNoteKind kind) { return NameIn(kWorkerNoteKinds, kind); }
absl::StatusOr<WorkerNoteKind> ParseWorkerNoteKind(std::string_view name) {
  return ValueIn(kWorkerNoteKinds, name, "kind of note");
}

}  // namespace mmtune
