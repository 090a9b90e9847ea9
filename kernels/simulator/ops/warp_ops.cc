// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/warp_ops.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/ops/block_ops.h"
#include "kernels/simulator/ops/warp_matrix.h"
#include "kernels/simulator/ops/wgmma.h"

namespace mmtune::simt {
namespace {

std::string Shape(const WarpOp& op) { return absl::StrCat("m", op.m, "n", op.n, "k", op.k); }

std::string Types(const WarpOp& op) {
  return absl::StrCat(".", ElementTypeName(op.d), ".", ElementTypeName(op.a), ".", ElementTypeName(op.b), ".",
                      ElementTypeName(op.c));
}

std::string Tiles(const WarpOp& op) {
  return absl::StrCat(".m", op.m, "n", op.n, ".x", op.tiles, (op.flags & kTransposed) != 0 ? ".trans" : "", " of ",
                      ElementTypeName(op.a));
}

std::string Name(const WarpOp& op) {
  switch (op.kind) {
    case WarpOpKind::kShuffle:
      return "shfl.sync";
    case WarpOpKind::kVote:
      return "vote.sync";
    case WarpOpKind::kReduce:
      return "redux.sync";
    case WarpOpKind::kElect:
      return "elect.sync";
    case WarpOpKind::kMatch:
      return "match.sync";
    case WarpOpKind::kLoadMatrix:
      return absl::StrCat("ldmatrix", Tiles(op));
    case WarpOpKind::kStoreMatrix:
      return absl::StrCat("stmatrix", Tiles(op));
    case WarpOpKind::kMma:
      return absl::StrCat("mma.sync.", Shape(op), Types(op));
    case WarpOpKind::kWgmma:
      return absl::StrCat("wgmma.mma_async.", Shape(op), ".", ElementTypeName(op.d), ".", ElementTypeName(op.a), ".",
                          ElementTypeName(op.b));
  }
  return absl::StrCat("warp operation ", static_cast<uint32_t>(op.kind));
}

constexpr uint32_t kAllLanes = UINT32_MAX;

/// Returns the lanes of `mask` that exist. Fails unless `thread` is one of them; `what` names the operation.
uint32_t WarpMembers(GpuThread* thread, uint32_t mask, const char* what) {
  const uint32_t lanes = thread->runner->LanesOfWarp(thread->warp);
  const uint32_t members = lanes == kWarpSize ? mask : mask & ((1u << lanes) - 1);
  if ((members >> thread->lane & 1) == 0) {
    thread->runner->Fail(thread,
                         absl::StrCat(what, " of mask 0x", absl::Hex(mask), " without its own lane ", thread->lane));
  }
  return members;
}

[[noreturn]] void FailDivergence(GpuThread* thread, uint32_t their_mask, uint32_t members) {
  ClusterRunner& runner = *thread->runner;
  GpuThread* first = thread - thread->lane;
  while (first->state != GpuThread::State::kInWarpOperation || first->waits_for != their_mask) ++first;
  auto what = [&] {
    return absl::StrCat("a warp operation of mask 0x", absl::Hex(members), ", while lane ", first->lane,
                        " waits in another one of mask 0x", absl::Hex(their_mask));
  };
  if (runner.monitor() == nullptr) runner.Fail(thread, what());
  runner.monitor()->Report("warp-divergence", *thread, thread->site, what(), first, first->site);
  runner.EndLaunch();
}

void ExecuteAll(GpuThread* warp, const WarpOp* ops, uint32_t count, uint32_t mask) {
  WarpCall call;
  call.warp = warp;
  call.mask = mask;
  ForEachLane(mask, [&](uint32_t lane) {
    call.in[lane] = warp[lane].in;
    call.out[lane] = warp[lane].out;
  });
  const bool is_monitored = warp->runner->monitor() != nullptr;
  for (const WarpOp* op = ops; op != ops + count; ++op) {
    if (is_monitored) ForEachLane(mask, [&](uint32_t lane) { warp[lane].site = op->site; });
    ExecuteWarpOp(*op, call);
    ForEachLane(mask, [&](uint32_t lane) {
      call.in[lane] += op->inputs;
      call.out[lane] += op->outputs;
    });
  }
}

/// Lanes that wait at one warp barrier.
struct WaitingLanes {
  std::array<GpuThread*, kWarpSize> lanes;
  uint32_t count = 0;
};

/// Returns the lanes of the thread's warp that wait at the warp barrier of `members`.
WaitingLanes LanesAtBarrier(GpuThread* thread, uint32_t members) {
  WaitingLanes waiting;
  GpuThread* warp = thread - thread->lane;
  for (uint32_t lane = 0; lane < thread->runner->LanesOfWarp(thread->warp); ++lane) {
    GpuThread& other = warp[lane];
    if (other.state != GpuThread::State::kAtWarpBarrier || other.waits_for != members) continue;
    waiting.lanes[waiting.count++] = &other;
  }
  return waiting;
}

struct ShuffleSource {
  int lane;
  bool in_range;
};

ShuffleSource FindSource(ShuffleMode mode, int lane, uint32_t b, uint32_t c) {
  const int offset = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  const int first = lane & segment;
  const int last = first | (clamp & ~segment);
  switch (mode) {
    case ShuffleMode::kUp:
      return {lane - offset, lane - offset >= last};
    case ShuffleMode::kDown:
      return {lane + offset, lane + offset <= last};
    case ShuffleMode::kButterfly:
      return {lane ^ offset, (lane ^ offset) <= last};
    case ShuffleMode::kIndex:
      return {first | (offset & ~segment), (first | (offset & ~segment)) <= last};
  }
  return {lane, false};
}

uint32_t Combine(const WarpOp& op, uint32_t x, uint32_t y) {
  const auto mode = static_cast<ReduceMode>(op.mode);
  switch (mode) {
    case ReduceMode::kAdd:
      return x + y;
    case ReduceMode::kMinS:
      return static_cast<uint32_t>(std::min(static_cast<int32_t>(x), static_cast<int32_t>(y)));
    case ReduceMode::kMaxS:
      return static_cast<uint32_t>(std::max(static_cast<int32_t>(x), static_cast<int32_t>(y)));
    case ReduceMode::kMinU:
      return std::min(x, y);
    case ReduceMode::kMaxU:
      return std::max(x, y);
    case ReduceMode::kAnd:
      return x & y;
    case ReduceMode::kOr:
      return x | y;
    case ReduceMode::kXor:
      return x ^ y;
    case ReduceMode::kMinF:
    case ReduceMode::kMaxF:
      return std::bit_cast<uint32_t>(MinMax(std::bit_cast<float>(x), std::bit_cast<float>(y), mode == ReduceMode::kMinF,
                                            (op.flags & kPropagateNan) != 0));
  }
  return x;
}

uint64_t MatchedValue(const WarpOp& op, const WarpCall& call, uint32_t lane) {
  const uint64_t low = call.in[lane][0];
  return (op.flags & kWide) != 0 ? low | uint64_t{call.in[lane][1]} << 32 : low;
}

void ExecuteShuffle(const WarpOp& op, const WarpCall& call) {
  const auto mode = static_cast<ShuffleMode>(op.mode);
  ForEachLane(call.mask, [&](uint32_t lane) {
    const int own = static_cast<int>(lane);
    const ShuffleSource source = FindSource(mode, own, call.in[lane][1], call.in[lane][2]);
    const int from = source.in_range ? source.lane : own;
    if ((call.mask >> from & 1) != 0) {
      call.out[lane][0] = call.in[from][0];
    } else {
      call.out[lane][0] = 0;
      ReportWarpOp(op, call, lane, "misuse",
                   absl::StrCat("reads lane ", from, ", which is not in its mask, or has exited"));
    }
    if (op.outputs > 1) call.out[lane][1] = source.in_range;
  });
}

void ExecuteVote(const WarpOp& op, const WarpCall& call) {
  uint32_t ballot = 0;
  ForEachLane(call.mask, [&](uint32_t lane) { ballot |= (call.in[lane][0] & 1) << lane; });
  uint32_t result = ballot;
  const auto mode = static_cast<VoteMode>(op.mode);
  if (mode == VoteMode::kAll) result = ballot == call.mask;
  if (mode == VoteMode::kAny) result = ballot != 0;
  if (mode == VoteMode::kUniform) result = ballot == call.mask || ballot == 0;
  ForEachLane(call.mask, [&](uint32_t lane) { call.out[lane][0] = result; });
}

void ExecuteReduce(const WarpOp& op, const WarpCall& call) {
  const auto mode = static_cast<ReduceMode>(op.mode);
  const bool is_float = mode == ReduceMode::kMinF || mode == ReduceMode::kMaxF;
  const uint32_t keep = is_float && (op.flags & kAbsolute) != 0 ? 0x7fffffff : ~0u;
  uint32_t result = call.in[std::countr_zero(call.mask)][0] & keep;
  ForEachLane(call.mask & (call.mask - 1),
              [&](uint32_t lane) { result = Combine(op, result, call.in[lane][0] & keep); });
  if (is_float) result = std::bit_cast<uint32_t>(Canonical(std::bit_cast<float>(result)));
  ForEachLane(call.mask, [&](uint32_t lane) { call.out[lane][0] = result; });
}

void ExecuteElect(const WarpOp& op, const WarpCall& call) {
  const uint32_t leader = std::countr_zero(call.mask);
  ForEachLane(call.mask, [&](uint32_t lane) {
    call.out[lane][0] = leader;
    if (op.outputs > 1) call.out[lane][1] = lane == leader;
  });
}

void ExecuteMatch(const WarpOp& op, const WarpCall& call) {
  const bool all = static_cast<MatchMode>(op.mode) == MatchMode::kAll;
  ForEachLane(call.mask, [&](uint32_t lane) {
    const uint64_t value = MatchedValue(op, call, lane);
    uint32_t equal = 0;
    ForEachLane(call.mask, [&](uint32_t other) {
      if (MatchedValue(op, call, other) == value) equal |= 1u << other;
    });
    call.out[lane][0] = !all || equal == call.mask ? equal : 0;
    if (op.outputs > 1) call.out[lane][1] = equal == call.mask;
  });
}

}  // namespace

const char* ElementTypeName(ElementType type) {
  static constexpr const char* kNames[] = {"none", "f16", "bf16", "tf32", "f32",  "f64",
                                           "s8",   "u8",  "s32",  "b1",   "e4m3", "e5m2"};
  const auto index = static_cast<uint32_t>(type);
  return index < std::size(kNames) ? kNames[index] : "unknown";
}

void FailWarpOp(const WarpOp& op, const WarpCall& call, const std::string& what) {
  call.warp->runner->Fail(call.warp + std::countr_zero(call.mask), absl::StrCat(Name(op), ": ", what));
}

void ReportWarpOp(const WarpOp& op, const WarpCall& call, uint32_t lane, const char* kind, const std::string& what) {
  Monitor* monitor = call.warp->runner->monitor();
  if (monitor != nullptr) monitor->Report(kind, call.warp[lane], op.site, absl::StrCat(Name(op), ": ", what));
}

void RequireWholeWarp(const WarpOp& op, const WarpCall& call) {
  if (call.mask != ~0u)
    FailWarpOp(op, call, absl::StrCat("all 32 lanes must take part, not only the lanes 0x", absl::Hex(call.mask)));
}

void ExecuteWarpOp(const WarpOp& op, const WarpCall& call) {
  switch (op.kind) {
    case WarpOpKind::kShuffle:
      return ExecuteShuffle(op, call);
    case WarpOpKind::kVote:
      return ExecuteVote(op, call);
    case WarpOpKind::kReduce:
      return ExecuteReduce(op, call);
    case WarpOpKind::kElect:
      return ExecuteElect(op, call);
    case WarpOpKind::kMatch:
      return ExecuteMatch(op, call);
    case WarpOpKind::kLoadMatrix:
      return ExecuteLoadMatrix(op, call);
    case WarpOpKind::kStoreMatrix:
      return ExecuteStoreMatrix(op, call);
    case WarpOpKind::kMma:
      return ExecuteMma(op, call);
    case WarpOpKind::kWgmma:
      return ExecuteWgmma(op, call);
  }
  FailWarpOp(op, call, "unknown kind of warp operation");
}

void WarpBarrier(GpuThread* thread, uint32_t mask, uint32_t site) {
  thread->site = site;
  const uint32_t members = WarpMembers(thread, mask, "warp barrier");
  ClusterRunner& runner = *thread->runner;
  Scheduler& scheduler = runner.scheduler();
  WaitingLanes waiting = LanesAtBarrier(thread, members);
  const uint32_t exited = thread->ops->warp_rendezvous(*thread).exited(thread->warp);
  if (static_cast<int>(waiting.count) + 1 < std::popcount(members & ~exited)) {
    thread->state = GpuThread::State::kAtWarpBarrier;
    thread->waits_for = members;
    scheduler.RunNext(thread);
    return;
  }
  for (uint32_t i = 0; i < waiting.count; ++i) scheduler.MakeReady(waiting.lanes[i]);
  scheduler.NoteProgress();
  if (Monitor* monitor = runner.monitor()) {
    waiting.lanes[waiting.count++] = thread;
    monitor->Synchronize({waiting.lanes.data(), waiting.count});
  }
  scheduler.YieldIfFuzzing(thread);
}

void WarpRendezvous::Reset(uint32_t threads) {
  warps_.resize((threads + kWarpSize - 1) / kWarpSize);
  for (Warp& warp : warps_) warp.lanes = warp.exited = 0;
}

void WarpRendezvous::ThreadExits(GpuThread& thread) {
  Warp& warp = warps_[thread.warp];
  warp.exited |= 1u << thread.lane;
  for (uint32_t left = warp.lanes; left != 0; left &= left - 1) {
    Rendezvous& rendezvous = warp.rendezvous[std::countr_zero(left)];
    if ((rendezvous.mask & ~warp.exited) == rendezvous.arrived) Finish(&thread, rendezvous);
  }
  ClusterRunner& runner = *thread.runner;
  GpuThread* lanes = &thread - thread.lane;
  for (uint32_t lane = 0; lane < runner.LanesOfWarp(thread.warp); ++lane) {
    if (lanes[lane].state != GpuThread::State::kAtWarpBarrier) continue;
    const uint32_t members = lanes[lane].waits_for;
    const WaitingLanes waiting = LanesAtBarrier(&thread, members);
    if (static_cast<int>(waiting.count) < std::popcount(members & ~warp.exited)) continue;
    if (Monitor* monitor = runner.monitor()) monitor->Synchronize({waiting.lanes.data(), waiting.count});
    for (uint32_t i = 0; i < waiting.count; ++i) runner.scheduler().MakeReady(waiting.lanes[i]);
  }
}

void WarpRendezvous::Finish(GpuThread* last, Rendezvous& rendezvous) {
  GpuThread* warp = last - last->lane;
  Warp& all = warps_[last->warp];
  all.lanes &= ~(1u << (&rendezvous - all.rendezvous.data()));
  const uint32_t arrived = rendezvous.arrived;
  ExecuteAll(warp, rendezvous.ops, rendezvous.count, arrived);
  Scheduler& scheduler = last->runner->scheduler();
  scheduler.NoteProgress();
  ForEachLane(arrived & ~(1u << last->lane), [&](uint32_t lane) { scheduler.MakeReady(&warp[lane]); });
}

void WarpRendezvous::Execute(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t mask, const uint32_t* in,
                             uint32_t* out) {
  thread->site = ops->site;
  thread->in = in;
  thread->out = out;
  const uint32_t members = WarpMembers(thread, mask, "warp operation");
  Scheduler& scheduler = thread->runner->scheduler();
  Rendezvous& rendezvous = FindOrBegin(thread, ops, count, members);
  rendezvous.arrived |= 1u << thread->lane;
  if (rendezvous.arrived != (members & ~warps_[thread->warp].exited)) {
    thread->state = GpuThread::State::kInWarpOperation;
    thread->waits_for = members;
    scheduler.RunNext(thread);
    return;
  }
  Finish(thread, rendezvous);
  scheduler.YieldIfFuzzing(thread);
}

WarpRendezvous::Rendezvous& WarpRendezvous::FindOrBegin(GpuThread* thread, const WarpOp* ops, uint32_t count,
                                                        uint32_t members) {
  Warp& warp = warps_[thread->warp];
  for (uint32_t left = warp.lanes; left != 0; left &= left - 1) {
    Rendezvous& rendezvous = warp.rendezvous[std::countr_zero(left)];
    if (rendezvous.ops == ops && rendezvous.count == count && rendezvous.mask == members) return rendezvous;
    // Each of the two waits for a lane that is at the other. A lane outside of the mask may wait at the next operation.
    const bool waits_for_this = (rendezvous.mask >> thread->lane & 1) != 0;
    if (waits_for_this && (rendezvous.arrived & members) != 0) FailDivergence(thread, rendezvous.mask, members);
  }
  warp.lanes |= 1u << thread->lane;
  Rendezvous& rendezvous = warp.rendezvous[thread->lane];
  rendezvous = {ops, count, members, /*arrived=*/0};
  return rendezvous;
}

extern "C" {

void mmtune_simt_barrier_warp(ThreadContext* context, uint32_t mask, uint32_t site) {
  WarpBarrier(ThreadOf(context), mask, site);
}

void mmtune_simt_warp(ThreadContext* context, const WarpOp* op, uint32_t mask, const uint32_t* in, uint32_t* out) {
  GpuThread* self = ThreadOf(context);
  self->ops->warp_rendezvous(*self).Execute(self, op, 1, mask, in, out);
}

void mmtune_simt_warp_batch(ThreadContext* context, const WarpOp* ops, uint32_t count, const uint32_t* in,
                            uint32_t* out) {
  GpuThread* self = ThreadOf(context);
  WarpRendezvous& warps = self->ops->warp_rendezvous(*self);
  if (!self->runner->scheduler().copies_complete_late()) {
    warps.Execute(self, ops, count, kAllLanes, in, out);
    return;
  }
  // With schedule fuzzing other threads may run in between, as on a GPU.
  for (const WarpOp* op = ops; op != ops + count; ++op) {
    warps.Execute(self, op, 1, kAllLanes, in, out);
    in += op->inputs;
    out += op->outputs;
  }
}

}  // extern "C"

}  // namespace mmtune::simt
