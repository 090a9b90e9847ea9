// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs kernels written in C++ with the race detector, without a compiler: they report accesses like instrumented code.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/launch_pool.h"
#include "kernels/simulator/memory/device_memory.h"
#include "kernels/simulator/race_detector/finding.h"
#include "kernels/simulator/race_detector/race_monitor.h"

namespace mmtune::simt {

/// Program points of the kernels.
enum SiteId : uint32_t {
  kNowhere,
  kStore,
  kLoad,
  kBarrier,
  kOtherBarrier,
  kCopy,
  kWait,
  kAtomic,
  kWarpOp,
  kOtherWarpOp
};
inline constexpr Site kTestSites[] = {
    {"unknown", "unknown", 0},
    {"llvm.store", "kernel.mlir:1:1", 0},
    {"llvm.load", "kernel.mlir:2:1", 0},
    {"nvvm.barrier0", "kernel.mlir:3:1", 0},
    {"nvvm.barrier0", "kernel.mlir:4:1", 0},
    {"nvvm.cp.async.shared.global", "kernel.mlir:5:1", 0},
    {"nvvm.cp.async.wait.group", "kernel.mlir:6:1", 0},
    {"llvm.atomicrmw", "kernel.mlir:7:1", 0},
    {"nvvm.vote.sync", "kernel.mlir:8:1", 0},
    {"nvvm.vote.sync", "kernel.mlir:9:1", 0},
    {nullptr, nullptr, 0},
};

template <typename T>
void Store(ThreadContext* t, T* address, T value, uint32_t site = kStore) {
  mmtune_simt_access(t, address, sizeof(T), AccessKind::kWrite, site);
  std::memcpy(address, &value, sizeof(T));
}

template <typename T>
T Load(ThreadContext* t, const T* address, uint32_t site = kLoad) {
  mmtune_simt_access(t, address, sizeof(T), AccessKind::kRead, site);
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

/// The value before.
inline uint32_t AtomicAdd(ThreadContext* t, uint32_t* address, uint32_t value, AccessKind kind = AccessKind::kAtomic) {
  mmtune_simt_access(t, address, sizeof(*address), kind, kAtomic);
  return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
}

inline uint32_t AtomicLoad(ThreadContext* t, const uint32_t* address, AccessKind kind = AccessKind::kAtomicRead) {
  mmtune_simt_access(t, address, sizeof(*address), kind, kAtomic);
  return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}

inline void AtomicStore(ThreadContext* t, uint32_t* address, uint32_t value,
                        AccessKind kind = AccessKind::kAtomicWrite) {
  mmtune_simt_access(t, address, sizeof(*address), kind, kAtomic);
  __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
}

inline void ThreadFence(ThreadContext* t) { mmtune_simt_fence(t, FenceKind::kMemory, kNowhere); }
inline void BlockFence(ThreadContext* t) { mmtune_simt_fence(t, FenceKind::kBlockMemory, kNowhere); }

inline void SyncThreads(ThreadContext* t, uint32_t site = kBarrier) { mmtune_simt_barrier(t, 0, 0, site); }

template <typename T>
T* Shared(ThreadContext* t, size_t offset = 0) {
  return reinterpret_cast<T*>(t->shared + offset);
}

template <typename T>
T* Argument(void** arguments, int index) {
  return *static_cast<T**>(arguments[index]);
}

struct MonitoredShape {
  uint32_t blocks = 1;
  uint32_t threads = 64;
  uint32_t shared = 1024;
  std::optional<uint64_t> fuzzing_seed;
  int max_findings = 8;
  const RedZone* red_zones = nullptr;
  const Variable* variables = nullptr;
};

class MonitoredLaunches {
 public:
  MonitoredLaunches() : memory_(PhysicalMemoryBytes()), pool_(1) { InstallFaultHandler(); }

  /// Zeroed; the next argument of kernels.
  void AddBuffer(size_t bytes) { buffers_.push_back(memory_.Allocate(bytes).value()); }
  template <typename T>
  T* Buffer(size_t index) {
    return reinterpret_cast<T*>(buffers_[index]);
  }

  std::vector<Finding> Run(KernelEntry entry, const MonitoredShape& shape = {}) {
    LaunchJob job;
    job.entry = entry;
    job.grid[0] = shape.blocks;
    job.block[0] = shape.threads;
    job.dynamic_shared_bytes = shape.shared;
    job.fuzzing_seed = shape.fuzzing_seed;
    std::vector<void*> arguments;
    for (DevicePtr& buffer : buffers_) arguments.push_back(&buffer);
    job.arguments = arguments.data();
    CheckedLaunch launch;
    launch.kernel = "kernel";
    launch.job = &job;
    launch.memory = &memory_;
    launch.tables = {.sites = kTestSites, .red_zones = shape.red_zones, .variables = shape.variables};
    launch.max_findings = shape.max_findings;
    auto monitor = RaceMonitor::Create(launch).value();
    job.monitor = monitor.get();
    failure_ = pool_.Run(job);
    return monitor->TakeFindings();
  }

  /// Findings of the last run.
  const std::optional<BlockFailure>& failure() const { return failure_; }

 private:
  DeviceMemory memory_;
  LaunchPool pool_;
  std::vector<DevicePtr> buffers_;
  std::optional<BlockFailure> failure_;
};

}  // namespace mmtune::simt
