// Lanes of a warp meet at operations that they execute together.
#include <bit>
#include <string>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/block_runner.h"
#include "kernels/runtime/simt/ops/warp_call.h"

namespace mmtune::simt {

void BlockRunner::WarpOperations(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t mask,
                                 const uint32_t* in, uint32_t* out) {
  thread->site = ops->site;
  thread->op = ops;
  thread->in = in;
  thread->out = out;
  const uint32_t members = Members(thread, mask, "warp operation");
  WarpMeeting& meeting = JoinMeeting(thread, ops, count, members);
  if (static_cast<int>(++meeting.arrived) < std::popcount(members)) {
    thread->state = GpuThread::State::kInWarpOperation;
    thread->waits_for = members;
    RunNext(thread);
    return;
  }
  GpuThread* warp = &threads_[thread->warp * kWarpSize];
  warps_[thread->warp].meeting_lanes &= ~(members & -members);
  ExecuteMeeting(warp, meeting);
  NoteProgress();
  for (uint32_t left = members & ~(1u << thread->lane); left != 0; left &= left - 1) {
    MakeReady(&warp[std::countr_zero(left)]);
  }
  GiveWay(thread);
}

BlockRunner::WarpMeeting& BlockRunner::JoinMeeting(GpuThread* thread, const WarpOp* ops, uint32_t count,
                                                   uint32_t members) {
  Warp& warp = warps_[thread->warp];
  for (uint32_t left = warp.meeting_lanes; left != 0; left &= left - 1) {
    WarpMeeting& meeting = warp.meetings[std::countr_zero(left)];
    if ((meeting.mask & members) == 0) continue;
    if (meeting.ops == ops && meeting.count == count && meeting.mask == members) return meeting;
    FailDivergence(thread, meeting.mask, members);
  }
  const uint32_t lowest = members & -members;
  warp.meeting_lanes |= lowest;
  WarpMeeting& meeting = warp.meetings[std::countr_zero(lowest)];
  meeting = {ops, count, members, 0};
  return meeting;
}

void BlockRunner::FailDivergence(GpuThread* thread, uint32_t their_mask, uint32_t members) {
  GpuThread* first = &threads_[thread->warp * kWarpSize];
  while (first->state != GpuThread::State::kInWarpOperation || first->waits_for != their_mask) ++first;
  auto what = [&] {
    return absl::StrCat("a warp operation of mask 0x", absl::Hex(members), ", while lane ", first->lane,
                        " waits in another one of mask 0x", absl::Hex(their_mask));
  };
  if (monitor_ == nullptr) Fail(thread, what());
  monitor_->ReportPair("warp-divergence", *thread, thread->site, *first, first->site, what());
  EndLaunch();
}

void BlockRunner::ExecuteMeeting(GpuThread* warp, const WarpMeeting& meeting) {
  WarpCall call;
  call.runner = this;
  call.warp = warp;
  call.mask = meeting.mask;
  for (uint32_t left = meeting.mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    call.in[lane] = warp[lane].in;
    call.out[lane] = warp[lane].out;
  }
  for (uint32_t i = 0; i < meeting.count; ++i) {
    const WarpOp& op = meeting.ops[i];
    if (monitor_ != nullptr) {
      for (uint32_t left = meeting.mask; left != 0; left &= left - 1) warp[std::countr_zero(left)].site = op.site;
    }
    ExecuteWarpOp(op, call);
    for (uint32_t left = meeting.mask; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      call.in[lane] += op.inputs;
      call.out[lane] += op.outputs;
    }
  }
}

}  // namespace mmtune::simt
