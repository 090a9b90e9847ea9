// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers, warp operations and waits with one thing wrong, each also with that mended.
#pragma once

#include "tests/kernels/simulator/race_detector/race_shared_kernels.h"

namespace mmtune::simt {

// In every kernel kOk says whether it is the mended one.

/// All poll, and nobody writes.
template <bool kOk>
void PollsForever(ThreadContext* t, void** arguments) {
  auto* g = Argument<uint32_t>(arguments, 0);
  if (kOk && t->linear_tid == 63) AtomicStore(t, g, 1);
  while (AtomicLoad(t, g) == 0) {
  }
}

/// Two halves of different warps at one barrier.
template <bool kOk>
void HalfWarpsMeet(ThreadContext* t, void**) {
  if (kOk ? t->warp == 1 : t->lane < 16) mmtune_simt_barrier(t, 1, 32, kBarrier);
  SyncThreads(t);
}

/// Nobody waits where all have arrived.
template <bool kOk>
void AllArrive(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  Store(t, &s[t->linear_tid], 1u);
  mmtune_simt_barrier_arrive(t, 1, 64, kBarrier);
  if (kOk) SyncThreads(t);
  Load(t, &s[t->linear_tid ^ 32]);
}

template <bool kOk>
void PartOfAWarpExpected(ThreadContext* t, void**) {
  if (kOk || t->linear_tid < 33) mmtune_simt_barrier(t, 1, kOk ? 64 : 33, kBarrier);
}

/// Copies on more mbarriers than one waits for.
template <bool kOk>
void WaitForTheLastOfManyCopies(ThreadContext* t, void** arguments) {
  constexpr uint32_t kCopies = 17;
  auto* barriers = Shared<uint64_t>(t);
  auto* data = Shared<char>(t, 256);
  if (t->linear_tid == 0) {
    for (uint32_t i = 0; i < kCopies; ++i) mmtune_simt_mbarrier_init(t, &barriers[i], 1, kNowhere);
    mmtune_simt_fence(t, FenceKind::kBarrierInit, kNowhere);
  }
  SyncThreads(t);
  if (t->linear_tid == 0) {
    for (uint32_t i = 0; i < kCopies; ++i) {
      mmtune_simt_mbarrier_arrive(t, &barriers[i], 1, 16, 0, kNowhere);
      mmtune_simt_bulk_load(t, data + 16 * i, Argument<char>(arguments, 0), 16, &barriers[i], 0, kCopy);
    }
  }
  for (uint32_t i = 1; i < kCopies; ++i) mmtune_simt_mbarrier_test(t, &barriers[i], 0, 1, 1, kWait);
  if (kOk) mmtune_simt_mbarrier_test(t, &barriers[0], 0, 1, 1, kWait);
  Load(t, data);
  if (!kOk) mmtune_simt_mbarrier_test(t, &barriers[0], 0, 1, 1, kWait);
}

template <bool kOk>
void DivergentBarrier(ThreadContext* t, void**) {
  SyncThreads(t, kOk || t->lane % 2 == 0 ? kBarrier : kOtherBarrier);
}

/// Producers arrive, consumers wait.
template <bool kOk>
void ProducersAndConsumers(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  if (t->warp == 0) {
    Store(t, &s[t->lane], 1u);
    mmtune_simt_barrier_arrive(t, 1, 64, kBarrier);
  } else {
    if (kOk) mmtune_simt_barrier(t, 1, 64, kBarrier);
    Load(t, &s[t->lane]);
    if (!kOk) mmtune_simt_barrier(t, 1, 64, kBarrier);
  }
}

/// Who only arrives learns nothing.
template <bool kOk>
void ArrivingIsNotWaiting(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  if (t->warp == 1) Store(t, &s[t->lane], 1u);
  SyncThreads(t);
  if (t->warp == 1) {
    Store(t, &s[t->lane], 2u);
    mmtune_simt_barrier(t, 1, 64, kBarrier);
  } else {
    if (kOk) mmtune_simt_barrier(t, 1, 64, kBarrier);
    if (!kOk) mmtune_simt_barrier_arrive(t, 1, 64, kBarrier);
    Load(t, &s[t->lane]);
  }
}

template <bool kOk>
void WarpBarrierOfHalf(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t, 128 * t->warp);
  Store(t, &s[t->lane], 1u);
  mmtune_simt_barrier_warp(t, t->lane < 16 ? 0xFFFF : 0xFFFF0000, kBarrier);
  Load(t, &s[kOk ? t->lane ^ 1 : t->lane ^ 16]);
}

