// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/block/gpu_thread.h"

#include "absl/strings/str_cat.h"

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

}  // namespace mmtune::simt
