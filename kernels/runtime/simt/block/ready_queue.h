// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a block that can go on.
#include "proto/base/split_mix64.h"
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "proto/base/split_mix64.h"

namespace mmtune::simt {

struct GpuThread;

/// A ring of a power of two at least the number of threads, each of which is in it at most once.
class ReadyQueue {
 public:
  void Reset(uint32_t threads) {
    ring_.resize(std::bit_ceil(threads));
    mask_ = static_cast<uint32_t>(ring_.size()) - 1;
    head_ = tail_ = 0;
  }

  bool empty() const { return head_ == tail_; }
  uint32_t size() const { return tail_ - head_; }

  void Push(GpuThread* thread) { ring_[tail_++ & mask_] = thread; }
  /// The one that has waited longest.
  GpuThread* Pop() { return ring_[head_++ & mask_]; }
  GpuThread* PopAny(SplitMix64& random) {
    std::swap(ring_[head_ & mask_], ring_[(head_ + random.Below(size())) & mask_]);
    return Pop();
  }

 private:
  std::vector<GpuThread*> ring_;
  uint32_t head_ = 0, tail_ = 0;  ///< They only grow.
  uint32_t mask_ = 0;
};

}  // namespace mmtune::simt
