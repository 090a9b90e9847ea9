// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/event_feed.h"

#include <algorithm>

#include "proto/types/fields.h"
#include "proto/wire/convert.h"
#include "server/coordinator/job.h"

namespace mmtune {
namespace {

/// An estimate of the size of a node of a map with its key, in bytes.
constexpr size_t kParamBytes = 80;

/// Adds an estimate of the heap memory of a value.
struct HeapBytes {
  size_t& bytes;

  template <typename T, typename... Default>
  void operator()(const char*, const T& value, const Default&...) const {
    Add(value);
  }
  template <typename T>
  void Add(const T& value) const {
    if constexpr (std::is_same_v<T, std::string>) {
      bytes += value.capacity();
    } else if constexpr (std::is_same_v<T, Schedule>) {
      bytes += value.params.size() * kParamBytes;
    } else if constexpr (kIsVector<T>) {
      bytes += value.capacity() * sizeof(typename T::value_type);
      for (const auto& element : value) Add(element);
    } else if constexpr (kIsOptional<T>) {
      if (value) Add(*value);
    } else if constexpr (HasFields<T>) {
      T::Fields(value, *this);
    }
  }
};

}  // namespace

size_t EventDraft::Bytes() const {
  size_t bytes = message.SpaceUsedLong();
  if (best != nullptr) bytes += sizeof(Schedule) + best->params.size() * kParamBytes;
  if (record != nullptr) {
    bytes += sizeof(TuningRecord);
    HeapBytes{bytes}.Add(*record);
  }
  return bytes;
}

void EventDraft::WriteOut() {
  if (best != nullptr) *message.mutable_progress()->mutable_best_schedule() = ToWire(*best);
  if (record != nullptr) *message.mutable_record() = ToWire(*record);
  best.reset();
  record.reset();
}

const v1::JobEvent& JobFeed::NumberedEvent::Message() {
  std::call_once(written_, [this] {
    draft_.WriteOut();
    draft_.message.set_seq(seq);
  });
  return draft_.message;
}

void JobFeed::Append(EventDraft event, bool last) {
  std::vector<std::shared_ptr<Wake>> watchers;
  {
    MutexLock lock(&mutex_);
    events_.push_back(std::make_shared<NumberedEvent>(std::move(event), next_seq_++));
    bytes_ += events_.back()->bytes;
    Trim();
    ended_ = ended_ || last;
    watchers = Watchers();
  }
  for (const auto& wake : watchers) (*wake)();
}

void JobFeed::Limit(size_t bytes) {
  MutexLock lock(&mutex_);
  most_bytes_ = bytes;
  Trim();
}

void JobFeed::Trim() {
  while (events_.size() > kKept || (bytes_ > most_bytes_ && events_.size() > 1)) DropOldest();
}

void JobFeed::DropOldest() {
  bytes_ -= events_.front()->bytes;
  events_.pop_front();
}

void JobFeed::Shorten() {
  MutexLock lock(&mutex_);
  while (events_.size() > 1) DropOldest();
}

void JobFeed::Abandon() {
  std::vector<std::shared_ptr<Wake>> watchers;
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    ended_ = abandoned_ = true;
    watchers = Watchers();
  }
  for (const auto& wake : watchers) (*wake)();
}

JobFeed::Read JobFeed::ReadAfter(int64_t after_seq) const {
  std::shared_ptr<NumberedEvent> kept;
  {
    MutexLock lock(&mutex_);
    if (after_seq >= next_seq_) after_seq = 0;
    auto at =
        std::upper_bound(events_.begin(), events_.end(), after_seq,
                         [](int64_t seq, const std::shared_ptr<NumberedEvent>& event) { return seq < event->seq; });
    if (at == events_.end()) return {nullptr, ended_, abandoned_};
    kept = *at;
  }
  const v1::JobEvent& message = kept->Message();
  return {Event(std::move(kept), &message)};
}

int64_t JobFeed::Watch(Wake wake) {
  MutexLock lock(&mutex_);
  watchers_[next_watcher_] = std::make_shared<Wake>(std::move(wake));
  return next_watcher_++;
}

void JobFeed::Unwatch(int64_t id) {
  MutexLock lock(&mutex_);
  watchers_.erase(id);
}

std::vector<std::shared_ptr<JobFeed::Wake>> JobFeed::Watchers() const {
  std::vector<std::shared_ptr<Wake>> watchers;
  for (const auto& [id, wake] : watchers_) watchers.push_back(wake);
  return watchers;
}

std::shared_ptr<JobFeed> JobFeeds::Find(std::string_view job_uuid) const {
  MutexLock lock(&mutex_);
  auto at = feeds_.find(job_uuid);
  return at == feeds_.end() ? nullptr : at->second;
}

std::shared_ptr<JobFeed> JobFeeds::Open(std::string_view job_uuid, int64_t first_seq) {
  MutexLock lock(&mutex_);
  auto at = feeds_.find(job_uuid);
  if (at == feeds_.end()) {
    at = feeds_.emplace(std::string(job_uuid), std::make_shared<JobFeed>(first_seq)).first;
    ShareOut();
  }
  return at->second;
}

void JobFeeds::Drop(std::string_view job_uuid) {
  std::shared_ptr<JobFeed> dropped;
  MutexLock lock(&mutex_);
  auto at = feeds_.find(job_uuid);
  if (at == feeds_.end()) return;
  dropped = at->second;
  feeds_.erase(at);
  ShareOut();
}

void JobFeeds::ShareOut() {
  if (feeds_.empty()) return;
  const size_t each = std::min(JobFeed::kKeptBytes, kKeptBytes / feeds_.size());
  for (const auto& [uuid, feed] : feeds_) feed->Limit(each);
}

void JobFeeds::KeepIf(absl::FunctionRef<bool(const std::string& job_uuid)> keeps) {
  std::vector<std::shared_ptr<JobFeed>> dropped;
  {
    MutexLock lock(&mutex_);
    std::erase_if(feeds_, [&](const auto& entry) {
      if (keeps(entry.first)) return false;
      dropped.push_back(entry.second);
      return true;
    });
    ShareOut();
  }
  for (const auto& feed : dropped) feed->Abandon();
}

void JobFeeds::Clear() {
  KeepIf([](const std::string&) { return false; });
}

size_t JobFeeds::size() const {
  MutexLock lock(&mutex_);
  return feeds_.size();
}

void HeldEvents::Publish() {
  for (auto& [job_uuid, event] : std::exchange(held_, {})) {
    const bool last = IsFinal(event.message.state());
    if (auto feed = feeds_.Find(job_uuid)) feed->Append(std::move(event), last);
  }
}

}  // namespace mmtune
