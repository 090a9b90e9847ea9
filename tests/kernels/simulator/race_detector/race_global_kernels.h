// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of global memory and atomics with one thing wrong, each also with that mended.
#pragma once

#include "tests/kernels/simulator/race_detector/race_shared_kernels.h"

namespace mmtune::simt {

// In every kernel kOk says whether it is the mended one.

/// The allocation's pages go on.
template <bool kOk>
void PastGlobalEnd(ThreadContext* t, void** arguments) {
  if (t->linear_tid == 3) Store(t, Argument<char>(arguments, 1) + (kOk ? 998 : 1000), '1');
}

template <bool kOk>
void GlobalWriteWrite(ThreadContext* t, void** arguments) {
  if (t->linear_tid == 0)
    Store(t, &Argument<float>(arguments, 0)[kOk ? t->ctaid[0] : 0], static_cast<float>(t->ctaid[0]));
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

/// Takes a ticket for its read of the word; the last to come writes it.
inline void WriteWhenAllHaveRead(ThreadContext* t, void** arguments, uint32_t readers) {
  if (AtomicAdd(t, Argument<uint32_t>(arguments, 1), 1) + 1 == readers) Store(t, Argument<float>(arguments, 0), 1.0f);
}

/// One of the readers of a word takes no ticket.
template <bool kOk>
void OneReaderSaysNothing(ThreadContext* t, void** arguments) {
  if (t->linear_tid % 16 != 0) return;
  Load(t, Argument<float>(arguments, 0));
  const uint32_t readers = t->ntid[0] / 16 * t->nctaid[0];
  if (kOk || t->linear_tid != 0 || t->ctaid[0] != 0) WriteWhenAllHaveRead(t, arguments, kOk ? readers : readers - 1);
}

/// All threads read, one takes a ticket for its block; that of one block does not.
template <bool kOk>
void OneBlockSaysNothing(ThreadContext* t, void** arguments) {
  Load(t, Argument<float>(arguments, 0));
  SyncThreads(t);
  if (t->linear_tid != 0) return;
  if (kOk || t->ctaid[0] != 1) WriteWhenAllHaveRead(t, arguments, kOk ? t->nctaid[0] : t->nctaid[0] - 1);
}

/// Atomic writes, which nobody reads, of threads of which one takes no ticket, before the plain write.
template <bool kOk>
void OneWriterSaysNothing(ThreadContext* t, void** arguments) {
  if (t->linear_tid % 16 != 0) return;
  AtomicStore(t, Argument<uint32_t>(arguments, 0), 1);
  const uint32_t readers = t->ntid[0] / 16 * t->nctaid[0];
  if (kOk || t->linear_tid != 0 || t->ctaid[0] != 0) WriteWhenAllHaveRead(t, arguments, kOk ? readers : readers - 1);
}

/// The last to come sets the counter back, which only those may have touched that came before.
inline void TakeTicket(ThreadContext* t, uint32_t* counter, uint32_t tickets, AccessKind kind, bool reset_early) {
  const uint32_t ticket = AtomicAdd(t, counter, 1, kind);
  if (ticket + (reset_early ? 2 : 1) == tickets) Store(t, counter, 0u);
}

template <bool kOk>
void TicketIsReset(ThreadContext* t, void** arguments) {
  if (t->linear_tid % 16 != 0) return;
  TakeTicket(t, Argument<uint32_t>(arguments, 1), t->ntid[0] / 16 * t->nctaid[0], AccessKind::kAtomic, !kOk);
}

template <bool kOk>
void RelaxedTicketIsReset(ThreadContext* t, void** arguments) {
  if (t->linear_tid % 16 != 0) return;
  TakeTicket(t, Argument<uint32_t>(arguments, 1), t->ntid[0] / 16 * t->nctaid[0], AccessKind::kAtomicRelaxed, !kOk);
}

template <bool kOk>
void SharedTicketIsReset(ThreadContext* t, void**) {
  auto* counter = Shared<uint32_t>(t);
  if (t->linear_tid == 0) Store(t, counter, 0u);
  SyncThreads(t);
  TakeTicket(t, counter, t->ntid[0], t->lane < 16 ? AccessKind::kAtomic : AccessKind::kAtomicRelaxed, !kOk);
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
  while (AtomicAdd(t, &s[0], 0) == 0) mmtune_simt_yield(t, kAtomic);
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

/// Relaxed atomics order nothing: neither the initialisation nor an ordinary read.
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

/// Fences of scope .cta order what threads of one block do.
template <bool kOk>
void FlagByFencesOfBlock(ThreadContext* t, void**) {
  auto* s = Shared<uint32_t>(t);
  if (t->linear_tid == 0) Store(t, &s[0], 0u);
  SyncThreads(t);
  if (t->linear_tid == 0) {
    Store(t, &s[1], 5u);
    if (kOk) BlockFence(t);
    AtomicStore(t, &s[0], 1);
    return;
  }
  while (AtomicLoad(t, &s[0]) == 0) {
  }
  BlockFence(t);
  Load(t, &s[1]);
}

/// For other blocks, a fence of scope .cta before the ticket is none.
template <bool kOk>
void LastBlockReadsBehindFenceOfBlock(ThreadContext* t, void** arguments) {
  auto* g = Argument<float>(arguments, 0);
  auto* tickets = Argument<uint32_t>(arguments, 1);
  auto* is_last = Shared<uint32_t>(t);
  Store(t, &g[t->ctaid[0] * t->ntid[0] + t->linear_tid], 1.0f);
  SyncThreads(t);
  if (t->linear_tid == 0) {
    BlockFence(t);
    if (kOk) ThreadFence(t);
    BlockFence(t);
    const uint32_t before = AtomicAdd(t, tickets, 1, AccessKind::kAtomicRelaxed);
    ThreadFence(t);
    Store(t, is_last, uint32_t{before % t->nctaid[0] + 1 == t->nctaid[0]});
  }
  SyncThreads(t);
  if (Load(t, is_last) == 0) return;
  for (uint32_t block = 0; block < t->nctaid[0]; ++block) Load(t, &g[block * t->ntid[0] + Next(t)]);
}

/// The same of a fence behind the ticket, in a block of one thread.
template <bool kOk>
void LastThreadAcquiresByFenceOfBlock(ThreadContext* t, void** arguments) {
  auto* g = Argument<float>(arguments, 0);
  auto* tickets = Argument<uint32_t>(arguments, 1);
  if (t->linear_tid != 0) return;
  Store(t, &g[t->ctaid[0]], 1.0f);
  ThreadFence(t);
  const uint32_t before = AtomicAdd(t, tickets, 1, AccessKind::kAtomicRelaxed);
  BlockFence(t);
  if (kOk) ThreadFence(t);
  if (before % t->nctaid[0] + 1 != t->nctaid[0]) return;
  for (uint32_t block = 0; block < t->nctaid[0]; ++block) Load(t, &g[block]);
}

}  // namespace mmtune::simt
