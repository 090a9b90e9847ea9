// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/race_detector/vector_clocks.h"

#include <algorithm>
#include <utility>

#include "kernels/simulator/block/scheduler.h"

namespace mmtune::simt {
namespace {

constexpr uintptr_t kWordBytes = 4;

void JoinInto(Clocks& clocks, const Clocks& more) {
  for (size_t i = 0; i < more.size(); ++i) clocks[i] = std::max(clocks[i], more[i]);
}

/// Joins `clocks` with `snapshot`, whose thread counts as of `clock`.
void JoinSnapshot(Clocks& clocks, const Snapshot& snapshot, uint32_t clock) {
  JoinInto(clocks, *snapshot.seen);
  clocks[snapshot.thread] = std::max(clocks[snapshot.thread], clock);
}

SharedOtherBlockClocks JoinOthers(const SharedOtherBlockClocks& a, const SharedOtherBlockClocks& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  auto joined = std::make_shared<OtherBlockClocks>(*a);
  for (const auto& [block, clocks] : b->blocks) {
    SharedClocks& mine = joined->blocks[block];
    if (mine == nullptr) {
      mine = clocks;
    } else if (mine != clocks) {
      auto both = std::make_shared<Clocks>(*mine);
      JoinInto(*both, *clocks);
      mine = std::move(both);
    }
  }
  return joined;
}

/// True if `snapshot` is ordered after `earlier`.
bool IsPartOf(const Snapshot& earlier, const Snapshot& snapshot) {
  if (earlier.block == snapshot.block) return (*snapshot.seen)[earlier.thread] >= earlier.clock;
  return snapshot.others != nullptr && snapshot.others->Includes(earlier.block, earlier.thread, earlier.clock);
}

}  // namespace

bool OtherBlockClocks::Includes(uint64_t block, uint32_t thread, uint32_t clock) const {
  auto found = blocks.find(block);
  return found != blocks.end() && (*found->second)[thread] >= clock;
}

void VectorClocks::BeginBlock(uint64_t block, uint32_t threads, uint32_t threads_of_block) {
  block_ = block;
  threads_ = threads;
  threads_of_block_ = threads_of_block == 0 ? threads : threads_of_block;
  states_.resize(threads);
  async_owners_.clear();
  auto nothing = std::make_shared<const Clocks>(threads + kAsyncOwners);
  for (ThreadState& state : states_) {
    state.start = ++state.now;
    ++state.now;
    SetSeen(state, nothing);
    state.others = nullptr;
    state.fenced = {};
    state.fenced_in_block = {};
    state.last_read = nullptr;
    state.read.clear();
  }
}

void VectorClocks::SetSeen(ThreadState& state, SharedClocks seen) {
  state.seen = std::move(seen);
  state.known = state.seen->data();
}

bool VectorClocks::Synchronize(std::span<GpuThread* const> threads) {
  for (const GpuThread* thread : threads) AcquireRead(thread->number);
  JoinFences(threads);
  const ThreadState& first = states_[threads[0]->number];
  auto joined = std::make_shared<Clocks>(*first.seen);
  SharedOtherBlockClocks others = first.others;
  const Clocks* last_joined = first.seen.get();
  for (const GpuThread* thread : threads) {
    const ThreadState& state = states_[thread->number];
    if (state.seen.get() != last_joined) {
      JoinInto(*joined, *state.seen);
      last_joined = state.seen.get();
    }
    others = JoinOthers(others, state.others);
  }
  for (const GpuThread* thread : threads) (*joined)[thread->number] = states_[thread->number].now;
  SharedClocks seen = std::move(joined);
  for (const GpuThread* thread : threads) {
    ThreadState& state = states_[thread->number];
    SetSeen(state, seen);
    state.others = others;
    ++state.now;
  }
  return threads.size() == threads_;
}

void VectorClocks::Release(uint32_t thread, SyncClock& clock) {
  ThreadState& state = states_[thread];
  clock.clocks.resize(threads_ + kAsyncOwners);
  JoinInto(clock.clocks, *state.seen);
  clock.clocks[thread] = state.now++;
  clock.others = JoinOthers(clock.others, state.others);
}

void VectorClocks::ReleaseFenced(uint32_t thread, SyncClock& clock) {
  const ThreadState& state = states_[thread];
  clock.clocks.resize(threads_ + kAsyncOwners);
  clock.clocks[thread] = std::max(clock.clocks[thread], state.start);
  if (state.fenced.seen == nullptr) return;
  JoinSnapshot(clock.clocks, state.fenced, state.fenced.own);
  clock.others = JoinOthers(clock.others, state.fenced.others);
}

bool VectorClocks::IsOrderedAfter(uint32_t thread, const SyncClock& clock) const {
  for (uint32_t owner = 0; owner < clock.clocks.size(); ++owner) {
    if (!IsOrderedAfter(thread, owner, clock.clocks[owner])) return false;
  }
  return true;
}

bool VectorClocks::IsOrderedAfterStart(uint32_t thread, uint32_t first, uint32_t count) const {
  // Nothing is known of a thread until something after its start is.
  const uint32_t* known = states_[thread].known + first;
  return std::any_of(known, known + count, [](uint32_t clock) { return clock != 0; });
}

void VectorClocks::Acquire(uint32_t thread, const SyncClock& clock) {
  ThreadState& state = states_[thread];
  if (!clock.clocks.empty()) {
    auto joined = std::make_shared<Clocks>(*state.seen);
    JoinInto(*joined, clock.clocks);
    SetSeen(state, std::move(joined));
  }
  state.others = JoinOthers(state.others, clock.others);
}

Snapshot VectorClocks::TakeSnapshot(uint32_t thread) {
  ThreadState& state = states_[thread];
  const uint32_t clock = state.now++;
  return {block_, thread, clock, clock, state.seen, state.others};
}

void VectorClocks::AcquireSnapshots(uint32_t thread, std::span<const Snapshot> snapshots) {
  ThreadState& state = states_[thread];
  std::shared_ptr<Clocks> seen;
  for (const Snapshot& snapshot : snapshots) {
    if (!IsInScope(thread, snapshot) || IsOrderedAfterSnapshot(thread, snapshot)) continue;
    state.others = JoinOthers(state.others, snapshot.others);
    if (snapshot.block == block_) {
      if (seen == nullptr) seen = std::make_shared<Clocks>(*state.seen);
      JoinSnapshot(*seen, snapshot, snapshot.own);
      continue;
    }
    auto clocks = std::make_shared<Clocks>(snapshot.seen->size());
    JoinSnapshot(*clocks, snapshot, snapshot.own);
    auto clocks_of_block = std::make_shared<OtherBlockClocks>();
    clocks_of_block->blocks[snapshot.block] = std::move(clocks);
    state.others = JoinOthers(state.others, clocks_of_block);
  }
  if (seen != nullptr) SetSeen(state, std::move(seen));
}

void VectorClocks::ReadRelaxed(uint32_t thread, const SharedSnapshots& snapshots) {
  ThreadState& state = states_[thread];
  if (snapshots == state.last_read) return;
  state.last_read = snapshots;
  for (const Snapshot& snapshot : *snapshots) {
    if (!IsInScope(thread, snapshot) || IsOrderedAfterSnapshot(thread, snapshot)) continue;
    auto same = std::find_if(state.read.begin(), state.read.end(), [&](const Snapshot& other) {
      return other.block == snapshot.block && other.thread == snapshot.thread &&
             other.is_of_block == snapshot.is_of_block;
    });
    if (same == state.read.end()) {
      state.read.push_back(snapshot);
    } else if (same->clock <= snapshot.clock) {
      *same = snapshot;
    }
  }
}

void VectorClocks::AcquireRead(uint32_t thread) {
  ThreadState& state = states_[thread];
  AcquireSnapshots(thread, state.read);
  state.read.clear();
  state.last_read = nullptr;
}

void VectorClocks::Fence(uint32_t thread) {
  has_published_ = true;
  AcquireRead(thread);
  states_[thread].fenced = TakeSnapshot(thread);
  states_[thread].fenced_in_block = {};
}

void VectorClocks::FenceInBlock(uint32_t thread) {
  ThreadState& state = states_[thread];
  // What other blocks have published remains for a wider fence.
  Snapshots of_block;
  for (Snapshot snapshot : state.read) {
    snapshot.is_of_block = true;
    if (IsInScope(thread, snapshot)) of_block.push_back(snapshot);
  }
  AcquireSnapshots(thread, of_block);
  state.fenced_in_block = TakeSnapshot(thread);
  state.fenced_in_block.is_of_block = true;
}

void VectorClocks::JoinFences(std::span<GpuThread* const> threads) {
  std::shared_ptr<Clocks> joined;
  SharedOtherBlockClocks others;
  const Clocks* last_joined = nullptr;
  for (const GpuThread* thread : threads) {
    const Snapshot& fenced = states_[thread->number].fenced;
    if (fenced.seen == nullptr) continue;
    if (joined == nullptr) joined = std::make_shared<Clocks>(*fenced.seen);
    if (fenced.seen.get() != last_joined) JoinInto(*joined, *fenced.seen);
    last_joined = fenced.seen.get();
    (*joined)[fenced.thread] = std::max((*joined)[fenced.thread], fenced.own);
    others = JoinOthers(others, fenced.others);
  }
  if (joined == nullptr) return;
  const SharedClocks seen = std::move(joined);
  for (const GpuThread* thread : threads) {
    const uint32_t self = thread->number;
    states_[self].fenced = {block_, self, states_[self].now, (*seen)[self], seen, others};
  }
}

void VectorClocks::Atomics::Acquire(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes,
                                    AccessKind kind) {
  if (!Reads(kind)) return;
  for (uintptr_t word = address / kWordBytes; word <= (address + bytes - 1) / kWordBytes; ++word) {
    auto found = released_.find(word);
    if (found == released_.end() || found->second == nullptr) continue;
    if (Acquires(kind)) {
      clocks.AcquireSnapshots(thread, *found->second);
    } else {
      clocks.ReadRelaxed(thread, found->second);
    }
  }
}

void VectorClocks::Atomics::Release(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes,
                                    AccessKind kind) {
  if (!Writes(kind)) return;
  clocks.has_published_ |= Releases(kind);
  const Snapshot snapshot = Releases(kind) ? clocks.TakeSnapshot(thread) : clocks.states_[thread].fenced;
  Publish(clocks, thread, snapshot, address, bytes, Reads(kind));
  const Snapshot& in_block = clocks.states_[thread].fenced_in_block;
  if (!Releases(kind) && in_block.seen != nullptr) {
    Publish(clocks, thread, in_block, address, bytes, /*is_update=*/true);
  }
}

void VectorClocks::Atomics::Publish(const VectorClocks& clocks, uint32_t thread, const Snapshot& snapshot,
                                    uintptr_t address, size_t bytes, bool is_update) {
  if (snapshot.seen == nullptr && (is_update || released_.empty())) return;
  for (uintptr_t word = address / kWordBytes; word <= (address + bytes - 1) / kWordBytes; ++word) {
    Publish(clocks, thread, snapshot, is_update, &released_[word]);
  }
}

void VectorClocks::Atomics::Publish(const VectorClocks& clocks, uint32_t thread, const Snapshot& snapshot,
                                    bool is_update, SharedSnapshots* released) {
  auto next = std::make_shared<Snapshots>();
  const uint64_t block = clocks.block();
  if (*released != nullptr) {
    for (const Snapshot& earlier : **released) {
      const bool is_own = earlier.block == block && earlier.thread == thread;
      if (is_own && earlier.clock == snapshot.clock && snapshot.seen != nullptr && is_update) return;
      const bool is_replaced = snapshot.seen != nullptr && (is_own || IsPartOf(earlier, snapshot)) &&
                               (earlier.is_of_block || !snapshot.is_of_block);
      if (!is_replaced && (is_update || is_own)) next->push_back(earlier);
    }
  }
  if (snapshot.seen != nullptr) next->push_back(snapshot);
  *released = std::move(next);
}

VectorClocks::AsyncWrite VectorClocks::ReleaseAsyncWrite(const Snapshot& issue, SyncClock& clock) {
  const auto next = static_cast<uint32_t>(async_owners_.size()) % kAsyncOwners;
  const uint32_t slot = async_owners_.try_emplace(&clock, next).first->second;
  clock.clocks.resize(threads_ + kAsyncOwners);
  JoinSnapshot(clock.clocks, issue, issue.clock);
  clock.clocks[threads_ + slot] = ++async_clocks_[slot];
  return {threads_ + slot, async_clocks_[slot]};
}

}  // namespace mmtune::simt
