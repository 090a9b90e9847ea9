// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches for races and misuse.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/block.h"
#include "kernels/simulator/memory/device_memory.h"
#include "kernels/simulator/watch/finding_log.h"
#include "kernels/simulator/watch/global_shadow.h"
#include "kernels/simulator/watch/shared_shadow.h"
#include "kernels/simulator/watch/vector_clocks.h"

namespace mmtune::simt {

/// What a monitor has to know of a launch. All of it outlives the monitor.
struct WatchedLaunch {
  std::string kernel;
  const LaunchJob* job = nullptr;
  const DeviceMemory* memory = nullptr;
  WatchTables tables;
  int max_findings = 8;
};

class RaceMonitor : public Monitor {
 public:
  /// ResourceExhausted when there is no memory for the shadow.
  static absl::StatusOr<std::unique_ptr<RaceMonitor>> Create(const WatchedLaunch& launch);

  std::vector<Finding> TakeFindings() { return log_.Take(); }

  void BeginBlock(Block& block) override;
  bool IsOver() const override { return log_.full(); }
  void Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) override;
  void AccessMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site) override;
  void SharedBegins(GpuThread& thread, const void* shared) override;
  void Meet(std::span<GpuThread* const> threads) override;
  void Fence(GpuThread& thread) override { clocks_.Fence(thread.linear_tid); }
  void Release(GpuThread& thread, SyncClock& clock) override { clocks_.Release(thread.linear_tid, clock); }
  void Acquire(GpuThread& thread, const SyncClock& clock) override { clocks_.Acquire(thread.linear_tid, clock); }
  AsyncToken BeginAsyncWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) override;
  void EndAsyncWrite(AsyncToken token, bool by_issuer, SyncClock* clock) override {
    shared_.EndAsyncWrite(token, by_issuer, clock);
  }
  AsyncToken BeginAsyncRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) override;
  void EndAsyncRead(AsyncToken token, GpuThread& thread) override { shared_.EndAsyncRead(token, thread.linear_tid); }
  void Report(std::string_view kind, GpuThread& thread, uint32_t site, std::string_view what, const GpuThread* other,
              uint32_t other_site) override;
  void Deadlock(std::span<GpuThread> threads) override { log_.AddDeadlock(threads); }

 private:
  explicit RaceMonitor(const WatchedLaunch& launch);

  /// An access or asynchronous operation, for reports.
  struct Act {
    GpuThread& thread;
    uint32_t site;
    const char* verb;  ///< "reads", "copies asynchronously to", …
    const void* address;
    size_t bytes;
  };
  /// The offset in shared memory; ends the launch where it is not all there.
  size_t SharedOffset(const Act& act);
  /// An access of the kind `kind`; in shared memory, where other rules may hold, of `shared_kind`.
  void Access(const Act& act, AccessKind kind, AccessKind shared_kind);
  void AccessGlobal(const Act& act, AccessKind kind);
  void ReportShared(const Act& act, const SharedProblem& problem);
  void ReportGlobal(const Act& act, const GlobalProblem& problem, const GlobalShadow::Region& region);
  /// Of an access that cannot be made, of bytes "that …", at `where`: the caller ends the launch.
  void ReportImpossible(const Act& act, std::string_view kind, std::string_view what, const std::string& where);
  /// Where in global memory the address is, or what it is near to.
  std::string GlobalPlace(const void* address) const;

  const WatchedLaunch launch_;
  FindingLog log_;
  VectorClocks clocks_;
  SharedShadow shared_;
  GlobalShadow global_;
  Block* block_ = nullptr;
};

}  // namespace mmtune::simt
