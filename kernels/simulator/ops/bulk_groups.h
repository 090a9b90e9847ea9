// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bulk copies from shared to global memory that a thread has issued and not waited for, in groups.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/simulator/block/monitor.h"

namespace mmtune::simt {

/// One copy: it reads its source, later or at once it writes.
struct BulkStore {
  void Read();

  const char* shared = nullptr;
  size_t bytes = 0;
  std::function<void(const char* data)> write;  ///< Gets what was read.
  std::optional<AsyncToken> token;  ///< Watched launches: of the read that is under way until somebody has waited.
  std::vector<char> data;           ///< Once it was read.
};

class BulkGroups {
 public:
  void Issue(GpuThread& thread, std::shared_ptr<BulkStore> store);
  void Commit();
  /// Returns when all committed groups but the last `groups` are finished, or with `read` no longer read.
  void Wait(GpuThread& thread, uint32_t groups, bool read);
  /// Watched launches: whether a copy may still read shared memory, as far as the thread knows.
  bool ReadsUnderWay() const;

 private:
  using Group = std::vector<std::shared_ptr<BulkStore>>;

  std::shared_ptr<Group> open_;
  std::deque<std::shared_ptr<Group>> committed_;
};

}  // namespace mmtune::simt
