// Kernels with one thing wrong, each also with that mended.
#pragma once

#include "tests/kernels/runtime/watched_launch.h"

namespace mmtune::simt {

inline uint32_t Next(const ThreadContext* t) { return (t->linear_tid + 1) % t->ntid[0]; }

// In every kernel kOk says whether it is the mended one.

template <bool kOk>
void ReadAfterWrite(ThreadContext* t, void**) {
  auto* s = Shared<float>(t);
  Store(t, &s[t->linear_tid], 1.0f);
  SyncThreads(t);
  Load(t, &s[Next(t)]);
  SyncThreads(t);
  Store(t, &s[t->linear_tid], 2.0f);
  if (kOk) SyncThreads(t);
  Load(t, &s[Next(t)]);
}

template <bool kOk>
void ReadOfUnwritten(ThreadContext* t, void**) {
  auto* s = Shared<float>(t);
  if (kOk || t->linear_tid != 7) Store(t, &s[t->linear_tid], 1.0f);
  SyncThreads(t);
  Load(t, &s[Next(t)]);
}

template <bool kOk>
void WriteAfterRead(ThreadContext* t, void**) {
  auto* s = Shared<float>(t);
  Store(t, &s[t->linear_tid], 1.0f);
  SyncThreads(t);
  Load(t, &s[Next(t)]);
  if (kOk) SyncThreads(t);
  Store(t, &s[t->linear_tid], 2.0f);
}

/// Many have read, among them the writer; the writes conflict with the others' reads only.
template <bool kOk>
void WriteAfterManyReads(ThreadContext* t, void**) {
  auto* s = Shared<float>(t);
  if (t->linear_tid == 0) Store(t, s, 1.0f);
  SyncThreads(t);
  for (int i = 0; i < 3; ++i) Load(t, s);
  if (kOk) SyncThreads(t);
  if (t->linear_tid == 31) Store(t, s, 2.0f);
}

template <bool kOk>
void WriteAfterWrite(ThreadContext* t, void**) {
  Store(t, &Shared<float>(t)[kOk ? t->linear_tid : t->linear_tid / 2], 1.0f);
}

/// Halves of one word are different places.
template <bool kOk>
void HalfWords(ThreadContext* t, void**) {
  auto* s = Shared<uint16_t>(t);
  Store(t, &s[kOk ? t->linear_tid : t->linear_tid / 2], uint16_t{1});
  SyncThreads(t);
  Load(t, Shared<uint32_t>(t, t->linear_tid / (kOk ? 2 : 4) * 4));
  SyncThreads(t);
  if (t->linear_tid < 32) Store(t, &Shared<uint32_t>(t)[t->linear_tid], 0u);
}

struct alignas(16) Vector {
  float lanes[4];
};

/// A word of a vector is written by another thread.
template <bool kOk>
void Vectors(ThreadContext* t, void**) {
  auto* s = Shared<Vector>(t);
  Store(t, &s[t->linear_tid], Vector{});
  if (t->linear_tid == 5) Store(t, &Shared<float>(t)[4 * (kOk ? 5 : 6) + 3], 1.0f);
}

inline void Copy(ThreadContext* t, void* to, const void* from) {
  mmtune_simt_cp_async(t, to, from, 16, 16, kCopy);
  mmtune_simt_cp_async_commit(t);
}

template <bool kOk>
void CopyWithoutWait(ThreadContext* t, void** arguments) {
  auto* s = &Shared<Vector>(t)[t->linear_tid];
  Copy(t, s, &Argument<Vector>(arguments, 0)[t->linear_tid]);
  if (kOk) mmtune_simt_cp_async_wait(t, 0, kWait);
  Load(t, s);
}

template <bool kOk>
void CopyWithWeakWait(ThreadContext* t, void** arguments) {
  auto* s = &Shared<Vector>(t)[2 * t->linear_tid];
  const auto* g = &Argument<Vector>(arguments, 0)[t->linear_tid];
  Copy(t, s, g);
  Copy(t, s + 1, g);
  mmtune_simt_cp_async_wait(t, kOk ? 0 : 1, kWait);
  Load(t, s);
  Load(t, s + 1);
}

/// Uncommitted copies are of no group, and only a wait for all copies waits for them.
template <bool kOk>
void CopyWithoutCommit(ThreadContext* t, void** arguments) {
  auto* s = &Shared<Vector>(t)[t->linear_tid];
  mmtune_simt_cp_async(t, s, &Argument<Vector>(arguments, 0)[t->linear_tid], 16, 16, kCopy);
  mmtune_simt_cp_async_wait(t, kOk ? UINT32_MAX : 0, kWait);
  Load(t, s);
}

/// A wait is for the thread's own copies.
template <bool kOk>
void CopyWithoutBarrier(ThreadContext* t, void** arguments) {
  auto* s = Shared<Vector>(t);
  Copy(t, &s[t->linear_tid], &Argument<Vector>(arguments, 0)[t->linear_tid]);
  mmtune_simt_cp_async_wait(t, 0, kWait);
  if (kOk) SyncThreads(t);
  Load(t, &s[Next(t)]);
}

/// The next stage's copy, while others still read the last one.
template <bool kOk>
void CopyOverReads(ThreadContext* t, void** arguments) {
  auto* s = Shared<Vector>(t);
  const auto* g = &Argument<Vector>(arguments, 0)[t->linear_tid];
  for (int k = 0; k < 2; ++k) {
    Copy(t, &s[t->linear_tid], g);
    mmtune_simt_cp_async_wait(t, 0, kWait);
    SyncThreads(t);
    Load(t, &s[Next(t)]);
    if (kOk) SyncThreads(t);
  }
}

inline constexpr RedZone kRedZones[] = {{64, 128}, {0, 0}};
template <bool kOk>
void IntoRedZone(ThreadContext* t, void**) {
  if (t->linear_tid == 3) Store(t, Shared<float>(t, kOk ? 60 : 64), 1.0f);
}

template <bool kOk>
void PastSharedEnd(ThreadContext* t, void**) {
  if (t->linear_tid == 3) Store(t, Shared<uint16_t>(t, kOk ? 1020 : 1023), uint16_t{1});
}

template <bool kOk>
void BeforeShared(ThreadContext* t, void**) {
  if (t->linear_tid == 3) Store(t, Shared<uint16_t>(t, 0) - (kOk ? 0 : 1), uint16_t{1});
}

/// The allocation's pages go on.
template <bool kOk>
void PastGlobalEnd(ThreadContext* t, void** arguments) {
  if (t->linear_tid == 3) Store(t, Argument<char>(arguments, 1) + (kOk ? 998 : 1000), '1');
}

template <bool kOk>
void GlobalWriteWrite(ThreadContext* t, void** arguments) {
  if (t->linear_tid == 0) Store(t, &Argument<float>(arguments, 0)[kOk ? t->ctaid[0] : 0], 1.0f);
}

template <bool kOk>
void GlobalWriteRead(ThreadContext* t, void** arguments) {
  auto* g = Argument<float>(arguments, 0);
  if (t->linear_tid == 0) Store(t, &g[t->ctaid[0]], 1.0f);
  if (t->linear_tid == 1) Load(t, &g[kOk ? 100 : 0]);
}

template <bool kOk>
void GlobalReadWrite(ThreadContext* t, void** arguments) {
  auto* g = Argument<float>(arguments, 0);
  if (t->linear_tid == 1) Load(t, &g[kOk ? t->ctaid[0] : 3]);
  SyncThreads(t);
  if (t->linear_tid == 0) Store(t, &g[t->ctaid[0]], 1.0f);
}

template <bool kOk>
void GlobalInOneBlock(ThreadContext* t, void** arguments) {
  auto* g = Argument<float>(arguments, 0) + t->ctaid[0] * t->ntid[0];
  Store(t, &g[t->linear_tid], 1.0f);
  if (kOk) SyncThreads(t);
  Load(t, &g[Next(t)]);
}

/// The last block to finish adds up what all have written.
template <bool kOk>
void LastBlockReads(ThreadContext* t, void** arguments) {
  auto* g = Argument<float>(arguments, 0);
  auto* tickets = Argument<uint32_t>(arguments, 1);
  auto* is_last = Shared<uint32_t>(t);
  Store(t, &g[t->ctaid[0] * t->ntid[0] + t->linear_tid], 1.0f);
  SyncThreads(t);
  if (t->linear_tid == 0) {
    mmtune_simt_fence(t, FenceKind::kMemory, kNowhere);
    Store(t, is_last, uint32_t{AtomicAdd(t, &tickets[kOk ? 0 : t->ctaid[0]], 1) + 1 == (kOk ? t->nctaid[0] : 1)});
  }
  SyncThreads(t);
  if (Load(t, is_last) != 0) Load(t, &g[t->linear_tid]);
}

template <bool kOk>
void AtomicsAndPlainWrites(ThreadContext* t, void** arguments) {
  auto* g = Argument<uint32_t>(arguments, 0);
  AtomicAdd(t, &g[0], 1);
  if (!kOk && t->linear_tid == 9) Store(t, &g[0], 5u);
}

template <bool kOk>
void SharedAtomics(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  if (t->linear_tid == 0) Store(t, s, 0u);
  SyncThreads(t);
  AtomicAdd(t, s, 1);
  if (kOk) SyncThreads(t);
  if (t->linear_tid == 20) Load(t, s);
}

/// Who sees the flag sees the data.
template <bool kOk>
void MessageThroughAtomic(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  if (t->linear_tid == 0) Store(t, &s[0], 0u);
  SyncThreads(t);
  if (t->linear_tid == 0) {
    if (kOk) Store(t, &s[1], 5u);
    AtomicAdd(t, &s[0], 1);
    if (!kOk) Store(t, &s[1], 5u);
  }
  if (t->linear_tid != 1) return;
  auto* self = static_cast<GpuThread*>(t);
  while (AtomicAdd(t, &s[0], 0) == 0) self->runner->Yield(self, kAtomic);
  Load(t, &s[1]);
}

/// Threads other than the one that writes poll a flag; nobody yields by itself.
template <bool kOk>
void FlagByReleaseAndAcquire(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  if (t->linear_tid == 0) Store(t, &s[0], 0u);
  SyncThreads(t);
  if (t->linear_tid == 0) {
    Store(t, &s[1], 5u);
    AtomicStore(t, &s[0], 1, kOk ? AccessKind::kAtomicWriteRelease : AccessKind::kAtomicWrite);
    return;
  }
  while (AtomicLoad(t, &s[0], AccessKind::kAtomicReadAcquire) == 0) {
  }
  Load(t, &s[1]);
}

template <bool kOk>
void FlagWithoutAcquire(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  if (t->linear_tid == 0) Store(t, &s[0], 0u);
  SyncThreads(t);
  if (t->linear_tid == 0) {
    Store(t, &s[1], 5u);
    AtomicStore(t, &s[0], 1, AccessKind::kAtomicWriteRelease);
    return;
  }
  while (AtomicLoad(t, &s[0], kOk ? AccessKind::kAtomicReadAcquire : AccessKind::kAtomicRead) == 0) {
  }
  Load(t, &s[1]);
}

/// Relaxed accesses on both sides, with a fence on both sides.
template <bool kOk>
void FlagByFences(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  if (t->linear_tid == 0) Store(t, &s[0], 0u);
  SyncThreads(t);
  if (t->linear_tid == 0) {
    Store(t, &s[1], 5u);
    if (kOk) ThreadFence(t);
    AtomicStore(t, &s[0], 1);
    return;
  }
  while (AtomicLoad(t, &s[0]) == 0) {
  }
  ThreadFence(t);
  Load(t, &s[1]);
}

/// What is relaxed orders nothing: neither the initialisation, nor a plain read.
template <bool kOk>
void InitialisedBesideAtomics(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  if (t->linear_tid == 0) Store(t, s, 0u);
  if (kOk) SyncThreads(t);
  AtomicAdd(t, s, 1, AccessKind::kAtomicRelaxed);
}

template <bool kOk>
void GlobalInitialisedBesideAtomics(ThreadContext* t, void** arguments) {
  auto* g = Argument<uint32_t>(arguments, 0);
  if (!kOk && t->linear_tid == 0 && t->ctaid[0] == 0) Store(t, g, 0u);
  AtomicAdd(t, g, 1, AccessKind::kAtomicRelaxed);
}

template <bool kOk>
void PlainReadAfterOwnAtomic(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  if (t->linear_tid == 0) Store(t, s, 0u);
  SyncThreads(t);
  AtomicAdd(t, s, 1, AccessKind::kAtomicRelaxed);
  if (kOk) SyncThreads(t);
  if (t->linear_tid == 63) Load(t, s);
}

/// Atomic and plain reads are reads.
template <bool kOk>
void AtomicAndPlainReads(ThreadContext* t, void** arguments) {
  auto* s = Shared<uint32_t>(t);
  auto* g = Argument<uint32_t>(arguments, 0);
  if (t->linear_tid == 0) Store(t, s, 0u);
  SyncThreads(t);
  AtomicLoad(t, s);
  Load(t, s);
  AtomicLoad(t, g);
  Load(t, g);
  if (!kOk && t->linear_tid == 40) Store(t, s, 1u);
}

/// Every thread has a fence after what it writes, and after the ticket.
template <bool kOk>
void LastBlockReadsWithRelaxedTicket(ThreadContext* t, void** arguments) {
  auto* g = Argument<float>(arguments, 0);
  auto* tickets = Argument<uint32_t>(arguments, 1);
  auto* is_last = Shared<uint32_t>(t);
  Store(t, &g[t->ctaid[0] * t->ntid[0] + t->linear_tid], 1.0f);
  if (kOk) ThreadFence(t);
  SyncThreads(t);
  if (t->linear_tid == 0) {
    const uint32_t before = AtomicAdd(t, tickets, 1, AccessKind::kAtomicRelaxed);
    Store(t, is_last, uint32_t{before % t->nctaid[0] + 1 == t->nctaid[0]});
  }
  SyncThreads(t);
  if (Load(t, is_last) == 0) return;
  ThreadFence(t);
  for (uint32_t block = 0; block < t->nctaid[0]; ++block) Load(t, &g[block * t->ntid[0] + Next(t)]);
}

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
      mmtune_simt_bulk_load(t, data + 16 * i, Argument<char>(arguments, 0), 16, &barriers[i], kCopy);
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
  op.variant = static_cast<uint32_t>(VoteMode::kBallot);
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

template <bool kOk>
void VoteAfterExit(ThreadContext* t, void**) {
  if (kOk || t->lane != 4) Vote(t, kVotes);
}

template <bool kOk>
void BarrierAfterExit(ThreadContext* t, void**) {
  if (kOk || t->linear_tid != 40) SyncThreads(t);
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
  mmtune_simt_bulk_load(t, t->shared, Argument<char>(arguments, 0), 64, barrier, kCopy);
  if (kOk) mmtune_simt_mbarrier_test(t, barrier, 0, 1, 1, kWait);
  Load(t, Shared<uint32_t>(t));
}

}  // namespace mmtune::simt
