// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled code tells of the accesses that it makes itself, and fences between them.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "kernels/runtime/simt/abi/abi.h"
#include "kernels/runtime/simt/block/block.h"
#include "kernels/runtime/simt/ops/block_ops.h"

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
