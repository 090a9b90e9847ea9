// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/block_ops.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/ops/cp_async.h"

namespace mmtune::simt {
namespace {

bool ReadsAtomically(AccessKind kind) { return IsAtomic(kind) && Reads(kind); }

/// A loop that polls lets other threads run first.
void BeforeAccess(GpuThread* thread, const void* address, AccessKind kind, uint32_t site) {
  if (!ReadsAtomically(kind) || thread->block->scheduler().is_plain()) return;
  if (thread->polled.IsPolling(address)) thread->block->scheduler().Yield(thread, site);
}

void AfterAccess(GpuThread* thread, const void* address, size_t bytes, AccessKind kind) {
  Scheduler& scheduler = thread->block->scheduler();
  if (kind == AccessKind::kRead || scheduler.is_plain()) return;
  if (ReadsAtomically(kind)) {
    uint64_t value = 0;
    std::memcpy(&value, address, std::min(bytes, sizeof(value)));
    if (!thread->polled.Learn(address, value)) return;
  }
  thread->polled.Restart();
  scheduler.NoteProgress();
}

}  // namespace

void BlockOps::Reset(uint32_t threads) {
  named_barriers_.Reset();
  warp_meetings_.Reset(threads);
  threads_ = threads;
  exited_ = 0;
  bulk_groups_.clear();
  wgmma_groups_.clear();
  wgmma_sequences_.clear();
  mbarriers_.clear();
  proxy_writes_.Reset(threads);
}

void BlockOps::ThreadExits(GpuThread& thread) {
  FinishCopies(thread, thread.copies.issued());
  Monitor* monitor = thread.block->monitor();
  if (monitor == nullptr) return;
  if (!bulk_groups_.empty() && bulk_groups(thread).ReadsUnderWay()) {
    monitor->Report("async-race", thread, thread.site,
                    "the thread exits while its bulk copies may still read shared memory");
  }
  if (++exited_ != threads_) return;
  for (const auto& [barrier, clocks] : mbarriers_) {
    if (clocks.waited_for == nullptr) continue;
    monitor->Report(
        "async-race", *clocks.waited_for, clocks.copy_site,
        absl::StrCat("the block ends, and nobody has waited for the copy that completes on the mbarrier at ",
                     SharedAddress(thread, barrier)));
  }
}

void BlockOps::Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) {
  if (IsAtomic(kind) && FindMbarrier(address) != nullptr) {
    thread.block->monitor()->AccessMbarrier(thread, address, bytes, site);
  } else {
    thread.block->monitor()->Access(thread, address, bytes, kind, site);
  }
}

void BlockOps::WatchedAccess(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) {
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
    thread.block->monitor()->Report(
        "misuse", thread, site, absl::StrCat("an ordinary access of the mbarrier at ", SharedAddress(thread, barrier)));
    return;
  }
}

void BlockOps::Fence(GpuThread& thread, FenceKind kind) {
  if (kind == FenceKind::kMemory || thread.block->monitor() == nullptr) return;
  if (kind == FenceKind::kAsyncProxy) proxy_writes_.AddFence(thread);
  for (auto& [barrier, clocks] : mbarriers_) {
    if (clocks.initialiser == thread.linear_tid) clocks.is_seen_by_copies = true;
  }
}

MbarrierClocks* BlockOps::FindMbarrier(const void* barrier) {
  auto found = mbarriers_.find(barrier);
  return found == mbarriers_.end() ? nullptr : &found->second;
}

void FailOperation(GpuThread& thread, uint32_t site, std::string what) {
  thread.site = site;
  thread.block->Fail(&thread, std::move(what));
}

std::string SharedAddress(const GpuThread& thread, const void* address) {
  const auto offset = reinterpret_cast<intptr_t>(address) - reinterpret_cast<intptr_t>(thread.shared);
  return offset < 0 ? absl::StrCat("shared-0x", absl::Hex(-offset)) : absl::StrCat("shared+0x", absl::Hex(offset));
}

// What compiled code tells of the accesses that it makes itself, and fences between them.
extern "C" {

void mmtune_simt_access(ThreadContext* context, const void* address, uint64_t bytes, AccessKind kind, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  BeforeAccess(self, address, kind, site);
  self->ops->OrdinaryAccess(*self, address, bytes, kind, site);
  AfterAccess(self, address, bytes, kind);
}

void mmtune_simt_shared_begins(ThreadContext* context, const void* shared) {
  GpuThread* self = ThreadOf(context);
  if (Monitor* monitor = self->block->monitor()) monitor->SharedBegins(*self, shared);
}

void mmtune_simt_branch(ThreadContext* context, uint32_t taken, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  if (Monitor* monitor = self->block->monitor()) monitor->Branch(*self, taken != 0, site);
}

void mmtune_simt_iterate(ThreadContext* context) {
  GpuThread* self = ThreadOf(context);
  if (Monitor* monitor = self->block->monitor()) monitor->Iterate(*self);
}

void mmtune_simt_yield(ThreadContext* context, uint32_t site) {
  ThreadOf(context)->block->scheduler().Yield(ThreadOf(context), site);
}

void mmtune_simt_fence(ThreadContext* context, FenceKind kind, uint32_t) {
  // Blocks run on several OS threads. Asynchronous copies of the device need no fence, but whoever watches asks for it.
  if (kind == FenceKind::kMemory) std::atomic_thread_fence(std::memory_order_seq_cst);
  GpuThread* self = ThreadOf(context);
  Monitor* monitor = self->block->monitor();
  if (monitor != nullptr && kind == FenceKind::kMemory) monitor->Fence(*self);
  self->ops->Fence(*self, kind);
}

}  // extern "C"
}  // namespace mmtune::simt
