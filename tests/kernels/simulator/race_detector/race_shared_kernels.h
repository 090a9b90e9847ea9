// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of shared memory with one thing wrong, each also with that mended.
#pragma once

#include "tests/kernels/simulator/race_detector/monitored_launch.h"

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
  Store(t, &Shared<float>(t)[kOk ? t->linear_tid : t->linear_tid / 2], static_cast<float>(t->linear_tid));
}

/// Halves of one word are different places.
template <bool kOk>
void HalfWords(ThreadContext* t, void**) {
  auto* s = Shared<uint16_t>(t);
  Store(t, &s[kOk ? t->linear_tid : t->linear_tid / 2], static_cast<uint16_t>(t->linear_tid));
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

}  // namespace mmtune::simt
