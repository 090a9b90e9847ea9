// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/barriers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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

constexpr int64_t kMaxTransactionBytes = (int64_t{1} << 20) - 1;

MbarrierWord Read(const void* barrier) {
  MbarrierWord word;
  std::memcpy(&word, barrier, sizeof(word));
  return word;
}

void Write(void* barrier, const MbarrierWord& word) { std::memcpy(barrier, &word, sizeof(word)); }

/// Reads the object for an operation of `thread`. Fails unless it is in use.
MbarrierWord Use(GpuThread& thread, void* barrier, const char* operation, uint32_t site) {
  if (thread.runner->monitor() != nullptr) thread.ops->Access(thread, barrier, 8, AccessKind::kAtomic, site);
  RequireMbarrier(thread, barrier, operation, site);
  return Read(barrier);
}

/// Completes the phase if nothing is pending, and writes the object.
void Update(GpuThread& thread, void* barrier, MbarrierWord word) {
  const bool completes = word.pending == 0 && word.transaction_bytes == 0;
  if (completes) {
    word.pending = word.expected;
    word.phase ^= 1;
  }
  Write(barrier, word);
  if (!completes) return;
  if (thread.runner->monitor() != nullptr) {
    MbarrierClocks* clocks = thread.ops->FindMbarrier(barrier);
    clocks->before = std::exchange(clocks->completed, clocks->arrived);
    ++clocks->phases;
    for (AsyncToken read : std::exchange(clocks->reads, {})) clocks->completed_reads.push_back(read);
  }
  thread.runner->scheduler().Wake(barrier);
}

void AddTransactionBytes(GpuThread& thread, void* barrier, MbarrierWord* word, int64_t bytes, uint32_t site) {
  const int64_t sum = word->transaction_bytes + bytes;
  if (sum > kMaxTransactionBytes || sum < -kMaxTransactionBytes) {
    FailOperation(thread, site,
                  absl::StrCat("the mbarrier at ", SharedAddress(thread, barrier), " would expect ", sum,
                               " bytes; the limit is ", kMaxTransactionBytes));
  }
  word->transaction_bytes = sum;
}

void TakeArrivals(GpuThread& thread, void* barrier, MbarrierWord* word, uint32_t count, uint32_t site) {
  if (word->pending < count) {
    FailOperation(thread, site,
                  absl::StrCat(count, " arrivals at the mbarrier at ", SharedAddress(thread, barrier),
                               ", whose phase waits for ", static_cast<uint32_t>(word->pending)));
  }
  word->pending -= count;
}

uint64_t ParityOf(uint64_t state, bool is_parity) {
  return is_parity ? state & 1 : std::bit_cast<MbarrierWord>(state).phase;
}

bool IsComplete(const MbarrierWord& word, uint64_t state, bool is_parity) {
  return word.phase != ParityOf(state, is_parity);
}

/// Reports a finding if the phase for which the thread waits has completed, and the next phase as well: the parity is
/// then the same as before the first of them, so the thread cannot see that its phase has completed. There is no
/// finding if the thread is ordered after that phase by other means, because skipping the phase is then correct.
void ReportMissedPhase(GpuThread& thread, void* barrier, uint64_t parity, uint32_t site) {
  Monitor* monitor = thread.runner->monitor();
  if (monitor == nullptr) return;
  const MbarrierClocks& clocks = *thread.ops->FindMbarrier(barrier);
  auto awaited = clocks.awaited.find(thread.number);
  if (awaited == clocks.awaited.end() || (awaited->second & 1) != parity || clocks.phases < awaited->second + 2) return;
  if (monitor->IsOrdered(thread, clocks.before)) return;
  monitor->Report("missed-phase", thread, site,
                  absl::StrCat("waits for phase ", awaited->second, " of the mbarrier at ",
                               SharedAddress(thread, barrier), ", but phase ", clocks.phases - 1,
                               " has completed before it looked: parity cannot tell the two apart"));
}

