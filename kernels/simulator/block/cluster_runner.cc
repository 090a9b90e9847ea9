// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/block/cluster_runner.h"

#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

constexpr char kEnded[] = "findings ended the launch";

BlockFailure FailureOf(const GpuThread& thread, BlockFailure::Kind kind, std::string what) {
  BlockFailure failure;
  failure.kind = kind;
  std::copy(thread.ctaid, thread.ctaid + 3, failure.block);
  std::copy(thread.tid, thread.tid + 3, failure.thread);
  failure.what = std::move(what);
  return failure;
}

/// Describes a deadlock of `threads`, at least one of which has not exited.
BlockFailure DeadlockOf(std::span<const GpuThread> threads) {
  using State = GpuThread::State;
  auto count = [&](auto... states) {
    return std::count_if(threads.begin(), threads.end(),
                         [&](const GpuThread& thread) { return ((thread.state == states) || ...); });
  };
  const auto exited = count(State::kExited), at_barrier = count(State::kAtBarrier);
  const auto in_warp = count(State::kAtWarpBarrier, State::kInWarpOperation);
  const auto elsewhere = std::ssize(threads) - exited - at_barrier - in_warp;
  const GpuThread& first = *std::find_if(threads.begin(), threads.end(),
                                         [](const GpuThread& thread) { return thread.state != State::kExited; });
  return FailureOf(first, BlockFailure::Kind::kDeadlock,
                   absl::StrCat("deadlock: ", StateText(first), "; of ", threads.size(), " threads ", at_barrier,
                                " wait at barriers, ", in_warp, " at warp barriers or operations, ", elsewhere,
                                " for something else, ", exited, " have exited"));
}

struct HandledSignal {
  int number;
  const char* name;
  struct sigaction previous;
};
HandledSignal handled_signals[] = {
    {SIGSEGV, "SIGSEGV", {}}, {SIGBUS, "SIGBUS", {}}, {SIGFPE, "SIGFPE", {}}, {SIGILL, "SIGILL", {}}};

thread_local ClusterRunner* active_runner = nullptr;

/// A stack for the signal handler of an OS thread, as the fault may be an overflow of the fiber's stack. Does nothing
/// where there is one already (a sanitizer's).
class SignalStack {
 public:
  SignalStack() {
    stack_t present{};
    if (sigaltstack(nullptr, &present) == 0 && !(present.ss_flags & SS_DISABLE)) return;
    memory_ = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) return;
    stack_t own{};
    own.ss_sp = memory_;
    own.ss_size = kBytes;
    sigaltstack(&own, nullptr);
  }
  ~SignalStack() {
    if (memory_ == MAP_FAILED) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, kBytes);
  }

 private:
  static constexpr size_t kBytes = 64 * 1024;
  void* memory_ = MAP_FAILED;
};

void HandleFault(int number, siginfo_t* info, void*) {
  for (HandledSignal& signal : handled_signals) {
    if (signal.number != number) continue;
    // Leaves the handler for good: SA_NODEFER keeps the signal unblocked, and the alternate stack is free again as soon
    // as the stack pointer is elsewhere.
    if (active_runner != nullptr && info->si_code > 0) active_runner->OnSignal(signal.name, info->si_addr);
    // No kernel caused it: the instruction is executed again, under the previous handler.
    sigaction(number, &signal.previous, nullptr);
    if (info->si_code <= 0) raise(number);
    return;
  }
}

/// Reports faults of this OS thread on a fiber of `block` to it, in its lifetime. Does not nest.
class FaultScope {
 public:
  explicit FaultScope(ClusterRunner* runner) {
    static thread_local SignalStack stack;
    active_runner = runner;
  }
  ~FaultScope() { active_runner = nullptr; }
  FaultScope(const FaultScope&) = delete;
  FaultScope& operator=(const FaultScope&) = delete;
};

}  // namespace

void InstallFaultHandler() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (HandledSignal& signal : handled_signals) {
      struct sigaction action{};
      action.sa_sigaction = &HandleFault;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
      sigemptyset(&action.sa_mask);
      sigaction(signal.number, &action, &signal.previous);
    }
  });
}

void LaunchJob::BlockIndex(uint64_t cluster_number, uint32_t rank, uint32_t* index) const {
  const uint32_t clusters[3] = {grid[0] / cluster[0], grid[1] / cluster[1], grid[2] / cluster[2]};
  uint32_t in_cluster[3];
  Unflatten(clusters, cluster_number, index);
  Unflatten(cluster, rank, in_cluster);
  for (int i = 0; i < 3; ++i) index[i] = index[i] * cluster[i] + in_cluster[i];
}

