// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/block_ops.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/ops/async_copies.h"

namespace mmtune::simt {
namespace {

constexpr size_t kUnitBytes = 16;

struct Units {
  size_t begin;
  size_t end;
};

/// Returns the units of the cluster's shared memory that an access touches; none for other memory.
Units UnitsOf(const GpuThread& thread, const void* address, size_t bytes) {
  const size_t all = thread.runner->blocks() * kArenaAlignment;
  const auto offset = static_cast<size_t>(static_cast<const char*>(address) - thread.runner->SharedOf(0));
  if (offset >= all) return {0, 0};
  const size_t end = std::min<size_t>(offset + bytes, all);
  return {offset / kUnitBytes, (end + kUnitBytes - 1) / kUnitBytes};
}

bool ReadsAtomically(AccessKind kind) { return IsAtomic(kind) && Reads(kind); }

/// Lets other threads run first if the thread polls.
void BeforeAccess(GpuThread* thread, const void* address, AccessKind kind, uint32_t site) {
  if (!ReadsAtomically(kind) || thread->runner->scheduler().is_fast()) return;
  if (thread->polled.IsPolling(address)) thread->runner->scheduler().Yield(thread, site);
}

void AfterAccess(GpuThread* thread, const void* address, size_t bytes, AccessKind kind) {
  Scheduler& scheduler = thread->runner->scheduler();
  if (kind == AccessKind::kRead || scheduler.is_fast()) return;
  if (ReadsAtomically(kind)) {
    uint64_t value = 0;
    std::memcpy(&value, address, std::min(bytes, sizeof(value)));
    if (!thread->polled.Observe(address, value)) return;
  }
  thread->polled.Restart();
  scheduler.NoteProgress();
}

}  // namespace

void ProxyWrites::Reset(uint32_t threads) {
  threads_ = threads;
  time_ = 0;
  fences_.clear();
  units_.clear();
}

void ProxyWrites::AddWrite(const GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  const Units units = UnitsOf(thread, shared, bytes);
  if (units_.size() < units.end) units_.resize(units.end);
  if (fences_.empty()) fences_.resize(threads_);
  const Write write = {++time_, thread.number, site};
  std::fill(units_.begin() + static_cast<std::ptrdiff_t>(units.begin),
            units_.begin() + static_cast<std::ptrdiff_t>(units.end), write);
}

void ProxyWrites::AddFence(const GpuThread& thread) {
  if (fences_.empty()) fences_.resize(threads_);
  fences_[thread.number] = ++time_;
}

void ProxyWrites::Forget(const GpuThread& thread, const void* shared, size_t bytes) {
  const Units units = UnitsOf(thread, shared, bytes);
  for (size_t i = units.begin; i < std::min(units.end, units_.size()); ++i) units_[i] = {};
}

std::optional<ProxyWrites::Write> ProxyWrites::FindUnfenced(const GpuThread& thread, const void* shared,
                                                            size_t bytes) const {
  const Units units = UnitsOf(thread, shared, bytes);
  for (size_t i = units.begin; i < std::min(units.end, units_.size()); ++i) {
    const Write& write = units_[i];
    if (write.time > fences_[write.thread] && write.time > fences_[thread.number]) return write;
  }
  return std::nullopt;
}

AsyncToken BeginProxyRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  Monitor* monitor = thread.runner->monitor();
  if (auto write = thread.ops->proxy_writes().FindUnfenced(thread, shared, bytes)) {
    GpuThread& writer = thread.runner->threads()[write->thread];
    monitor->Report("async-race", thread, site,
                    absl::StrCat("an asynchronous read of ", bytes, " bytes at ", SharedAddress(thread, shared),
                                 " may not see an ordinary write: fence.proxy.async is missing between them"),
                    &writer, write->site);
  }
  return monitor->BeginAsyncRead(thread, shared, bytes, site);
}

AsyncToken BeginProxyWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  thread.ops->proxy_writes().Forget(thread, shared, bytes);
  return thread.runner->monitor()->BeginAsyncWrite(thread, shared, bytes, site);
}

