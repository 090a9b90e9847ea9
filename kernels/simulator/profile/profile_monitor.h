// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profiler of the simulator: for each program point of a kernel, counts the warp instructions, the wavefronts that
// they need in shared memory, the sectors that they need in global memory, and the divergent branches. `tune profile`
// shows the result (docs/profile.md).
//
// The simulator runs the lanes of a warp one after the other, so the profiler must find out which accesses belong to
// one warp instruction. It takes accesses at one program point as one warp instruction if their lanes have passed the
// same barriers and have since then started the same number of loop iterations. Lanes that leave a loop early and run
// another loop before the next barrier are therefore counted as separate instructions until that barrier.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "kernels/perf_model/warp_request.h"
#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/cluster_runner.h"

namespace mmtune::simt {

/// The kind of operation at a program point.
enum class PointKind {
  kSharedLoad,
  kSharedStore,
  kSharedAtomic,
  kGlobalLoad,
  kGlobalStore,
  kGlobalAtomic,
  kBarrier,
  kBranch
};

/// The counters of one program point over all warps. Operations with the same kind, name, location and width are one
/// point. cp.async counts as two: a load from global and a store to shared memory.
struct PointCounters {
  PointKind kind = PointKind::kSharedLoad;
  std::string operation;  ///< The operation: "llvm.load", "nvvm.ldmatrix".
  std::string location;   ///< The source location: "load the A tile", "kernel.mlir:12:5".
  /// Bytes that one instruction accesses in a lane; 0 for barriers, branches and bulk copies.
  uint32_t lane_bytes = 0;

  uint64_t executions = 0;  ///< Warp instructions.
  uint64_t bytes = 0;       ///< Bytes requested by all lanes.
  uint64_t units = 0;       ///< Wavefronts of shared memory, or sectors of global memory.
  uint64_t ideal = 0;       ///< The units needed without bank conflicts, or with contiguous addresses.
  uint64_t merged = 0;      ///< For shared memory: predicted wavefronts (SharedCost::merged in warp_request.h).
  uint64_t divergent = 0;   ///< Branches that only some lanes of a warp took.

  bool IsShared() const { return kind <= PointKind::kSharedAtomic; }
  bool IsGlobal() const { return kind > PointKind::kSharedAtomic && kind <= PointKind::kGlobalAtomic; }
};

/// The monitor (observer; block/monitor.h) of one profiled launch. The simulator calls the overrides, which count;
/// empty ones are events that no counter needs. Used by one OS thread.
class ProfileMonitor : public Monitor {
 public:
  /// Takes the tables of an object compiled for profiling. They must outlive the monitor.
  explicit ProfileMonitor(const InstrumentationTables& tables);

  /// Returns the counters in the order in which the points were first executed. Call it once, after the launch.
  std::vector<PointCounters> Finish();

  void BeginBlock(ClusterRunner& runner) override;
  bool IsOver() const override { return false; }
  void Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) override;
  void AccessMbarrier(GpuThread&, const void*, size_t, uint32_t) override {}
  void SharedBegins(GpuThread&, const void*) override {}
  void Synchronize(std::span<GpuThread* const> threads) override;
  void Fence(GpuThread&) override {}
  void Release(GpuThread&, SyncClock&) override {}
  void Acquire(GpuThread&, const SyncClock&) override {}
  AsyncToken BeginAsyncWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) override;
  void EndAsyncWrite(AsyncToken, bool, SyncClock*) override {}
  AsyncToken BeginAsyncRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) override;
  void EndAsyncRead(AsyncToken, GpuThread&) override {}
  void Branch(GpuThread& thread, bool taken, uint32_t site) override;
  void Iterate(GpuThread& thread) override { ++progress_[thread.number]; }
  // Only the race detector reports misuse.
  void Report(std::string_view, GpuThread&, uint32_t, std::string_view, const GpuThread*, uint32_t) override {}
  void Deadlock(std::span<GpuThread>) override {}

 private:
  /// Properties of the operation at a site, which is the number of a program point (abi/abi.h).
  struct SiteTraits {
    bool is_bulk = false;  ///< Done by a copy engine, not by the lanes.
    bool is_barrier = false;
  };
  /// Identifies an instruction of a warp.
  struct InstructionKey {
    uint64_t progress;  ///< Progress of its lanes: barriers passed * 2^32 + loop iterations since the last one.
    uint32_t site;
    uint32_t part;  ///< kind * 2^24 + the index of the instruction, if an access is split into several.

    bool operator==(const InstructionKey&) const = default;
  };
  struct InstructionKeyHash {
    size_t operator()(const InstructionKey& key) const {
      return (key.progress * 0x9E3779B97F4A7C15 ^ key.site) * 0x9E3779B97F4A7C15 ^ key.part;
    }
  };
  /// An instruction that some lanes of the warp have not executed yet. For a branch, `request` has an address of 1 for
  /// lanes that take it, else 0.
  struct Pending {
    WarpRequest request;
    PointKind kind;
  };

  /// Returns the number of the thread's warp among those of the cluster.
  static size_t WarpNumber(const GpuThread& thread) { return size_t{thread.cluster_rank} * thread.warps + thread.warp; }
  /// Returns an address of shared memory as an offset in its block.
  uint64_t OffsetOf(const GpuThread& thread, const void* shared) const;
  /// Adds an access by a lane, split into instructions.
  void AddAccess(GpuThread& thread, PointKind kind, uint64_t address, size_t bytes, uint32_t site);
  void Add(GpuThread& thread, InstructionKey key, PointKind kind, uint64_t address, uint32_t bytes);
  void Count(const Pending& pending, uint32_t site);
  /// Counts the pending instructions of a warp, because the missing lanes will not execute them.
  void Flush(uint32_t warp);
  void FlushAll();
  PointCounters& PointOf(PointKind kind, uint32_t site, uint32_t lane_bytes);

  const InstrumentationTables tables_;
  std::vector<SiteTraits> traits_;  ///< By site.
  ClusterRunner* runner_ = nullptr;
  std::vector<uint64_t> progress_;  ///< By GpuThread::number, as in InstructionKey.
  std::vector<std::unordered_map<InstructionKey, Pending, InstructionKeyHash>> pending_;  ///< By WarpNumber().
  std::vector<PointCounters> points_;
  std::map<std::tuple<PointKind, uint32_t, uint32_t>, size_t> by_site_;                  ///< By kind, site and width.
  std::map<std::tuple<PointKind, std::string, std::string, uint32_t>, size_t> by_name_;  ///< By kind, names and width.
};

}  // namespace mmtune::simt
