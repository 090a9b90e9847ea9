// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/warp_exchange.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/ops/float_bits.h"

namespace mmtune::simt {
namespace {

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
  const auto mode = static_cast<ReduceMode>(op.variant);
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

}  // namespace

void ExecuteShuffle(const WarpOp& op, const WarpCall& call) {
  const auto mode = static_cast<ShuffleMode>(op.variant);
  ForEachLane(call.mask, [&](uint32_t lane) {
    const int own = static_cast<int>(lane);
    const ShuffleSource source = FindSource(mode, own, call.in[lane][1], call.in[lane][2]);
    const int from = source.in_range ? source.lane : own;
    if ((call.mask >> from & 1) != 0) {
      call.out[lane][0] = call.in[from][0];
    } else {
      call.out[lane][0] = 0;
      ReportWarpOp(op, call, lane, "misuse", absl::StrCat("reads lane ", from, ", which is not in its mask"));
    }
    if (op.outputs > 1) call.out[lane][1] = source.in_range;
  });
}

void ExecuteVote(const WarpOp& op, const WarpCall& call) {
  uint32_t ballot = 0;
  ForEachLane(call.mask, [&](uint32_t lane) { ballot |= (call.in[lane][0] & 1) << lane; });
  uint32_t result = ballot;
  const auto mode = static_cast<VoteMode>(op.variant);
  if (mode == VoteMode::kAll) result = ballot == call.mask;
  if (mode == VoteMode::kAny) result = ballot != 0;
  if (mode == VoteMode::kUniform) result = ballot == call.mask || ballot == 0;
  ForEachLane(call.mask, [&](uint32_t lane) { call.out[lane][0] = result; });
}

void ExecuteReduce(const WarpOp& op, const WarpCall& call) {
  const auto mode = static_cast<ReduceMode>(op.variant);
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
  const bool all = static_cast<MatchMode>(op.variant) == MatchMode::kAll;
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

}  // namespace mmtune::simt
