// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies of one thread: cp.async, and bulk copies from shared to global memory in groups.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/block/scheduler.h"

namespace mmtune::simt {

/// A bulk copy from shared to global memory. It reads its source first and writes then or later.
struct BulkStore {
  void Read();

  const char* shared = nullptr;
  size_t bytes = 0;
  std::function<void(const char* data)> write;  ///< Called with the data read.
  std::optional<AsyncToken> token;              ///< With a monitor: its read, which lasts until the thread has waited.
  std::vector<char> data;                       ///< Filled by Read().
};

/// The bulk stores that a thread has issued and not waited for, in groups.
class BulkGroups {
 public:
  void Issue(GpuThread& thread, std::shared_ptr<BulkStore> store);
  void Commit();
  /// Finishes all committed groups but the last `groups`; with `read`, only finishes their reads.
  void Wait(GpuThread& thread, uint32_t groups, bool read);
  /// With a monitor: true if a copy may still read shared memory, because the thread has not waited for it.
  bool ReadsUnderWay() const;

 private:
  using Group = std::vector<std::shared_ptr<BulkStore>>;

  std::shared_ptr<Group> open_;
  std::deque<std::shared_ptr<Group>> committed_;
};

/// Finishes the thread's cp.async copies numbered below `end` (see CopyQueue::issued()). Their data are visible to the
/// thread itself or, with `barrier`, an operand of the operation at `site`, to threads that wait for that mbarrier and
/// that are then also ordered after what the thread did before each copy.
void FinishCopies(GpuThread& thread, uint64_t end, void* barrier = nullptr, uint32_t site = 0);

}  // namespace mmtune::simt
