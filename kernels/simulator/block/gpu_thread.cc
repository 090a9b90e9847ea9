// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/block/gpu_thread.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace mmtune::simt {

void AsyncCopy::Land() {
  if (landed) return;
  landed = true;
  std::memcpy(shared, global, source_bytes);
  std::memset(shared + source_bytes, 0, bytes - source_bytes);
}

uint64_t CopyQueue::FinishGroups(uint32_t groups) {
  uint64_t done = 0;
  while (groups_.size() > groups) {
    done = groups_.front();
    groups_.pop_front();
  }
  return done;
}

AsyncCopy CopyQueue::TakeOldest() {
  const AsyncCopy oldest = copies_.front();
  copies_.pop_front();
  ++finished_;
  return oldest;
}

const PolledWords::Word* PolledWords::Find(const void* address) const {
  auto found = std::find_if(words_.begin(), words_.end(), [&](const Word& word) { return word.address == address; });
  return found == words_.end() ? nullptr : &*found;
}

bool PolledWords::Learn(const void* address, uint64_t value) {
  const Word* known = Find(address);
  if (known != nullptr && known->value == value) {
    ++polls_;
    return false;
  }
  const size_t at = known != nullptr ? known - words_.data() : next_++ % words_.size();
  words_[at] = {address, value};
  return true;
}

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
