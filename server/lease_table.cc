#include "server/lease_table.h"

#include <algorithm>
#include <utility>

namespace mmtune {

LeaseTable::LeaseTable(const LeaseTableOptions& options, const Clock& clock, TokenSource new_token)
    : options_(options), clock_(clock), new_token_(std::move(new_token)) {}

void LeaseTable::Clear() {
  candidates_.clear();
  leases_.clear();
  queues_.clear();
  live_.clear();
}

void LeaseTable::Add(const LeaseCandidate& candidate) {
  auto [at, added] = candidates_.try_emplace(candidate.id);
  if (!added) return;
  at->second.info = candidate;
  queues_[candidate.job_id].push_back(candidate.id);
}

void LeaseTable::Restore(const LeaseCandidate& candidate, const LiveLease& lease) {
  Candidate& entry = candidates_[candidate.id];
  entry.info = candidate;
  entry.info.attempts = std::max(entry.info.attempts, lease.attempt);
  entry.token = lease.token;
  LiveLease& live = leases_[lease.token];
  live = lease;
  live.granted = clock_.Now();
  live.expires = live.granted + options_.ttl;
  live.closes = live.granted + candidate.start_to_close;
  ++live_[lease.job_id];
}

std::vector<LiveLease> LeaseTable::Grant(const LeaseGrant& grant) {
  std::vector<LiveLease> granted;
  auto at = queues_.find(grant.job_id);
  if (at == queues_.end()) return granted;
  std::deque<int64_t> kept;
  std::deque<int64_t>& queue = at->second;
  while (!queue.empty() && static_cast<int>(granted.size()) < grant.max) {
    int64_t id = queue.front();
    queue.pop_front();
    Candidate& candidate = candidates_.at(id);
    if (grant.others_available && candidate.avoid == grant.worker) {
      kept.push_back(id);
    } else {
      granted.push_back(Open(candidate, grant));
    }
  }
  queue.insert(queue.begin(), kept.begin(), kept.end());
  if (queue.empty()) queues_.erase(at);
  return granted;
}

LiveLease LeaseTable::Open(Candidate& candidate, const LeaseGrant& grant) {
  LiveLease lease;
  lease.token = new_token_();
  lease.candidate_id = candidate.info.id;
  lease.job_id = candidate.info.job_id;
  lease.attempt = ++candidate.info.attempts;
  lease.worker = grant.worker;
  lease.device_uuid = grant.device_uuid;
  lease.request_id = grant.request_id;
  lease.granted = clock_.Now();
  lease.expires = lease.granted + options_.ttl;
  lease.closes = lease.granted + candidate.info.start_to_close;
  candidate.token = lease.token;
  leases_[lease.token] = lease;
  ++live_[lease.job_id];
  return lease;
}

std::vector<LiveLease> LeaseTable::Repeat(std::string_view worker, std::string_view request_id) const {
  std::vector<LiveLease> found;
  if (request_id.empty()) return found;
  for (const auto& [token, lease] : leases_) {
    if (lease.worker == worker && lease.request_id == request_id) found.push_back(lease);
  }
  std::sort(found.begin(), found.end(),
            [](const LiveLease& a, const LiveLease& b) { return a.candidate_id < b.candidate_id; });
  return found;
}

const LiveLease* LeaseTable::Find(std::string_view token) const {
  auto at = leases_.find(std::string(token));
  return at == leases_.end() ? nullptr : &at->second;
}

bool LeaseTable::Extend(std::string_view token, std::string_view worker) {
  auto at = leases_.find(std::string(token));
  if (at == leases_.end() || at->second.worker != worker) return false;
  at->second.expires = clock_.Now() + options_.ttl;
  return true;
}

LeaseTable::Candidate& LeaseTable::Close(std::unordered_map<std::string, LiveLease>::iterator lease) {
  Candidate& candidate = candidates_.at(lease->second.candidate_id);
  candidate.token.clear();
  candidate.avoid = lease->second.worker;
  auto live = live_.find(lease->second.job_id);
  if (--live->second == 0) live_.erase(live);
  leases_.erase(lease);
  return candidate;
}

bool LeaseTable::Finish(std::string_view token) {
  auto at = leases_.find(std::string(token));
  if (at == leases_.end()) return false;
  const int64_t id = Close(at).info.id;
  candidates_.erase(id);
  return true;
}

bool LeaseTable::Release(std::string_view token) {
  auto at = leases_.find(std::string(token));
  if (at == leases_.end()) return false;
  Candidate& candidate = Close(at);
  candidate.avoid.clear();
  Return(candidate, /*give_up=*/false);
  return true;
}

bool LeaseTable::Doubted(std::string_view token) const {
  return candidates_.at(leases_.at(std::string(token)).candidate_id).doubted;
}

bool LeaseTable::Doubt(std::string_view token) {
  if (Doubted(token)) return false;
  Candidate& candidate = Close(leases_.find(std::string(token)));
  candidate.doubted = true;
  Return(candidate, /*give_up=*/false);
  return true;
}

LeaseVerdict LeaseTable::Fail(std::string_view token) {
  Candidate& candidate = Close(leases_.find(std::string(token)));
  return Return(candidate, ++candidate.failures > options_.max_retries);
}

LeaseVerdict LeaseTable::Return(Candidate& candidate, bool give_up) {
  const int64_t id = candidate.info.id;
  if (give_up) {
    candidates_.erase(id);
    return LeaseVerdict::kGivenUp;
  }
  queues_[candidate.info.job_id].push_front(id);
  return LeaseVerdict::kRequeued;
}

std::optional<LostLease> LeaseTable::ExpireNext() {
  const TimePoint now = clock_.Now();
  auto next = leases_.end();
  for (auto at = leases_.begin(); at != leases_.end(); ++at) {
    if (at->second.expires > now && at->second.closes > now) continue;
    if (next == leases_.end() || at->second.candidate_id < next->second.candidate_id) next = at;
  }
  if (next == leases_.end()) return std::nullopt;
  LostLease lost{next->second, LeaseVerdict::kRequeued, next->second.expires > now};
  Candidate& candidate = Close(next);
  lost.verdict = Return(candidate, ++candidate.losses >= options_.max_losses);
  return lost;
}

std::vector<int64_t> LeaseTable::DropQueued(int64_t job_id) {
  std::vector<int64_t> dropped;
  auto at = queues_.find(job_id);
  if (at == queues_.end()) return dropped;
  dropped.assign(at->second.begin(), at->second.end());
  for (int64_t id : dropped) candidates_.erase(id);
  queues_.erase(at);
  return dropped;
}

std::vector<LiveLease> LeaseTable::DropJob(int64_t job_id) {
  DropQueued(job_id);
  std::vector<LiveLease> cut;
  for (const auto& [token, lease] : leases_) {
    if (lease.job_id == job_id) cut.push_back(lease);
  }
  for (const LiveLease& lease : cut) Finish(lease.token);
  return cut;
}

int64_t LeaseTable::Queued(int64_t job_id) const {
  auto at = queues_.find(job_id);
  return at == queues_.end() ? 0 : static_cast<int64_t>(at->second.size());
}

int64_t LeaseTable::Live(int64_t job_id) const {
  auto at = live_.find(job_id);
  return at == live_.end() ? 0 : at->second;
}

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
