// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/block/async_engine.h"

#include <algorithm>
#include <utility>

namespace mmtune::simt {

void AsyncEngine::Run(std::deque<Posted>::iterator at) {
  Work work = std::move(at->work);
  works_.erase(at);
  work();
}

void AsyncEngine::RunAny(SplitMix64& random) {
  auto picked = works_.begin() + random.Below(static_cast<uint32_t>(works_.size()));
  auto first_of_queue = std::find_if(works_.begin(), picked, [&](const Posted& posted) {
    return posted.queue != nullptr && posted.queue == picked->queue;
  });
  Run(first_of_queue);
}

void AsyncEngine::Drain(const void* queue) {
  auto is_of_queue = [&](const Posted& posted) { return posted.queue == queue; };
  for (auto left = std::count_if(works_.begin(), works_.end(), is_of_queue); left > 0; --left) {
    auto at = std::find_if(works_.begin(), works_.end(), is_of_queue);
    if (at == works_.end()) return;  // A work of it drained the queue.
    Run(at);
  }
}

}  // namespace mmtune::simt