/// A barrier of each warp says nothing about the other warp.
template <bool kOk>
void WarpBarrierOfOtherWarp(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  Store(t, &s[t->linear_tid], 1u);
  mmtune_simt_barrier_warp(t, 0xFFFFFFFF, kBarrier);
  Load(t, &s[t->linear_tid ^ (kOk ? 1 : 32)]);
}

constexpr WarpOp BallotAt(uint32_t site) {
  WarpOp op{};
  op.kind = WarpOpKind::kVote;
  op.site = site;
  op.inputs = op.outputs = 1;
  op.mode = static_cast<uint32_t>(VoteMode::kBallot);
  return op;
}
inline constexpr WarpOp kVotes[] = {BallotAt(kWarpOp), BallotAt(kOtherWarpOp)};

inline void Vote(ThreadContext* t, const WarpOp* op) {
  const uint32_t in = 1;
  uint32_t out = 0;
  mmtune_simt_warp(t, op, 0xFFFFFFFF, &in, &out);
}

/// A vote brings lanes together, and orders nothing they do to memory.
template <bool kOk>
void VoteIsNoBarrier(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  Store(t, &s[t->linear_tid], 1u);
  Vote(t, kVotes);
  if (kOk) mmtune_simt_barrier_warp(t, 0xFFFFFFFF, kBarrier);
  Load(t, &s[t->linear_tid ^ 1]);
}

template <bool kOk>
void DivergentVote(ThreadContext* t, void**) {
  Vote(t, kOk || t->lane < 8 ? &kVotes[0] : &kVotes[1]);
}

/// A vote does not wait for a lane that has exited, but for one that is elsewhere.
template <bool kOk>
void VoteAfterExit(ThreadContext* t, void**) {
  if (t->lane != 4) {
    Vote(t, kVotes);
  } else if (!kOk) {
    SyncThreads(t);
  }
}

/// A barrier of the block does not wait for a thread that has exited. One of more threads than there are has no end.
template <bool kOk>
void BarrierAfterExit(ThreadContext* t, void**) {
  if (t->linear_tid != 40) mmtune_simt_barrier(t, 1, kOk ? 0 : 1024, kBarrier);
}

template <bool kOk>
void NoSuchBarrier(ThreadContext* t, void**) {
  mmtune_simt_barrier(t, kOk ? 15 : 16, 0, kBarrier);
}

inline void InitMbarrier(ThreadContext* t, void* barrier, uint32_t count) {
  if (t->linear_tid == 0) {
    mmtune_simt_mbarrier_init(t, barrier, count, kBarrier);
    mmtune_simt_fence(t, FenceKind::kBarrierInit, kBarrier);
  }
  SyncThreads(t);
}

/// Warp 0 fills, warp 1 waits for it.
template <bool kOk>
void MbarrierWait(ThreadContext* t, void**) {
  auto* barrier = Shared<uint64_t>(t, 512);
  auto* s = Shared<uint32_t>(t);
  InitMbarrier(t, barrier, 32);
  if (t->warp == 0) {
    Store(t, &s[t->lane], 1u);
    mmtune_simt_mbarrier_arrive(t, barrier, 1, 0, 0, kBarrier);
  } else {
    mmtune_simt_mbarrier_test(t, barrier, kOk ? 0 : 1, 1, 1, kWait);  // The parity.
    Load(t, &s[t->lane]);
  }
}

/// The issuer of a bulk copy has to wait for it as everybody has.
template <bool kOk>
void BulkCopyWait(ThreadContext* t, void** arguments) {
  auto* barrier = Shared<uint64_t>(t, 512);
  InitMbarrier(t, barrier, 1);
  if (t->linear_tid != 0) return;
  mmtune_simt_mbarrier_arrive(t, barrier, 1, 64, 0, kBarrier);
  mmtune_simt_bulk_load(t, t->shared, Argument<char>(arguments, 0), 64, barrier, 0, kCopy);
  if (kOk) mmtune_simt_mbarrier_test(t, barrier, 0, 1, 1, kWait);
  Load(t, Shared<uint32_t>(t));
}

}  // namespace mmtune::simt
