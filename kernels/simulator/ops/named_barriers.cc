// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/named_barriers.h"

#include <bit>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/block.h"
#include "kernels/simulator/ops/block_ops.h"

namespace mmtune::simt {
namespace {

uint32_t ExpectedAt(const GpuThread& thread, uint32_t threads) {
  // The hardware counts warps: a count that covers the last, partial warp means every thread.
  const bool whole_block = threads == 0 || threads == thread.warps * kWarpSize;
  return whole_block ? thread.block->thread_count() : threads;
}

[[noreturn, gnu::noinline, gnu::cold]] void FailArrival(GpuThread* thread, uint32_t id, uint32_t threads) {
  thread->block->Fail(
      thread, id >= kNamedBarriers
                  ? absl::StrCat("barrier ", id, " does not exist; there are ", kNamedBarriers)
                  : absl::StrCat("barrier ", id, " for ", threads, " threads, which is no multiple of ", kWarpSize));
}

[[noreturn, gnu::noinline, gnu::cold]] void FailExpectation(GpuThread* thread, uint32_t id, uint32_t theirs,
                                                            uint32_t own) {
  thread->block->Fail(thread,
                      absl::StrCat("barrier ", id, " waits for ", theirs, " threads, but one arrives for ", own));
}

}  // namespace

void NamedBarriers::Reset() {
  for (Barrier& barrier : barriers_) {
    barrier.arrived = barrier.trues = barrier.votes = 0;
    barrier.waiting.clear();
  }
  if (!is_watched_) return;
  for (Barrier& barrier : barriers_) {
    barrier.released = {};
    barrier.lanes.clear();
  }
  is_watched_ = false;
}

inline NamedBarriers::Barrier& NamedBarriers::ArriveAt(GpuThread* thread, uint32_t id, uint32_t threads,
                                                       uint32_t site) {
  thread->site = site;
  if (id >= kNamedBarriers || threads % kWarpSize != 0) FailArrival(thread, id, threads);
  const uint32_t expected = ExpectedAt(*thread, threads);
  Barrier& barrier = barriers_[id];
  if (barrier.arrived == 0) {
    barrier.expected = expected;
  } else if (barrier.expected != expected) {
    FailExpectation(thread, id, barrier.expected, expected);
  }
  if (thread->block->monitor() != nullptr) WatchArrival(thread, id);
  ++barrier.arrived;
  return barrier;
}

void NamedBarriers::WatchArrival(GpuThread* thread, uint32_t id) {
  is_watched_ = true;
  ReportDivergence(thread, id);
  std::vector<uint32_t>& lanes = barriers_[id].lanes;
  lanes.resize(thread->block->warp_count());
  lanes[thread->warp] |= 1u << thread->lane;
}

void NamedBarriers::Sync(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site) {
  Barrier& barrier = ArriveAt(thread, id, threads, site);
  Scheduler& scheduler = thread->block->scheduler();
  barrier.waiting.push_back(thread);
  if (barrier.arrived < barrier.expected) {
    thread->state = GpuThread::State::kAtBarrier;
    thread->waits_for = id;
    scheduler.RunNext(thread);
    return;
  }
  Complete(*thread->block, barrier, thread);
  scheduler.GiveWay(thread);
}

void NamedBarriers::Arrive(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site) {
  Barrier& barrier = ArriveAt(thread, id, threads, site);
  if (Monitor* monitor = thread->block->monitor()) monitor->Release(*thread, barrier.released);
  if (barrier.arrived == barrier.expected) Complete(*thread->block, barrier, nullptr);
}

void NamedBarriers::Reduce(GpuThread* thread, uint32_t id, uint32_t threads, bool predicate, uint32_t site) {
  if (id < kNamedBarriers) {
    barriers_[id].trues += predicate ? 1 : 0;
    ++barriers_[id].votes;
  }
  Sync(thread, id, threads, site);
}

void NamedBarriers::Complete(Block& block, Barrier& barrier, GpuThread* last) {
  if (Monitor* monitor = block.monitor()) {
    ReportPartialWarps(block, barrier);
    if (!barrier.waiting.empty()) monitor->Meet(barrier.waiting);
    if (!barrier.released.clocks.empty()) {
      for (GpuThread* waiting : barrier.waiting) monitor->Acquire(*waiting, barrier.released);
      barrier.released = {};
    }
  }
  if (barrier.votes != 0) {
    for (GpuThread* waiting : barrier.waiting) {
      waiting->trues = barrier.trues;
      waiting->votes = barrier.votes;
    }
  }
  for (GpuThread* waiting : barrier.waiting) {
    if (waiting != last) block.scheduler().MakeReady(waiting);
  }
  block.scheduler().NoteProgress();
  barrier.waiting.clear();
  barrier.arrived = barrier.trues = barrier.votes = 0;
}

void NamedBarriers::ReportPartialWarps(Block& block, Barrier& barrier) {
  for (uint32_t warp = 0; warp < barrier.lanes.size(); ++warp) {
    const uint32_t lanes = block.LanesOfWarp(warp);
    const uint32_t all = lanes == kWarpSize ? UINT32_MAX : (1u << lanes) - 1;
    const uint32_t met = std::exchange(barrier.lanes[warp], 0);
    if (met == 0 || met == all) continue;
    GpuThread& thread = block.warp(warp)[std::countr_zero(met)];
    GpuThread& missing = block.warp(warp)[std::countr_zero(all & ~met)];
    block.monitor()->Report("barrier-divergence", thread, thread.site,
                            absl::StrCat("lanes 0x", absl::Hex(met), " of a warp meet others at barrier ",
                                         &barrier - barriers_.data(), " without the rest of their warp"),
                            &missing, missing.site);
  }
}

void NamedBarriers::ReportDivergence(GpuThread* thread, uint32_t id) {
  Block& block = *thread->block;
  GpuThread* warp = block.warp(thread->warp);
  for (uint32_t lane = 0; lane < block.LanesOfWarp(thread->warp); ++lane) {
    GpuThread& other = warp[lane];
    if (other.state != GpuThread::State::kAtBarrier || other.waits_for != id || other.site == thread->site) continue;
    block.monitor()->Report("barrier-divergence", *thread, thread->site,
                            absl::StrCat("lanes of one warp wait for barrier ", id, " at different program points"),
                            &other, other.site);
    return;
  }
}

extern "C" {

void mmtune_simt_barrier(ThreadContext* context, uint32_t id, uint32_t threads, uint32_t site) {
  ThreadOf(context)->ops->named_barriers().Sync(ThreadOf(context), id, threads, site);
}

void mmtune_simt_barrier_arrive(ThreadContext* context, uint32_t id, uint32_t threads, uint32_t site) {
  ThreadOf(context)->ops->named_barriers().Arrive(ThreadOf(context), id, threads, site);
}

uint32_t mmtune_simt_barrier_reduce(ThreadContext* context, uint32_t id, uint32_t threads, VoteMode mode,
                                    uint32_t predicate, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  self->ops->named_barriers().Reduce(self, id, threads, predicate != 0, site);
  if (mode == VoteMode::kAll) return self->trues == self->votes;
  if (mode == VoteMode::kAny) return self->trues != 0;
  return self->trues;
}

}  // extern "C"
}  // namespace mmtune::simt
