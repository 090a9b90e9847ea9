// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/warp_meetings.h"

#include <array>
#include <bit>
#include <string>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/block.h"
#include "kernels/simulator/ops/block_ops.h"
#include "kernels/simulator/ops/warp_ops.h"

namespace mmtune::simt {
namespace {

constexpr uint32_t kAllLanes = UINT32_MAX;

/// The lanes of `mask` that exist. Fails unless `thread` is one; `what` names the operation.
uint32_t WarpMembers(GpuThread* thread, uint32_t mask, const char* what) {
  const uint32_t lanes = thread->block->LanesOfWarp(thread->warp);
  const uint32_t members = lanes == kWarpSize ? mask : mask & ((1u << lanes) - 1);
  if ((members >> thread->lane & 1) == 0) {
    thread->block->Fail(thread,
                        absl::StrCat(what, " of mask 0x", absl::Hex(mask), " without its own lane ", thread->lane));
  }
  return members;
}

[[noreturn]] void FailDivergence(GpuThread* thread, uint32_t their_mask, uint32_t members) {
  Block& block = *thread->block;
  GpuThread* first = block.warp(thread->warp);
  while (first->state != GpuThread::State::kInWarpOperation || first->waits_for != their_mask) ++first;
  auto what = [&] {
    return absl::StrCat("a warp operation of mask 0x", absl::Hex(members), ", while lane ", first->lane,
                        " waits in another one of mask 0x", absl::Hex(their_mask));
  };
  if (block.monitor() == nullptr) block.Fail(thread, what());
  block.monitor()->Report("warp-divergence", *thread, thread->site, what(), first, first->site);
  block.EndLaunch();
}

void ExecuteAll(GpuThread* warp, const WarpOp* ops, uint32_t count, uint32_t mask) {
  WarpCall call;
  call.warp = warp;
  call.mask = mask;
  ForEachLane(mask, [&](uint32_t lane) {
    call.in[lane] = warp[lane].in;
    call.out[lane] = warp[lane].out;
  });
  const bool is_watched = warp->block->monitor() != nullptr;
  for (const WarpOp* op = ops; op != ops + count; ++op) {
    if (is_watched) ForEachLane(mask, [&](uint32_t lane) { warp[lane].site = op->site; });
    ExecuteWarpOp(*op, call);
    ForEachLane(mask, [&](uint32_t lane) {
      call.in[lane] += op->inputs;
      call.out[lane] += op->outputs;
    });
  }
}

}  // namespace

void WarpBarrier(GpuThread* thread, uint32_t mask, uint32_t site) {
  thread->site = site;
  const uint32_t members = WarpMembers(thread, mask, "warp barrier");
  Block& block = *thread->block;
  Scheduler& scheduler = block.scheduler();
  std::array<GpuThread*, kWarpSize> met;
  uint32_t arrived = 0;
  GpuThread* warp = block.warp(thread->warp);
  for (uint32_t lane = 0; lane < block.LanesOfWarp(thread->warp); ++lane) {
    GpuThread& other = warp[lane];
    if (other.state == GpuThread::State::kAtWarpBarrier && other.waits_for == members) met[arrived++] = &other;
  }
  if (static_cast<int>(arrived) + 1 < std::popcount(members)) {
    thread->state = GpuThread::State::kAtWarpBarrier;
    thread->waits_for = members;
    scheduler.RunNext(thread);
    return;
  }
  for (uint32_t i = 0; i < arrived; ++i) scheduler.MakeReady(met[i]);
  scheduler.NoteProgress();
  if (Monitor* monitor = block.monitor()) {
    met[arrived++] = thread;
    monitor->Meet({met.data(), arrived});
  }
  scheduler.GiveWay(thread);
}

void WarpMeetings::Reset(uint32_t threads) {
  warps_.resize((threads + kWarpSize - 1) / kWarpSize);
  for (Warp& warp : warps_) warp.lanes = 0;
}

void WarpMeetings::Execute(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t mask, const uint32_t* in,
                           uint32_t* out) {
  thread->site = ops->site;
  thread->in = in;
  thread->out = out;
  const uint32_t members = WarpMembers(thread, mask, "warp operation");
  Scheduler& scheduler = thread->block->scheduler();
  Meeting& meeting = Join(thread, ops, count, members);
  meeting.arrived |= 1u << thread->lane;
  if (meeting.arrived != members) {
    thread->state = GpuThread::State::kInWarpOperation;
    thread->waits_for = members;
    scheduler.RunNext(thread);
    return;
  }
  GpuThread* warp = thread->block->warp(thread->warp);
  Warp& all = warps_[thread->warp];
  all.lanes &= ~(1u << (&meeting - all.meetings.data()));
  ExecuteAll(warp, ops, count, members);
  scheduler.NoteProgress();
  ForEachLane(members & ~(1u << thread->lane), [&](uint32_t lane) { scheduler.MakeReady(&warp[lane]); });
  scheduler.GiveWay(thread);
}

WarpMeetings::Meeting& WarpMeetings::Join(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t members) {
  Warp& warp = warps_[thread->warp];
  for (uint32_t left = warp.lanes; left != 0; left &= left - 1) {
    Meeting& meeting = warp.meetings[std::countr_zero(left)];
    if (meeting.ops == ops && meeting.count == count && meeting.mask == members) return meeting;
    // Each waits for a lane that is at the other. Lanes that an operation leaves out may wait at the next one.
    const bool waits_for_this = (meeting.mask >> thread->lane & 1) != 0;
    if (waits_for_this && (meeting.arrived & members) != 0) FailDivergence(thread, meeting.mask, members);
  }
  warp.lanes |= 1u << thread->lane;
  Meeting& meeting = warp.meetings[thread->lane];
  meeting = {ops, count, members, /*arrived=*/0};
  return meeting;
}

extern "C" {

void mmtune_simt_barrier_warp(ThreadContext* context, uint32_t mask, uint32_t site) {
  WarpBarrier(ThreadOf(context), mask, site);
}

void mmtune_simt_warp(ThreadContext* context, const WarpOp* op, uint32_t mask, const uint32_t* in, uint32_t* out) {
  ThreadOf(context)->ops->warp_meetings().Execute(ThreadOf(context), op, 1, mask, in, out);
}

void mmtune_simt_warp_batch(ThreadContext* context, const WarpOp* ops, uint32_t count, const uint32_t* in,
                            uint32_t* out) {
  GpuThread* self = ThreadOf(context);
  WarpMeetings& meetings = self->ops->warp_meetings();
  if (!self->block->scheduler().copies_land_late()) {
    meetings.Execute(self, ops, count, kAllLanes, in, out);
    return;
  }
  // In stress mode other threads may run in between, as on a GPU.
  for (const WarpOp* op = ops; op != ops + count; ++op) {
    meetings.Execute(self, op, 1, kAllLanes, in, out);
    in += op->inputs;
    out += op->outputs;
  }
}

}  // extern "C"
}  // namespace mmtune::simt
