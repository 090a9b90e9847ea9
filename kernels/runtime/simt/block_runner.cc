#include "kernels/runtime/simt/block_runner.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kernels/runtime/simt/fault_handler.h"

namespace mmtune::simt {
namespace {

/// So many turns of every thread without anything but polling are a deadlock: a thread may count its polls, and do
/// something else after some.
constexpr uint32_t kPollingRounds = 1000;

constexpr char kEnded[] = "findings ended the launch";

}  // namespace

absl::Status BlockRunner::Prepare(const LaunchJob& job) {
  job_ = &job;
  monitor_ = job.monitor;
  is_plain_ = !job.is_sequential();
  thread_count_ = job.threads_per_block();
  if (absl::Status status = stacks_.Reserve(thread_count_); !status.ok()) return status;
  if (absl::Status status = arena_.Resize(job.shared_bytes()); !status.ok()) return status;
  if (thread_capacity_ < thread_count_) {
    threads_ = std::make_unique<GpuThread[]>(thread_count_);
    thread_capacity_ = thread_count_;
  }
  ready_.Reset(thread_count_);
  warps_.resize((thread_count_ + kWarpSize - 1) / kWarpSize);

  for (uint32_t i = 0; i < thread_count_; ++i) {
    GpuThread& thread = threads_[i];
    thread.tid[0] = i % job.block[0];
    thread.tid[1] = i / job.block[0] % job.block[1];
    thread.tid[2] = i / job.block[0] / job.block[1];
    std::copy(job.block, job.block + 3, thread.ntid);
    std::copy(job.grid, job.grid + 3, thread.nctaid);
    thread.lane = i % kWarpSize;
    thread.warp = i / kWarpSize;
    thread.linear_tid = i;
    thread.warps = static_cast<uint32_t>(warps_.size());
    thread.shared = arena_.base();
    thread.dynamic_shared_bytes = job.dynamic_shared_bytes;
    thread.runner = this;
    thread.tracks_copies = job.is_sequential();
  }
  return absl::OkStatus();
}

std::optional<BlockFailure> BlockRunner::RunBlock(uint64_t index) {
  StartThreads(index);
  {
    FaultScope faults(this);
    running_ = random_ ? ready_.PopAny(*random_) : ready_.Pop();
    Fiber::Switch(kind_, &scheduler_, &running_->fiber);
    running_ = nullptr;
  }
  if (signal_thread_ != nullptr) {
    failure_ = DescribeSignal();
    signal_thread_ = nullptr;
  } else if (!failure_ && IsOver()) {
    failure_ = FailureOf(threads_[0], BlockFailure::Kind::kFindings, kEnded);
  } else if (!failure_ && exited_ != thread_count_) {
    failure_ = DescribeDeadlock();
    if (monitor_ != nullptr) monitor_->Deadlock({threads_.get(), thread_count_});
  }
  return std::exchange(failure_, std::nullopt);
}

void BlockRunner::StartThreads(uint64_t block_index) {
  const uint32_t x = static_cast<uint32_t>(block_index % job_->grid[0]);
  const uint32_t y = static_cast<uint32_t>(block_index / job_->grid[0] % job_->grid[1]);
  const uint32_t z = static_cast<uint32_t>(block_index / job_->grid[0] / job_->grid[1]);
  for (NamedBarrier& barrier : barriers_) {
    barrier.arrived = barrier.trues = barrier.votes = 0;
    barrier.waiting.clear();
    if (monitor_ == nullptr) continue;
    barrier.released = {};
    barrier.lanes.clear();
  }
  for (Warp& warp : warps_) warp.meeting_lanes = 0;
  asleep_.clear();
  async_.Clear();
  ops_.Reset(thread_count_);
  ready_.Reset(thread_count_);
  polling_.clear();
  exited_ = 0;
  NoteProgress();
  random_.reset();
  if (job_->stress_seed) {
    random_.emplace(SplitMix64(*job_->stress_seed ^ SplitMix64(block_index).Next()));
    std::memset(arena_.base(), kPoison, job_->shared_bytes());
  }
  for (uint32_t i = 0; i < thread_count_; ++i) {
    GpuThread& thread = threads_[i];
    thread.ctaid[0] = x;
    thread.ctaid[1] = y;
    thread.ctaid[2] = z;
    if (thread.tracks_copies) thread.copies.Clear();
    thread.polled = {};
    thread.fiber.Prepare(kind_, stacks_.Stack(i), &ThreadMain, &thread);
    MakeReady(&thread);
  }
  if (monitor_ != nullptr) monitor_->BeginBlock(*this, {threads_.get(), thread_count_});
}

void BlockRunner::ThreadMain(void* argument) {
  auto* thread = static_cast<GpuThread*>(argument);
  BlockRunner* runner = thread->runner;
  runner->job_->entry(thread, runner->job_->arguments);
  if (thread->tracks_copies) runner->FinishCopies(thread, thread->copies.issued());
  if (runner->monitor_ != nullptr) runner->ops_.ThreadExits(*thread);
  thread->state = GpuThread::State::kExited;
  ++runner->exited_;
  runner->NoteProgress();
  runner->RunNext(thread);
  std::abort();  // Nobody resumes an exited thread.
}

void BlockRunner::RunNextSlowly(GpuThread* from) {
  if (IsOver() || (ready_.empty() && !FindWork())) return ReturnToScheduler(from);
  GpuThread* next = random_ ? ready_.PopAny(*random_) : ready_.Pop();
  if (next != from) SwitchTo(from, next);
}

bool BlockRunner::FindWork() {
  while (ready_.empty() && !async_.empty()) {
    async_.RunAny(*random_);
    NoteProgress();
  }
  if (!ready_.empty()) return true;
  if (polling_.empty() || polling_rounds_++ == kPollingRounds) return false;
  for (GpuThread* thread : polling_) MakeReady(thread);
  polling_.clear();
  return true;
}

void BlockRunner::GiveWay(GpuThread* thread) {
  if (!random_) return;
  MakeReady(thread);
  RunNext(thread);
}

void BlockRunner::ReturnToScheduler(GpuThread* from) { Fiber::Switch(kind_, &from->fiber, &scheduler_); }

void BlockRunner::Sleep(GpuThread* thread, const void* channel, uint32_t site, const char* what) {
  thread->state = GpuThread::State::kAsleep;
  thread->site = site;
  thread->what = what;
  thread->channel = channel;
  asleep_.push_back(thread);
  RunNext(thread);
}

void BlockRunner::Wake(const void* channel) {
  NoteProgress();
  std::erase_if(asleep_, [&](GpuThread* thread) {
    if (thread->channel != channel) return false;
    MakeReady(thread);
    return true;
  });
}

void BlockRunner::Yield(GpuThread* thread, uint32_t site) {
  thread->state = GpuThread::State::kPolling;
  thread->site = site;
  polling_.push_back(thread);
  RunNext(thread);
}

void BlockRunner::PostAsync(std::function<void()> work, const void* queue) {
  if (!copies_land_late()) return work();
  async_.Post(std::move(work), queue);
}

void BlockRunner::DrainAsync(const void* queue) { async_.Drain(queue); }

void BlockRunner::FinishCopies(GpuThread* thread, uint64_t end) {
  while (thread->copies.finished() < end) {
    AsyncCopy copy = thread->copies.oldest();
    thread->copies.PopOldest();
    copy.Land();
    if (monitor_ != nullptr) monitor_->EndAsyncWrite(copy.token, /*by_issuer=*/true, nullptr);
  }
}

void BlockRunner::Fail(GpuThread* thread, std::string what) {
  if (monitor_ != nullptr) monitor_->Report("misuse", *thread, thread->site, what);
  failure_ = FailureOf(*thread, BlockFailure::Kind::kMisuse, std::move(what));
  ReturnToScheduler(running_);
  std::abort();  // Nobody resumes a failed thread.
}

void BlockRunner::EndLaunch() {
  failure_ = FailureOf(*running_, BlockFailure::Kind::kFindings, kEnded);
  ReturnToScheduler(running_);
  std::abort();  // Nobody resumes a failed thread.
}

void BlockRunner::OnSignal(const char* name, const void* address) {
  if (running_ == nullptr) return;
  signal_thread_ = running_;
  signal_name_ = name;
  signal_address_ = address;
  ReturnToScheduler(running_);
}

}  // namespace mmtune::simt
