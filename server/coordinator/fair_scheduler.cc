// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/fair_scheduler.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "server/coordinator/job_table.h"

namespace mmtune {
namespace {

/// The advance of a job of weight 1 by one lease. It can be divided by any weight, and 2^33 leases do not overflow.
constexpr int64_t kLease = int64_t{1} << 30;
/// The most leases by which a job may be behind another.
constexpr int64_t kMostBehind = 64;

/// Returns how far a job may be behind the one that is furthest ahead.
int64_t Lag(const RunnableJob& job, const RunnableJob& ahead) {
  return kMostBehind * (kLease / std::min(job.weight, ahead.weight));
}

}  // namespace

FairScheduler::FairScheduler(std::vector<RunnableJob> jobs) : all_(std::move(jobs)) {
  std::map<int, const RunnableJob*> furthest_ahead;  // by priority
  for (const RunnableJob& job : all_) {
    if (!job.position) continue;
    const RunnableJob*& ahead = furthest_ahead.try_emplace(job.priority, &job).first->second;
    if (*ahead->position < *job.position) ahead = &job;
  }
  std::map<int, int64_t> furthest_behind;
  for (RunnableJob& job : all_) {
    if (!job.position) continue;
    const RunnableJob& ahead = *furthest_ahead.at(job.priority);
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

bool FairScheduler::Before(size_t a, size_t b) const {
  const auto key = [](const RunnableJob& job) { return std::tuple(-job.priority, *job.position, job.job_id); };
  return key(all_[a]) < key(all_[b]);
}

void FairScheduler::Granted(int leases) {
  RunnableJob& job = all_[left_.front()];
  for (size_t i : passed_) {
    if (all_[i].priority == job.priority) all_[i].position = std::max(*all_[i].position, *job.position);
  }
  *job.position += leases * (kLease / job.weight);
  // The others are sorted already, so the job is inserted among them.
  const size_t moved = left_.front();
  left_.erase(left_.begin());
  left_.insert(std::lower_bound(left_.begin(), left_.end(), moved, [this](size_t a, size_t b) { return Before(a, b); }),
               moved);
}

void FairScheduler::Pass() {
  passed_.push_back(left_.front());
  left_.erase(left_.begin());
}

std::vector<RunnableJob> RunnableJobsFor(const JobTable& jobs, const RegisteredWorker& worker,
                                         const RegisteredDevice& device) {
  std::vector<RunnableJob> runnable;
  for (const auto& [id, active] : jobs.all()) {
    if (active.job.state() != JobState::kRunning || !active.binding.Takes(worker, device)) continue;
    // The jobs of a model count as one: the first stands for all.
    const auto is_of_model = [&](const RunnableJob& other) {
      return ModelJobs::BelongToSameModel(*jobs.FindJob(other.job_id), active.job);
    };
    if (std::any_of(runnable.begin(), runnable.end(), is_of_model)) continue;
    const SchedulingPolicy& policy = active.job.spec().policy;
    runnable.push_back({id, policy.priority, policy.weight, active.position});
  }
  return runnable;
}

void StorePositions(JobTable& jobs, const std::vector<RunnableJob>& runnable) {
  for (const RunnableJob& job : runnable) {
    if (ActiveJob* active = jobs.Find(job.job_id)) active->position = job.position;
  }
}

}  // namespace mmtune
