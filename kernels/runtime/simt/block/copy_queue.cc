// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/block/copy_queue.h"

#include <cstring>

namespace mmtune::simt {

void AsyncCopy::Land() {
  if (landed) return;
  landed = true;
  std::memcpy(shared, global, source_bytes);
  std::memset(shared + source_bytes, 0, bytes - source_bytes);
}

void CopyQueue::Clear() {
  copies_.clear();
  groups_.clear();
  finished_ = 0;
}

uint64_t CopyQueue::FinishGroups(uint32_t groups) {
  uint64_t done = 0;
  while (groups_.size() > groups) {
    done = groups_.front();
    groups_.pop_front();
  }
  return done;
}

void CopyQueue::PopOldest() {
  copies_.pop_front();
  ++finished_;
}

}  // namespace mmtune::simt