void BlockOps::Reset(uint32_t blocks, uint32_t threads) {
  blocks_.resize(blocks);
  for (OwnState& block : blocks_) {
    block.named_barriers.Reset();
    block.warp_rendezvous.Reset(threads);
    block.register_pool.Reset();
    block.exited = 0;
  }
  cluster_barrier_.Reset(blocks * threads);
  threads_ = threads;
  bulk_groups_.clear();
  wgmma_groups_.clear();
  wgmma_sequences_.clear();
  mbarriers_.clear();
  proxy_writes_.Reset(blocks * threads);
}

void BlockOps::ThreadExits(GpuThread& thread) {
  thread.state = GpuThread::State::kExited;
  if (thread.tracks_copies) {
    // Arrivals at mbarriers that wait for its copies tell others of these.
    thread.runner->scheduler().DrainAsync(&thread);
    FinishCopies(thread, thread.copies.issued());
  }
  named_barriers(thread).ThreadExits(thread);
  warp_rendezvous(thread).ThreadExits(thread);
  if (Monitor* monitor = thread.runner->monitor()) {
    if (!bulk_groups_.empty() && bulk_groups(thread).ReadsUnderWay()) {
      monitor->Report("async-race", thread, thread.site,
                      "the thread exits while its bulk copies may still read shared memory");
    }
    if (!bulk_groups_.empty()) bulk_groups(thread).ReportWrites();
    if (++blocks_[thread.cluster_rank].exited == threads_) BlockExits(thread);
  }
  if (blocks_.size() > 1) cluster_barrier_.ThreadExits(thread);
}

void BlockOps::BlockExits(GpuThread& last) {
  Monitor* monitor = last.runner->monitor();
  register_pool(last).BlockExits(last);
  for (const auto& [barrier, clocks] : mbarriers_) {
    if (clocks.waited_for == nullptr || last.runner->RankOf(last, barrier) != last.cluster_rank) continue;
    monitor->Report("async-race", *clocks.waited_for, clocks.copy_site,
                    absl::StrCat("the block ends, but no thread has waited for the copy that completes on ",
                                 MbarrierText(*clocks.waited_for, barrier)));
  }
  monitor->BlockExits(last);
}

void BlockOps::Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) {
  if (IsAtomic(kind) && FindMbarrier(address) != nullptr) {
    thread.runner->monitor()->AccessMbarrier(thread, address, bytes, site);
  } else {
    thread.runner->monitor()->Access(thread, address, bytes, kind, site);
  }
}

void BlockOps::MonitoredAccess(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) {
  if (Writes(kind)) proxy_writes_.AddWrite(thread, address, bytes, site);
  if (!mbarriers_.empty()) ReportTouchedMbarrier(thread, address, bytes, site);
  Access(thread, address, bytes, kind, site);
}

void BlockOps::ReportTouchedMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site) {
  const auto begin = reinterpret_cast<uintptr_t>(address);
  const uintptr_t first = begin & ~(sizeof(MbarrierWord) - 1);
  for (uintptr_t at = first; bytes != 0 && at < begin + bytes; at += sizeof(MbarrierWord)) {
    const auto* barrier = reinterpret_cast<const void*>(at);
    if (mbarriers_.count(barrier) == 0) continue;
    thread.runner->monitor()->Report("misuse", thread, site,
                                     absl::StrCat("an ordinary access of ", MbarrierText(thread, barrier)));
    return;
  }
}

void BlockOps::Fence(GpuThread& thread, FenceKind kind) {
  if (IsOfMemory(kind) || thread.runner->monitor() == nullptr) return;
  // A relaxed arrival at the barrier of the cluster publishes what this fence covers.
  if (kind == FenceKind::kBarrierInit && blocks_.size() > 1) thread.runner->monitor()->Fence(thread);
  if (kind == FenceKind::kAsyncProxy) proxy_writes_.AddFence(thread);
  for (auto& [barrier, clocks] : mbarriers_) {
    if (clocks.initialiser == thread.number) clocks.is_seen_by_copies = true;
  }
}

MbarrierClocks* BlockOps::FindMbarrier(const void* barrier) {
  auto found = mbarriers_.find(barrier);
  return found == mbarriers_.end() ? nullptr : &found->second;
}

