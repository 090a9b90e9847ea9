// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/block/block_failure.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace mmtune::simt {

BlockFailure FailureOf(const GpuThread& thread, BlockFailure::Kind kind, std::string what) {
  BlockFailure failure;
  failure.kind = kind;
  std::copy(thread.ctaid, thread.ctaid + 3, failure.block);
  std::copy(thread.tid, thread.tid + 3, failure.thread);
  failure.what = std::move(what);
  return failure;
}

BlockFailure DeadlockOf(std::span<const GpuThread> threads) {
  const GpuThread* first = nullptr;
  uint32_t at_barrier = 0, in_warp = 0, elsewhere = 0, exited = 0;
  for (const GpuThread& thread : threads) {
    if (thread.state == GpuThread::State::kExited) {
      ++exited;
      continue;
    }
    if (first == nullptr) first = &thread;
    if (thread.state == GpuThread::State::kAtBarrier) {
      ++at_barrier;
    } else if (thread.state == GpuThread::State::kAtWarpBarrier || thread.state == GpuThread::State::kInWarpOperation) {
      ++in_warp;
    } else {
      ++elsewhere;
    }
  }
  return FailureOf(*first, BlockFailure::Kind::kDeadlock,
                   absl::StrCat("deadlock: ", StateText(*first), "; of ", threads.size(), " threads ", at_barrier,
                                " wait at barriers, ", in_warp, " at warp barriers or operations, ", elsewhere,
                                " for something else, ", exited, " have exited"));
}

}  // namespace mmtune::simt
