// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The states of jobs, candidates and attempts, and the kinds of notes about workers. The log stores them by name;
// parsing an unknown name is InvalidArgument.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// "waiting", "running", "done", "cancelled", "failed", "interrupted".
enum class JobState { kWaiting, kRunning, kDone, kCancelled, kFailed, kInterrupted };
std::string_view JobStateName(JobState state);
absl::StatusOr<JobState> ParseJobState(std::string_view name);
/// Done, cancelled, failed, interrupted: nothing more will happen.
bool IsFinal(JobState state);

/// "queued", "leased", "done".
enum class CandidateState { kQueued, kLeased, kDone };
std::string_view CandidateStateName(CandidateState state);
absl::StatusOr<CandidateState> ParseCandidateState(std::string_view name);

/// "live", "reported", "expired", "released", "failed".
enum class AttemptState { kLive, kReported, kExpired, kReleased, kFailed };
std::string_view AttemptStateName(AttemptState state);
absl::StatusOr<AttemptState> ParseAttemptState(std::string_view name);

/// "worker_accused", "worker_quarantined", "worker_let_go", "worker_doubted".
enum class WorkerNoteKind { kAccused, kQuarantined, kLetGo, kDoubted };
std::string_view WorkerNoteKindName(WorkerNoteKind kind);
absl::StatusOr<WorkerNoteKind> ParseWorkerNoteKind(std::string_view name);

}  // namespace mmtune
