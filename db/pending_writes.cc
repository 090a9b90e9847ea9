// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/pending_writes.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

absl::Status CheckText(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return InvalidArgument("a text with a zero byte cannot be stored");
  if (Utf8(text) != text) return InvalidArgument("a text that is not UTF-8 cannot be stored");
  return absl::OkStatus();
}

}  // namespace

absl::Status PendingWrites::Insert(const AttemptRow& attempt) {
  for (const std::string* text : {&attempt.token, &attempt.worker, &attempt.device_uuid, &attempt.detail}) {
    RETURN_IF_ERROR(CheckText(*text));
  }
  if (!inserted_at_.try_emplace(attempt.token, inserted_.size()).second) {
    return absl::AlreadyExistsError("this log already has an attempt with this token; a new attempt needs a new token");
  }
  inserted_.push_back(attempt);
  return absl::OkStatus();
}

absl::Status PendingWrites::End(std::string_view token, AttemptState state, std::string_view detail) {
  RETURN_IF_ERROR(CheckText(token));
  RETURN_IF_ERROR(CheckText(detail));
  if (const auto at = inserted_at_.find(token); at != inserted_at_.end()) {
    inserted_[at->second].state = state;
    inserted_[at->second].detail = detail;
  } else {
    ended_[std::string(token)] = {state, std::string(detail)};
  }
  return absl::OkStatus();
}

absl::Status PendingWrites::Write() {
  RETURN_IF_ERROR(WriteEnds());
  RETURN_IF_ERROR(WriteInserts());
  return WriteStates();
}

absl::Status PendingWrites::CheckWritten() {
  const bool wrote = !ended_.empty() || !inserted_.empty() || !states_.empty();
  if (wrote) RETURN_IF_ERROR(database_->RunWaiting());
  RETURN_IF_ERROR(CheckEnds());
  if (inserts_written_ != static_cast<int64_t>(inserted_.size())) return Refusal();
  if (states_written_ != static_cast<int64_t>(states_.size())) {
    for (const auto& [id, state] : states_) RETURN_IF_ERROR(CheckCandidate(id));
  }
  Forget();
  return absl::OkStatus();
}

void PendingWrites::Forget() {
  ends_written_ = inserts_written_ = states_written_ = 0;
  states_.clear();
  inserted_states_.clear();
  inserted_.clear();
  inserted_at_.clear();
  ended_.clear();
}

absl::Status PendingWrites::WriteEnds() {
  if (ended_.empty()) return absl::OkStatus();
  nlohmann::json rows;
  for (const auto& [token, end] : ended_) rows.push_back({token, AttemptStateName(end.first), end.second});
  return database_->RunLater(&ends_written_,
                             "UPDATE attempt SET state = e.value ->> 1, detail = e.value ->> 2 FROM json_each(?1) AS e "
                             "WHERE attempt.token = e.value ->> 0",
                             rows.dump());
}

absl::Status PendingWrites::CheckEnds() {
  if (ends_written_ == static_cast<int64_t>(ended_.size())) return absl::OkStatus();
  for (const auto& [token, end] : ended_) {
    ASSIGN_OR_RETURN(const std::optional<int64_t> written,
                     database_->FirstId("SELECT id FROM attempt WHERE token = ?1", token));
    if (!written) return NotFound(absl::StrCat("no attempt with the token ", token.substr(0, 8), "... in this log"));
  }
  return absl::OkStatus();
}

absl::Status PendingWrites::WriteInserts() {
  if (inserted_.empty()) return absl::OkStatus();
  nlohmann::json rows;
  for (const AttemptRow& row : inserted_) {
    rows.push_back({row.token, row.candidate_id, row.number, row.worker, row.device_uuid, AttemptStateName(row.state),
                    row.detail});
  }
  return database_->RunLater(
      &inserts_written_,
      "INSERT INTO attempt (token, candidate_id, number, worker, device_uuid, state, detail) SELECT e.value ->> 0, "
      "c.id, CAST(e.value ->> 2 AS bigint), e.value ->> 3, e.value ->> 4, e.value ->> 5, e.value ->> 6 FROM "
      "json_each(?1) AS e JOIN candidate AS c ON c.id = CAST(e.value ->> 1 AS bigint) WHERE true "
      "ON CONFLICT DO NOTHING",
      rows.dump());
}

absl::Status PendingWrites::CheckCandidate(int64_t id) {
  ASSIGN_OR_RETURN(const std::optional<int64_t> candidate,
                   database_->FirstId("SELECT id FROM candidate WHERE id = ?1", id));
  return candidate ? absl::OkStatus() : NotFound(absl::StrCat("no candidate ", id, " in this log"));
}

absl::Status PendingWrites::Refusal() {
  for (const AttemptRow& row : inserted_) {
    RETURN_IF_ERROR(CheckCandidate(row.candidate_id));
    ASSIGN_OR_RETURN(const std::optional<int64_t> written,
                     database_->FirstId("SELECT id FROM attempt WHERE token = ?1", row.token));
    if (!written) {
      return FailedPrecondition(
          absl::StrCat("candidate ", row.candidate_id, " already has a live attempt (a lease that has not ended)"));
    }
  }
  return absl::AlreadyExistsError("this log already has an attempt with this token; a new attempt needs a new token");
}

absl::Status PendingWrites::WriteStates() {
  for (const auto& [id, state] : inserted_states_) {
    if (const auto last = states_.find(id); last != states_.end() && last->second == state) states_.erase(last);
  }
  if (states_.empty()) return absl::OkStatus();
  nlohmann::json rows;
  for (const auto& [id, state] : states_) rows.push_back({id, CandidateStateName(state)});
  return database_->RunLater(&states_written_,
                             "UPDATE candidate SET state = e.value ->> 1 FROM json_each(?1) AS e "
                             "WHERE candidate.id = CAST(e.value ->> 0 AS bigint)",
                             rows.dump());
}

}  // namespace mmtune
