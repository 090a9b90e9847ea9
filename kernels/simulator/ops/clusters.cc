// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/clusters.h"

#include "absl/strings/str_cat.h"
#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/ops/block_ops.h"

namespace mmtune::simt {
namespace {

/// The bits of a shared::cluster address below the rank.
constexpr uint32_t kOffsetBits = 24;

}  // namespace

void ClusterBarrier::Reset(uint32_t threads) {
  threads_ = threads;
  exited_ = arrived_ = 0;
  phase_ = 0;
  if (arrivals_.empty()) return;
  arrivals_.clear();
  released_ = completed_ = {};
}

void ClusterBarrier::Arrive(GpuThread& thread, bool relaxed, uint32_t site) {
  if (arrivals_.empty()) arrivals_.assign(threads_, kNone);
  if (arrivals_[thread.number] != kNone) {
    FailOperation(thread, site, "barrier.cluster.arrive again, without barrier.cluster.wait after the arrival before");
  }
  thread.site = site;
  if (Monitor* monitor = thread.runner->monitor()) {
    if (relaxed) {
      monitor->ReleaseFenced(thread, released_);
    } else {
      monitor->Release(thread, released_);
    }
  }
  arrivals_[thread.number] = phase_;
  ++arrived_;
  CompleteIfAllArrived(thread);
}

void ClusterBarrier::Wait(GpuThread& thread, uint32_t site) {
  if (arrivals_.empty() || arrivals_[thread.number] == kNone) {
    FailOperation(thread, site, "barrier.cluster.wait without barrier.cluster.arrive before");
  }
  thread.site = site;
  Scheduler& scheduler = thread.runner->scheduler();
  while (arrivals_[thread.number] == phase_) scheduler.Sleep(&thread, this, site, "the barrier of the cluster");
  arrivals_[thread.number] = kNone;
  if (Monitor* monitor = thread.runner->monitor()) monitor->Acquire(thread, completed_);
  scheduler.YieldIfFuzzing(&thread);
}

void ClusterBarrier::ThreadExits(GpuThread& thread) {
  ++exited_;
  if (!arrivals_.empty() && arrivals_[thread.number] == phase_) return;  // It counts from the next phase on.
  ++arrived_;
  CompleteIfAllArrived(thread);
}

void ClusterBarrier::CompleteIfAllArrived(GpuThread& thread) {
  if (arrived_ != threads_) return;
  arrived_ = exited_;
  ++phase_;
  // Clocks only grow, so what was released in earlier phases may stay.
  if (thread.runner->monitor() != nullptr) completed_ = released_;
  thread.runner->scheduler().Wake(this);
}

extern "C" {

uint32_t mmtune_simt_cluster_register(ThreadContext* context, ClusterRegister which) {
  const GpuThread& self = *ThreadOf(context);
  const LaunchJob& job = self.runner->job();
  const uint32_t part = static_cast<uint32_t>(which) % 3;
  const uint32_t blocks = job.cluster[part];
  switch (static_cast<ClusterRegister>(static_cast<uint32_t>(which) - part)) {
    case ClusterRegister::kClusterId:
      return self.ctaid[part] / blocks;
    case ClusterRegister::kClusters:
      return self.nctaid[part] / blocks;
    case ClusterRegister::kBlockId:
      return self.ctaid[part] % blocks;
    case ClusterRegister::kBlocks:
      return blocks;
    default:
      return which == ClusterRegister::kBlockRank ? self.cluster_rank : self.runner->blocks();
  }
}

void mmtune_simt_cluster_arrive(ThreadContext* context, uint32_t relaxed, uint32_t site) {
  GpuThread& self = *ThreadOf(context);
  self.ops->cluster_barrier().Arrive(self, relaxed != 0, site);
}

void mmtune_simt_cluster_wait(ThreadContext* context, uint32_t site) {
  GpuThread& self = *ThreadOf(context);
  self.ops->cluster_barrier().Wait(self, site);
}

void* mmtune_simt_mapa(ThreadContext* context, const void* shared, uint32_t rank, uint32_t site) {
  GpuThread& self = *ThreadOf(context);
  const ClusterRunner& runner = *self.runner;
  if (!runner.IsShared(shared)) FailOperation(self, site, "mapa of an address that is not in shared memory");
  if (rank >= runner.blocks()) {
    FailOperation(self, site, absl::StrCat("mapa to block ", rank, " of a cluster of ", runner.blocks()));
  }
  const auto offset = static_cast<const char*>(shared) - runner.SharedOf(runner.RankOf(self, shared));
  return runner.SharedOf(rank) + offset;
}

uint32_t mmtune_simt_cluster_address(ThreadContext* context, const void* shared) {
  const GpuThread& self = *ThreadOf(context);
  const uint32_t rank = self.runner->RankOf(self, shared);
  const auto offset = static_cast<uint32_t>(static_cast<const char*>(shared) - self.runner->SharedOf(rank));
  if (rank == self.cluster_rank) return offset;
  return (rank + 1) << kOffsetBits | (offset & ((1u << kOffsetBits) - 1));
}

void* mmtune_simt_cluster_pointer(ThreadContext* context, uint64_t address) {
  const GpuThread& self = *ThreadOf(context);
  const uint64_t rank_part = address >> kOffsetBits;
  if (rank_part == 0 || rank_part > self.runner->blocks()) return self.shared + address;
  return self.runner->SharedOf(static_cast<uint32_t>(rank_part) - 1) + (address & ((1u << kOffsetBits) - 1));
}

}  // extern "C"
}  // namespace mmtune::simt
