// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bulk copies from shared to global memory that a thread has issued and not waited for, in groups.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/runtime/simt/block/monitor.h"

namespace mmtune::simt {

/// One copy: it reads its source, later or at once it writes.
class BulkStore {
 public:
  /// `write` gets what was read.
  BulkStore(const char* shared, size_t bytes, std::function<void(const char* data)> write)
      : shared_(shared), data_(bytes), write_(std::move(write)) {}

  void Read();
  void ReadAndWrite();
  /// Watched launches: the read of the source that is under way until somebody has waited.
  void set_token(AsyncToken token) { token_ = token, watched_ = true; }
  /// `thread` has waited for the end of the reading.
  void EndRead(GpuThread& thread);
  bool read_is_watched() const { return watched_; }

 private:
  const char* shared_;
  std::vector<char> data_;
  std::function<void(const char* data)> write_;
  AsyncToken token_ = 0;
  bool watched_ = false;
  bool was_read_ = false;
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
