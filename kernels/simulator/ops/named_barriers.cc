// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/named_barriers.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/ops/block_ops.h"

namespace mmtune::simt {
namespace {

uint32_t ExpectedAt(const GpuThread& thread, uint32_t threads) {
  // The hardware counts warps: a count that covers the last, partial warp means every thread.
  const bool whole_block = threads == 0 || threads == thread.warps * kWarpSize;
  return whole_block ? thread.runner->thread_count() : threads;
}

[[noreturn, gnu::noinline, gnu::cold]] void FailArrival(GpuThread* thread, uint32_t id, uint32_t threads) {
  thread->runner->Fail(
      thread, id >= kNamedBarriers
                  ? absl::StrCat("barrier ", id, " does not exist; there are ", kNamedBarriers)
                  : absl::StrCat("barrier ", id, " for ", threads, " threads, which is not a multiple of ", kWarpSize));
}

[[noreturn, gnu::noinline, gnu::cold]] void FailExpectation(GpuThread* thread, uint32_t id, uint32_t theirs,
                                                            uint32_t own) {
  thread->runner->Fail(thread, absl::StrCat("barrier ", id, " waits for ", theirs,
                                            " threads, but this thread arrives with a count of ", own));
}

}  // namespace

void NamedBarriers::Reset() {
  for (Barrier& barrier : barriers_) {
    barrier.arrived = barrier.trues = barrier.votes = 0;
    barrier.waiting.clear();
    barrier.passing.clear();
  }
  exited_ = 0;
  if (!is_monitored_) return;
  for (Barrier& barrier : barriers_) {
    barrier.released = {};
    barrier.lanes.clear();
  }
  is_monitored_ = false;
}

inline NamedBarriers::Barrier& NamedBarriers::ArriveAt(GpuThread* thread, uint32_t id, uint32_t threads,
                                                       uint32_t site) {
  thread->site = site;
  if (id >= kNamedBarriers || threads % kWarpSize != 0) FailArrival(thread, id, threads);
  const uint32_t expected = ExpectedAt(*thread, threads);
  Barrier& barrier = barriers_[id];
  if (barrier.arrived == 0) {
    barrier.expected = expected;
    barrier.is_of_block = true;
  } else if (barrier.expected != expected) {
    FailExpectation(thread, id, barrier.expected, expected);
  }
  if (threads != 0) barrier.is_of_block = false;
  if (thread->runner->monitor() != nullptr) MonitorArrival(thread, id);
  ++barrier.arrived;
  return barrier;
}

void NamedBarriers::MonitorArrival(GpuThread* thread, uint32_t id) {
  is_monitored_ = true;
  ReportDivergence(thread, id);
  std::vector<uint32_t>& lanes = barriers_[id].lanes;
  lanes.resize(thread->runner->warp_count());
  lanes[thread->warp] |= 1u << thread->lane;
}

void NamedBarriers::Sync(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site) {
  Barrier& barrier = ArriveAt(thread, id, threads, site);
  Scheduler& scheduler = thread->runner->scheduler();
  barrier.waiting.push_back(thread);
  if (!IsComplete(barrier, *thread->runner, thread->cluster_rank)) {
    thread->state = GpuThread::State::kAtBarrier;
    thread->waits_for = id;
    scheduler.RunNext(thread);
    return;
  }
  Complete(thread, barrier, /*waits=*/true);
  scheduler.YieldIfFuzzing(thread);
}

void NamedBarriers::Arrive(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site) {
  Barrier& barrier = ArriveAt(thread, id, threads, site);
  barrier.passing.push_back(thread);
  if (Monitor* monitor = thread->runner->monitor()) monitor->Release(*thread, barrier.released);
  if (IsComplete(barrier, *thread->runner, thread->cluster_rank)) Complete(thread, barrier, /*waits=*/false);
}

bool NamedBarriers::IsComplete(const Barrier& barrier, const ClusterRunner& runner, uint32_t rank) const {
  if (barrier.arrived >= barrier.expected) return true;
  if (exited_ == 0 || barrier.arrived + exited_ < barrier.expected) return false;
  std::array<uint32_t, 1024 / kWarpSize> arrived = {};  // By warp, the lanes.
  for (const std::vector<GpuThread*>* threads : {&barrier.waiting, &barrier.passing}) {
    for (const GpuThread* thread : *threads) arrived[thread->warp] |= 1u << thread->lane;
  }
  const auto exited = [&](const GpuThread& thread) {
    const uint32_t lanes = arrived[thread.warp];
    return thread.state == GpuThread::State::kExited && (lanes >> thread.lane & 1) == 0 &&
           (barrier.is_of_block || lanes != 0);
  };
  const std::span<const GpuThread> threads = runner.ThreadsOf(rank);
  return barrier.arrived + std::count_if(threads.begin(), threads.end(), exited) >= barrier.expected;
}

void NamedBarriers::ThreadExits(GpuThread& thread) {
  ++exited_;
  for (Barrier& barrier : barriers_) {
    if (barrier.arrived == 0 || !IsComplete(barrier, *thread.runner, thread.cluster_rank)) continue;
    Complete(&thread, barrier, /*waits=*/false);
  }
}

void NamedBarriers::Reduce(GpuThread* thread, uint32_t id, uint32_t threads, bool predicate, uint32_t site) {
  if (id < kNamedBarriers) {
    barriers_[id].trues += predicate ? 1 : 0;
    ++barriers_[id].votes;
  }
  Sync(thread, id, threads, site);
}

void NamedBarriers::Complete(GpuThread* thread, Barrier& barrier, bool waits) {
  ClusterRunner& runner = *thread->runner;
  if (Monitor* monitor = runner.monitor()) {
    ReportPartialWarps(thread, barrier);
    if (!barrier.waiting.empty()) monitor->Synchronize(barrier.waiting);
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
    if (waiting != thread || !waits) runner.scheduler().MakeReady(waiting);
  }
  runner.scheduler().NoteProgress();
  barrier.waiting.clear();
  barrier.passing.clear();
  barrier.arrived = barrier.trues = barrier.votes = 0;
}

void NamedBarriers::ReportPartialWarps(GpuThread* thread, Barrier& barrier) {
  ClusterRunner& runner = *thread->runner;
  for (uint32_t warp = 0; warp < barrier.lanes.size(); ++warp) {
    const uint32_t arrived = std::exchange(barrier.lanes[warp], 0);
    if (arrived == 0) continue;
    GpuThread* first = &runner.ThreadsOf(thread->cluster_rank)[warp * kWarpSize];
    uint32_t all = arrived;
    for (uint32_t lane = 0; lane < runner.LanesOfWarp(warp); ++lane) {
      if (first[lane].state != GpuThread::State::kExited) all |= 1u << lane;
    }
    if (arrived == all) continue;
    GpuThread& present = first[std::countr_zero(arrived)];
    GpuThread& missing = first[std::countr_zero(all & ~arrived)];
    runner.monitor()->Report("barrier-divergence", present, present.site,
                             absl::StrCat("lanes 0x", absl::Hex(arrived), " of a warp arrive at barrier ",
                                          &barrier - barriers_.data(), " without the rest of their warp"),
                             &missing, missing.site);
  }
}

void NamedBarriers::ReportDivergence(GpuThread* thread, uint32_t id) {
  ClusterRunner& runner = *thread->runner;
  GpuThread* warp = thread - thread->lane;
  for (uint32_t lane = 0; lane < runner.LanesOfWarp(thread->warp); ++lane) {
    GpuThread& other = warp[lane];
    if (other.state != GpuThread::State::kAtBarrier || other.waits_for != id || other.site == thread->site) continue;
    runner.monitor()->Report("barrier-divergence", *thread, thread->site,
                             absl::StrCat("lanes of one warp wait for barrier ", id, " at different program points"),
                             &other, other.site);
    return;
  }
}

extern "C" {

void mmtune_simt_barrier(ThreadContext* context, uint32_t id, uint32_t threads, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  self->ops->named_barriers(*self).Sync(self, id, threads, site);
}

void mmtune_simt_barrier_arrive(ThreadContext* context, uint32_t id, uint32_t threads, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  self->ops->named_barriers(*self).Arrive(self, id, threads, site);
}

uint32_t mmtune_simt_barrier_reduce(ThreadContext* context, uint32_t id, uint32_t threads, VoteMode mode,
                                    uint32_t predicate, uint32_t site) {
  GpuThread* self = ThreadOf(context);
  self->ops->named_barriers(*self).Reduce(self, id, threads, predicate != 0, site);
  if (mode == VoteMode::kAll) return self->trues == self->votes;
  if (mode == VoteMode::kAny) return self->trues != 0;
  return self->trues;
}

}  // extern "C"
}  // namespace mmtune::simt
