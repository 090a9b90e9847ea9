// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/ops/wgmma_groups.h"

#include <algorithm>
#include <cstring>

#include "kernels/runtime/simt/ops/block_ops.h"
#include "kernels/runtime/simt/ops/warp_barrier.h"
#include "kernels/runtime/simt/ops/warp_ops.h"

namespace mmtune::simt {

bool WgmmaSequence::Agrees(size_t index, const WarpOp& op, const uint32_t* words, size_t count) {
  if (index == steps_.size()) {
    steps_.push_back({op, std::vector<uint32_t>(words, words + count)});
    return true;
  }
  const Step& step = steps_[index];
  return std::memcmp(&step.op, &op, sizeof(op)) == 0 && std::equal(words, words + count, step.words.begin());
}

void WgmmaGroups::Commit() {
  committed_.push_back(std::move(open_));
  open_.clear();
}

bool WgmmaGroups::LastLaneArrives() {
  if (++waiting_lanes_ < kWarpSize) return false;
  waiting_lanes_ = 0;
  return true;
}

void WgmmaGroups::Retire(uint64_t groups, GpuThread& thread) {
  while (committed_.size() > groups) {
    for (AsyncToken read : committed_.front()) thread.block->monitor()->EndAsyncRead(read, thread);
    committed_.pop_front();
  }
}

void WatchWgmmaSequence(const WarpOp& op, const WarpCall& call, const uint32_t* words, size_t count) {
  BlockOps& ops = *call.warp->ops;
  WgmmaGroups& groups = ops.wgmma_groups(*call.warp);
  const size_t index = groups.NextOperation();
  if (index == 0 && !groups.fenced()) {
    ReportWarpOp(op, call, 0, "misuse", "the first operation of a warp needs wgmma.fence before it");
  }
  if (!ops.wgmma_sequence(*call.warp).Agrees(index, op, words, count)) {
    ReportWarpOp(op, call, 0, "warp-divergence",
                 "another warp of the warpgroup executed another operation or gave other descriptors");
  }
}

}  // namespace mmtune::simt

using mmtune::simt::GpuThread;
using mmtune::simt::ThreadContext;
using mmtune::simt::WarpBarrier;
using mmtune::simt::WgmmaGroups;

namespace {

/// Null but in watched launches: in others a wgmma is finished when it is issued.
WgmmaGroups* WatchedGroups(GpuThread* self) {
  return self->block->monitor() == nullptr ? nullptr : &self->ops->wgmma_groups(*self);
}

}  // namespace

extern "C" {

void mmtune_simt_wgmma_fence(ThreadContext* context, uint32_t) {
  WgmmaGroups* groups = WatchedGroups(static_cast<GpuThread*>(context));
  if (groups != nullptr) groups->Fence();
}

void mmtune_simt_wgmma_commit(ThreadContext* context, uint32_t) {
  // The lanes execute it together; lane 0 stands for them.
  WgmmaGroups* groups = WatchedGroups(static_cast<GpuThread*>(context));
  if (groups != nullptr && context->lane == 0) groups->Commit();
}

void mmtune_simt_wgmma_wait(ThreadContext* context, uint64_t groups, uint32_t site) {
  auto* self = static_cast<GpuThread*>(context);
  WgmmaGroups* of_warp = WatchedGroups(self);
  if (of_warp == nullptr) return;
  if (of_warp->LastLaneArrives()) of_warp->Retire(groups, *self);
  WarpBarrier(self, ~0u, site);
}

}  // extern "C"
