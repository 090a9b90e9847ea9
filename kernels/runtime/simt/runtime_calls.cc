#include "kernels/runtime/simt/runtime_calls.h"

#include <atomic>
#include <cstdint>

#include "kernels/runtime/simt/abi.h"
#include "kernels/runtime/simt/block_runner.h"

using mmtune::simt::AccessKind;
using mmtune::simt::FenceKind;
using mmtune::simt::GpuThread;
using mmtune::simt::Monitor;
using mmtune::simt::ThreadContext;
using mmtune::simt::ThreadOf;
using mmtune::simt::VoteMode;
using mmtune::simt::WarpOp;

namespace {

constexpr uint32_t kAllLanes = UINT32_MAX;

}  // namespace

extern "C" {

void mmtune_simt_access(ThreadContext* context, const void* address, uint64_t bytes, AccessKind kind, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  self->runner->BeforeAccess(self, address, kind, site);
  self->runner->Watch(*self, address, bytes, kind, site);
  self->runner->AfterAccess(self, address, bytes, kind);
}

void mmtune_simt_shared_begins(ThreadContext* context, const void* shared) {
  GpuThread* self = ThreadOf(context);
  if (Monitor* monitor = self->runner->monitor()) monitor->SharedBegins(*self, shared);
}

void mmtune_simt_barrier(ThreadContext* context, uint32_t id, uint32_t threads, uint32_t site) {
  ThreadOf(context)->runner->Barrier(ThreadOf(context), id, threads, site);
}

void mmtune_simt_barrier_arrive(ThreadContext* context, uint32_t id, uint32_t threads, uint32_t site) {
  ThreadOf(context)->runner->BarrierArrive(ThreadOf(context), id, threads, site);
}

uint32_t mmtune_simt_barrier_reduce(ThreadContext* context, uint32_t id, uint32_t threads, VoteMode mode,
                                    uint32_t predicate, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  self->runner->BarrierReduce(self, id, threads, predicate != 0, site);
  if (mode == VoteMode::kAll) return self->trues == self->votes;
  if (mode == VoteMode::kAny) return self->trues != 0;
  return self->trues;
}

void mmtune_simt_barrier_warp(ThreadContext* context, uint32_t mask, uint32_t site) {
  ThreadOf(context)->runner->WarpBarrier(ThreadOf(context), mask, site);
}

void mmtune_simt_yield(ThreadContext* context, uint32_t site) {
  ThreadOf(context)->runner->Yield(ThreadOf(context), site);
}

void mmtune_simt_fence(ThreadContext* context, FenceKind kind, uint32_t) {
  // Blocks run on several OS threads. Asynchronous copies of the device need no fence, but check mode asks for it.
  if (kind == FenceKind::kMemory) std::atomic_thread_fence(std::memory_order_seq_cst);
  GpuThread* self = ThreadOf(context);
  Monitor* monitor = self->runner->monitor();
  if (monitor != nullptr && kind == FenceKind::kMemory) monitor->Fence(*self);
  self->runner->ops().Fence(*self, kind);
}

void mmtune_simt_warp(ThreadContext* context, const WarpOp* op, uint32_t mask, const uint32_t* in, uint32_t* out) {
  ThreadOf(context)->runner->WarpOperations(ThreadOf(context), op, 1, mask, in, out);
}

void mmtune_simt_warp_batch(ThreadContext* context, const WarpOp* ops, uint32_t count, const uint32_t* in,
                            uint32_t* out) {
  GpuThread* self = ThreadOf(context);
  if (!self->runner->copies_land_late()) {
    self->runner->WarpOperations(self, ops, count, kAllLanes, in, out);
    return;
  }
  // In stress mode other threads may run in between, as on a GPU.
  for (const WarpOp* op = ops; op != ops + count; ++op) {
    self->runner->WarpOperations(self, op, 1, kAllLanes, in, out);
    in += op->inputs;
    out += op->outputs;
  }
}

}  // extern "C"

namespace mmtune::simt {

#define SYMBOL(name) {#name, reinterpret_cast<void*>(&name)}

std::vector<std::pair<std::string, void*>> RuntimeSymbols() {
  return {
      SYMBOL(mmtune_simt_access),
      SYMBOL(mmtune_simt_shared_begins),
      SYMBOL(mmtune_simt_barrier),
      SYMBOL(mmtune_simt_barrier_arrive),
      SYMBOL(mmtune_simt_barrier_reduce),
      SYMBOL(mmtune_simt_barrier_warp),
      SYMBOL(mmtune_simt_fence),
      SYMBOL(mmtune_simt_cp_async),
      SYMBOL(mmtune_simt_cp_async_commit),
      SYMBOL(mmtune_simt_cp_async_wait),
      SYMBOL(mmtune_simt_warp),
      SYMBOL(mmtune_simt_warp_batch),
      SYMBOL(mmtune_simt_yield),
      SYMBOL(mmtune_simt_cp_async_mbarrier_arrive),
      SYMBOL(mmtune_simt_mbarrier_init),
      SYMBOL(mmtune_simt_mbarrier_inval),
      SYMBOL(mmtune_simt_mbarrier_expect_tx),
      SYMBOL(mmtune_simt_mbarrier_complete_tx),
      SYMBOL(mmtune_simt_mbarrier_arrive),
      SYMBOL(mmtune_simt_mbarrier_test),
      SYMBOL(mmtune_simt_tensor_load),
      SYMBOL(mmtune_simt_tensor_store),
      SYMBOL(mmtune_simt_bulk_load),
      SYMBOL(mmtune_simt_bulk_store),
      SYMBOL(mmtune_simt_bulk_commit),
      SYMBOL(mmtune_simt_bulk_wait),
      SYMBOL(mmtune_simt_wgmma_fence),
      SYMBOL(mmtune_simt_wgmma_commit),
      SYMBOL(mmtune_simt_wgmma_wait),
  };
}

#undef SYMBOL

}  // namespace mmtune::simt
