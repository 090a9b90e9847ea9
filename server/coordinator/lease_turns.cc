// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/lease_turns.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace mmtune {
namespace {

/// What a lease moves a job of weight 1 by: fine enough for any weight, and good for 2^33 leases.
constexpr int64_t kLease = int64_t{1} << 30;
/// So many leases may a job at most make up for, and so many at most be made to wait for.
constexpr int64_t kMostBehind = 64;

/// How far a job may stand behind the one that is furthest ahead.
int64_t Lag(const Contender& job, const Contender& ahead) {
  return kMostBehind * (kLease / std::min(job.weight, ahead.weight));
}

}  // namespace

LeaseTurns::LeaseTurns(std::vector<Contender> contenders) : all_(std::move(contenders)) {
  std::map<int, const Contender*> furthest_ahead;  // by priority
  for (const Contender& job : all_) {
    if (!job.position) continue;
    const Contender*& ahead = furthest_ahead.try_emplace(job.priority, &job).first->second;
    if (*ahead->position < *job.position) ahead = &job;
  }
  std::map<int, int64_t> furthest_behind;
  for (Contender& job : all_) {
    if (!job.position) continue;
    const Contender& ahead = *furthest_ahead.at(job.priority);
    job.position = std::max(*job.position, *ahead.position - Lag(job, ahead));
    int64_t& behind = furthest_behind.try_emplace(job.priority, *job.position).first->second;
    behind = std::min(behind, *job.position);
  }
  for (size_t i = 0; i < all_.size(); ++i) {
    left_.push_back(i);
    if (!all_[i].position) all_[i].position = furthest_behind.try_emplace(all_[i].priority, 0).first->second;
  }
  std::sort(left_.begin(), left_.end(), [this](size_t a, size_t b) { return Before(a, b); });
}

bool LeaseTurns::Before(size_t a, size_t b) const {
  const auto key = [](const Contender& job) { return std::tuple(-job.priority, *job.position, job.job_id); };
  return key(all_[a]) < key(all_[b]);
}

void LeaseTurns::Granted(int leases) {
  Contender& job = all_[left_.front()];
  for (size_t i : passed_) {
    if (all_[i].priority == job.priority) all_[i].position = std::max(*all_[i].position, *job.position);
  }
  *job.position += leases * (kLease / job.weight);
  // The others are in order: it goes to its place among them.
  const size_t moved = left_.front();
  left_.erase(left_.begin());
  left_.insert(std::lower_bound(left_.begin(), left_.end(), moved, [this](size_t a, size_t b) { return Before(a, b); }),
               moved);
}

void LeaseTurns::Pass() {
  passed_.push_back(left_.front());
  left_.erase(left_.begin());
}

}  // namespace mmtune
