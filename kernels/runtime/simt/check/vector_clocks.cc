#include "kernels/runtime/simt/check/vector_clocks.h"

#include <algorithm>
#include <utility>

#include "kernels/runtime/simt/gpu_thread.h"

namespace mmtune::simt {
namespace {

constexpr uintptr_t kWordBytes = 4;

void JoinInto(Clocks& clocks, const Clocks& more) {
  for (size_t i = 0; i < more.size(); ++i) clocks[i] = std::max(clocks[i], more[i]);
}

SharedOtherBlocks JoinOthers(const SharedOtherBlocks& a, const SharedOtherBlocks& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  auto joined = std::make_shared<OtherBlocks>(*a);
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

}  // namespace

bool OtherBlocks::Knows(uint64_t block, uint32_t thread, uint32_t clock) const {
  auto found = blocks.find(block);
  return found != blocks.end() && (*found->second)[thread] >= clock;
}

void VectorClocks::BeginBlock(uint64_t block, uint32_t threads) {
  block_ = block;
  threads_ = threads;
  states_.resize(threads);
  async_owners_.clear();
  auto nothing = std::make_shared<const Clocks>(threads + kAsyncOwners);
  for (ThreadState& state : states_) {
    ++state.now;
    SetSeen(state, nothing);
    state.others = nullptr;
  }
}

void VectorClocks::SetSeen(ThreadState& state, SharedClocks seen) {
  state.seen = std::move(seen);
  state.known = state.seen->data();
}

bool VectorClocks::Meet(std::span<GpuThread* const> threads) {
  const ThreadState& first = states_[threads[0]->linear_tid];
  auto joined = std::make_shared<Clocks>(*first.seen);
  SharedOtherBlocks others = first.others;
  const Clocks* last_joined = first.seen.get();
  for (const GpuThread* thread : threads) {
    const ThreadState& state = states_[thread->linear_tid];
    if (state.seen.get() != last_joined) {
      JoinInto(*joined, *state.seen);
      last_joined = state.seen.get();
    }
    others = JoinOthers(others, state.others);
  }
  for (const GpuThread* thread : threads) (*joined)[thread->linear_tid] = states_[thread->linear_tid].now;
  SharedClocks seen = std::move(joined);
  for (const GpuThread* thread : threads) {
    ThreadState& state = states_[thread->linear_tid];
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

void VectorClocks::Acquire(uint32_t thread, const SyncClock& clock) {
  if (!clock.clocks.empty()) Join(thread, clock.clocks, thread, 0);
  states_[thread].others = JoinOthers(states_[thread].others, clock.others);
}

void VectorClocks::Join(uint32_t thread, const Clocks& clocks, uint32_t owner, uint32_t clock) {
  auto joined = std::make_shared<Clocks>(*states_[thread].seen);
  JoinInto(*joined, clocks);
  (*joined)[owner] = std::max((*joined)[owner], clock);
  SetSeen(states_[thread], std::move(joined));
}

Snapshot VectorClocks::TakeSnapshot(uint32_t thread) {
  ThreadState& state = states_[thread];
  return {block_, thread, state.now++, state.seen, state.others};
}

void VectorClocks::AcquireSnapshot(uint32_t thread, const Snapshot& snapshot) {
  ThreadState& state = states_[thread];
  if (snapshot.block == block_) {
    if (Knows(thread, snapshot.thread, snapshot.clock)) return;
    Join(thread, *snapshot.seen, snapshot.thread, snapshot.clock);
    state.others = JoinOthers(state.others, snapshot.others);
    return;
  }
  if (KnowsOther(thread, snapshot.block, snapshot.thread, snapshot.clock)) return;
  auto clocks = std::make_shared<Clocks>(*snapshot.seen);
  (*clocks)[snapshot.thread] = snapshot.clock;
  auto news = std::make_shared<OtherBlocks>();
  news->blocks[snapshot.block] = std::move(clocks);
  state.others = JoinOthers(JoinOthers(state.others, snapshot.others), news);
}

void VectorClocks::Atomics::Acquire(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes) const {
  for (uintptr_t word = address / kWordBytes; word <= (address + bytes - 1) / kWordBytes; ++word) {
    if (auto found = snapshots_.find(word); found != snapshots_.end()) clocks.AcquireSnapshot(thread, found->second);
  }
}

void VectorClocks::Atomics::Release(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes) {
  const Snapshot snapshot = clocks.TakeSnapshot(thread);
  for (uintptr_t word = address / kWordBytes; word <= (address + bytes - 1) / kWordBytes; ++word) {
    snapshots_[word] = snapshot;
  }
}

VectorClocks::AsyncWrite VectorClocks::ReleaseAsyncWrite(const Snapshot& issue, SyncClock& clock) {
  const auto next = static_cast<uint32_t>(async_owners_.size()) % kAsyncOwners;
  const uint32_t slot = async_owners_.try_emplace(&clock, next).first->second;
  clock.clocks.resize(threads_ + kAsyncOwners);
  JoinInto(clock.clocks, *issue.seen);
  clock.clocks[issue.thread] = std::max(clock.clocks[issue.thread], issue.clock);
  clock.clocks[threads_ + slot] = ++async_clocks_[slot];
  return {threads_ + slot, async_clocks_[slot]};
}

}  // namespace mmtune::simt
