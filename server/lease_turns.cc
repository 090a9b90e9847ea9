// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lease_turns.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace mmtune {
namespace {

/// What a lease moves a job of weight 1 by: fine enough for any weight, and good for 2^33 leases.
constexpr int64_t kLease = int64_t{1} << 30;

}  // namespace

LeaseTurns::LeaseTurns(std::vector<Contender> contenders) : all_(std::move(contenders)) {
  std::map<int, int64_t> furthest_behind;  // by priority
  for (const Contender& job : all_) {
    if (!job.position) continue;
    int64_t& behind = furthest_behind.try_emplace(job.priority, *job.position).first->second;
    behind = std::min(behind, *job.position);
  }
  for (size_t i = 0; i < all_.size(); ++i) {
    left_.push_back(i);
    if (all_[i].position) continue;
    const auto at = furthest_behind.find(all_[i].priority);
    all_[i].position = at == furthest_behind.end() ? 0 : at->second;
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
