// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race detector of the simulator, like compute-sanitizer's racecheck, memcheck and initcheck in one. It observes a
// launch as a Monitor (block/monitor.h) and finds data races in shared and global memory, reads of uninitialised shared
// memory, and accesses out of bounds. It also finds missing waits for asynchronous copies, divergent barriers and
// deadlocks. kernels/simulator/README.md explains the method and its limits.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/memory/device_memory.h"
#include "kernels/simulator/race_detector/finding.h"
#include "kernels/simulator/race_detector/global_shadow.h"
#include "kernels/simulator/race_detector/shared_shadow.h"
#include "kernels/simulator/race_detector/vector_clocks.h"

namespace mmtune::simt {

/// A launch to check. Everything that it points to must outlive the monitor.
struct CheckedLaunch {
  std::string kernel;
  const LaunchJob* job = nullptr;
  const DeviceMemory* memory = nullptr;
  InstrumentationTables tables;
  int max_findings = 8;  ///< The number of findings after which the launch is ended.
};

/// The monitor of one launch. Used by one OS thread.
class RaceMonitor : public Monitor {
 public:
  /// Creates a monitor. Returns ResourceExhausted if there is not enough memory for its records.
  static absl::StatusOr<std::unique_ptr<RaceMonitor>> Create(const CheckedLaunch& launch);

  /// Returns the findings so far and forgets them.
  std::vector<Finding> TakeFindings() {
    ReportRepeatedWrite();
    return log_.Take();
  }

  // block/monitor.h documents the overrides. An AsyncToken identifies an asynchronous access that has not ended. Here
  // it is the token that the SharedShadow of the accessed block has given, times kMaxClusterBlocks, plus that block's
  // rank in the cluster.
  void BeginBlock(ClusterRunner& runner) override;
  bool IsOver() const override { return log_.full(); }
  void Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) override;
  void AccessMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site) override;
  void SharedBegins(GpuThread& thread, const void* shared) override;
  void Synchronize(std::span<GpuThread* const> threads) override;
  void Fence(GpuThread& thread) override { clocks_.Fence(thread.number); }
  void FenceInBlock(GpuThread& thread) override { clocks_.FenceInBlock(thread.number); }
  void Release(GpuThread& thread, SyncClock& clock) override { clocks_.Release(thread.number, clock); }
  void ReleaseFenced(GpuThread& thread, SyncClock& clock) override { clocks_.ReleaseFenced(thread.number, clock); }
  void Acquire(GpuThread& thread, const SyncClock& clock) override { clocks_.Acquire(thread.number, clock); }
  bool IsOrdered(const GpuThread& thread, const SyncClock& clock) const override {
    return clocks_.IsOrderedAfter(thread.number, clock);
  }
  AsyncToken BeginAsyncWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) override;
  void EndAsyncWrite(AsyncToken token, bool by_issuer, SyncClock* clock) override {
    blocks_[token % kMaxClusterBlocks].shared.EndAsyncWrite(token / kMaxClusterBlocks, by_issuer, clock);
  }
  AsyncToken BeginAsyncRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) override;
  void EndAsyncRead(AsyncToken token, GpuThread& thread) override {
    blocks_[token % kMaxClusterBlocks].shared.EndAsyncRead(token / kMaxClusterBlocks, thread.number);
  }
  void BlockExits(GpuThread& thread) override;
  void Report(std::string_view kind, GpuThread& thread, uint32_t site, std::string_view what, const GpuThread* other,
              uint32_t other_site) override;
  void Deadlock(std::span<GpuThread> threads) override { log_.AddDeadlock(threads); }

 private:
  explicit RaceMonitor(const CheckedLaunch& launch);

  /// An access or asynchronous operation, in the form that reports need.
  struct ReportedAccess {
    GpuThread& thread;
    uint32_t site;
    const char* verb;  ///< The verb for reports: "reads", "copies asynchronously to".
    const void* address;
    size_t bytes;
  };
  /// An access of another block's shared memory.
  struct RemoteAccess {
    uint32_t clock = 0;
    uint32_t site = 0;
  };
  /// The state of one block of the cluster.
  struct BlockState {
    explicit BlockState(VectorClocks& clocks) : shared(clocks) {}
    SharedShadow shared;
    bool has_exited = false;
    std::map<uint32_t, RemoteAccess> remote;  ///< The last access by each thread of other blocks.
  };
  /// A write that races with a write of another thread at the same program point. If both write the same bytes, as
  /// threads do that hold copies of one value, their order does not matter and there is no finding. The monitor is told
  /// of a write before it is made, so it compares the bytes at the next event.
  struct RepeatedWrite {
    const void* address;
    std::string before;            ///< The bytes that the other thread has written.
    std::function<void()> report;  ///< Adds the finding.
  };
  /// Reports a race of two writes: at once, or at the next event if they may write the same bytes.
  void ReportWrites(const ReportedAccess& access, AccessKind kind, uint32_t other_site, std::function<void()> report);
  /// Reports the race of `repeated_`, if there is one, unless its write has left the bytes as they were.
  void ReportRepeatedWrite() {
    if (repeated_) CompareRepeatedWrite();
  }
  void CompareRepeatedWrite();
  /// A position in the shared memory of a block.
  struct SharedPlace {
    BlockState& block;
    uint32_t rank;
    size_t offset;
  };
  /// Returns the position of an access. Ends the launch if it is out of bounds. Calls AddRemoteAccess() if it is in
  /// another block of the cluster.
  SharedPlace FindShared(const ReportedAccess& access);
  /// Records an access to the shared memory of another block of the cluster, with rank `rank`. Reports a finding unless
  /// the access is ordered after that block's start and the block has not exited.
  void AddRemoteAccess(const ReportedAccess& access, uint32_t rank);
  /// Checks an access, which counts as `shared_kind` in shared memory and as `kind` in other memory.
  void Access(const ReportedAccess& access, AccessKind kind, AccessKind shared_kind);
  void AccessGlobal(const ReportedAccess& access, AccessKind kind);
  /// Formats an offset in the shared memory of block `rank` for a finding of `thread`. The text names the block unless
  /// it is the thread's own.
  std::string SharedAddressOf(uint32_t rank, size_t offset, const GpuThread& thread) const;
  void ReportShared(const ReportedAccess& access, uint32_t rank, const SharedProblem& problem);
  void ReportGlobal(const ReportedAccess& access, const GlobalProblem& problem, const GlobalShadow::Region& region);
  /// Reports an access of bytes that may not be accessed. The caller must end the launch.
  void ReportInvalidAccess(const ReportedAccess& access, std::string_view kind, std::string_view what,
                           const std::string& where);
  /// Reports an address that is no multiple of what its instruction requires, and ends the launch.
  [[noreturn]] void ReportMisaligned(const ReportedAccess& access, uint64_t alignment);
  /// Describes where in global memory an address is, or what it is close to.
  std::string DescribeGlobal(const void* address) const;

  const CheckedLaunch launch_;
  FindingLog log_;
  VectorClocks clocks_;
  std::vector<BlockState> blocks_;  ///< By rank in the cluster.
  GlobalShadow global_;
  ClusterRunner* runner_ = nullptr;
  std::optional<RepeatedWrite> repeated_;
};

}  // namespace mmtune::simt
