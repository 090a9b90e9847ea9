// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_table.h"

#include <algorithm>

namespace mmtune {
namespace {

constexpr size_t kFinishedKept = 64;
/// So many of them keep all their events for late watchers; the others only the last one.
constexpr size_t kStoriesKept = 4;

int64_t FirstSeq(const Clock& clock) { return std::max<int64_t>(1, clock.UnixMillis() << 20); }

}  // namespace

ActiveJob& JobTable::Add(JobRow row, v1::JobSpec message, JobSpec spec) {
  const int64_t id = row.id;
  ids_[row.uuid] = id;
  feeds_.Open(row.uuid, FirstSeq(clock_));
  return jobs_.try_emplace(id, std::move(row), std::move(message), std::move(spec), workers_, clock_).first->second;
}

bool JobTable::full() const { return jobs_.size() >= kMaxUnfinished + kFinishedKept; }

ActiveJob* JobTable::Find(int64_t id) {
  auto at = jobs_.find(id);
  return at == jobs_.end() ? nullptr : &at->second;
}

ActiveJob* JobTable::Find(std::string_view uuid) {
  auto at = ids_.find(uuid);
  return at == ids_.end() ? nullptr : Find(at->second);
}

void JobTable::Retire(int64_t id) {
  finished_.emplace_back(id, jobs_.at(id).job.uuid());
  if (finished_.size() > kStoriesKept) {
    auto feed = feeds_.Find(finished_[finished_.size() - 1 - kStoriesKept].second);
    if (feed != nullptr) feed->Shorten();
  }
  if (finished_.size() <= kFinishedKept) return;
  const auto [old_id, old_uuid] = finished_.front();
  finished_.pop_front();
  jobs_.erase(old_id);
  ids_.erase(old_uuid);
  feeds_.Drop(old_uuid);
}

JobTable::Finished JobTable::Reset() {
  ids_.clear();
  return {std::exchange(jobs_, {}), std::exchange(finished_, {})};
}

void JobTable::KeepFinished(Finished before, const std::set<std::string>& ended) {
  for (const auto& [id, uuid] : before.order) {
    if (!before.jobs.contains(id) || !ended.contains(uuid) || jobs_.contains(id)) continue;
    jobs_.insert(before.jobs.extract(id));
    ids_[uuid] = id;
    finished_.emplace_back(id, uuid);
  }
}

}  // namespace mmtune
