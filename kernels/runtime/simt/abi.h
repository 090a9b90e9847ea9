// The ABI between code compiled for the SIMT device and its runtime. Used by the pass convert-nvvm-to-simt, which emits
// loads at these offsets and calls to these names, and by the runtime, which defines them.
//
// A SIMT object exports, per kernel, `<kernel>__simt(ThreadContext*, void** arguments)`: the body of one thread.
// Shared memory is one arena per block: static globals first, at offsets the pass chose, then the dynamic part, aligned
// to 1024. The object also exports `<kernel>__simt_static_shared`, a uint32_t with the bytes of the static part
// (already rounded up to 1024 when not 0).
#pragma once

#include <cstddef>
#include <cstdint>

namespace mmtune::simt {

struct ThreadContext {
  uint32_t tid[3];
  uint32_t ctaid[3];
  uint32_t ntid[3];
  uint32_t nctaid[3];
  uint32_t lane;
  uint32_t warp;
  uint32_t linear_tid;
  uint32_t warps;
  char* shared;  ///< The block's arena, 1024-byte aligned.
  uint32_t dynamic_shared_bytes;
  uint32_t reserved;
};

inline constexpr size_t kOffsetTid = 0;
inline constexpr size_t kOffsetCtaid = 12;
inline constexpr size_t kOffsetNtid = 24;
inline constexpr size_t kOffsetNctaid = 36;
inline constexpr size_t kOffsetLane = 48;
inline constexpr size_t kOffsetWarp = 52;
inline constexpr size_t kOffsetLinearTid = 56;
inline constexpr size_t kOffsetWarps = 60;
inline constexpr size_t kOffsetShared = 64;
inline constexpr size_t kOffsetDynamicSharedBytes = 72;
static_assert(offsetof(ThreadContext, shared) == kOffsetShared);
static_assert(offsetof(ThreadContext, dynamic_shared_bytes) == kOffsetDynamicSharedBytes);

using KernelEntry = void (*)(ThreadContext*, void** arguments);

inline constexpr char kEntrySuffix[] = "__simt";
inline constexpr char kStaticSharedSuffix[] = "__simt_static_shared";
inline constexpr size_t kDynamicSharedAlignment = 1024;

}  // namespace mmtune::simt

extern "C" {
/// bar.sync id[, threads]; `threads` 0 is the whole block.
void mmtune_simt_barrier(mmtune::simt::ThreadContext*, uint32_t id, uint32_t threads);
/// bar.warp.sync mask.
void mmtune_simt_barrier_warp(mmtune::simt::ThreadContext*, uint32_t mask);
/// cp.async: `source_bytes` <= `bytes` are read, the rest is zero-filled. `bytes` is 4, 8 or 16.
void mmtune_simt_cp_async(mmtune::simt::ThreadContext*, void* shared, const void* global, uint32_t bytes,
                          uint32_t source_bytes);
void mmtune_simt_cp_async_commit(mmtune::simt::ThreadContext*);
void mmtune_simt_cp_async_wait(mmtune::simt::ThreadContext*, uint32_t groups);
void mmtune_simt_cp_async_wait_all(mmtune::simt::ThreadContext*);
}
