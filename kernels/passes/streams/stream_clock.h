// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known to be done on several streams.
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace mmtune {

/// For every stream, how many of its first operations are done: a vector clock. As a stream keeps
/// its order, one number a stream is enough.
class StreamClock {
 public:
  /// Whether operation `index` (from 1) of `stream` is done.
  bool covers(unsigned stream, unsigned index) const { return stream < counts.size() && counts[stream] >= index; }

  bool covers(const StreamClock& other) const {
    for (unsigned stream = 0; stream < other.counts.size(); ++stream)
      if (other.counts[stream] != 0 && !covers(stream, other.counts[stream])) return false;
    return true;
  }

  void add(unsigned stream, unsigned index) {
    if (counts.size() <= stream) counts.resize(stream + 1, 0);
    counts[stream] = std::max(counts[stream], index);
  }

  /// What either knows.
  void join(const StreamClock& other) {
    for (unsigned stream = 0; stream < other.counts.size(); ++stream) add(stream, other.counts[stream]);
  }

 private:
  llvm::SmallVector<unsigned, 4> counts;
};

}  // namespace mmtune
