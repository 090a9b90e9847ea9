// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What profile mode counts of one program point.
//
// Counts what the warps of a launch do, by program point.
//
// The SIMT device runs the lanes of a warp one after the other; what they do at one point belongs to one instruction of
// the warp when they have passed the same barriers and then begun the same number of loop iterations. Lanes that leave
// a loop early, and go round another one before the next barrier, are therefore counted as apart from then on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "kernels/perf_model/warp_request.h"
#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/block.h"

namespace mmtune::simt {

/// What is done there.
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

/// Of the warps of all launches. Operations of one kind, operation, location and width are one point. cp.async is two:
/// a load of global and a store of shared memory.
struct PointCounters {
  PointKind kind = PointKind::kSharedLoad;
  std::string operation;    ///< "llvm.load", "nvvm.ldmatrix", ….
  std::string location;     ///< "load the A tile", "kernel.mlir:12:5".
  uint32_t lane_bytes = 0;  ///< That a lane accesses with one instruction; 0 for barriers, branches, and bulk copies.

  uint64_t executions = 0;  ///< Instructions of warps.
  uint64_t bytes = 0;       ///< That lanes ask for.
  uint64_t units = 0;       ///< Wavefronts of shared memory, sectors of global memory (warp_request.h).
  uint64_t ideal = 0;       ///< Units without conflicts, or of bytes side by side.
  uint64_t merged = 0;      ///< Of shared memory: SharedCost::merged.
  uint64_t divergent = 0;   ///< Branches that some lanes of a warp take and others do not.

  bool IsShared() const { return kind <= PointKind::kSharedAtomic; }
  bool IsGlobal() const { return kind > PointKind::kSharedAtomic && kind <= PointKind::kGlobalAtomic; }
};


class ProfileMonitor : public Monitor {
 public:
  /// `tables` are of code for profile mode; they outlive the monitor.
  explicit ProfileMonitor(const WatchTables& tables);

  /// Once, after the launch: in the order in which points were first met.
  std::vector<PointCounters> Finish();

  void BeginBlock(Block& block) override;
  bool IsOver() const override { return false; }
  void Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) override;
  void AccessMbarrier(GpuThread&, const void*, size_t, uint32_t) override {}
  void SharedBegins(GpuThread&, const void*) override {}
  void Meet(std::span<GpuThread* const> threads) override;
  void Fence(GpuThread&) override {}
  void Release(GpuThread&, SyncClock&) override {}
  void Acquire(GpuThread&, const SyncClock&) override {}
  AsyncToken BeginAsyncWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) override;
  void EndAsyncWrite(AsyncToken, bool, SyncClock*) override {}
  AsyncToken BeginAsyncRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) override;
  void EndAsyncRead(AsyncToken, GpuThread&) override {}
  void Branch(GpuThread& thread, bool taken, uint32_t site) override;
  void Iterate(GpuThread& thread) override { ++moments_[thread.linear_tid]; }
  /// What is misused, watch mode tells.
  void Report(std::string_view, GpuThread&, uint32_t, std::string_view, const GpuThread*, uint32_t) override {}
  void Deadlock(std::span<GpuThread>) override {}

 private:
  struct SiteTraits {
    bool is_bulk = false;  ///< Done by an engine, not by lanes.
    bool is_barrier = false;
  };
  /// Where lanes meet in one instruction.
  struct Place {
    uint64_t moment;  ///< Barriers, then iterations.
    uint32_t site;
    uint32_t part;  ///< kind * 2^24 + which of the instructions that an access is split into.

    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    size_t operator()(const Place& place) const {
      return (place.moment * 0x9E3779B97F4A7C15 ^ place.site) * 0x9E3779B97F4A7C15 ^ place.part;
    }
  };
  /// An instruction of which some lanes are still to come. For a branch, an address is whether it is taken.
  struct Pending {
    WarpRequest request;
    PointKind kind;
  };

  /// An access of a lane, instruction by instruction.
  void AddAccess(GpuThread& thread, PointKind kind, uint64_t address, size_t bytes, uint32_t site);
  void Add(GpuThread& thread, Place place, PointKind kind, uint64_t address, uint32_t bytes);
  void Count(const Pending& pending, uint32_t site);
  /// Counts what is pending of a warp: the lanes that are missing do not come.
  void Flush(uint32_t warp);
  void FlushAll();
  PointCounters& PointOf(PointKind kind, uint32_t site, uint32_t lane_bytes);

  const WatchTables tables_;
  std::vector<SiteTraits> traits_;  ///< By site.
  Block* block_ = nullptr;
  std::vector<uint64_t> moments_;  ///< By thread: barriers * 2^32 + iterations since.
  std::vector<std::unordered_map<Place, Pending, PlaceHash>> pending_;  ///< By warp.
  std::vector<PointCounters> points_;
  std::map<std::tuple<PointKind, uint32_t, uint32_t>, size_t> by_site_;                  ///< Of kind, site and width.
  std::map<std::tuple<PointKind, std::string, std::string, uint32_t>, size_t> by_name_;  ///< And of equal names.
};

}  // namespace mmtune::simt
