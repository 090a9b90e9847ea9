// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/profile/profile_monitor.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace mmtune::simt {
namespace {

constexpr uint64_t kBarrierStep = uint64_t{1} << 32;
constexpr uint32_t kWidestAccess = 16;

PointKind KindOf(AccessKind kind, bool shared) {
  if (IsAtomic(kind) && Reads(kind) && Writes(kind)) {
    return shared ? PointKind::kSharedAtomic : PointKind::kGlobalAtomic;
  }
  if (Writes(kind)) return shared ? PointKind::kSharedStore : PointKind::kGlobalStore;
  return shared ? PointKind::kSharedLoad : PointKind::kGlobalLoad;
}

}  // namespace

ProfileMonitor::ProfileMonitor(const InstrumentationTables& tables) : tables_(tables) {
  for (const Site* site = tables.sites; site->operation != nullptr; ++site) {
    const std::string_view operation = site->operation;
    auto has = [&](std::string_view part) { return operation.find(part) != std::string_view::npos; };
    traits_.push_back({.is_bulk = has(".bulk") || has("wgmma"), .is_barrier = has("barrier") && !has("mbarrier")});
  }
}

std::vector<PointCounters> ProfileMonitor::Finish() {
  FlushAll();
  return std::move(points_);
}

void ProfileMonitor::BeginBlock(ClusterRunner& runner) {
  FlushAll();
  runner_ = &runner;
  progress_.assign(runner.threads().size(), 0);
  pending_.resize(size_t{runner.blocks()} * runner.warp_count());
}

uint64_t ProfileMonitor::OffsetOf(const GpuThread& thread, const void* shared) const {
  return static_cast<uint64_t>(static_cast<const char*>(shared) - runner_->SharedOf(runner_->RankOf(thread, shared)));
}

void ProfileMonitor::Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) {
  const bool shared = runner_->IsShared(address);
  if (!shared && runner_->IsOnStack(address)) return;
  const auto at = shared ? OffsetOf(thread, address) : reinterpret_cast<uint64_t>(address);
  AddAccess(thread, KindOf(kind, shared), at, bytes, site);
}

AsyncToken ProfileMonitor::BeginAsyncWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  AddAccess(thread, PointKind::kSharedStore, OffsetOf(thread, shared), bytes, site);
  return 0;
}

AsyncToken ProfileMonitor::BeginAsyncRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  AddAccess(thread, PointKind::kSharedLoad, OffsetOf(thread, shared), bytes, site);
  return 0;
}

void ProfileMonitor::AddAccess(GpuThread& thread, PointKind kind, uint64_t address, size_t bytes, uint32_t site) {
  if (traits_[site].is_bulk) {
    PointCounters& point = PointOf(kind, site, 0);
    ++point.executions;
    point.bytes += bytes;
    return;
  }
  const uint32_t widest = std::min(tables_.access_widths[site], kWidestAccess);
  for (uint32_t part = 0; bytes != 0; ++part) {
    const auto width = std::min(widest, static_cast<uint32_t>(std::bit_floor(std::min<size_t>(bytes, kWidestAccess))));
    Add(thread, {progress_[thread.number], site, static_cast<uint32_t>(kind) << 24 | part}, kind, address, width);
    address += width;
    bytes -= width;
  }
}

void ProfileMonitor::Branch(GpuThread& thread, bool taken, uint32_t site) {
  const PointKind kind = PointKind::kBranch;
  Add(thread, {progress_[thread.number], site, static_cast<uint32_t>(kind) << 24}, kind, taken ? 1 : 0, 0);
}

void ProfileMonitor::Add(GpuThread& thread, InstructionKey key, PointKind kind, uint64_t address, uint32_t bytes) {
  auto& pending = pending_[WarpNumber(thread)];
  auto [at, is_new] = pending.try_emplace(key);
  Pending& instruction = at->second;
  const uint32_t bit = 1u << thread.lane;
  if ((instruction.request.lanes & bit) != 0) {  // The lane executes it again, so the others did not.
    Count(instruction, key.site);
    instruction.request.lanes = 0;
  }
  instruction.kind = kind;
  instruction.request.bytes = bytes;
  instruction.request.lanes |= bit;
  instruction.request.address[thread.lane] = address;
  const uint32_t lanes = runner_->LanesOfWarp(thread.warp);
  if (static_cast<uint32_t>(std::popcount(instruction.request.lanes)) != lanes) return;
  Count(instruction, key.site);
  pending.erase(at);
}

void ProfileMonitor::Count(const Pending& pending, uint32_t site) {
  const WarpRequest& request = pending.request;
  PointCounters& point = PointOf(pending.kind, site, request.bytes);
  ++point.executions;
  point.bytes += uint64_t{request.bytes} * static_cast<uint32_t>(std::popcount(request.lanes));
  if (point.IsShared()) {
    const SharedCost cost = CostInShared(request);
    point.units += cost.wavefronts;
    point.ideal += cost.ideal;
    point.merged += cost.merged;
  } else if (point.IsGlobal()) {
    const GlobalCost cost = CostInGlobal(request);
    point.units += cost.sectors;
    point.ideal += cost.ideal;
  } else {
    uint32_t taken = 0;
    for (uint32_t left = request.lanes; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      if (request.address[lane] != 0) taken |= 1u << lane;
    }
    point.divergent += taken != 0 && taken != request.lanes ? 1 : 0;
  }
}

void ProfileMonitor::Synchronize(std::span<GpuThread* const> threads) {
  uint64_t progress = 0;
  for (const GpuThread* thread : threads) progress = std::max(progress, progress_[thread->number]);
  progress = progress / kBarrierStep * kBarrierStep + kBarrierStep;
  std::vector<uint32_t> lanes(pending_.size());
  for (const GpuThread* thread : threads) {
    progress_[thread->number] = progress;
    ++lanes[WarpNumber(*thread)];
  }
  const uint32_t site = threads.front()->site;
  for (uint32_t warp = 0; warp < lanes.size(); ++warp) {
    if (lanes[warp] == 0) continue;
    if (traits_[site].is_barrier) ++PointOf(PointKind::kBarrier, site, 0).executions;
    if (lanes[warp] == runner_->LanesOfWarp(warp % runner_->warp_count())) Flush(warp);
  }
}

void ProfileMonitor::Flush(uint32_t warp) {
  for (const auto& [key, pending] : pending_[warp]) Count(pending, key.site);
  pending_[warp].clear();
}

void ProfileMonitor::FlushAll() {
  for (uint32_t warp = 0; warp < pending_.size(); ++warp) Flush(warp);
}

PointCounters& ProfileMonitor::PointOf(PointKind kind, uint32_t site, uint32_t lane_bytes) {
  auto [known, is_new_site] = by_site_.try_emplace({kind, site, lane_bytes});
  if (!is_new_site) return points_[known->second];
  const Site& names = tables_.sites[site];
  auto [named, is_new] = by_name_.try_emplace({kind, names.operation, names.location, lane_bytes}, points_.size());
  if (is_new) {
    PointCounters& point = points_.emplace_back();
    point.kind = kind;
    point.operation = names.operation;
    point.location = names.location;
    point.lane_bytes = lane_bytes;
  }
  known->second = named->second;
  return points_[known->second];
}

}  // namespace mmtune::simt
