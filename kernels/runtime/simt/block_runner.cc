#include "kernels/runtime/simt/block_runner.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/fault_handler.h"

namespace mmtune::simt {

absl::Status BlockRunner::Prepare(const LaunchJob& job) {
  job_ = &job;
  thread_count_ = job.threads_per_block();
  if (absl::Status status = stacks_.Reserve(thread_count_); !status.ok()) return status;
  if (absl::Status status = arena_.Resize(job.static_shared_bytes + job.dynamic_shared_bytes); !status.ok()) {
    return status;
  }
  if (thread_capacity_ < thread_count_) {
    threads_ = std::make_unique<GpuThread[]>(thread_count_);
    thread_capacity_ = thread_count_;
  }
  ready_.resize(std::bit_ceil(thread_count_));
  ready_mask_ = static_cast<uint32_t>(ready_.size()) - 1;

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
    thread.warps = (thread_count_ + kWarpSize - 1) / kWarpSize;
    thread.shared = arena_.base();
    thread.dynamic_shared_bytes = job.dynamic_shared_bytes;
    thread.runner = this;
  }
  return absl::OkStatus();
}

std::optional<BlockFailure> BlockRunner::RunBlock(uint64_t index) {
  StartThreads(index);
  {
    FaultScope faults(this);
    running_ = ready_[ready_head_++ & ready_mask_];
    Fiber::Switch(kind_, &scheduler_, &running_->fiber);
    running_ = nullptr;
  }
  if (signal_thread_ != nullptr) {
    failure_ = DescribeSignal();
    signal_thread_ = nullptr;
  } else if (!failure_ && exited_ != thread_count_) {
    failure_ = DescribeDeadlock();
  }
  return std::exchange(failure_, std::nullopt);
}

void BlockRunner::StartThreads(uint64_t block_index) {
  const uint32_t x = static_cast<uint32_t>(block_index % job_->grid[0]);
  const uint32_t y = static_cast<uint32_t>(block_index / job_->grid[0] % job_->grid[1]);
  const uint32_t z = static_cast<uint32_t>(block_index / job_->grid[0] / job_->grid[1]);
  for (NamedBarrier& barrier : barriers_) barrier.waiting.clear();
  ready_head_ = ready_tail_ = 0;
  exited_ = 0;
  for (uint32_t i = 0; i < thread_count_; ++i) {
    GpuThread& thread = threads_[i];
    thread.ctaid[0] = x;
    thread.ctaid[1] = y;
    thread.ctaid[2] = z;
    thread.fiber.Prepare(kind_, stacks_.Stack(i), &ThreadMain, &thread);
    MakeReady(&thread);
  }
}

void BlockRunner::ThreadMain(void* argument) {
  auto* thread = static_cast<GpuThread*>(argument);
  BlockRunner* runner = thread->runner;
  runner->job_->entry(thread, runner->job_->arguments);
  thread->state = GpuThread::State::kExited;
  ++runner->exited_;
  runner->RunNext(thread);
  std::abort();  // Nobody resumes an exited thread.
}

void BlockRunner::MakeReady(GpuThread* thread) {
  thread->state = GpuThread::State::kReady;
  ready_[ready_tail_++ & ready_mask_] = thread;
}

void BlockRunner::RunNext(GpuThread* from) {
  if (ready_head_ == ready_tail_) {
    ReturnToScheduler(from);
    return;
  }
  running_ = ready_[ready_head_++ & ready_mask_];
  Fiber::Switch(kind_, &from->fiber, &running_->fiber);
}

void BlockRunner::ReturnToScheduler(GpuThread* from) { Fiber::Switch(kind_, &from->fiber, &scheduler_); }

void BlockRunner::Barrier(GpuThread* thread, uint32_t id, uint32_t threads) {
  if (id >= kNamedBarriers) Fail(thread, absl::StrCat("barrier ", id, " does not exist; there are ", kNamedBarriers));
  // The hardware counts warps: a count that covers the last, partial warp means every thread.
  const bool whole_block = threads == 0 || threads == thread->warps * kWarpSize;
  const uint32_t expected = whole_block ? thread_count_ : threads;
  NamedBarrier& barrier = barriers_[id];
  if (barrier.waiting.empty()) {
    barrier.expected = expected;
  } else if (barrier.expected != expected) {
    Fail(thread,
         absl::StrCat("barrier ", id, " waits for ", barrier.expected, " threads, but one arrives for ", expected));
  }
  if (barrier.waiting.size() + 1 < expected) {
    thread->state = GpuThread::State::kAtBarrier;
    thread->waits_for = id;
    barrier.waiting.push_back(thread);
    RunNext(thread);
    return;
  }
  for (GpuThread* waiting : barrier.waiting) MakeReady(waiting);
  barrier.waiting.clear();
}

