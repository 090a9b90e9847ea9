// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many reports go in one call.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace mmtune {

/// Takes the first of the queue, one at least where there is one: at most 64, and some 128 KiB, as the server takes
/// messages of 256 KiB.
template <typename Report>
std::vector<Report> TakeBatch(std::deque<Report>& queue) {
  constexpr size_t kMost = 64, kMostBytes = 128 << 10;
  std::vector<Report> batch;
  size_t bytes = 0;
  while (!queue.empty() && batch.size() < kMost && bytes < kMostBytes) {
    bytes += queue.front().ByteSizeLong();
    batch.push_back(std::move(queue.front()));
    queue.pop_front();
  }
  return batch;
}

}  // namespace mmtune
