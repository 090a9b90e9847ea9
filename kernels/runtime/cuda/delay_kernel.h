// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that keeps a stream busy while work is enqueued behind it.
#pragma once

namespace mmtune::cuda {

inline constexpr char kDelayKernel[] = "mmtune_delay";

/// One thread that waits for so many nanoseconds. For every architecture from sm_75.
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
