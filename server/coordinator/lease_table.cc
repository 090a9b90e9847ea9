// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/lease_table.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "server/coordinator/log_writer.h"
#include "server/coordinator/result_validator.h"

namespace mmtune {

namespace {

LiveLease MakeLease(const AttemptRow& attempt, const PendingCandidate& candidate, TimePoint now, Duration ttl) {
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

/// Adds an observation and removes those on other classes of devices. Returns false, and changes nothing, if there are
/// observations of kMaxDisputes other trust domains already.
bool AddObservation(std::vector<WorkerObservation>& observations, WorkerObservation observation) {
  std::vector<WorkerObservation> kept = ObservationsOn(observation.class_key, observations);
  const auto own = std::find_if(kept.begin(), kept.end(),
                                [&](const WorkerObservation& c) { return c.worker == observation.worker; });
  if (own != kept.end()) {
    *own = std::move(observation);
  } else {
    std::vector<std::string_view> others;
    for (const WorkerObservation& other : kept) {
      if (!SameTrustDomain(other.trust_domain, observation.trust_domain)) others.push_back(other.trust_domain);
    }
    if (others.size() == kept.size() && CountTrustDomains(others) >= kMaxDisputes) return false;
    kept.push_back(std::move(observation));
  }
  observations = std::move(kept);
  return true;
}

}  // namespace

LeaseTable::LeaseTable(const LeaseOptions& options, LogTransaction& log, const Clock& clock, TokenSource new_token)
    : options_(options), log_(log), clock_(clock), new_token_(std::move(new_token)) {}

void LeaseTable::Clear() {
  candidates_.clear();
  leases_.clear();
  tokens_by_request_.clear();
  jobs_.clear();
}

absl::Status LeaseTable::Restore(const LeaseCaps& caps) {
  RETURN_IF_ERROR(RestoreDisputes(caps));
  ASSIGN_OR_RETURN(const std::vector<AttemptRow> live, FromStorage(log_.reader().LiveAttempts()));
  for (const AttemptRow& attempt : live) {
    if (leases_.contains(attempt.token)) continue;
    ASSIGN_OR_RETURN(std::optional<CandidateRow> row, FromStorage(log_.reader().FindCandidate(attempt.candidate_id)));
    const std::optional<Duration> start_to_close = row ? caps(row->job_id) : std::nullopt;
    if (!start_to_close) {
      RETURN_IF_ERROR(log_.EndAttempt(attempt.token, AttemptState::kExpired, "its job has ended"));
      if (row) RETURN_IF_ERROR(log_.SetCandidateState(row->id, CandidateState::kQueued));
      continue;
    }
    const Entry& entry = AddEntry({row->id, row->job_id, std::move(row->schedule), *start_to_close, attempt.number});
    leases_[attempt.token] = MakeLease(attempt, entry.info, clock_.Now(), options_.ttl);
    ++jobs_[row->job_id].live;
  }
  return absl::OkStatus();
}

absl::Status LeaseTable::RestoreDisputes(const LeaseCaps& caps) {
  ASSIGN_OR_RETURN(const std::vector<WorkerNote> notes, log_.WorkerNotes());
  for (const WorkerNote& note : notes) {
    if (note.kind == WorkerNoteKind::kDisputed) RETURN_IF_ERROR(RestoreDispute(note, caps));
    if (note.kind != WorkerNoteKind::kCleared) continue;
    // The worker has no faults any more, but its disputed results still need corroboration.
    for (auto& [job_id, job] : jobs_) {
      for (auto& [candidate_id, observations] : job.restored_disputes) {
        for (WorkerObservation& observation : observations) observation.sound &= observation.worker != note.worker;
      }
    }
  }
  return absl::OkStatus();
}

absl::Status LeaseTable::RestoreDispute(const WorkerNote& note, const LeaseCaps& caps) {
  absl::StatusOr<DisputedResult> disputed = ParseDisputedResult(note);
  if (!disputed.ok()) {
    LogWarning("disputed_result_unreadable", {{"worker", note.worker}, {"error", ToStd(disputed.status().message())}});
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::optional<AttemptRow> attempt, FromStorage(log_.reader().FindAttempt(disputed->lease)));
  if (!attempt) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::optional<CandidateRow> row,
                   FromStorage(log_.reader().FindCandidate(attempt->candidate_id)));
  if (!row || row->state == CandidateState::kDone || !caps(row->job_id)) return absl::OkStatus();
  AddObservation(jobs_[row->job_id].restored_disputes[row->id], std::move(disputed->observation));
  return absl::OkStatus();
}

absl::StatusOr<int64_t> LeaseTable::AddCandidate(int64_t job_id, const Schedule& schedule) {
  return log_.InsertCandidate(job_id, schedule);
}

absl::Status LeaseTable::CompleteFromLog(int64_t candidate_id) {
  return log_.SetCandidateState(candidate_id, CandidateState::kDone);
}

absl::Status LeaseTable::CompleteWithoutLease(AttemptRow own) {
  own.state = AttemptState::kReported;
  RETURN_IF_ERROR(log_.InsertAttempt(own));
  return log_.SetCandidateState(own.candidate_id, CandidateState::kDone);
}

absl::Status LeaseTable::Enqueue(const PendingCandidate& candidate) {
  if (candidates_.contains(candidate.id)) return absl::OkStatus();
  AddEntry(candidate);
  jobs_[candidate.job_id].queue.push_back(candidate.id);
  return log_.SetCandidateState(candidate.id, CandidateState::kQueued);
}

void LeaseTable::MarkAwaited(int64_t candidate_id) {
  PendingCandidate& candidate = candidates_.at(candidate_id).info;
  if (!std::exchange(candidate.awaited, true)) ++jobs_[candidate.job_id].awaited;
}

LeaseTable::Entry& LeaseTable::AddEntry(const PendingCandidate& candidate) {
  Entry& entry = candidates_[candidate.id];
  entry.info = candidate;
  if (auto observations = jobs_[candidate.job_id].restored_disputes.extract(candidate.id)) {
    entry.disputed = std::move(observations.mapped());
    entry.restored_dispute = true;
  }
  if (candidate.awaited) ++jobs_[candidate.job_id].awaited;
  return entry;
}

absl::StatusOr<std::vector<LiveLease>> LeaseTable::Grant(const LeaseGrant& grant) {
  std::vector<LiveLease> granted;
  std::deque<int64_t> kept;
  const auto job = jobs_.find(grant.job_id);
  if (job == jobs_.end()) return granted;
  std::deque<int64_t>& queue = job->second.queue;
  while (!queue.empty() && static_cast<int>(granted.size()) < grant.max) {
    const int64_t id = queue.front();
    queue.pop_front();
    Entry& entry = candidates_.at(id);
    if (IsForOthers(entry, grant)) {
      kept.push_back(id);
      continue;
    }
    ASSIGN_OR_RETURN(LiveLease lease, Open(entry, grant));
    granted.push_back(std::move(lease));
  }
  queue.insert(queue.begin(), kept.begin(), kept.end());
  return granted;
}

bool LeaseTable::IsForOthers(const Entry& entry, const LeaseGrant& grant) {
  std::vector<std::string> had;
  bool its_domain_had = false;
  for (const WorkerObservation& observation : entry.disputed) {
    if (observation.class_key != grant.class_key) continue;
    had.push_back(observation.trust_domain);
    its_domain_had |=
        observation.worker == grant.worker || SameTrustDomain(observation.trust_domain, grant.trust_domain);
  }
  if (its_domain_had) had.push_back(grant.trust_domain);  // its observation may come from another address
  if (its_domain_had && entry.restored_dispute && grant.others_may_come) return true;
  // A worker that failed is preferred to one whose results are disputed.
  const bool failed = !its_domain_had && entry.avoid == grant.worker;
  return (its_domain_had || failed) && grant.others_serve && grant.others_serve(had, failed ? grant.worker : "");
}

absl::StatusOr<LiveLease> LeaseTable::Open(Entry& entry, const LeaseGrant& grant) {
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
  RETURN_IF_ERROR(log_.InsertAttempt(attempt));
  RETURN_IF_ERROR(log_.SetCandidateState(lease.candidate_id, CandidateState::kLeased));
  return lease;
}

std::vector<LiveLease> LeaseTable::GrantedTo(std::string_view worker, std::string_view request_id) const {
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

bool LeaseTable::Extend(std::string_view token, std::string_view worker) {
  auto at = leases_.find(std::string(token));
  if (at == leases_.end() || at->second.worker != worker) return false;
  at->second.expires = clock_.Now() + options_.ttl;
  return true;
}

void LeaseTable::ExpireLeasesOf(std::string_view worker) {
  for (auto& [token, lease] : leases_) {
    if (lease.worker == worker) lease.expires = clock_.Now();
  }
}

absl::StatusOr<LeaseTable::Entry*> LeaseTable::Close(std::string_view token, AttemptState state,
                                                     std::string_view detail) {
  const std::string key(token);  // a copy, because `token` may be the lease's own
  auto lease = leases_.find(key);
  if (lease == leases_.end()) return NotFound("no live lease has this token: the lease has ended, or never existed");
  Entry& entry = candidates_.at(lease->second.candidate_id);
  entry.avoid = std::move(lease->second.worker);
  --jobs_[entry.info.job_id].live;
  const auto [first, last] = tokens_by_request_.equal_range(lease->second.request_id);
  const auto own = std::find_if(first, last, [&key](const auto& of_request) { return of_request.second == key; });
  if (own != last) tokens_by_request_.erase(own);
  leases_.erase(lease);
  RETURN_IF_ERROR(log_.EndAttempt(key, state, detail));
  return &entry;
}

absl::Status LeaseTable::Complete(std::string_view token) {
  ASSIGN_OR_RETURN(Entry * entry, Close(token, AttemptState::kReported, ""));
  return End(*entry);
}

absl::Status LeaseTable::Release(std::string_view token) {
  ASSIGN_OR_RETURN(Entry * entry, Close(token, AttemptState::kReleased, "handed back"));
  entry->avoid.clear();
  return PushFront(*entry);
}

absl::Status LeaseTable::Dispute(std::string_view token, WorkerObservation observation) {
  const LiveLease* lease = FindLease(token);
  if (lease == nullptr) return NotFound("no live lease has this token: the lease has ended, or never existed");
  observation.worker = lease->worker;
  const DisputedResult disputed{std::string(token), std::move(observation)};
  std::vector<WorkerObservation>& observations = candidates_.at(lease->candidate_id).disputed;
  if (!AddObservation(observations, disputed.observation))
    return FailedPrecondition(absl::StrCat("candidate ", lease->candidate_id, " has disputed results of ", kMaxDisputes,
                                           " trust domains (groups of workers) already: no more are kept"));
  RETURN_IF_ERROR(log_.AddWorkerNote(ToNote(disputed)));
  ASSIGN_OR_RETURN(Entry * entry, Close(token, AttemptState::kReported, ""));
  return PushFront(*entry);
}

absl::Status LeaseTable::Requeue(std::string_view token) {
  ASSIGN_OR_RETURN(Entry * entry, Close(token, AttemptState::kReported, ""));
  return PushFront(*entry);
}

absl::StatusOr<LeaseOutcome> LeaseTable::Fail(std::string_view token, std::string_view why) {
  ASSIGN_OR_RETURN(Entry * entry, Close(token, AttemptState::kFailed, why));
  return Return(*entry, ++entry->failures > options_.max_retries);
}

absl::StatusOr<std::optional<LostLease>> LeaseTable::ExpireNext() {
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
  ASSIGN_OR_RETURN(lost.outcome, Return(*entry, ++entry->losses >= options_.max_losses));
  return lost;
}

absl::StatusOr<LiveLease> LeaseTable::Reopen(const AttemptRow& attempt) {
  const int64_t id = attempt.candidate_id;
  const PendingCandidate& candidate = candidates_.at(id).info;
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

absl::StatusOr<LeaseOutcome> LeaseTable::Return(Entry& entry, bool give_up) {
  RETURN_IF_ERROR(give_up ? End(entry) : PushFront(entry));
  return give_up ? LeaseOutcome::kGivenUp : LeaseOutcome::kRequeued;
}

absl::Status LeaseTable::PushFront(Entry& entry) {
  jobs_[entry.info.job_id].queue.push_front(entry.info.id);
  return log_.SetCandidateState(entry.info.id, CandidateState::kQueued);
}

absl::Status LeaseTable::End(Entry& entry) {
  const int64_t id = entry.info.id;
  Forget(id);
  return log_.SetCandidateState(id, CandidateState::kDone);
}

void LeaseTable::Forget(int64_t candidate_id) {
  auto at = candidates_.find(candidate_id);
  if (at->second.info.awaited) --jobs_[at->second.info.job_id].awaited;
  candidates_.erase(at);
}

std::vector<int64_t> LeaseTable::DropQueued(int64_t job_id) {
  std::vector<int64_t> dropped;
  for (int64_t id : std::exchange(jobs_[job_id].queue, {})) {
    if (candidates_.at(id).info.awaited) dropped.push_back(id);
    Forget(id);  // its row stays queued, for a job that may be resumed
  }
  return dropped;
}

absl::StatusOr<std::vector<PendingCandidate>> LeaseTable::DropJob(int64_t job_id, std::string_view why) {
  for (const LiveLease& lease : Leases()) {
    if (lease.job_id != job_id) continue;
    ASSIGN_OR_RETURN(Entry * entry, Close(lease.token, AttemptState::kReleased, why));
    RETURN_IF_ERROR(PushFront(*entry));
  }
  std::vector<PendingCandidate> dropped;
  for (int64_t id : jobs_[job_id].queue) {
    dropped.push_back(std::move(candidates_.at(id).info));
    candidates_.erase(id);
  }
  jobs_.erase(job_id);
  std::sort(dropped.begin(), dropped.end(),
            [](const PendingCandidate& a, const PendingCandidate& b) { return a.id < b.id; });
  return dropped;
}

const LiveLease* LeaseTable::FindLease(std::string_view token) const {
  auto at = leases_.find(std::string(token));
  return at == leases_.end() ? nullptr : &at->second;
}

const PendingCandidate* LeaseTable::Find(int64_t candidate_id) const {
  auto at = candidates_.find(candidate_id);
  return at == candidates_.end() ? nullptr : &at->second.info;
}

const std::vector<WorkerObservation>& LeaseTable::Disputed(std::string_view token) const {
  return candidates_.at(leases_.at(std::string(token)).candidate_id).disputed;
}

const LeaseTable::JobQueue& LeaseTable::QueueOf(int64_t job_id) const {
  static const JobQueue kNone;
  auto at = jobs_.find(job_id);
  return at == jobs_.end() ? kNone : at->second;
}

int64_t LeaseTable::Queued(int64_t job_id) const { return static_cast<int64_t>(QueueOf(job_id).queue.size()); }
int64_t LeaseTable::QueuedInAll() const { return static_cast<int64_t>(candidates_.size() - leases_.size()); }
int64_t LeaseTable::Live(int64_t job_id) const { return QueueOf(job_id).live; }
int64_t LeaseTable::Awaited(int64_t job_id) const { return QueueOf(job_id).awaited; }

std::vector<LiveLease> LeaseTable::Leases() const {
  std::vector<LiveLease> all;
  all.reserve(leases_.size());
  for (const auto& [token, lease] : leases_) all.push_back(lease);
  std::sort(all.begin(), all.end(), [](const LiveLease& a, const LiveLease& b) { return a.granted < b.granted; });
  return all;
}

std::optional<TimePoint> LeaseTable::NextDeadline() const {
  std::optional<TimePoint> next;
  for (const auto& [token, lease] : leases_) {
    TimePoint ends = std::min(lease.expires, lease.closes);
    if (!next || ends < *next) next = ends;
  }
  return next;
}

}  // namespace mmtune