/// Records which phase the thread waits for, or will wait for next.
void AwaitPhase(GpuThread& thread, void* barrier) {
  if (thread.runner->monitor() == nullptr) return;
  MbarrierClocks& clocks = *thread.ops->FindMbarrier(barrier);
  clocks.awaited[thread.number] = clocks.phases;
}

/// Describes the phase for which a thread waits at the mbarrier `thread.channel`, and what that phase lacks.
std::string DescribeWait(const GpuThread& thread) {
  const MbarrierWord word = Read(thread.channel);
  const MbarrierClocks* clocks =
      thread.runner->monitor() == nullptr ? nullptr : thread.ops->FindMbarrier(thread.channel);
  const std::string phase = clocks == nullptr
                                ? absl::StrCat("the phase of parity ", static_cast<uint32_t>(word.phase),
                                               " of the mbarrier at ", SharedAddress(thread, thread.channel))
                                : absl::StrCat("phase ", clocks->phases, " of ", thread.ops->DescribeMbarrier(thread));
  std::vector<std::string> lacks;
  if (word.pending != 0) {
    lacks.push_back(absl::StrCat(static_cast<uint32_t>(word.pending), " of ", static_cast<uint32_t>(word.expected),
                                 word.expected == 1 ? " arrival" : " arrivals"));
  }
  if (word.transaction_bytes != 0)
    lacks.push_back(absl::StrCat(static_cast<int64_t>(word.transaction_bytes), " bytes"));
  return absl::StrCat(phase, ", which lacks ", absl::StrJoin(lacks, " and "));
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

void RequireMbarrier(GpuThread& thread, void* barrier, const char* operation, uint32_t site) {
  const bool known = thread.runner->monitor() == nullptr || thread.ops->FindMbarrier(barrier) != nullptr;
  if (reinterpret_cast<uintptr_t>(barrier) % 8 == 0 && known && Read(barrier).tag == MbarrierWord::kValid) return;
  FailOperation(thread, site,
                absl::StrCat(operation, " of ", SharedAddress(thread, barrier),
                             ", where no mbarrier was initialised, or it was invalidated"));
}

void CompleteTransaction(GpuThread& issuer, void* barrier, uint32_t bytes, uint32_t site) {
  RequireMbarrier(issuer, barrier, "complete_tx", site);
  MbarrierWord word = Read(barrier);
  AddTransactionBytes(issuer, barrier, &word, -int64_t{bytes}, site);
  Update(issuer, barrier, word);
}

void ArriveAsynchronously(GpuThread& issuer, void* barrier, uint32_t count, uint32_t site) {
  RequireMbarrier(issuer, barrier, "an asynchronous arrival", site);
  MbarrierWord word = Read(barrier);
  TakeArrivals(issuer, barrier, &word, count, site);
  Update(issuer, barrier, word);
}

void AddPending(GpuThread& thread, void* barrier, uint32_t count, uint32_t site) {
  MbarrierWord word = Use(thread, barrier, "cp.async.mbarrier.arrive", site);
  if (word.pending + count > kMaxMbarrierCount) {
    FailOperation(thread, site,
                  absl::StrCat("the mbarrier at ", SharedAddress(thread, barrier), " would wait for more than ",
                               kMaxMbarrierCount, " arrivals"));
  }
  word.pending += count;
  Write(barrier, word);
}

SyncClock& ArrivedClock(GpuThread& thread, void* barrier, uint32_t site) {
  RequireMbarrier(thread, barrier, "an asynchronous arrival", site);
  return thread.ops->FindMbarrier(barrier)->arrived;
}

extern "C" {

void mmtune_simt_mbarrier_init(ThreadContext* context, void* barrier, uint32_t count, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  if (count == 0 || count > kMaxMbarrierCount) {
    FailOperation(self, site,
                  absl::StrCat("mbarrier.init with a count of ", count, "; it is 1 to ", kMaxMbarrierCount));
  }
  if (reinterpret_cast<uintptr_t>(barrier) % 8 != 0) {
    FailOperation(self, site, absl::StrCat("mbarrier.init of ", SharedAddress(self, barrier), ", not aligned to 8"));
  }
  if (Monitor* monitor = self.runner->monitor()) {
    if (self.ops->FindMbarrier(barrier) != nullptr) {
      monitor->Report("misuse", self, site,
                      absl::StrCat("mbarrier.init of ", SharedAddress(self, barrier), ", an mbarrier in use"));
    }
    monitor->Access(self, barrier, 8, AccessKind::kWrite, site);
    self.ops->AddMbarrier(barrier, self);
  }
  MbarrierWord word = {};
  word.pending = word.expected = count;
  word.tag = MbarrierWord::kValid;
  Write(barrier, word);
}

void mmtune_simt_mbarrier_inval(ThreadContext* context, void* barrier, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  RequireMbarrier(self, barrier, "mbarrier.inval", site);
  if (Monitor* monitor = self.runner->monitor()) {
    monitor->Access(self, barrier, 8, AccessKind::kWrite, site);
    self.ops->RemoveMbarrier(barrier);
  }
  Write(barrier, MbarrierWord{});
}

void mmtune_simt_mbarrier_expect_tx(ThreadContext* context, void* barrier, uint32_t bytes, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  MbarrierWord word = Use(self, barrier, "mbarrier.expect_tx", site);
  AddTransactionBytes(self, barrier, &word, bytes, site);
  Write(barrier, word);
}

void mmtune_simt_mbarrier_complete_tx(ThreadContext* context, void* barrier, uint32_t bytes, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  Use(self, barrier, "mbarrier.complete_tx", site);
  CompleteTransaction(self, barrier, bytes, site);
}

uint64_t mmtune_simt_mbarrier_arrive(ThreadContext* context, void* barrier, uint32_t count, uint32_t bytes,
                                     uint32_t drop, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  MbarrierWord word = Use(self, barrier, "mbarrier.arrive", site);
  const auto before = std::bit_cast<uint64_t>(word);
  if (Monitor* monitor = self.runner->monitor()) {
    monitor->Release(self, self.ops->FindMbarrier(barrier)->arrived);
  }
  AddTransactionBytes(self, barrier, &word, bytes, site);
  TakeArrivals(self, barrier, &word, count, site);
  if (drop != 0) word.expected -= count;
  Update(self, barrier, word);
  return before;
}

uint32_t mmtune_simt_mbarrier_test(ThreadContext* context, void* barrier, uint64_t state, uint32_t is_parity,
                                   uint32_t blocking, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  const char* operation = blocking != 0 ? "mbarrier.try_wait" : "mbarrier.test_wait";
  MbarrierWord word = Use(self, barrier, operation, site);
  const uint64_t parity = ParityOf(state, is_parity != 0);
  ReportMissedPhase(self, barrier, parity, site);
  if (!IsComplete(word, state, is_parity != 0)) {
    AwaitPhase(self, barrier);
    self.channel = barrier;
    self.describe = &DescribeWait;
    do {
      if (blocking != 0) {
        self.runner->scheduler().Sleep(&self, barrier, site, "an mbarrier");
      } else {
        self.runner->scheduler().Yield(&self, site);
        // Such a test may have ended before the others ran.
        if (self.runner->scheduler().copies_complete_late()) {
          self.describe = nullptr;
          return 0;
        }
      }
      RequireMbarrier(self, barrier, operation, site);
      ReportMissedPhase(self, barrier, parity, site);
      word = Read(barrier);
    } while (blocking != 0 && !IsComplete(word, state, is_parity != 0));
    self.describe = nullptr;
  }
  if (!IsComplete(word, state, is_parity != 0)) return 0;
  if (Monitor* monitor = self.runner->monitor()) {
    MbarrierClocks* clocks = self.ops->FindMbarrier(barrier);
    clocks->waited_for = nullptr;
    AwaitPhase(self, barrier);
    monitor->Acquire(self, clocks->completed);
    for (AsyncToken read : std::exchange(clocks->completed_reads, {})) monitor->EndAsyncRead(read, self);
  }
  return 1;
}

}  // extern "C"
}  // namespace mmtune::simt
