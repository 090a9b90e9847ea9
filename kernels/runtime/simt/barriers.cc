// Barriers of blocks, of parts of a block, and of warps.
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/block_runner.h"

namespace mmtune::simt {

inline uint32_t BlockRunner::ExpectedAt(const GpuThread& thread, uint32_t threads) const {
  // The hardware counts warps: a count that covers the last, partial warp means every thread.
  const bool whole_block = threads == 0 || threads == thread.warps * kWarpSize;
  return whole_block ? thread_count_ : threads;
}

inline BlockRunner::NamedBarrier& BlockRunner::ArriveAt(GpuThread* thread, uint32_t id, uint32_t threads,
                                                        uint32_t site) {
  thread->site = site;
  if (id >= kNamedBarriers) Fail(thread, absl::StrCat("barrier ", id, " does not exist; there are ", kNamedBarriers));
  if (threads % kWarpSize != 0) {
    Fail(thread, absl::StrCat("barrier ", id, " for ", threads, " threads, which is no multiple of ", kWarpSize));
  }
  const uint32_t expected = ExpectedAt(*thread, threads);
  NamedBarrier& barrier = barriers_[id];
  if (barrier.arrived == 0) {
    barrier.expected = expected;
  } else if (barrier.expected != expected) {
    Fail(thread,
         absl::StrCat("barrier ", id, " waits for ", barrier.expected, " threads, but one arrives for ", expected));
  }
  if (monitor_ != nullptr) {
    CheckDivergence(thread, id, site);
    barrier.lanes.resize(warps_.size());
    barrier.lanes[thread->warp] |= 1u << thread->lane;
  }
  ++barrier.arrived;
  return barrier;
}

void BlockRunner::Barrier(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site) {
  NamedBarrier& barrier = ArriveAt(thread, id, threads, site);
  if (barrier.arrived < barrier.expected) {
    thread->state = GpuThread::State::kAtBarrier;
    thread->waits_for = id;
    barrier.waiting.push_back(thread);
    RunNext(thread);
    return;
  }
  barrier.waiting.push_back(thread);
  CompleteBarrier(barrier, thread);
  GiveWay(thread);
}

void BlockRunner::BarrierArrive(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site) {
  NamedBarrier& barrier = ArriveAt(thread, id, threads, site);
  if (monitor_ != nullptr) monitor_->Release(*thread, barrier.released);
  if (barrier.arrived == barrier.expected) CompleteBarrier(barrier, nullptr);
}

void BlockRunner::BarrierReduce(GpuThread* thread, uint32_t id, uint32_t threads, bool predicate, uint32_t site) {
  if (id < kNamedBarriers) {
    barriers_[id].trues += predicate ? 1 : 0;
    ++barriers_[id].votes;
  }
  Barrier(thread, id, threads, site);
}

void BlockRunner::CompleteBarrier(NamedBarrier& barrier, GpuThread* last) {
  if (monitor_ != nullptr) {
    CheckWholeWarps(barrier);
    if (!barrier.waiting.empty()) monitor_->Meet(barrier.waiting);
    if (!barrier.released.clocks.empty()) {
      for (GpuThread* waiting : barrier.waiting) monitor_->Acquire(*waiting, barrier.released);
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
    if (waiting != last) MakeReady(waiting);
  }
  NoteProgress();
  barrier.waiting.clear();
  barrier.arrived = barrier.trues = barrier.votes = 0;
}

void BlockRunner::CheckWholeWarps(NamedBarrier& barrier) {
  for (uint32_t warp = 0; warp < barrier.lanes.size(); ++warp) {
    const uint32_t lanes = LanesOfWarp(warp);
    const uint32_t all = lanes == kWarpSize ? UINT32_MAX : (1u << lanes) - 1;
    const uint32_t met = std::exchange(barrier.lanes[warp], 0);
    if (met == 0 || met == all) continue;
    GpuThread& thread = threads_[warp * kWarpSize + std::countr_zero(met)];
    GpuThread& missing = threads_[warp * kWarpSize + std::countr_zero(all & ~met)];
    monitor_->ReportPair("barrier-divergence", thread, thread.site, missing, missing.site,
                         absl::StrCat("lanes 0x", absl::Hex(met), " of a warp meet others at barrier ",
                                      &barrier - barriers_.data(), " without the rest of their warp"));
  }
}

void BlockRunner::CheckDivergence(GpuThread* thread, uint32_t id, uint32_t site) {
  GpuThread* warp = &threads_[thread->warp * kWarpSize];
  for (uint32_t lane = 0; lane < LanesOfWarp(thread->warp); ++lane) {
    GpuThread& other = warp[lane];
    if (other.state != GpuThread::State::kAtBarrier || other.waits_for != id || other.site == site) continue;
    monitor_->ReportPair("barrier-divergence", *thread, site, other, other.site,
                         absl::StrCat("lanes of one warp wait for barrier ", id, " at different program points"));
    return;
  }
}

uint32_t BlockRunner::LanesOfWarp(uint32_t warp) const { return std::min(kWarpSize, thread_count_ - warp * kWarpSize); }

uint32_t BlockRunner::Members(GpuThread* thread, uint32_t mask, const char* what) {
  const uint32_t lanes = LanesOfWarp(thread->warp);
  const uint32_t members = lanes == kWarpSize ? mask : mask & ((1u << lanes) - 1);
  if ((members >> thread->lane & 1) == 0) {
    Fail(thread, absl::StrCat(what, " of mask 0x", absl::Hex(mask), " without its own lane ", thread->lane));
  }
  return members;
}

void BlockRunner::WarpBarrier(GpuThread* thread, uint32_t mask, uint32_t site) {
  thread->site = site;
  const uint32_t members = Members(thread, mask, "warp barrier");
  std::array<GpuThread*, kWarpSize> met;
  uint32_t arrived = 0;
  GpuThread* warp = &threads_[thread->warp * kWarpSize];
  for (uint32_t lane = 0; lane < LanesOfWarp(thread->warp); ++lane) {
    GpuThread& other = warp[lane];
    if (other.state == GpuThread::State::kAtWarpBarrier && other.waits_for == members) met[arrived++] = &other;
  }
  if (static_cast<int>(arrived) + 1 < std::popcount(members)) {
    thread->state = GpuThread::State::kAtWarpBarrier;
    thread->waits_for = members;
    RunNext(thread);
    return;
  }
  for (uint32_t i = 0; i < arrived; ++i) MakeReady(met[i]);
  NoteProgress();
  if (monitor_ != nullptr) {
    met[arrived++] = thread;
    monitor_->Meet({met.data(), arrived});
  }
  GiveWay(thread);
}

}  // namespace mmtune::simt
