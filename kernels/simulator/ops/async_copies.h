// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The asynchronous copies of one GPU thread in the simulator: cp.async (global to shared memory), and bulk copies
// (cp.async.bulk) from shared to global memory, which are waited for in groups.
//
// A monitor is an observer of the accesses, such as the race detector (monitor.h). A site is the number of a program
// point.
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

/// A bulk copy from shared to global memory. It reads its source first. It writes its destination at once or later, as
/// hardware may do either, but at the latest when the thread waits for the whole copy. A monitor is told of the write
/// both when the copy is issued and when it is over, so that accesses in between race with it.
struct BulkStore {
  /// Copies the source into `data`.
  void Read();

  const char* shared = nullptr;
  size_t bytes = 0;
  std::function<void(const char* data)> write;  ///< Writes the data that were read to global memory.
  std::function<void()> report_write;           ///< With a monitor: reports that write to it; otherwise empty.
  /// With a monitor: the asynchronous read of the source, which lasts until the thread has waited for it.
  std::optional<AsyncToken> token;
  std::vector<char> data;  ///< Filled by Read().
};

/// The bulk stores that a thread has issued and not waited for, in groups (cp.async.bulk.commit_group).
class BulkGroups {
 public:
  /// Adds a store to the open group.
  void Issue(GpuThread& thread, std::shared_ptr<BulkStore> store);
  /// Closes the open group.
  void Commit();
  /// Finishes all closed groups but the last `groups` (cp.async.bulk.wait_group). With `read`, it only finishes reading
  /// their sources, and the writes may come later.
  void Wait(GpuThread& thread, uint32_t groups, bool read);
  /// True if a store may still read shared memory, because the thread has not waited for it. Needs a monitor.
  bool ReadsUnderWay() const;
  /// Must be called when the thread exits: reports to the monitor the writes of all stores that the thread has not
  /// waited for.
  void ReportWrites();

 private:
  using Group = std::vector<std::shared_ptr<BulkStore>>;

  std::shared_ptr<Group> open_;
  std::deque<std::shared_ptr<Group>> committed_;
};

/// Finishes the thread's cp.async copies with a number below `end` (see CopyQueue in scheduler.h). Without `barrier`,
/// the data become visible to the thread itself. With `barrier`, they become visible to threads that wait for that
/// mbarrier, which are then also ordered after what the thread did before each copy.
void FinishCopies(GpuThread& thread, uint64_t end, void* barrier = nullptr, uint32_t site = 0);

}  // namespace mmtune::simt
