// How the failures of blocks are told.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/block_runner.h"

namespace mmtune::simt {

std::string StateText(const GpuThread& thread) {
  switch (thread.state) {
    case GpuThread::State::kAtBarrier:
      return absl::StrCat("waits at barrier ", thread.waits_for);
    case GpuThread::State::kAtWarpBarrier:
      return absl::StrCat("waits at the warp barrier of mask 0x", absl::Hex(thread.waits_for));
    case GpuThread::State::kInWarpOperation:
      return absl::StrCat("waits in a warp operation of mask 0x", absl::Hex(thread.waits_for));
    case GpuThread::State::kAsleep:
      return absl::StrCat("waits for ", thread.what);
    case GpuThread::State::kExited:
      return "has exited";
    default:
      return "polls";
  }
}

BlockFailure BlockRunner::FailureOf(const GpuThread& thread, BlockFailure::Kind kind, std::string what) const {
  BlockFailure failure;
  failure.kind = kind;
  std::copy(thread.ctaid, thread.ctaid + 3, failure.block);
  std::copy(thread.tid, thread.tid + 3, failure.thread);
  failure.what = std::move(what);
  return failure;
}

BlockFailure BlockRunner::DescribeDeadlock() const {
  const GpuThread* first = nullptr;
  uint32_t at_barrier = 0, in_warp = 0, elsewhere = 0;
  for (uint32_t i = 0; i < thread_count_; ++i) {
    const GpuThread& thread = threads_[i];
    if (thread.state == GpuThread::State::kExited) continue;
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
                   absl::StrCat("deadlock: ", StateText(*first), "; of ", thread_count_, " threads ", at_barrier,
                                " wait at barriers, ", in_warp, " at warp barriers or operations, ", elsewhere,
                                " for something else, ", exited_, " have exited"));
}

BlockFailure BlockRunner::DescribeSignal() const {
  std::string what = signal_name_;
  const void* address = nullptr;
  if (stacks_.Contains(signal_address_)) {
    what = absl::StrCat("stack overflow: a thread has ", FiberStacks::kStackBytes, " bytes of stack");
  } else if (arena_.Contains(signal_address_)) {
    what = absl::StrCat("access at offset ", static_cast<const char*>(signal_address_) - arena_.base(), " of ",
                        job_->shared_bytes(), " bytes of shared memory");
  } else {
    address = signal_address_;
  }
  BlockFailure failure = FailureOf(*signal_thread_, BlockFailure::Kind::kBadAccess, std::move(what));
  failure.address = address;
  return failure;
}

}  // namespace mmtune::simt