void BlockRunner::WarpBarrier(GpuThread* thread, uint32_t mask) {
  const uint32_t first = thread->warp * kWarpSize;
  const uint32_t lanes = std::min(kWarpSize, thread_count_ - first);
  const uint32_t members = lanes == kWarpSize ? mask : mask & ((1u << lanes) - 1);
  if ((members >> thread->lane & 1) == 0) {
    Fail(thread, absl::StrCat("warp barrier of mask 0x", absl::Hex(mask), " without its own lane ", thread->lane));
  }
  auto waits_here = [&](const GpuThread& other) {
    return other.state == GpuThread::State::kAtWarpBarrier && other.waits_for == members;
  };
  GpuThread* warp = &threads_[first];
  const auto arrived = static_cast<int>(std::count_if(warp, warp + lanes, waits_here));
  if (arrived + 1 < std::popcount(members)) {
    thread->state = GpuThread::State::kAtWarpBarrier;
    thread->waits_for = members;
    RunNext(thread);
    return;
  }
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    if (waits_here(warp[lane])) MakeReady(&warp[lane]);
  }
}

void BlockRunner::Fail(GpuThread* thread, std::string what) {
  failure_ = FailureOf(*thread, BlockFailure::Kind::kMisuse, std::move(what));
  ReturnToScheduler(thread);
  std::abort();  // Nobody resumes a failed thread.
}

void BlockRunner::OnSignal(const char* name, const void* address) {
  if (running_ == nullptr) return;
  signal_thread_ = running_;
  signal_name_ = name;
  signal_address_ = address;
  ReturnToScheduler(running_);
}

BlockFailure BlockRunner::FailureOf(const GpuThread& thread, BlockFailure::Kind kind, std::string what) const {
  BlockFailure failure;
  failure.kind = kind;
  std::copy(thread.ctaid, thread.ctaid + 3, failure.block);
  std::copy(thread.tid, thread.tid + 3, failure.thread);
  failure.what = std::move(what);
  return failure;
}

BlockFailure BlockRunner::DescribeDeadlock() const {
  const GpuThread* first = nullptr;
  uint32_t at_barrier = 0, at_warp_barrier = 0;
  for (uint32_t i = 0; i < thread_count_; ++i) {
    const GpuThread& thread = threads_[i];
    if (thread.state == GpuThread::State::kExited) continue;
    if (first == nullptr) first = &thread;
    ++(thread.state == GpuThread::State::kAtBarrier ? at_barrier : at_warp_barrier);
  }
  std::string where = first->state == GpuThread::State::kAtBarrier
                          ? absl::StrCat("barrier ", first->waits_for)
                          : absl::StrCat("the warp barrier of mask 0x", absl::Hex(first->waits_for));
  return FailureOf(
      *first, BlockFailure::Kind::kDeadlock,
      absl::StrCat("deadlock: waits at ", where, "; of ", thread_count_, " threads ", at_barrier, " wait at barriers, ",
                   at_warp_barrier, " at warp barriers, ", exited_, " have exited"));
}

BlockFailure BlockRunner::DescribeSignal() const {
  std::string what = signal_name_;
  const void* address = nullptr;
  if (stacks_.Contains(signal_address_)) {
    what = absl::StrCat("stack overflow: a thread has ", FiberStacks::kStackBytes, " bytes of stack");
  } else if (arena_.Contains(signal_address_)) {
    what = absl::StrCat("access at offset ", static_cast<const char*>(signal_address_) - arena_.base(), " of ",
                        job_->static_shared_bytes + job_->dynamic_shared_bytes, " bytes of shared memory");
  } else {
    address = signal_address_;
  }
  BlockFailure failure = FailureOf(*signal_thread_, BlockFailure::Kind::kBadAccess, std::move(what));
  failure.address = address;
  return failure;
}

}  // namespace mmtune::simt
