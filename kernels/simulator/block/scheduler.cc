// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/block/scheduler.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/cluster_runner.h"

namespace mmtune::simt {

void AsyncCopy::Complete() {
  if (completed) return;
  completed = true;
  std::memcpy(shared, global, source_bytes);
  std::memset(shared + source_bytes, 0, bytes - source_bytes);
}

uint64_t CopyQueue::FinishGroups(uint32_t groups) {
  uint64_t done = 0;
  while (groups_.size() > groups) {
    done = groups_.front();
    groups_.pop_front();
  }
  return done;
}

AsyncCopy CopyQueue::TakeOldest() {
  const AsyncCopy oldest = copies_.front();
  copies_.pop_front();
  ++finished_;
  return oldest;
}

const PollingDetector::Word* PollingDetector::Find(const void* address) const {
  auto found = std::find_if(words_.begin(), words_.end(), [&](const Word& word) { return word.address == address; });
  return found == words_.end() ? nullptr : &*found;
}

bool PollingDetector::Observe(const void* address, uint64_t value) {
  const Word* known = Find(address);
  if (known != nullptr && known->value == value) {
    ++polls_;
    return false;
  }
  const size_t at = known != nullptr ? known - words_.data() : next_++ % words_.size();
  words_[at] = {address, value};
  return true;
}

std::string StateText(const GpuThread& thread) {
  switch (thread.state) {
    case GpuThread::State::kAtBarrier: {
      const std::string name = thread.runner->job().NameOfBarrier(thread.waits_for);
      return absl::StrCat("waits at barrier ", thread.waits_for, name.empty() ? "" : absl::StrCat(" (", name, ")"));
    }
    case GpuThread::State::kAtWarpBarrier:
      return absl::StrCat("waits at the warp barrier of mask 0x", absl::Hex(thread.waits_for));
    case GpuThread::State::kInWarpOperation:
      return absl::StrCat("waits in a warp operation of mask 0x", absl::Hex(thread.waits_for));
    case GpuThread::State::kAsleep:
      return absl::StrCat("waits for ", thread.describe != nullptr ? thread.describe(thread) : thread.what);
    case GpuThread::State::kExited:
      return "has exited";
    default:
      return thread.describe != nullptr ? absl::StrCat("waits for ", thread.describe(thread)) : "polls";
  }
}

namespace {

/// After this many rounds in which all threads did nothing but poll, the block is in a deadlock. One round would not
/// do: a thread may count its polls, and do something else after some.
constexpr uint32_t kPollingRounds = 1000;

}  // namespace

void Scheduler::Reset(uint32_t threads, std::optional<SplitMix64> random, Monitor* monitor) {
  is_fast_ = !random && monitor == nullptr;
  random_ = random;
  monitor_ = monitor;
  ready_.Reset(threads);
  asleep_.clear();
  polling_.clear();
  posted_.clear();
  exited_ = 0;
  NoteProgress();
}

void Scheduler::Run() {
  running_ = PopReady();
  Fiber::Switch(&outside_, &running_->fiber);
  running_ = nullptr;
}

void Scheduler::RunNextSlowly(GpuThread* from) {
  const bool is_over = monitor_ != nullptr && monitor_->IsOver();
  if (is_over || (ready_.empty() && !FindWork())) return Fiber::Switch(&from->fiber, &outside_);
  GpuThread* next = PopReady();
  if (next != from) SwitchTo(from, next);
}

void Scheduler::YieldToAny(GpuThread* thread) {
  MakeReady(thread);
  RunNextSlowly(thread);
}

bool Scheduler::FindWork() {
  while (ready_.empty() && !posted_.empty()) {
    auto picked = posted_.begin() + random_->Below(static_cast<uint32_t>(posted_.size()));
    RunPosted(std::find_if(posted_.begin(), picked, [&](const PostedWork& posted) {
      return posted.queue != nullptr && posted.queue == picked->queue;
    }));
    NoteProgress();
  }
  if (!ready_.empty()) return true;
  if (polling_.empty() || polling_rounds_++ == kPollingRounds) return false;
  for (GpuThread* thread : polling_) MakeReady(thread);
  polling_.clear();
  return true;
}

void Scheduler::Sleep(GpuThread* thread, const void* channel, uint32_t site, const char* what) {
  thread->state = GpuThread::State::kAsleep;
  thread->site = site;
  thread->what = what;
  thread->channel = channel;
  asleep_.push_back(thread);
  RunNext(thread);
}

void Scheduler::Wake(const void* channel) {
  NoteProgress();
  std::erase_if(asleep_, [&](GpuThread* thread) {
    if (thread->channel != channel) return false;
    MakeReady(thread);
    return true;
  });
}

void Scheduler::Yield(GpuThread* thread, uint32_t site) {
  thread->state = GpuThread::State::kPolling;
  thread->site = site;
  polling_.push_back(thread);
  RunNext(thread);
}

void Scheduler::Leave() {
  Fiber::Switch(&running_->fiber, &outside_);
  std::abort();  // Nobody resumes a failed thread.
}

void Scheduler::PostAsync(std::function<void()> work, const void* queue) {
  if (!copies_complete_late()) return work();
  posted_.push_back({std::move(work), queue});
}

void Scheduler::DrainAsync(const void* queue) {
  auto is_of_queue = [&](const PostedWork& posted) { return posted.queue == queue; };
  for (auto left = std::count_if(posted_.begin(), posted_.end(), is_of_queue); left > 0; --left) {
    auto at = std::find_if(posted_.begin(), posted_.end(), is_of_queue);
    if (at == posted_.end()) return;  // One of them drained the queue.
    RunPosted(at);
  }
}

void Scheduler::RunPosted(std::deque<PostedWork>::iterator at) {
  const std::function<void()> work = std::move(at->work);
  posted_.erase(at);
  work();
}

}  // namespace mmtune::simt