absl::Status ClusterRunner::Prepare(const LaunchJob& job, BlockOps* ops) {
  job_ = &job;
  monitor_ = job.monitor;
  blocks_ = job.blocks_per_cluster();
  thread_count_ = job.threads_per_block();
  const uint32_t all_threads = blocks_ * thread_count_;
  RETURN_IF_ERROR(stacks_.Reserve(all_threads));
  RETURN_IF_ERROR(arena_.Resize(job.shared_bytes(), blocks_));
  if (thread_capacity_ < all_threads) {
    threads_ = std::make_unique<GpuThread[]>(all_threads);
    thread_capacity_ = all_threads;
  }

  for (uint32_t number = 0; number < all_threads; ++number) {
    GpuThread& thread = threads_[number];
    const uint32_t i = number % thread_count_;
    thread.number = number;
    thread.cluster_rank = number / thread_count_;
    Unflatten(job.block, i, thread.tid);
    std::copy(job.block, job.block + 3, thread.ntid);
    std::copy(job.grid, job.grid + 3, thread.nctaid);
    thread.lane = i % kWarpSize;
    thread.warp = i / kWarpSize;
    thread.linear_tid = i;
    thread.warps = warp_count();
    thread.shared = arena_.base(thread.cluster_rank);
    thread.dynamic_shared_bytes = job.dynamic_shared_bytes;
    thread.runner = this;
    thread.ops = ops;
    thread.tracks_copies = job.is_sequential();
  }
  return absl::OkStatus();
}

std::optional<BlockFailure> ClusterRunner::Run(uint64_t index, Fiber::Entry entry) {
  StartThreads(index, entry);
  {
    FaultScope faults(this);
    scheduler_.Run();
  }
  if (signal_thread_ != nullptr) {
    failure_ = DescribeSignal();
    signal_thread_ = nullptr;
  } else if (!failure_ && monitor_ != nullptr && monitor_->IsOver()) {
    failure_ = FailureOf(threads_[0], BlockFailure::Kind::kFindings, kEnded);
  } else if (!failure_ && scheduler_.exited() != threads().size()) {
    failure_ = DeadlockOf(threads());
    if (monitor_ != nullptr) monitor_->Deadlock(threads());
  }
  return std::exchange(failure_, std::nullopt);
}

void ClusterRunner::FillShared(uint64_t index) {
  const uint64_t seed = job_->uninitialized_seed.value_or(0);
  SplitMix64 random(seed ^ SplitMix64(index).Next());
  for (uint32_t rank = 0; rank < blocks_; ++rank) {
    std::memset(arena_.base(rank), kPoison, job_->shared_bytes());
    for (uint32_t i = 0; seed != 0 && i < job_->shared_bytes(); ++i)
      arena_.base(rank)[i] = static_cast<char>(random.Below(256));
  }
}

void ClusterRunner::StartThreads(uint64_t index, Fiber::Entry entry) {
  index_ = index;
  std::optional<SplitMix64> random;
  if (job_->fuzzing_seed) {
    random.emplace(*job_->fuzzing_seed ^ SplitMix64(index).Next());
  }
  if (job_->fuzzing_seed || job_->uninitialized_seed) FillShared(index);
  scheduler_.Reset(static_cast<uint32_t>(threads().size()), random, monitor_);
  uint32_t index_in_grid[3];
  for (GpuThread& thread : threads()) {
    if (thread.linear_tid == 0) job_->BlockIndex(index, thread.cluster_rank, index_in_grid);
    std::copy(index_in_grid, index_in_grid + 3, thread.ctaid);
    thread.describe = nullptr;
    if (!scheduler_.is_fast()) {
      thread.copies.Clear();
      thread.polled = {};
    }
    scheduler_.Start(&thread, stacks_.Stack(thread.number), entry);
  }
  if (monitor_ != nullptr) monitor_->BeginBlock(*this);
}

void ClusterRunner::Fail(GpuThread* thread, std::string what) {
  if (monitor_ != nullptr) monitor_->Report("misuse", *thread, thread->site, what);
  failure_ = FailureOf(*thread, BlockFailure::Kind::kMisuse, std::move(what));
  scheduler_.Leave();
}

void ClusterRunner::EndLaunch() {
  failure_ = FailureOf(*scheduler_.running(), BlockFailure::Kind::kFindings, kEnded);
  scheduler_.Leave();
}

void ClusterRunner::OnSignal(const char* name, const void* address) {
  if (scheduler_.running() == nullptr) return;
  signal_thread_ = scheduler_.running();
  signal_name_ = name;
  signal_address_ = address;
  scheduler_.Leave();
}

BlockFailure ClusterRunner::DescribeSignal() const {
  std::string what = signal_name_;
  const void* address = nullptr;
  if (stacks_.Contains(signal_address_)) {
    what = absl::StrCat("stack overflow: a thread has ", FiberStacks::kStackBytes, " bytes of stack");
  } else if (arena_.Contains(signal_address_)) {
    const auto offset = static_cast<const char*>(signal_address_) - signal_thread_->shared;
    what = absl::StrCat("access at offset ", offset, " of ", job_->shared_bytes(), " bytes of shared memory");
  } else {
    address = signal_address_;
  }
  BlockFailure failure = FailureOf(*signal_thread_, BlockFailure::Kind::kBadAccess, std::move(what));
  failure.address = address;
  return failure;
}

}  // namespace mmtune::simt
