// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that shows that a device computes.
#pragma once

#include <cstdint>

namespace mmtune::cuda {

inline constexpr char kCanaryKernel[] = "mmtune_canary";
inline constexpr uint32_t kCanaryThreads = 256;  ///< Of a block.

/// What the kernel makes of word `index`: every bit of the result depends on the word and on where it lies.
constexpr uint32_t CanaryWord(uint32_t word, uint32_t index) { return (word ^ index) * 2654435761u + index; }

/// kCanaryKernel(words): one thread for each word of a buffer, a whole number of blocks. For every architecture from
/// sm_75.
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

}  // namespace mmtune::cuda
