// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels written against kernels/simulator/abi/abi.h by hand: what compiled GPU code looks like to the SIMT device,
// and what no compiler would emit. Built into an object that the tests load.

#include <cstdint>
#include <cstring>

#include "kernels/simulator/abi/abi.h"

using mmtune::simt::ThreadContext;

namespace {

template <typename T>
T Argument(void** arguments, int index) {
  T value;
  std::memcpy(&value, arguments[index], sizeof(T));
  return value;
}

uint32_t GlobalThread(const ThreadContext* t) {
  const uint32_t block = t->ctaid[0] + t->nctaid[0] * (t->ctaid[1] + t->nctaid[1] * t->ctaid[2]);
  return block * t->ntid[0] * t->ntid[1] * t->ntid[2] + t->linear_tid;
}

/// Opaque, so that recursion and wild pointers survive the optimizer.
[[gnu::noinline]] int Recurse(int depth, volatile char* outer) {
  volatile char frame[1024];
  frame[depth % 1024] = outer == nullptr ? 1 : outer[0];
  return depth == 0 ? frame[0] : Recurse(depth - 1, frame) + frame[1];
}

}  // namespace

#define KERNEL(name, static_shared)                            \
  extern const uint32_t name##__simt_static_shared;            \
  const uint32_t name##__simt_static_shared = (static_shared); \
  void name##__simt([[maybe_unused]] ThreadContext* t, [[maybe_unused]] void** arguments)

