// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the asynchronous engines of a block still have to do.
#include "proto/base/split_mix64.h"
#pragma once

#include <deque>
#include <functional>

#include "proto/base/split_mix64.h"

namespace mmtune::simt {

/// Works that were posted and not yet done. Works of one queue stay in order; a null queue is no queue.
class AsyncEngine {
 public:
  using Work = std::function<void()>;

  bool empty() const { return works_.empty(); }
  void Clear() { works_.clear(); }
  void Post(Work work, const void* queue) { works_.push_back({std::move(work), queue}); }

  /// Does one work that may come next. Not when empty.
  void RunAny(SplitMix64& random);
  /// Does what was posted with `queue` before this call.
  void Drain(const void* queue);

 private:
  struct Posted {
    Work work;
    const void* queue;
  };
  void Run(std::deque<Posted>::iterator at);

  std::deque<Posted> works_;
};

}  // namespace mmtune::simt
