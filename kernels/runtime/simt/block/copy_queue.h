// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cp.async copies of one thread that it has not waited for.
#pragma once

#include <cstdint>
#include <deque>

#include "kernels/runtime/simt/block/monitor.h"

namespace mmtune::simt {

struct AsyncCopy {
  char* shared = nullptr;
  const char* global = nullptr;
  uint32_t bytes = 0;
  uint32_t source_bytes = 0;  ///< The rest is zero-filled.
  AsyncToken token = 0;       ///< In a watched launch.
  bool landed = false;        ///< The data are there; only the wait is missing.

  void Land();
};

/// Copies in the order of their issue, in groups as they were committed. Sequence numbers count issued copies.
class CopyQueue {
 public:
  void Clear();
  void Issue(const AsyncCopy& copy) { copies_.push_back(copy); }
  void Commit() { groups_.push_back(issued()); }

  /// The copies that are done when at most `groups` committed groups are unfinished: those numbered below the result.
  /// Forgets their groups.
  uint64_t FinishGroups(uint32_t groups);

  uint64_t issued() const { return finished_ + copies_.size(); }
  uint64_t finished() const { return finished_; }
  const AsyncCopy& oldest() const { return copies_.front(); }
  /// The oldest copy is done.
  void PopOldest();

 private:
  std::deque<AsyncCopy> copies_;
  std::deque<uint64_t> groups_;  ///< The number of copies issued when each was committed.
  uint64_t finished_ = 0;
};

}  // namespace mmtune::simt