extern "C" {

/// out[global thread] = {tid, ctaid, lane, warp}, packed in 8 words.
KERNEL(who_am_i, 0) {
  auto* out = Argument<uint32_t*>(arguments, 0) + 8 * GlobalThread(t);
  const uint32_t values[8] = {t->tid[0], t->tid[1], t->tid[2], t->ctaid[0], t->ctaid[1], t->ctaid[2], t->lane, t->warp};
  std::memcpy(out, values, sizeof(values));
}

/// `rounds` barriers; after each, every thread checks that its neighbour has arrived. Errors are counted in out[0].
KERNEL(barrier_rounds, 0) {
  auto* errors = Argument<uint32_t*>(arguments, 0);
  const uint32_t rounds = Argument<uint32_t>(arguments, 1);
  auto* seen = reinterpret_cast<volatile uint32_t*>(t->shared);
  const uint32_t threads = t->ntid[0];
  for (uint32_t round = 1; round <= rounds; ++round) {
    seen[t->linear_tid] = round;
    mmtune_simt_barrier(t, 0, 0, 0);
    if (seen[(t->linear_tid + 1) % threads] != round) __atomic_fetch_add(errors, 1, __ATOMIC_RELAXED);
    mmtune_simt_barrier(t, 0, 0, 0);
  }
}

/// The first two warps meet at barrier 1, the others at barrier 2: independent of each other.
KERNEL(two_barriers, 0) {
  auto* out = Argument<uint32_t*>(arguments, 0);
  const bool first = t->warp < 2;
  auto* counts = reinterpret_cast<uint32_t*>(t->shared);
  if (t->linear_tid == 0) counts[0] = counts[1] = 0;
  mmtune_simt_barrier(t, 0, 0, 0);
  __atomic_fetch_add(&counts[first ? 0 : 1], 1, __ATOMIC_RELAXED);
  mmtune_simt_barrier(t, first ? 1 : 2, first ? 64 : t->ntid[0] - 64, 0);
  out[t->linear_tid] = counts[first ? 0 : 1];
}

/// Even and odd lanes meet apart: out[i] = the number of lanes of the warp's half that had arrived.
KERNEL(warp_halves, 0) {
  auto* out = Argument<uint32_t*>(arguments, 0);
  auto* counts = reinterpret_cast<uint32_t*>(t->shared) + 2 * t->warp;
  if (t->lane == 0) counts[0] = counts[1] = 0;
  mmtune_simt_barrier_warp(t, 0xFFFFFFFF, 0);
  const uint32_t half = t->lane % 2;
  counts[half] += 1;
  mmtune_simt_barrier_warp(t, half == 0 ? 0x55555555 : 0xAAAAAAAA, 0);
  out[t->linear_tid] = counts[half];
}

/// Copies in[] to out[] through shared memory, `bytes` a thread; of the last only `tail` are read, the rest is zero.
KERNEL(async_copy, 0) {
  const auto* in = Argument<const char*>(arguments, 0);
  auto* out = Argument<char*>(arguments, 1);
  const uint32_t tail = Argument<uint32_t>(arguments, 2), bytes = Argument<uint32_t>(arguments, 3);
  const uint32_t at = bytes * t->linear_tid;
  const bool last = t->linear_tid + 1 == t->ntid[0];
  mmtune_simt_cp_async(t, t->shared + at, in + at, bytes, last ? tail : bytes, 0);
  mmtune_simt_cp_async_commit(t);
  mmtune_simt_cp_async_wait(t, 0, 0);
  mmtune_simt_barrier(t, 0, 0, 0);
  std::memcpy(out + at, t->shared + at, bytes);
}

/// Stores whether all threads, and whether any, are above the argument.
KERNEL(barrier_votes, 0) {
  auto* out = Argument<uint32_t*>(arguments, 0);
  const uint32_t vote = t->linear_tid >= Argument<uint32_t>(arguments, 1);
  const uint32_t all = mmtune_simt_barrier_reduce(t, 0, 0, mmtune::simt::VoteMode::kAll, vote, 0);
  const uint32_t any = mmtune_simt_barrier_reduce(t, 0, 0, mmtune::simt::VoteMode::kAny, vote, 0);
  out[t->linear_tid] = 2 * all + any;
}

KERNEL(async_copy_misaligned, 0) {
  const auto* in = Argument<const char*>(arguments, 0);
  mmtune_simt_cp_async(t, t->shared, in + 4, 8, 8, 0);
}

KERNEL(async_copy_of_5, 0) {
  const auto* in = Argument<const char*>(arguments, 0);
  mmtune_simt_cp_async(t, t->shared, in, 5, 5, 0);
}

/// 2048 bytes static, then the dynamic part: writes both, checks that they do not overlap.
KERNEL(static_and_dynamic, 2048) {
  auto* out = Argument<uint32_t*>(arguments, 0);
  char* dynamic = t->shared + 2048;
  std::memset(t->shared, 1, 2048);
  std::memset(dynamic, 2, t->dynamic_shared_bytes);
  out[0] = t->dynamic_shared_bytes;
  out[1] = t->shared[2047] == 1 && dynamic[t->dynamic_shared_bytes - 1] == 2;
  out[2] = reinterpret_cast<uintptr_t>(t->shared) % (256 * 1024) == 0;
}

KERNEL(count_blocks, 0) { __atomic_fetch_add(Argument<uint64_t*>(arguments, 0), 1, __ATOMIC_RELAXED); }

KERNEL(deadlock_after_exit, 0) {
  if (t->linear_tid != 5) mmtune_simt_barrier(t, 0, 96, 0);
}

KERNEL(deadlock_in_warp, 0) { mmtune_simt_barrier_warp(t, t->linear_tid == 5 ? 0x60 : 0xFFFFFFFF, 0); }

KERNEL(barrier_17, 0) { mmtune_simt_barrier(t, 17, 0, 0); }
KERNEL(barrier_of_two_counts, 0) { mmtune_simt_barrier(t, 1, t->warp == 0 ? 32 * 3 : 32 * 4, 0); }
KERNEL(warp_barrier_without_self, 0) { mmtune_simt_barrier_warp(t, 1, 0); }

KERNEL(write_past_end, 0) {
  auto* out = Argument<volatile char*>(arguments, 0);
  if (t->linear_tid == 3) out[Argument<uint32_t>(arguments, 1)] = 1;
}
KERNEL(write_past_shared, 0) { reinterpret_cast<volatile char*>(t->shared)[t->dynamic_shared_bytes + 4096] = 1; }
KERNEL(overflow_stack, 0) { *Argument<volatile int*>(arguments, 0) = Recurse(1 << 20, nullptr); }
KERNEL(divide_by_zero, 0) {
  auto* out = Argument<volatile int*>(arguments, 0);
  out[1] = 1000 / out[0];
}

/// C[m,n] = A[m,k] * B[k,n], one thread for each element; a multiply-add of f32 per step.
KERNEL(matmul, 0) {
  const auto* a = Argument<const float*>(arguments, 0);
  const auto* b = Argument<const float*>(arguments, 1);
  auto* c = Argument<float*>(arguments, 2);
  const auto n = Argument<uint32_t>(arguments, 3);
  const auto k = Argument<uint32_t>(arguments, 4);
  const uint32_t row = t->ctaid[0], column = t->tid[0];
  float sum = 0;
  for (uint32_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

}  // extern "C"
