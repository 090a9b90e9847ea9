// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/block/block.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/block/fault_handler.h"

namespace mmtune::simt {
namespace {

constexpr char kEnded[] = "findings ended the launch";

}  // namespace

absl::Status Block::Prepare(const LaunchJob& job, BlockOps* ops) {
  job_ = &job;
  monitor_ = job.monitor;
  thread_count_ = job.threads_per_block();
  if (absl::Status status = stacks_.Reserve(thread_count_); !status.ok()) return status;
  if (absl::Status status = arena_.Resize(job.shared_bytes()); !status.ok()) return status;
  if (thread_capacity_ < thread_count_) {
    threads_ = std::make_unique<GpuThread[]>(thread_count_);
    thread_capacity_ = thread_count_;
  }

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
    thread.warps = warp_count();
    thread.shared = arena_.base();
    thread.dynamic_shared_bytes = job.dynamic_shared_bytes;
    thread.block = this;
    thread.ops = ops;
    thread.tracks_copies = job.is_sequential();
  }
  return absl::OkStatus();
}

std::optional<BlockFailure> Block::Run(uint64_t index, Fiber::Entry entry) {
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
  } else if (!failure_ && scheduler_.exited() != thread_count_) {
    failure_ = DeadlockOf(threads());
    if (monitor_ != nullptr) monitor_->Deadlock(threads());
  }
  return std::exchange(failure_, std::nullopt);
}

void Block::StartThreads(uint64_t index, Fiber::Entry entry) {
  const uint32_t x = static_cast<uint32_t>(index % job_->grid[0]);
  const uint32_t y = static_cast<uint32_t>(index / job_->grid[0] % job_->grid[1]);
  const uint32_t z = static_cast<uint32_t>(index / job_->grid[0] / job_->grid[1]);
  std::optional<SplitMix64> random;
  if (job_->stress_seed) {
    random.emplace(*job_->stress_seed ^ SplitMix64(index).Next());
    std::memset(arena_.base(), kPoison, job_->shared_bytes());
  }
  scheduler_.Reset(thread_count_, random, monitor_);
  for (uint32_t i = 0; i < thread_count_; ++i) {
    GpuThread& thread = threads_[i];
    thread.ctaid[0] = x;
    thread.ctaid[1] = y;
    thread.ctaid[2] = z;
    if (!scheduler_.is_plain()) {
      thread.copies.Clear();
      thread.polled = {};
    }
    scheduler_.Start(&thread, stacks_.Stack(i), entry);
  }
  if (monitor_ != nullptr) monitor_->BeginBlock(*this);
}

void Block::Fail(GpuThread* thread, std::string what) {
  if (monitor_ != nullptr) monitor_->Report("misuse", *thread, thread->site, what);
  failure_ = FailureOf(*thread, BlockFailure::Kind::kMisuse, std::move(what));
  scheduler_.Leave();
}

void Block::EndLaunch() {
  failure_ = FailureOf(*scheduler_.running(), BlockFailure::Kind::kFindings, kEnded);
  scheduler_.Leave();
}

void Block::OnSignal(const char* name, const void* address) {
  if (scheduler_.running() == nullptr) return;
  signal_thread_ = scheduler_.running();
  signal_name_ = name;
  signal_address_ = address;
  scheduler_.Leave();
}

BlockFailure Block::DescribeSignal() const {
  std::string what = signal_name_;
  const void* address = nullptr;
  if (stacks_.Contains(signal_address_)) {
    what = absl::StrCat("stack overflow: a thread has ", FiberStacks::kStackBytes, " bytes of stack");
  } else if (arena_.Contains(signal_address_)) {
    what = absl::StrCat("access at offset ", static_cast<const char*>(signal_address_) - arena_.base(), " of ",
                        job_->shared_bytes(), " bytes of shared memory");
  } else {
    address = signal_address_;
  }
  BlockFailure failure = FailureOf(*signal_thread_, BlockFailure::Kind::kBadAccess, std::move(what));
  failure.address = address;
  return failure;
}

}  // namespace mmtune::simt
