// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in PTX, for every architecture from sm_75.
#pragma once

#include <cstdint>

namespace mmtune::cuda {

/// Shows that a device computes.
inline constexpr char kCanaryKernel[] = "mmtune_canary";
inline constexpr uint32_t kCanaryThreads = 256;  ///< Of a block.

/// What the kernel makes of word `index`: every bit of the result depends on the word and on where it lies.
constexpr uint32_t CanaryWord(uint32_t word, uint32_t index) { return (word ^ index) * 2654435761u + index; }

/// kCanaryKernel(words): one thread for each word of a buffer, a whole number of blocks.
inline constexpr char kCanaryPtx[] = R"(
.version 6.4
.target sm_75
.address_size 64
.visible .entry mmtune_canary(.param .u64 words)
{
  .reg .u32 %block, %size, %thread, %index, %word;
  .reg .u64 %base, %offset, %at;
  ld.param.u64 %base, [words];
  cvta.to.global.u64 %base, %base;
  mov.u32 %block, %ctaid.x;
  mov.u32 %size, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %index, %block, %size, %thread;
  mul.wide.u32 %offset, %index, 4;
  add.u64 %at, %base, %offset;
  ld.global.u32 %word, [%at];
  xor.b32 %word, %word, %index;
  mad.lo.u32 %word, %word, 2654435761, %index;
  st.global.u32 [%at], %word;
  ret;
}
)";

/// Keeps a stream busy while work is enqueued behind it.
inline constexpr char kDelayKernel[] = "mmtune_delay";

/// kDelayKernel(nanoseconds): one thread, which waits that long.
inline constexpr char kDelayPtx[] = R"(
.version 6.4
.target sm_75
.address_size 64
.visible .entry mmtune_delay(.param .u64 nanoseconds)
{
  .reg .pred %waiting;
  .reg .u64 %limit, %start, %now;
  ld.param.u64 %limit, [nanoseconds];
  mov.u64 %start, %globaltimer;
again:
  mov.u64 %now, %globaltimer;
  sub.u64 %now, %now, %start;
  setp.lt.u64 %waiting, %now, %limit;
  @%waiting bra again;
  ret;
}
)";

}  // namespace mmtune::cuda
