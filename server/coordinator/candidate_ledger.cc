// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/candidate_ledger.h"

#include <algorithm>
#include <utility>

#include "proto/base/log.h"
#include "proto/base/status.h"
#include "server/coordinator/doubt_note.h"
#include "server/coordinator/storage_status.h"

namespace mmtune {

namespace {

LiveLease MakeLease(const AttemptRow& attempt, const HeldCandidate& candidate, TimePoint now, Duration ttl) {
  LiveLease lease;
  lease.token = attempt.token;
  lease.candidate_id = candidate.id;
  lease.job_id = candidate.job_id;
  lease.attempt = attempt.number;
  lease.worker = attempt.worker;
  lease.device_uuid = attempt.device_uuid;
  lease.granted = now;
  lease.expires = now + ttl;
  lease.closes = now + candidate.start_to_close;
  return lease;
}

/// Those that were made on another class of devices go. False, and nothing is changed, when kMostClaims other parties
/// have made theirs.
bool AddClaim(std::vector<Claim>& claims, Claim claim) {
  std::vector<Claim> kept = ClaimsOn(claim.class_key, claims);
  const auto own = std::find_if(kept.begin(), kept.end(), [&](const Claim& c) { return c.worker == claim.worker; });
  if (own != kept.end()) {
    *own = std::move(claim);
  } else {
    std::vector<std::string_view> others;
    for (const Claim& other : kept) {
      if (!SameParty(other.party, claim.party)) others.push_back(other.party);
    }
    if (others.size() == kept.size() && CountParties(others) >= kMostClaims) return false;
    kept.push_back(std::move(claim));
  }
  claims = std::move(kept);
  return true;
}

}  // namespace

CandidateLedger::CandidateLedger(const LedgerOptions& options, TuningLog& log, const Clock& clock,
                                 TokenSource new_token)
    : options_(options), log_(log), clock_(clock), new_token_(std::move(new_token)) {}

void CandidateLedger::Clear() {
  candidates_.clear();
  leases_.clear();
  tokens_by_request_.clear();
  jobs_.clear();
}

absl::Status CandidateLedger::Restore(const std::function<std::optional<Duration>(int64_t job_id)>& cap) {
  RETURN_IF_ERROR(RestoreDoubts(cap));
  ASSIGN_OR_RETURN(const std::vector<AttemptRow> live, FromStorage(log_.LiveAttempts()));
  for (const AttemptRow& attempt : live) {
    ASSIGN_OR_RETURN(std::optional<CandidateRow> row, FromStorage(log_.FindCandidate(attempt.candidate_id)));
    const std::optional<Duration> start_to_close = row ? cap(row->job_id) : std::nullopt;
    if (!start_to_close) {
      RETURN_IF_ERROR(FromStorage(log_.EndAttempt(attempt.token, AttemptState::kExpired, "its job has ended")));
      if (row) RETURN_IF_ERROR(SetState(row->id, CandidateState::kQueued));
      continue;
    }
    const Entry& entry = Hold({row->id, row->job_id, std::move(row->schedule), *start_to_close, attempt.number});
    leases_[attempt.token] = MakeLease(attempt, entry.info, clock_.Now(), options_.ttl);
    ++jobs_[row->job_id].live;
  }
  return absl::OkStatus();
}

absl::Status CandidateLedger::RestoreDoubts(const std::function<std::optional<Duration>(int64_t job_id)>& cap) {
  ASSIGN_OR_RETURN(const std::vector<WorkerNote> notes, FromStorage(log_.WorkerNotes()));
  for (const WorkerNote& note : notes) {
    if (note.kind == WorkerNoteKind::kDoubted) RETURN_IF_ERROR(RestoreDoubt(note, cap));
    if (note.kind != WorkerNoteKind::kLetGo) continue;
    // Nothing is held against it any more; but its word alone is still not enough.
    for (auto& [job_id, job] : jobs_) {
      for (auto& [candidate_id, claims] : job.restored_claims) {
        for (Claim& claim : claims) claim.sound &= claim.worker != note.worker;
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CandidateLedger::RestoreDoubt(const WorkerNote& note,
                                           const std::function<std::optional<Duration>(int64_t job_id)>& cap) {
  absl::StatusOr<DoubtedClaim> doubted = DoubtedClaimOf(note);
  if (!doubted.ok()) {
    LogWarning("doubt_unreadable", {{"worker", note.worker}, {"error", ToStd(doubted.status().message())}});
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::optional<AttemptRow> attempt, FromStorage(log_.FindAttempt(doubted->lease)));
  if (!attempt) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::optional<CandidateRow> row, FromStorage(log_.FindCandidate(attempt->candidate_id)));
  if (!row || row->state == CandidateState::kDone || !cap(row->job_id)) return absl::OkStatus();
  AddClaim(jobs_[row->job_id].restored_claims[row->id], std::move(doubted->claim));
  return absl::OkStatus();
}

absl::StatusOr<int64_t> CandidateLedger::Enter(int64_t job_id, const Schedule& schedule) {
  return FromStorage(log_.InsertCandidate(job_id, schedule));
}

absl::Status CandidateLedger::Settle(int64_t candidate_id) { return SetState(candidate_id, CandidateState::kDone); }

absl::Status CandidateLedger::Judge(AttemptRow own) {
  own.state = AttemptState::kReported;
  RETURN_IF_ERROR(FromStorage(log_.InsertAttempt(own)));
  return SetState(own.candidate_id, CandidateState::kDone);
}

absl::Status CandidateLedger::Queue(const HeldCandidate& candidate) {
  if (candidates_.contains(candidate.id)) return absl::OkStatus();
  Hold(candidate);
  jobs_[candidate.job_id].queue.push_back(candidate.id);
  return SetState(candidate.id, CandidateState::kQueued);
}

void CandidateLedger::Await(int64_t candidate_id) {
  HeldCandidate& candidate = candidates_.at(candidate_id).info;
  if (!std::exchange(candidate.awaited, true)) ++jobs_[candidate.job_id].awaited;
}

CandidateLedger::Entry& CandidateLedger::Hold(const HeldCandidate& candidate) {
  Entry& entry = candidates_[candidate.id];
  entry.info = candidate;
  if (auto claims = jobs_[candidate.job_id].restored_claims.extract(candidate.id)) {
    entry.claims = std::move(claims.mapped());
    entry.restored_doubt = true;
  }
  if (candidate.awaited) ++jobs_[candidate.job_id].awaited;
  return entry;
}

absl::StatusOr<std::vector<LiveLease>> CandidateLedger::Grant(const LeaseGrant& grant) {
  std::vector<LiveLease> granted;
  std::deque<int64_t> kept;
  const auto job = jobs_.find(grant.job_id);
  if (job == jobs_.end()) return granted;
  std::deque<int64_t>& queue = job->second.queue;
  while (!queue.empty() && static_cast<int>(granted.size()) < grant.max) {
    const int64_t id = queue.front();
    queue.pop_front();
    Entry& entry = candidates_.at(id);
    if (LeftToOthers(entry, grant)) {
      kept.push_back(id);
      continue;
    }
    ASSIGN_OR_RETURN(LiveLease lease, Open(entry, grant));
    granted.push_back(std::move(lease));
  }
  queue.insert(queue.begin(), kept.begin(), kept.end());
  return granted;
}

bool CandidateLedger::LeftToOthers(const Entry& entry, const LeaseGrant& grant) {
  std::vector<std::string> had;
  bool its_party_had = false;
  for (const Claim& claim : entry.claims) {
    if (claim.class_key != grant.class_key) continue;
    had.push_back(claim.party);
    its_party_had |= claim.worker == grant.worker || SameParty(claim.party, grant.party);
  }
  if (its_party_had) had.push_back(grant.party);  // its claim may be of another address
  if (its_party_had && entry.restored_doubt && grant.others_may_come) return true;
  // A worker that failed comes before one whose word is in doubt.
  const bool failed = !its_party_had && entry.avoid == grant.worker;
  return (its_party_had || failed) && grant.others_serve && grant.others_serve(had, failed ? grant.worker : "");
}

absl::StatusOr<LiveLease> CandidateLedger::Open(Entry& entry, const LeaseGrant& grant) {
  AttemptRow attempt;
  attempt.token = new_token_();
  attempt.candidate_id = entry.info.id;
  attempt.number = ++entry.info.attempts;
  attempt.worker = grant.worker;
  attempt.device_uuid = grant.device_uuid;
  LiveLease lease = MakeLease(attempt, entry.info, clock_.Now(), options_.ttl);
  lease.request_id = grant.request_id;
  leases_[lease.token] = lease;
  tokens_by_request_.emplace(lease.request_id, lease.token);
  ++jobs_[lease.job_id].live;
  RETURN_IF_ERROR(FromStorage(log_.InsertAttempt(attempt)));
  RETURN_IF_ERROR(SetState(lease.candidate_id, CandidateState::kLeased));
  return lease;
}

std::vector<LiveLease> CandidateLedger::Repeat(std::string_view worker, std::string_view request_id) const {
  std::vector<LiveLease> found;
  if (request_id.empty()) return found;
  const auto [first, last] = tokens_by_request_.equal_range(std::string(request_id));
  for (auto at = first; at != last; ++at) {
    const LiveLease& lease = leases_.at(at->second);
    if (lease.worker == worker) found.push_back(lease);
  }
  std::sort(found.begin(), found.end(),
            [](const LiveLease& a, const LiveLease& b) { return a.candidate_id < b.candidate_id; });
  return found;
}

bool CandidateLedger::Extend(std::string_view token, std::string_view worker) {
  auto at = leases_.find(std::string(token));
  if (at == leases_.end() || at->second.worker != worker) return false;
  at->second.expires = clock_.Now() + options_.ttl;
  return true;
}

void CandidateLedger::LoseLeasesOf(std::string_view worker) {
  for (auto& [token, lease] : leases_) {
    if (lease.worker == worker) lease.expires = clock_.Now();
  }
}

absl::StatusOr<CandidateLedger::Entry*> CandidateLedger::Close(std::string_view token, AttemptState state,
                                                               std::string_view detail) {
  const std::string key(token);  // it may be the lease's own
  auto lease = leases_.find(key);
  if (lease == leases_.end()) return NotFound("the lease is not live");
  Entry& entry = candidates_.at(lease->second.candidate_id);
  entry.avoid = std::move(lease->second.worker);
  --jobs_[entry.info.job_id].live;
  const auto [first, last] = tokens_by_request_.equal_range(lease->second.request_id);
  const auto own = std::find_if(first, last, [&key](const auto& of_request) { return of_request.second == key; });
  if (own != last) tokens_by_request_.erase(own);
  leases_.erase(lease);
  RETURN_IF_ERROR(FromStorage(log_.EndAttempt(key, state, detail)));
  return &entry;
}

absl::Status CandidateLedger::Finish(std::string_view token) {
  ASSIGN_OR_RETURN(Entry * entry, Close(token, AttemptState::kReported, ""));
  return End(*entry);
}

absl::Status CandidateLedger::Release(std::string_view token) {
  ASSIGN_OR_RETURN(Entry * entry, Close(token, AttemptState::kReleased, "handed back"));
  entry->avoid.clear();
  return Requeue(*entry);
}

absl::Status CandidateLedger::Doubt(std::string_view token, Claim claim) {
  const LiveLease* lease = FindLease(token);
  if (lease == nullptr) return NotFound("the lease is not live");
  claim.worker = lease->worker;
  const DoubtedClaim doubted{std::string(token), std::move(claim)};
  std::vector<Claim>& claims = candidates_.at(lease->candidate_id).claims;
  if (!AddClaim(claims, doubted.claim)) return FailedPrecondition("the candidate was doubted before");
  RETURN_IF_ERROR(FromStorage(log_.AddWorkerNote(ToNote(doubted))));
  ASSIGN_OR_RETURN(Entry * entry, Close(token, AttemptState::kReported, ""));
  return Requeue(*entry);
}

absl::Status CandidateLedger::Discount(std::string_view token) {
  ASSIGN_OR_RETURN(Entry * entry, Close(token, AttemptState::kReported, ""));
  return Requeue(*entry);
}

absl::StatusOr<LeaseVerdict> CandidateLedger::Fail(std::string_view token, std::string_view why) {
  ASSIGN_OR_RETURN(Entry * entry, Close(token, AttemptState::kFailed, why));
  return Return(*entry, ++entry->failures > options_.max_retries);
}

absl::StatusOr<std::optional<LostLease>> CandidateLedger::ExpireNext() {
  const TimePoint now = clock_.Now();
  const LiveLease* next = nullptr;
  for (const auto& [token, lease] : leases_) {
    if (lease.expires > now && lease.closes > now) continue;
    if (next == nullptr || lease.candidate_id < next->candidate_id) next = &lease;
  }
  if (next == nullptr) return std::optional<LostLease>();
  LostLease lost;
  lost.lease = *next;
  lost.overran = next->expires > now;
  ASSIGN_OR_RETURN(Entry * entry, Close(lost.lease.token, AttemptState::kExpired, lost.Reason()));
  lost.candidate = entry->info;
  ASSIGN_OR_RETURN(lost.verdict, Return(*entry, ++entry->losses >= options_.max_losses));
  return lost;
}

absl::StatusOr<LiveLease> CandidateLedger::Reopen(const AttemptRow& attempt) {
  const int64_t id = attempt.candidate_id;
  const HeldCandidate& candidate = candidates_.at(id).info;
  std::erase(jobs_[candidate.job_id].queue, id);
  const auto other =
      std::find_if(leases_.begin(), leases_.end(), [id](const auto& entry) { return entry.second.candidate_id == id; });
  if (other != leases_.end()) {
    const std::string token = other->first;
    RETURN_IF_ERROR(Close(token, AttemptState::kReleased, "an earlier worker's result came after all").status());
  }
  const LiveLease lease = MakeLease(attempt, candidate, clock_.Now(), options_.ttl);
  leases_[lease.token] = lease;
  ++jobs_[lease.job_id].live;
  return lease;
}

absl::StatusOr<LeaseVerdict> CandidateLedger::Return(Entry& entry, bool give_up) {
  RETURN_IF_ERROR(give_up ? End(entry) : Requeue(entry));
  return give_up ? LeaseVerdict::kGivenUp : LeaseVerdict::kRequeued;
}

absl::Status CandidateLedger::Requeue(Entry& entry) {
  jobs_[entry.info.job_id].queue.push_front(entry.info.id);
  return SetState(entry.info.id, CandidateState::kQueued);
}

absl::Status CandidateLedger::End(Entry& entry) {
  const int64_t id = entry.info.id;
  Forget(id);
  return SetState(id, CandidateState::kDone);
}

void CandidateLedger::Forget(int64_t candidate_id) {
  auto at = candidates_.find(candidate_id);
  if (at->second.info.awaited) --jobs_[at->second.info.job_id].awaited;
  candidates_.erase(at);
}

absl::Status CandidateLedger::SetState(int64_t candidate_id, CandidateState state) {
  return FromStorage(log_.SetCandidateState(candidate_id, state));
}

std::vector<int64_t> CandidateLedger::DropQueued(int64_t job_id) {
  std::vector<int64_t> dropped;
  for (int64_t id : std::exchange(jobs_[job_id].queue, {})) {
    if (candidates_.at(id).info.awaited) dropped.push_back(id);
    Forget(id);  // its row says queued: as it is for a job that may go on
  }
  return dropped;
}

absl::StatusOr<std::vector<HeldCandidate>> CandidateLedger::DropJob(int64_t job_id, std::string_view why) {
  for (const LiveLease& lease : Leases()) {
    if (lease.job_id != job_id) continue;
    ASSIGN_OR_RETURN(Entry * entry, Close(lease.token, AttemptState::kReleased, why));
    RETURN_IF_ERROR(Requeue(*entry));
  }
  std::vector<HeldCandidate> dropped;
  for (int64_t id : jobs_[job_id].queue) {
    dropped.push_back(std::move(candidates_.at(id).info));
    candidates_.erase(id);
  }
  jobs_.erase(job_id);
  std::sort(dropped.begin(), dropped.end(), [](const HeldCandidate& a, const HeldCandidate& b) { return a.id < b.id; });
  return dropped;
}

const LiveLease* CandidateLedger::FindLease(std::string_view token) const {
  auto at = leases_.find(std::string(token));
  return at == leases_.end() ? nullptr : &at->second;
}

const HeldCandidate* CandidateLedger::Find(int64_t candidate_id) const {
  auto at = candidates_.find(candidate_id);
  return at == candidates_.end() ? nullptr : &at->second.info;
}

const std::vector<Claim>& CandidateLedger::Claims(std::string_view token) const {
  return candidates_.at(leases_.at(std::string(token)).candidate_id).claims;
}

const CandidateLedger::OfJob& CandidateLedger::Of(int64_t job_id) const {
  static const OfJob kNone;
  auto at = jobs_.find(job_id);
  return at == jobs_.end() ? kNone : at->second;
}

int64_t CandidateLedger::Queued(int64_t job_id) const { return static_cast<int64_t>(Of(job_id).queue.size()); }
int64_t CandidateLedger::QueuedInAll() const { return static_cast<int64_t>(candidates_.size() - leases_.size()); }
int64_t CandidateLedger::Live(int64_t job_id) const { return Of(job_id).live; }
int64_t CandidateLedger::Awaited(int64_t job_id) const { return Of(job_id).awaited; }

std::vector<LiveLease> CandidateLedger::Leases() const {
  std::vector<LiveLease> all;
  all.reserve(leases_.size());
  for (const auto& [token, lease] : leases_) all.push_back(lease);
  std::sort(all.begin(), all.end(), [](const LiveLease& a, const LiveLease& b) { return a.granted < b.granted; });
  return all;
}

std::optional<TimePoint> CandidateLedger::NextDeadline() const {
  std::optional<TimePoint> next;
  for (const auto& [token, lease] : leases_) {
    TimePoint ends = std::min(lease.expires, lease.closes);
    if (!next || ends < *next) next = ends;
  }
  return next;
}

}  // namespace mmtune
