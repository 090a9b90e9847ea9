// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The changes of candidates (schedules to measure) and attempts (leases of a candidate to a worker) that a transaction
// makes. They are written together: one statement for each kind of change, in place of one for each change. With
// PostgreSQL every statement is a round trip to the server.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "db/database.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Collects changes until Write(). If a row is changed several times, only the last change is written. A token
/// identifies an attempt. Not thread-safe. Does not own the database.
class PendingWrites {
 public:
  explicit PendingWrites(Database* database) : database_(database) {}

  /// Notes the new state of a candidate.
  void SetState(int64_t candidate_id, CandidateState state) { states_[candidate_id] = state; }
  /// Notes the state with which a candidate was inserted. Write() writes its state only if it has changed since.
  void NoteInserted(int64_t candidate_id, CandidateState state) { inserted_states_[candidate_id] = state; }
  /// Notes a new attempt. Returns InvalidArgument for a text that no database stores: with a zero byte, or not UTF-8.
  /// Returns AlreadyExists if an attempt with the same token is among the changes that are not written yet.
  absl::Status Insert(const AttemptRow& attempt);
  /// Notes that the attempt with this token has ended: its last state, and a text about it. Returns InvalidArgument as
  /// Insert() does.
  absl::Status End(std::string_view token, AttemptState state, std::string_view detail);
  /// True if an attempt with this token was inserted and is not written yet.
  bool HasAttempt(std::string_view token) const { return inserted_at_.contains(token); }

  /// Writes all changes, within the transaction that the caller has open. Ends of attempts are written before new
  /// attempts, because a candidate has at most one live attempt. Statements may be held back (Database::RunLater())
  /// until CheckWritten() is called.
  absl::Status Write();
  /// Checks what Write() has written. Returns NotFound if a candidate or an attempt is not there, FailedPrecondition if
  /// a candidate would have two live attempts (attempts that have not ended), and AlreadyExists if a token is there
  /// already. Then some changes may be written: the transaction must be rolled back.
  absl::Status CheckWritten();
  /// Forgets the changes that are not written.
  void Forget();

 private:
  absl::Status WriteEnds();
  absl::Status WriteInserts();
  absl::Status WriteStates();
  absl::Status CheckEnds();
  /// Returns NotFound if there is no candidate with this id.
  absl::Status CheckCandidate(int64_t id);
  /// Returns why not all attempts were inserted.
  absl::Status Refusal();

  Database* database_;
  int64_t ends_written_ = 0, inserts_written_ = 0, states_written_ = 0;  ///< The numbers of rows that Write() changed.
  std::map<int64_t, CandidateState> states_, inserted_states_;
  std::vector<AttemptRow> inserted_;
  std::map<std::string, size_t, std::less<>> inserted_at_;  ///< The indexes in inserted_, by token.
  std::map<std::string, std::pair<AttemptState, std::string>, std::less<>> ended_;  ///< Their states and details.
};

}  // namespace mmtune