namespace {

/// Returns what the kernel calls an mbarrier; empty if it has no name.
std::string MbarrierName(const GpuThread& thread, const void* barrier) {
  const ClusterRunner& runner = *thread.runner;
  return runner.job().NameOfMbarrier(static_cast<const char*>(barrier) -
                                     runner.SharedOf(runner.RankOf(thread, barrier)));
}

}  // namespace

std::string BlockOps::DescribeMbarrier(const GpuThread& thread) const {
  size_t number = 1, count = 0;
  for (const auto& [other, clocks] : mbarriers_) {
    if (thread.runner->RankOf(thread, other) != thread.cluster_rank) continue;
    ++count;
    if (other < thread.channel) ++number;
  }
  const std::string text = MbarrierText(thread, thread.channel);
  if (!MbarrierName(thread, thread.channel).empty()) return text;
  return absl::StrCat(text, ", number ", number, " of ", count, " by address");
}

void FailOperation(GpuThread& thread, uint32_t site, std::string what) {
  thread.site = site;
  thread.runner->Fail(&thread, std::move(what));
}

std::string MbarrierText(const GpuThread& thread, const void* barrier) {
  const std::string name = MbarrierName(thread, barrier);
  return absl::StrCat("the mbarrier ", name, name.empty() ? "at " : " at ", SharedAddress(thread, barrier));
}

std::string SharedAddress(const GpuThread& thread, const void* address) {
  const ClusterRunner& runner = *thread.runner;
  const uint32_t rank = runner.RankOf(thread, address);
  const auto offset = static_cast<const char*>(address) - runner.SharedOf(rank);
  const std::string text =
      offset < 0 ? absl::StrCat("shared-0x", absl::Hex(-offset)) : absl::StrCat("shared+0x", absl::Hex(offset));
  if (rank == thread.cluster_rank) return text;
  return absl::StrCat(text, " of block ", IndexText(runner.ThreadsOf(rank).front().ctaid));
}

// Accesses, branches and fences that compiled code reports.
extern "C" {

void mmtune_simt_access(ThreadContext* context, const void* address, uint64_t bytes, AccessKind kind, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  BeforeAccess(self, address, kind, site);
  self->ops->OrdinaryAccess(*self, address, bytes, kind, site);
  AfterAccess(self, address, bytes, kind);
}

void mmtune_simt_shared_begins(ThreadContext* context, const void* shared) {
  GpuThread* self = ThreadOf(context);
  if (Monitor* monitor = self->runner->monitor()) monitor->SharedBegins(*self, shared);
}

void mmtune_simt_branch(ThreadContext* context, uint32_t taken, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  if (Monitor* monitor = self->runner->monitor()) monitor->Branch(*self, taken != 0, site);
}

void mmtune_simt_iterate(ThreadContext* context) {
  GpuThread* self = ThreadOf(context);
  if (Monitor* monitor = self->runner->monitor()) monitor->Iterate(*self);
}

void mmtune_simt_yield(ThreadContext* context, uint32_t site) {
  ThreadOf(context)->runner->scheduler().Yield(ThreadOf(context), site);
}

void mmtune_simt_fence(ThreadContext* context, FenceKind kind, uint32_t) {
  // Blocks run on several OS threads. The simulator's own asynchronous copies need no fence, but monitors check for it.
  if (IsOfMemory(kind)) std::atomic_thread_fence(std::memory_order_seq_cst);
  GpuThread* self = ThreadOf(context);
  Monitor* monitor = self->runner->monitor();
  if (monitor != nullptr && kind == FenceKind::kMemory) monitor->Fence(*self);
  if (monitor != nullptr && kind == FenceKind::kBlockMemory) monitor->FenceInBlock(*self);
  self->ops->Fence(*self, kind);
}

}  // extern "C"

extern "C" {

void mmtune_simt_assert_fail(ThreadContext* context, const char* message, uint32_t site) {
  FailOperation(*ThreadOf(context), site, absl::StrCat("an assertion failed: ", message));
}

}  // extern "C"
}  // namespace mmtune::simt
